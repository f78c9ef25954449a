import { eq, sql } from 'drizzle-orm';
import type { ReviewStatus } from '../../src/oauth/core/client.ts';
import { clients } from '../../src/oauth/tables.ts';
import type { Db } from '../../src/platform/database.ts';
import { scopeNames } from './scopes.ts';

/** Puts a client into a review status, past the review page; what full access is by now is accepted with it. */
export async function setClientStatus(db: Db, id: string, status: ReviewStatus): Promise<void> {
  const acceptedScopes = sql`coalesce(${clients.scopes}, ${sql.param(scopeNames, clients.scopes)})`;
  const isAccepted = status === 'accepted';
  await db
    .update(clients)
    .set({ status, ...(isAccepted && { acceptedScopes }) })
    .where(eq(clients.id, id));
}
