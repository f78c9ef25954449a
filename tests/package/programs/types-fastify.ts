import Fastify, { type FastifyRequest } from 'fastify';
import type { TokenStore } from 'latchkey/core';
import { openIssuer, type ServerOptions, tokenServicePlugin } from 'latchkey/fastify';

declare const store: TokenStore;
const opened = await openIssuer({
  ...{ issuer: 'https://id.example', scopes: ['NOTES_READ'] },
  ...{ secrets: ['secret'], keys: [{ kid: '1' }] },
});
const options: ServerOptions<FastifyRequest> = { ...opened, store, onFault: () => {} };
const app = Fastify();
await app.register(tokenServicePlugin, { ...options, prefix: '/oauth' });
// @ts-expect-error A store is required.
await app.register(tokenServicePlugin, { ...opened, onFault: () => {} });
