import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { serializerCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { explainOutage } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { nodeHash } from '../../platform/secrets.ts';
import { refuse } from '../../result.ts';
import { isUnreadDocument } from '../client-id.ts';
import type { PresentedClient } from '../core/client.ts';
import type { Authentication } from '../core/ports.ts';
import { oauthCallOf, readOAuthCalls, readsAs } from '../http/fastify.ts';
import { sendTokenRefusal } from './response.ts';

/** Reads and refuses as RFC 6749 says (contract §4, §7). */
export const oauthScopePlugin = fp(
  async (app) => {
    readOAuthCalls(app, { refuse: sendTokenRefusal, refuseFault: sendFault });
    app.setSerializerCompiler(serializerCompiler);
  },
  { name: 'oauth-scope' },
);

export function readsClientAnd(schema: z.ZodType): preValidationHookHandler {
  return readsAs(schema, { refuse: sendTokenRefusal });
}

export function presentedClientOf(request: FastifyRequest): PresentedClient {
  const { client } = oauthCallOf(request);
  if (client === undefined) throw new Error('this route is not behind readsClientAnd');
  // No client has an empty id.
  return isUnreadDocument(request.server, client.clientId) ? { ...client, clientId: '' } : client;
}

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

export function refuseOtherMethods(app: FastifyInstance, url: string): void {
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    config: { refusesMethod: true },
    handler: async (_request, reply) =>
      sendTokenRefusal(reply.header('allow', 'POST'), refuse('method_not_allowed')),
  });
}

function sendFault(reply: FastifyReply, error: unknown): FastifyReply {
  const outage = explainOutage(error);
  reply.log.error({ err: error }, outage ?? 'a token request failed');
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return sendTokenRefusal(reply, refuse(outage === undefined ? 'internal_error' : 'try_again', code));
}
