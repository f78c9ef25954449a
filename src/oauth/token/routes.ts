import type { FastifyRequest, onResponseHookHandler } from 'fastify';
import type { AuditContext } from '../../platform/audit/store.ts';
import type { Db } from '../../platform/database.ts';
import { count } from '../../platform/metrics/counters.ts';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import type { Client } from '../core/client.ts';
import type { Grant } from '../core/grant.ts';
import type { TokenIssuer, TokenRequest, TokenStore } from '../core/ports.ts';
import { answerTokenRequest, type IssuedTokens, issueTokens, tokenResponse } from '../core/token-request.ts';
import { offerDpopNonce } from '../dpop.ts';
import { formType } from '../http/body.ts';
import { oauthCallOf, readDpopProof } from '../http/fastify.ts';
import { tokenFields, tokenRequestOf } from '../http/request.ts';
import { knownResources } from '../permissions.ts';
import { endUnusedGrants, revokeGrant } from '../revocation/store.ts';
import { insertRedeemedGrant, tokenStore } from '../store.ts';
import { authenticationOf, clientContextOf } from './client-authentication.ts';
import { oauthScopePlugin, presentedClientOf, readsClientAnd, refuseOtherMethods } from './endpoint.ts';
import { oauthErrors, sendTokenRefusal, tokens } from './response.ts';
import { createShortcut } from './store.ts';

const tokenPath = '/auth/oauth2/token';

const schema = {
  operationId: 'requestTokens',
  summary: 'Exchange a code or refresh tokens',
  description:
    'Send a form or JSON. A refresh token works once. If you don’t get the response, send the same request again: you get the same new refresh token. With a DPoP header (RFC 9449), the access token is bound to its key.',
  tags: ['OAuth'],
  security: [{}, { clientBasic: [] }],
  consumes: [formType],
  body: tokenFields,
  response: { 200: tokens.describe('The tokens, flat (RFC 6749 §5.1).'), ...oauthErrors },
};

/** Contract §4. Each refusal is recorded after its response. */
export const tokenPlugin = scopedPlugin('token', ['api-errors'], async (app) => {
  await app.register(oauthScopePlugin);
  const exchange = createExchange(app);
  app.addHook('onRequest', offerDpopNonce);
  const note = (request: FastifyRequest): void => {
    const { id: requestId, query } = request;
    const { basic, fields: read, refusal, issuedGrantId } = oauthCallOf(request);
    if (refusal === undefined && app.config.metrics === undefined) return;
    const fields = read?.ok === true ? read.value : {};
    // By whether it sent a secret: that is known of refused ones, too.
    const clientType = (basic ?? fields['client_secret']) === undefined ? 'public' : 'confidential';
    if (issuedGrantId !== undefined) count('tokens_issued', `${fields['grant_type']} ${clientType}`);
    if (refusal === undefined) return;
    count('tokens_refused', `${refusal.reason} ${clientType}`);
    const at = app.runtime.now();
    app.failedRequests.record({ requestId, at, refusal, fields, basic, query });
  };
  const onResponse: onResponseHookHandler = (request, _reply, done) => {
    note(request);
    done();
  };
  const preValidation = readsClientAnd(tokenFields);
  app.post(tokenPath, { schema, preValidation, onResponse }, async (request, reply) => {
    const client = presentedClientOf(request);
    const outcome = await exchange(
      tokenRequestOf(client, request.body, readDpopProof(request)),
      () => clientContextOf(request, client),
      () => !request.socket.destroyed,
    );
    if (!outcome.ok) return sendTokenRefusal(reply, outcome);
    oauthCallOf(request).issuedGrantId = outcome.value.grantId;
    return reply.code(200).send(tokenResponse(outcome.value));
  });
  refuseOtherMethods(app, tokenPath);
});

type Issuing = Pick<Platform, 'config' | 'runtime' | 'secrets' | 'keys' | 'permissions'>;
type Exchanging = Issuing & Pick<Platform, 'db' | 'log' | 'parts' | 'clientSecretUse' | 'tokenRateLimits'>;

function createExchange(app: Exchanging) {
  const { runtime, config, tokenRateLimits } = app;
  const endpoint = {
    ...authenticationOf(app),
    issuer: issuerOf(app),
    lifetimes: config.lifetimes,
    url: `${config.apiUrl}/v2${tokenPath}`,
    now: () => runtime.now(),
    noteAhead: ({ id: grantId, clientId, generation }: Grant) => {
      count('refresh_tokens_ahead');
      const message = 'a refresh token is one generation ahead of its grant: the database lost a commit';
      app.log.warn({ grantId, clientId, generation }, message);
    },
    grantLimit: tokenRateLimits.grantRequests,
    ...(config.databaseGrouping === 'on' ? { shortcut: createShortcut(app.db, config.lifetimes) } : {}),
  };
  /** `readContext`: for thefts, which are rare. `isAwaited`: whether the client still waits. */
  return async (request: TokenRequest, readContext: () => AuditContext, isAwaited: () => boolean) => {
    // A process that stood still reads requests that were given up and sent again elsewhere: those
    // prove no theft.
    const revoke: TokenStore['revoke'] = async ({ id }, reason) => {
      if (isAwaited()) await revokeGrant(app, id, reason, readContext());
    };
    const grants = tokenStore(app.db, (redeemed) =>
      // The exchange stands already, and the next one makes room.
      endUnusedGrants(app, redeemed, readContext()).catch((err: unknown) =>
        app.log.warn({ err }, 'grants past the ceiling were not ended, to be tried again'),
      ),
    );
    return answerTokenRequest({ ...endpoint, store: { ...grants, revoke } }, request);
  };
}

/** For a user whom the client manages (contract §8): an ordinary grant, redeemed from the start. */
export async function issueForManagedUser(
  app: Issuing,
  db: Db,
  { id: clientId, scopes }: Client,
  userId: number,
  now: Date,
): Promise<IssuedTokens> {
  const id = newUuid(app.runtime);
  const access = { scopes, resources: null, jkt: null };
  const parties = { id, clientId, userId, teamId: null };
  const bindings = { redirectUri: '', codeChallenge: null, dpopJkt: null };
  const grant = { ...parties, scopes, resources: null, ...bindings };
  const tokens = await issueTokens(issuerOf(app), grant, 1, access, now);
  await insertRedeemedGrant(db, grant, app.config.lifetimes, now);
  return tokens;
}

function issuerOf({ config, keys, permissions, runtime, secrets }: Issuing): TokenIssuer {
  return {
    issuer: config.appUrl,
    resources: knownResources(config),
    scopes: permissions.known,
    signer: () => keys.signer(),
    mac: secrets,
    randomBytes: (length) => runtime.randomBytes(length),
  };
}
