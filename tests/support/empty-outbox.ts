import { sql } from 'drizzle-orm';
import type { Db } from '../../src/platform/database.ts';
import { outbox } from '../../src/platform/mail/tables.ts';

/** Deletes all emails, and returns them. The service's own look at them waits, and meets no deadlock. */
export async function emptyOutbox(db: Db) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${outbox} in exclusive mode`);
    return tx.delete(outbox).returning();
  });
}
