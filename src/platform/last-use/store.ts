import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../database.ts';

/** `key` is the primary key of what is used, a UUID. */
export interface UsedColumns {
  readonly key: PgColumn;
  readonly lastUsedAt: PgColumn;
}

type Uses = readonly (readonly [id: string, at: Date])[];

/** A later use that another instance noted stays. */
export async function noteUses(db: Db, { key, lastUsedAt }: UsedColumns, uses: Uses): Promise<void> {
  const rows = JSON.stringify(uses.map(([id, at]) => ({ id, at })));
  const used = sql`json_to_recordset(${rows}::text::json) as used(id uuid, at timestamptz)`;
  const isLater = or(isNull(lastUsedAt), lt(lastUsedAt, sql`used.at`));
  await db
    .update(key.table)
    .set({ [lastUsedAt.name]: sql`used.at` })
    .from(used)
    .where(and(eq(key, sql`used.id`), isLater));
}
