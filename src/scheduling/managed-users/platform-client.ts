import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ApiErrorCode, countHeader, sendApiError } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import { windowSeconds } from '../../io/limit.ts';
import type { Client, PresentedClient } from '../../oauth/core/client.ts';
import { findClientAndGrant } from '../../oauth/store.ts';
import { type AuthenticateDeps, authenticate } from '../../oauth/token/authenticate.ts';
import { isBasic, readBasic } from '../../oauth/token/client-authentication.ts';
import { ok, type Refusal, type Result, refuse } from '../../result.ts';
import { findPlatformOf } from './store.ts';

/** A client that may manage users, and the platform organization that they are in. */
export interface PlatformClient {
  readonly client: Client;
  readonly organizationId: number;
}

export interface PlatformClientDeps extends AuthenticateDeps {
  readonly db: Db;
}

declare module 'fastify' {
  interface FastifyRequest {
    platformClient: PlatformClient | undefined;
  }
}

const words = {
  two_authentications: ['BadRequest', 'Authenticate the client in one way only.'],
  no_credentials: [
    'Unauthorized',
    'Send client_id and client_secret by HTTP Basic, or the client_secret in x-cal-secret-key.',
  ],
  wrong_credentials: ['Unauthorized', 'There is no client with this id and secret.'],
  too_many_requests: ['TooManyRequests', 'Too many wrong secrets were sent. Wait a little and try again.'],
  client_not_accepted: ['Forbidden', 'The client was not accepted.'],
  client_is_public: ['Forbidden', 'Only a confidential client may manage users.'],
  another_client: ['Forbidden', 'A client manages its own users alone.'],
  no_platform: ['Forbidden', 'The client’s owner must own or administer a platform organization.'],
} as const satisfies Record<string, readonly [ApiErrorCode, string]>;

type Fault = keyof typeof words;

/** Every route of the scope is for the client in its path, by the client's own credentials, and for platforms alone (contract §8). */
export function registerPlatformClientScope(app: FastifyInstance, deps: PlatformClientDeps): void {
  app.decorateRequest('platformClient', undefined);
  // Before the inputs are looked at: strangers learn nothing of them.
  app.addHook<{ Params: { clientId?: string } }>('preValidation', async (request, reply) => {
    const found = await findPlatformClient(deps, request, request.params.clientId);
    if (!found.ok) return sendFault(request, reply, found);
    request.platformClient = found.value;
  });
}

/** The client of a request behind {@link registerPlatformClientScope}. */
export function platformClientOf(request: FastifyRequest): PlatformClient {
  if (request.platformClient === undefined)
    throw new Error('this route is not behind registerPlatformClientScope');
  return request.platformClient;
}

async function findPlatformClient(
  deps: PlatformClientDeps,
  request: FastifyRequest,
  clientId = '',
): Promise<Result<PlatformClient, Fault>> {
  const presented = readCredentials(request, clientId);
  if (!presented.ok) return presented;
  const { client } = await findClientAndGrant(deps.db, presented.value.clientId, undefined);
  const authenticated = await authenticate(deps, client, presented.value);
  if (!authenticated.ok) {
    const { reason } = authenticated;
    return refuse(
      reason === 'client_not_accepted' || reason === 'too_many_requests' ? reason : 'wrong_credentials',
    );
  }
  if (authenticated.value.type !== 'confidential') return refuse('client_is_public');
  if (authenticated.value.id !== clientId) return refuse('another_client');
  const organizationId = await findPlatformOf(deps.db, authenticated.value.id);
  return organizationId === undefined
    ? refuse('no_platform')
    : ok({ client: authenticated.value, organizationId });
}

/** HTTP Basic (RFC 6749 §2.3.1), or Cal.com's header for the secret of the client in the path, which another header may name too; not both. */
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

function sendFault(
  request: FastifyRequest,
  reply: FastifyReply,
  { reason, detail }: Refusal<Fault>,
): FastifyReply {
  request.log.info({ reason, detail }, 'a platform client was refused');
  const [code, message] = words[reason];
  if (code === 'Unauthorized') reply.header('www-authenticate', 'Basic realm="Latchkey", charset="UTF-8"');
  if (code === 'TooManyRequests') reply.header('retry-after', windowSeconds);
  return sendApiError(request, reply, code, message);
}
