import type { FastifyRequest } from 'fastify';
import { auditContextOf } from '../../accounts/sessions/session.ts';
import type { AuditContext } from '../../platform/audit/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { createLimit, type Limit } from '../../platform/rate-limits/in-memory.ts';
import type { Runtime } from '../../platform/runtime.ts';
import { nodeHash } from '../../platform/secrets.ts';
import type { PresentedClient } from '../core/client.ts';
import type { Authentication } from '../core/ports.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly tokenRateLimits: TokenRateLimits;
  }
}

/** Per minute, on each instance (security C41). */
export interface TokenRateLimits {
  /** Per client. Only failures count, so nobody can lock a client out. */
  readonly failedAuthentications: Limit;
  /** Per grant: far more than any app needs. */
  readonly grantRequests: Limit;
  /** Per client and grant. */
  readonly introspections: Limit;
}

export function createTokenRateLimits(runtime: Runtime): TokenRateLimits {
  return {
    failedAuthentications: createLimit(60, runtime, 'client_authentication'),
    grantRequests: createLimit(600, runtime, 'token_grant'),
    introspections: createLimit(600, runtime, 'introspection'),
  };
}

/** Notes the use of the secret for its owner, and limits failures. */
export function authenticationOf({
  runtime,
  clientSecretUse,
  tokenRateLimits,
}: Pick<Platform, 'runtime' | 'clientSecretUse' | 'tokenRateLimits'>): Authentication {
  return {
    hash: nodeHash,
    failures: tokenRateLimits.failedAuthentications,
    noteSecretUse: (id) => clientSecretUse.note(id, runtime.now()),
  };
}

/** For what a client does by itself; a public one may only pretend to be it. */
export function clientContextOf(
  request: FastifyRequest,
  { clientId }: Pick<PresentedClient, 'clientId'>,
): AuditContext {
  return { ...auditContextOf(request), actorClientId: clientId };
}
