import type { AuditContext } from '../../platform/audit/store.ts';
import { count } from '../../platform/counts.ts';
import type { Db } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { nodeHash } from '../../platform/secrets.ts';
import type { Client } from '../core/client.ts';
import type { TokenIssuer, TokenRequest, TokenStore } from '../core/endpoint.ts';
import type { Grant } from '../core/grant.ts';
import { answerTokenRequest, type IssuedTokens, issueTokens } from '../core/issue.ts';
import { knownResources } from '../permissions.ts';
import { revokeGrant } from '../revocation/store.ts';
import { insertRedeemedGrant, tokenStore } from '../store.ts';
import { limitFailures } from './client-authentication.ts';
import { createShortcut } from './store.ts';

export const tokenPath = '/auth/oauth2/token';

type Issuing = Pick<Platform, 'config' | 'runtime' | 'secrets' | 'keys'>;
type Exchanging = Issuing & Pick<Platform, 'db' | 'log' | 'clientSecretUse' | 'tokenRateLimits'>;

export function createExchange(app: Exchanging) {
  const { runtime, config, tokenRateLimits } = app;
  const grants = tokenStore(app.db);
  const endpoint = {
    issuer: issuerOf(app),
    lifetimes: config.lifetimes,
    hash: nodeHash,
    url: `${config.apiUrl}/v2${tokenPath}`,
    now: () => runtime.now(),
    noteSecretUse: (secretId: string) => app.clientSecretUse.note(secretId, runtime.now()),
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
      if (isAwaited()) await revokeGrant(app.db, id, reason, readContext());
    };
    const answer = await answerTokenRequest({ ...endpoint, store: { ...grants, revoke } }, request);
    return answer.ok ? answer : limitFailures(app, answer, request.client.clientId);
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
  await insertRedeemedGrant(db, grant, now);
  return tokens;
}

function issuerOf({ config, keys, runtime, secrets }: Issuing): TokenIssuer {
  return {
    issuer: config.appUrl,
    resources: knownResources(config),
    signer: () => keys.signer(),
    mac: secrets,
    randomBytes: (length) => runtime.randomBytes(length),
  };
}
