// Only this file and core/index.ts re-export: it is the public surface of `latchkey`.

export * from './core/index.ts';
export type { Access } from './http/access.ts';
export type { FormPost } from './http/app-answer.ts';
export {
  type AuthorizationServer,
  type AuthorizationServerOptions,
  authorizationServer,
} from './http/authorization-server.ts';
export type { Allowed, Asked, AskedRefusalReason, GrantStore } from './http/authorize.ts';
export * from './http/fetch.ts';
