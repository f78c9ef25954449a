import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { z } from 'zod';
import { type ApiErrorCode, sendApiError } from '../api/errors.ts';
import { authenticate, type Client, type PresentedClient } from '../oauth/core/client.ts';
import { countHeader } from '../oauth/http/fastify.ts';
import { isBasic, readBasic } from '../oauth/http/presented.ts';
import { authenticationOf } from '../oauth/token/server.ts';
import { tokenStore } from '../oauth/token/store.ts';
import { refuseIfReached } from '../platform/limits/buckets.ts';
import { ok, type Refusal, type Result, refuse } from '../result.ts';
import { spendAndTell } from './limits.ts';

declare module 'fastify' {
  interface FastifyRequest {
    callingClient: Client | undefined;
  }
}

const faults = {
  two_authentications: ['BadRequest', 'Authenticate the client in only one way.'],
  no_credentials: [
    'Unauthorized',
    'Send the client ID and secret by HTTP Basic, or the secret in x-cal-secret-key.',
  ],
  wrong_credentials: ['Unauthorized', 'Unknown client or wrong secret.'],
  client_not_accepted: ['Forbidden', 'The client isn’t approved.'],
  client_is_public: ['Forbidden', 'Only confidential clients can do this.'],
  another_client: ['Forbidden', 'A client can’t act for another client.'],
} as const satisfies Record<string, readonly [ApiErrorCode, string]>;

type Fault = keyof typeof faults;

/** Requires the credentials of the client in the path (contract §8). */
export const callingClientPlugin = fp(
  async (app) => {
    app.decorateRequest('callingClient', undefined);
    // Validation comes later: a caller without access learns nothing about the input.
    app.addHook<{ Params: { clientId?: string } }>('preValidation', async (request, reply) => {
      const found = await findCallingClient(app, reply, request.params.clientId);
      if (!found.ok) return sendFault(reply, found);
      request.callingClient = found.value;
    });
  },
  { name: 'calling-client', dependencies: ['platform', 'api-errors'] },
);

export function callingClientOf({ callingClient }: FastifyRequest): Client {
  if (callingClient === undefined) throw new Error('this route is not behind callingClientPlugin');
  return callingClient;
}

async function findCallingClient(
  app: FastifyInstance,
  reply: FastifyReply,
  clientId = '',
): Promise<Result<Client, Fault>> {
  const presented = readCredentials(reply.request, clientId);
  if (!presented.ok) return presented;
  const { client } = await tokenStore(app.db).find(presented.value.clientId, undefined);
  const authenticated = await authenticate(authenticationOf(app), client, presented.value);
  if (!authenticated.ok) {
    const { reason } = authenticated;
    const wrong = [[presented.value.clientId, 1]] as const;
    if (reason === 'too_many_requests')
      refuseIfReached('wrong_secrets', app.buckets.wrong_secrets.take(wrong));
    return refuse(reason === 'client_not_accepted' ? reason : 'wrong_credentials');
  }
  if (authenticated.value.type !== 'confidential') return refuse('client_is_public');
  if (authenticated.value.id !== clientId) return refuse('another_client');
  reply.request.whose = [[`client ${clientId}`, 1]];
  spendAndTell(reply, 'requests');
  return ok(authenticated.value);
}

export const callingClientParams = z.object({ clientId: z.string().max(100).describe('The client ID.') });

/** Accepts HTTP Basic (RFC 6749 §2.3.1) or Cal.com's headers, but not both. */
function readCredentials(request: FastifyRequest, inPath: string): Result<PresentedClient, Fault> {
  const { authorization, 'x-cal-client-id': sentId, 'x-cal-secret-key': secret } = request.headers;
  const usesHeaders = sentId !== undefined || secret !== undefined;
  const isRepeated = ['authorization', 'x-cal-client-id', 'x-cal-secret-key'].some(
    (name) => countHeader(request, name) > 1,
  );
  if (isRepeated || (authorization !== undefined && usesHeaders)) return refuse('two_authentications');
  if (isBasic(authorization)) {
    const basic = readBasic(authorization);
    return basic === undefined ? refuse('wrong_credentials', 'the Basic header cannot be read') : ok(basic);
  }
  const id = sentId ?? inPath;
  if (typeof id !== 'string' || typeof secret !== 'string') return refuse('no_credentials');
  return ok({ clientId: id, clientSecret: secret });
}

function sendFault(reply: FastifyReply, { reason, detail }: Refusal<Fault>): FastifyReply {
  reply.request.log.info({ reason, detail }, 'a platform client was refused');
  const [code, message] = faults[reason];
  if (code === 'Unauthorized') reply.header('www-authenticate', 'Basic realm="Latchkey", charset="UTF-8"');
  return sendApiError(reply, code, message);
}
