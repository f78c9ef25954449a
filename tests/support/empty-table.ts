import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../../src/platform/database.ts';
import { outbox } from '../../src/platform/mail/tables.ts';

/** Deletes all rows, and returns them. The service's own work on them waits, and meets no deadlock. */
export async function emptyTable<Table extends PgTable>(db: Db, table: Table) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${table} in exclusive mode`);
    return tx.delete(table).returning();
  });
}

export const emptyOutbox = (db: Db) => emptyTable(db, outbox);
