import type { FastifyRequest } from 'fastify';
import { type AuditContext, requestContext } from '../../platform/audit/context.ts';
import { count } from '../../platform/metrics/counters.ts';
import type { Platform } from '../../platform/platform.ts';
import { ok } from '../../result.ts';
import type { Grant, RevocationReason } from '../core/grant.ts';
import type { Identities, TokenRequest, TokenStore } from '../core/ports.ts';
import { answerTokenRequest, tokenResponse } from '../core/token-request.ts';
import { oauthCallOf, offerDpopNonce, readDpopProof } from '../http/fastify.ts';
import { tokenRequestOf } from '../http/request.ts';
import { authenticationOf, oauthEndpoint } from './endpoint.ts';
import { tokenFields } from './fields.ts';
import { plainTokens, tokens } from './response.ts';
import { createShortcut } from './shortcut.ts';
import { tokenStore } from './store.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    /** Stays undefined where no part knows who signed in for a grant. */
    readonly identities: Identities | undefined;
    /** Records the revocation. A grant that was revoked before keeps its first reason. */
    readonly revokeGrant: (id: string, reason: RevocationReason, by: AuditContext) => Promise<void>;
    /** Ends the grants that were unused for longest, where a user and a client have too many. */
    readonly endUnusedGrants: (redeemed: Grant, by: AuditContext) => Promise<void>;
  }
}

const tokenPath = '/auth/oauth2/token';

/** Serves contract §4. Each refusal is recorded after its response. */
export const tokenPlugin = oauthEndpoint('token', {
  path: tokenPath,
  operationId: 'requestTokens',
  summary: 'Exchange a code or refresh tokens',
  description:
    'Send a form or JSON. A refresh token works once. If you don’t get the response, send the same request again: you get the same new refresh token. With a DPoP header (RFC 9449), the access token is bound to its key.',
  body: tokenFields,
  answerOf: ({ identities }) =>
    (identities === undefined ? plainTokens : tokens).describe('The tokens, flat (RFC 6749 §5.1).'),
  onResponse(request, _reply, done) {
    note(request);
    done();
  },
  open(app) {
    const exchange = createExchange(app);
    app.addHook(
      'onRequest',
      offerDpopNonce(app.secrets, () => app.runtime.now()),
    );
    return async (client, fields, request) => {
      const outcome = await exchange(
        tokenRequestOf(client, fields, readDpopProof(request)),
        () => requestContext(request, { actorClientId: client.clientId }),
        () => !request.socket.destroyed,
      );
      if (!outcome.ok) return outcome;
      oauthCallOf(request).issuedGrantId = outcome.value.grantId;
      return ok(tokenResponse(outcome.value));
    };
  },
});

function note(request: FastifyRequest): void {
  const { id: requestId, query, server } = request;
  const { basic, fields: read, refusal, issuedGrantId } = oauthCallOf(request);
  if (refusal === undefined && server.config.metrics === undefined) return;
  const fields = read?.ok === true ? read.value : {};
  // The type follows from whether a secret was sent, which is known of refused clients, too.
  const clientType = (basic ?? fields['client_secret']) === undefined ? 'public' : 'confidential';
  if (issuedGrantId !== undefined) count('tokens_issued', `${fields['grant_type']} ${clientType}`);
  if (refusal === undefined) return;
  count('tokens_refused', `${refusal.reason} ${clientType}`);
  const at = server.runtime.now();
  server.failedRequests.record({ requestId, at, refusal, fields, basic, query });
}

type Exchanging = Pick<
  Platform,
  | ('config' | 'db' | 'log' | 'runtime' | 'clientSecretUse' | 'tokenIssuer' | 'buckets')
  | ('revokeGrant' | 'endUnusedGrants' | 'identities')
>;

function createExchange(app: Exchanging) {
  const { runtime, config, buckets } = app;
  const endpoint = {
    ...authenticationOf(app),
    issuer: app.tokenIssuer,
    lifetimes: config.lifetimes,
    url: `${config.apiUrl}/v2${tokenPath}`,
    now: () => runtime.now(),
    noteAhead: ({ id: grantId, clientId, generation }: Grant) => {
      count('refresh_tokens_ahead');
      const message = 'a refresh token is one generation ahead of its grant: the database lost a commit';
      app.log.warn({ grantId, clientId, generation }, message);
    },
    grantLimit: {
      allows: (id: string) => buckets.requests.take([[id, 1]]).isAllowed,
      isReached: (id: string) => !buckets.requests.hasRoom([[id, 1]]),
    },
    identities: app.identities,
    ...(config.databaseGrouping === 'on'
      ? { shortcut: createShortcut(app.db, config.lifetimes, app.tokenIssuer.scopes) }
      : {}),
  };
  /** The context is read only for thefts. `isAwaited` says whether the client still waits. */
  return async (request: TokenRequest, readContext: () => AuditContext, isAwaited: () => boolean) => {
    // A process that stood still reads requests that were given up and repeated: those prove no
    // theft.
    const revoke: TokenStore['revoke'] = async ({ id }, reason) => {
      if (isAwaited()) await app.revokeGrant(id, reason, readContext());
    };
    const grants = tokenStore(app.db, (redeemed) =>
      // The exchange is committed already, and the next one makes room.
      app
        .endUnusedGrants(redeemed, readContext())
        .catch((err: unknown) =>
          app.log.warn({ err }, 'grants past the ceiling were not ended, to be tried again'),
        ),
    );
    return answerTokenRequest({ ...endpoint, store: { ...grants, revoke } }, request);
  };
}
