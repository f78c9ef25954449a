import { between, max, min } from 'drizzle-orm';
import type { Db } from '../../../platform/database.ts';
import { grants } from '../../tables.ts';

/** An app at its quickstart has few grants; of more, some are enough. */
const maxRead = 100;

/** Returns when the first grant was redeemed and when the latest was refreshed, of some of a client's. */
export async function findTokenRequests(db: Db, clientId: string) {
  // A range isn't known to be one value, so its order makes the planner take the index.
  const some = db
    .select({ redeemedAt: grants.redeemedAt, rotatedAt: grants.rotatedAt })
    .from(grants)
    .where(between(grants.clientId, clientId, clientId))
    .orderBy(grants.clientId)
    .limit(maxRead)
    .as('some');
  const [found] = await db.select({ first: min(some.redeemedAt), last: max(some.rotatedAt) }).from(some);
  return found ?? { first: null, last: null };
}
