import type { Client } from '../oauth/core/client.ts';
import { type IssuedTokens, issueTokens } from '../oauth/core/token-request.ts';
import { insertRedeemedGrant } from '../oauth/store.ts';
import type { Db } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import { newUuid } from '../platform/runtime.ts';

/** Stores an ordinary grant, which counts as redeemed from the start (contract §8). */
export async function issueForManagedUser(
  { config, runtime, tokenIssuer }: Pick<Platform, 'config' | 'runtime' | 'tokenIssuer'>,
  db: Db,
  { id: clientId, scopes }: Client,
  userId: number,
  now: Date,
): Promise<IssuedTokens> {
  const parties = { id: newUuid(runtime), clientId, userId, teamId: null };
  const bindings = { redirectUri: '', codeChallenge: null, dpopJkt: null };
  const grant = { ...parties, scopes, resources: null, ...bindings };
  const tokens = await issueTokens(tokenIssuer, grant, 1, { scopes, resources: null, jkt: null }, now);
  await insertRedeemedGrant(db, grant, config.lifetimes, now);
  return tokens;
}
