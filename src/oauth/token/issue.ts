import type { Db } from '../../io/database.ts';
import { newUuid } from '../../io/system.ts';
import type { Client } from '../core/client.ts';
import { insertRedeemedGrant } from '../store.ts';
import { type IssuedTokens, type MintDeps, mintTokens } from './exchange.ts';

/**
 * Lets a client act for a user whom it manages (contract §8): an ordinary grant of all that the client is registered for, issued and
 * redeemed at once, so that refresh, revocation and expiry are the same as everybody's.
 */
export async function issueTokens(
  deps: MintDeps,
  db: Pick<Db, 'insert'>,
  { id: clientId, scopes }: Client,
  userId: number,
  now: Date,
): Promise<IssuedTokens> {
  const id = newUuid(deps.system);
  const grant = { id, clientId, userId, teamId: null, scopes, redirectUri: '', codeChallenge: null };
  const tokens = await mintTokens(deps, grant, 1, scopes, now);
  await insertRedeemedGrant(db, grant, now);
  return tokens;
}
