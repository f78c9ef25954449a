import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Platform } from '../platform.ts';
import { findNext } from '../retention/store.ts';

/** A walk through the table follows `key`. */
export interface EncryptedColumn {
  readonly column: PgColumn;
  readonly key: PgColumn;
  readonly purpose: string;
  /** A former version kept the text in the clear, of which `left` stays there. */
  readonly inClear?: { readonly column: PgColumn; left(text: string): string | null };
}

const batchRows = 500;

async function encryptCleartext(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  { column, key, purpose, inClear }: EncryptedColumn,
): Promise<void> {
  if (inClear === undefined) return;
  const { table } = column;
  for (;;) {
    const found = await db
      .select({ key: sql<string>`${key}`, text: sql<string>`${inClear.column}` })
      .from(table)
      .where(and(isNull(column), isNotNull(inClear.column)))
      .limit(batchRows);
    for (const one of found) {
      const encrypted = secrets.encrypt(purpose, new TextEncoder().encode(one.text));
      await db
        .update(table)
        .set({ [column.name]: encrypted, [inClear.column.name]: inClear.left(one.text) })
        .where(and(eq(key, one.key), isNull(column), eq(inClear.column, one.text)));
    }
    if (found.length < batchRows) return;
  }
}

interface Reencrypted {
  /** Values that a former secret had encrypted. */
  readonly again: number;
  /** Values that no secret can decrypt stay as they are. */
  readonly unreadable: number;
}

/** Leaves alone what changes meanwhile, and what no secret can decrypt. */
async function reencrypt(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  { column, key, purpose }: EncryptedColumn,
): Promise<Reencrypted> {
  const { table } = column;
  let [again, unreadable] = [0, 0];
  let place: string | undefined;
  do {
    const next = await findNext(db, key, place, batchRows, isNotNull(column));
    if (next === undefined) break;
    const { isNext } = next;
    const found = await db
      .selectDistinct({ encrypted: sql<Uint8Array>`${column}` })
      .from(table)
      .where(isNext);
    for (const { encrypted } of found) {
      if (!secrets.isOutdated(purpose, encrypted)) continue;
      const plain = secrets.decrypt(purpose, encrypted);
      if (plain === undefined) unreadable += 1;
      else again += 1;
      if (plain === undefined) continue;
      await db
        .update(table)
        .set({ [column.name]: secrets.encrypt(purpose, plain) })
        .where(and(isNext, eq(column, encrypted)));
    }
    place = next.place;
  } while (place !== undefined);
  return { again, unreadable };
}

/**
 * Lets a former SECRET go (contract §1). Emails are left out, since they are deleted after 30 days.
 * Returns undefined where no SECRET is a former one.
 */
export async function reencryptAll(
  app: Pick<Platform, 'config' | 'db' | 'parts' | 'secrets'>,
): Promise<Reencrypted | undefined> {
  const columns = app.parts.flatMap(({ data }) => data?.encrypted ?? []);
  for (const column of columns) await encryptCleartext(app, column);
  if ((app.config.secrets?.length ?? 0) < 2) return undefined;
  const done = { again: 0, unreadable: 0 };
  for (const column of columns) {
    const { again, unreadable } = await reencrypt(app, column);
    done.again += again;
    done.unreadable += unreadable;
  }
  return done;
}
