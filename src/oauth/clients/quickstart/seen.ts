import type { Platform } from '../../../platform/platform.ts';
import { secondsBetween } from '../../core/grant.ts';
import { durationOf, explain } from '../../failed-requests/causes.ts';
import { findLastFailedTokenRequest } from '../../failed-requests/store.ts';
import { piecesOf } from '../../token/advice.ts';
import { findTokenRequests } from './store.ts';

/** Says which token request of a client we saw last; undefined while there was none. */
export async function describeLastTokenRequest(
  { db, runtime }: Pick<Platform, 'db' | 'runtime'>,
  clientId: string,
) {
  const now = runtime.now();
  const [{ first, last }, failed] = await Promise.all([
    findTokenRequests(db, clientId),
    findLastFailedTokenRequest(db, clientId, now),
  ]);
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
