import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Platform } from '../platform.ts';
import { findNext } from '../retention/store.ts';

/** A column that is encrypted under SECRET, and the one by which its table is walked through. */
export interface EncryptedColumn {
  readonly column: PgColumn;
  readonly key: PgColumn;
  readonly purpose: string;
}

const batchRows = 500;

/**
 * Encrypts under the newest secret what a former one has encrypted. What changes meanwhile is left
 * alone, and so is what no secret can decrypt.
 */
export async function reencrypt(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  { column, key, purpose }: EncryptedColumn,
): Promise<void> {
  const { table } = column;
  let place: string | undefined;
  do {
    const next = await findNext(db, key, place, batchRows, isNotNull(column));
    if (next === undefined) return;
    const { isNext } = next;
    const found = await db
      .selectDistinct({ encrypted: sql<Uint8Array>`${column}` })
      .from(table)
      .where(isNext);
    for (const { encrypted } of found) {
      if (!secrets.isOutdated(purpose, encrypted)) continue;
      const plain = secrets.decrypt(purpose, encrypted);
      if (plain === undefined) continue;
      await db
        .update(table)
        .set({ [column.name]: secrets.encrypt(purpose, plain) })
        .where(and(isNext, eq(column, encrypted)));
    }
    place = next.place;
  } while (place !== undefined);
}
