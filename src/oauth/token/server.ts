import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { JSONWebKeySet } from 'jose';
import { type Db, explainOutage } from '../../platform/database.ts';
import { count } from '../../platform/metrics/counters.ts';
import { nodeHash } from '../../platform/runtime.ts';
import type { KeyLookup } from '../core/access-token.ts';
import type { Authentication } from '../core/client.ts';
import type { Grant, Lifetimes, RevocationReason } from '../core/grant.ts';
import type { Identities, TokenIssuer, TokenStore } from '../core/ports.ts';
import { isUnreadDocument } from '../document-id.ts';
import { oauthCallOf } from '../http/fastify.ts';
import { readPresentedToken, readTokenFields } from '../http/request.ts';
import { openServer, type Server } from '../http/server.ts';
import { readBy, revocationFields, tokenFields } from './fields.ts';
import { errorUriOf } from './response.ts';
import { createShortcut } from './shortcut.ts';
import { tokenStore } from './store.ts';

declare module '../../platform/platform.ts' {
  interface OptionalCapabilities {
    readonly identities: Identities;
  }
  interface Platform {
    readonly grantMoves: GrantMoves;
    readonly oauthServer: Server<FastifyRequest>;
  }
}

/** What follows from a request for a grant, recorded as what that request does. */
export interface GrantMoves {
  /** A grant that was revoked before keeps its first reason. */
  revoke(grant: Grant, reason: RevocationReason, request: FastifyRequest): Promise<void>;
  /** Ends the grants that were unused for longest, where a user and a client have too many. */
  makeRoom(redeemed: Grant, request: FastifyRequest): Promise<void>;
}

interface Bucket {
  take(whose: readonly (readonly [key: string, times: number])[]): { readonly isAllowed: boolean };
  hasRoom(whose: readonly (readonly [key: string, times: number])[]): boolean;
}

interface Authenticating {
  readonly runtime: { now(): Date };
  readonly clientSecretUse: { note(secretId: string, at: Date): void };
  readonly buckets: { readonly wrong_secrets: Bucket };
}

/** What this service gives the endpoints: `app` has it all. */
interface Serving extends Authenticating {
  readonly config: {
    readonly appUrl: string;
    readonly apiUrl: string;
    readonly lifetimes: Lifetimes;
    readonly databaseGrouping: 'on' | 'off';
  };
  readonly db: Db;
  readonly log: FastifyBaseLogger;
  readonly buckets: { readonly wrong_secrets: Bucket; readonly requests: Bucket };
  readonly tokenIssuer: TokenIssuer;
  readonly keys: { fill(): Promise<void>; jwks(): JSONWebKeySet; lookUp(): KeyLookup };
  readonly identities: Identities | undefined;
  readonly clientDocuments: object | undefined;
  readonly grantMoves: GrantMoves;
}

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
    readers: {
      token: readBy(tokenFields, readTokenFields),
      presented: readBy(revocationFields, readPresentedToken),
    },
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

const createStore =
  ({ db, grantMoves, log }: Serving) =>
  (request: FastifyRequest): TokenStore => ({
    ...tokenStore(db, (redeemed) =>
      // The exchange is committed already, and the next one makes room.
      grantMoves
        .makeRoom(redeemed, request)
        .catch((err: unknown) =>
          log.warn({ err }, 'grants past the limit were not ended, to be tried again'),
        ),
    ),
    async revoke(grant, reason) {
      // A process that stood still reads requests that were given up and repeated: those prove no
      // theft.
      if (reason === 'client' || !request.socket.destroyed) await grantMoves.revoke(grant, reason, request);
    },
  });

export const authenticationOf = ({ runtime, clientSecretUse, buckets }: Authenticating): Authentication => ({
  hash: nodeHash,
  failures: { allows: (id) => buckets.wrong_secrets.take([[id, 1]]).isAllowed },
  noteSecretUse: (id) => clientSecretUse.note(id, runtime.now()),
});
