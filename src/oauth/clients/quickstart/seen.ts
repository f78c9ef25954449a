import { between, max, min } from 'drizzle-orm';
import type { Platform } from '../../../platform/platform.ts';
import { secondsBetween } from '../../core/grant.ts';
import { durationOf, explain } from '../../failed-requests/causes.ts';
import { findLastFailedTokenRequest } from '../../failed-requests/store.ts';
import { grants } from '../../tables.ts';
import { piecesOf } from '../../token/advice.ts';

/** Whoever is at the quickstart has few grants; of more, some are enough. */
const maxRead = 100;

/** Says which token request of a client we saw last; undefined while there was none. */
export async function describeLastTokenRequest(
  { db, runtime }: Pick<Platform, 'db' | 'runtime'>,
  clientId: string,
) {
  const now = runtime.now();
  // A range isn't known to be one value, so its order makes the planner take the index.
  const some = db
    .select({ redeemedAt: grants.redeemedAt, rotatedAt: grants.rotatedAt })
    .from(grants)
    .where(between(grants.clientId, clientId, clientId))
    .orderBy(grants.clientId)
    .limit(maxRead)
    .as('some');
  const [[given], failed] = await Promise.all([
    db.select({ first: min(some.redeemedAt), last: max(some.rotatedAt) }).from(some),
    findLastFailedTokenRequest(db, clientId, now),
  ]);
  const { first = null, last = null } = given ?? {};
  const isFailed = failed !== undefined && (last === null || failed.at > last);
  const at = isFailed ? failed.at : last;
  if (at === null) return undefined;
  const which = first?.getTime() === last?.getTime() ? 'first' : 'latest';
  return {
    at,
    words: isFailed ? 'Your last token request failed' : `We saw your ${which} token request`,
    ago: `${durationOf(Math.max(0, Math.floor(secondsBetween(at, now))))} ago`,
    isFailed,
    why: isFailed ? piecesOf(explain(failed.cause, failed.reason)) : [],
  };
}
