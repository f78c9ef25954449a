import { eq } from 'drizzle-orm';
import type { ReviewStatus } from '../../src/oauth/core/client.ts';
import { clients } from '../../src/oauth/tables.ts';
import type { Db } from '../../src/platform/database.ts';

/** Puts a client into a review status, past the review page. */
export async function setClientStatus(db: Db, id: string, status: ReviewStatus): Promise<void> {
  await db.update(clients).set({ status }).where(eq(clients.id, id));
}
