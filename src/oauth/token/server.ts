import type { FastifyRequest } from 'fastify';
import { type AuditContext, requestContext } from '../../platform/audit/context.ts';
import { explainOutage } from '../../platform/database.ts';
import { count } from '../../platform/metrics/counters.ts';
import type { Platform } from '../../platform/platform.ts';
import { nodeHash } from '../../platform/secrets.ts';
import { isUnreadDocument } from '../client-id.ts';
import type { Grant, RevocationReason } from '../core/grant.ts';
import type { Authentication, Identities, TokenStore } from '../core/ports.ts';
import { oauthCallOf } from '../http/fastify.ts';
import { openServer, type Server } from '../http/server.ts';
import type { StoredGrant } from '../standing.ts';
import { presentedFields, readBy, tokenFields } from './fields.ts';
import { errorUriOf } from './response.ts';
import { createShortcut } from './shortcut.ts';
import { tokenStore } from './store.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    /** Stays undefined where no part knows who signed in for a grant. */
    readonly identities: Identities | undefined;
    /** Records the revocation. A grant that was revoked before keeps its first reason. */
    readonly revokeGrant: (id: string, reason: RevocationReason, by: AuditContext) => Promise<void>;
    /** Ends the grants that were unused for longest, where a user and a client have too many. */
    readonly endUnusedGrants: (
      redeemed: Pick<StoredGrant, 'id' | 'userId' | 'clientId'>,
      by: AuditContext,
    ) => Promise<void>;
    readonly oauthServer: Server<FastifyRequest>;
  }
}

type Serving = Pick<
  Platform,
  | ('config' | 'db' | 'log' | 'runtime' | 'clientSecretUse' | 'tokenIssuer' | 'buckets' | 'keys')
  | ('revokeGrant' | 'endUnusedGrants' | 'identities' | 'clientDocuments')
>;

/** The library's own endpoints (ADR 17), with what this service adds. */
export function openOAuthServer(app: Serving, metadata: object): Server<FastifyRequest> {
  const { config, runtime, buckets, keys, tokenIssuer } = app;
  const { appUrl, apiUrl } = config;
  return openServer<FastifyRequest>({
    ...authenticationOf(app),
    store: createStore(app),
    issuer: tokenIssuer,
    lifetimes: config.lifetimes,
    now: () => runtime.now(),
    url: `${apiUrl}/v2/auth/oauth2`,
    jwksUri: `${appUrl}/.well-known/jwks.json`,
    authorizationEndpoint: `${appUrl}/auth/oauth2/authorize`,
    metadata,
    async jwks() {
      await keys.fill();
      return keys.jwks();
    },
    keys: () => keys.lookUp(),
    serves: (clientId) => !isUnreadDocument(app, clientId),
    readers: { token: readBy(tokenFields), presented: readBy(presentedFields) },
    unsupportedGrantType: 'invalid_request',
    errorUri: (reason) => errorUriOf(appUrl, reason),
    identities: app.identities,
    noteAhead({ id: grantId, clientId, generation }) {
      count('refresh_tokens_ahead');
      const message = 'a refresh token is one generation ahead of its grant: the database lost a commit';
      app.log.warn({ grantId, clientId, generation }, message);
    },
    grantLimit: {
      allows: (id) => buckets.requests.take([[id, 1]]).isAllowed,
      isReached: (id) => !buckets.requests.hasRoom([[id, 1]]),
    },
    introspectionLimit: {
      allows: (clientId, grantId) =>
        buckets.requests.take([[`introspection ${clientId} ${grantId}`, 1]]).isAllowed,
    },
    ...(config.databaseGrouping === 'on' && {
      shortcut: createShortcut(app.db, config.lifetimes, tokenIssuer.scopes),
    }),
    onTokens({ grantId }, { context }) {
      oauthCallOf(context).issuedGrantId = grantId;
    },
    onRefusal(refusal, { context }) {
      const { reason, detail } = refusal;
      oauthCallOf(context).refusal = refusal;
      context.log.info({ reason, detail }, 'a token request was refused'); // protects: C25
    },
    onFault: (err, { context }) => context.log.error({ err }, explainOutage(err) ?? 'a token request failed'),
    isAway: (error) => explainOutage(error) !== undefined,
  });
}

/** What a request changes is recorded as its own. */
function createStore(app: Pick<Serving, 'db' | 'revokeGrant' | 'endUnusedGrants' | 'log'>) {
  return (request: FastifyRequest): TokenStore => {
    const by = ({ clientId: actorClientId }: Grant) => requestContext(request, { actorClientId });
    return {
      ...tokenStore(app.db, (redeemed) =>
        // The exchange is committed already, and the next one makes room.
        app
          .endUnusedGrants({ ...redeemed, userId: Number(redeemed.userId) }, by(redeemed))
          .catch((err: unknown) =>
            app.log.warn({ err }, 'grants past the ceiling were not ended, to be tried again'),
          ),
      ),
      async revoke(grant, reason) {
        // A process that stood still reads requests that were given up and repeated: those prove no
        // theft.
        if (reason !== 'client' && request.socket.destroyed) return;
        await app.revokeGrant(grant.id, reason, by(grant));
      },
    };
  };
}

export function authenticationOf({
  runtime,
  clientSecretUse,
  buckets,
}: Pick<Platform, 'runtime' | 'clientSecretUse' | 'buckets'>): Authentication {
  return {
    hash: nodeHash,
    failures: { allows: (id) => buckets.wrong_secrets.take([[id, 1]]).isAllowed },
    noteSecretUse: (id) => clientSecretUse.note(id, runtime.now()),
  };
}
