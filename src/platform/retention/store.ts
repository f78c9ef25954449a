import { and, asc, between, getTableName, gt, lt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { advisoryLocks, type Db } from '../database.ts';
import { count } from '../metrics/counters.ts';
import type { Platform } from '../platform.ts';

/** The life of each table's rows is in docs/operations.md. */
export interface Expired {
  readonly table: PgTable;
  readonly isExpired: SQL | undefined;
}

export interface ExpiredOnWalk extends Expired {
  readonly key: PgColumn;
}

export type ExpiredOf = (now: Date, config: Platform['config'], parts: Platform['parts']) => Expired;

/** Undefined means that the rows of the table stay. */
export type WalkedOf = (app: Pick<Platform, 'db' | 'config'>, now: Date) => ExpiredOnWalk | undefined;

export function pastLife(instant: PgColumn, days = 0): (now: Date) => Expired {
  return (now) => ({
    table: instant.table,
    isExpired: lt(instant, new Date(now.getTime() - days * 86_400_000)),
  });
}

export function nameOfTable({ table }: Expired): string {
  return getTableName(table);
}

export const batchRows = 1000;

/**
 * Returns the number of rows. Waits for nobody: skips held rows, and leaves tables to other
 * instances.
 */
export async function deleteBatch(db: Db, expired: Expired): Promise<number> {
  const lock = sql`pg_try_advisory_xact_lock(${advisoryLocks.cleanup}, hashtext(${nameOfTable(expired)}))`;
  return deleteRows(db, { ...expired, isExpired: and(sql`(select ${lock})`, expired.isExpired) });
}

async function deleteRows(db: Db, { table, isExpired }: Expired): Promise<number> {
  // An array is evaluated once, as in `isAmong`.
  const expired = db
    .select({ place: sql`ctid` })
    .from(table)
    .where(isExpired)
    .limit(batchRows) // protects: C77
    .for('update', { skipLocked: true });
  const deleted = await db.delete(table).where(sql`ctid = any(array${expired})`).returning({ one: sql`1` });
  if (deleted.length > 0) count('cleanup_deleted_rows', getTableName(table), deleted.length);
  return deleted.length;
}

const minutesADay = 1440;
export const minChunks = 5;
/** A walk through 700 million rows takes a day. */
const maxChunks = 500;

/**
 * Returns how many chunks a minute go once around in a day. A table that was never analyzed counts
 * as small.
 */
export async function chunksAMinute(db: Db, { table }: Expired): Promise<number> {
  const rows = sql<number>`reltuples::float8`;
  const isTable = sql`oid = ${getTableName(table)}::regclass`;
  const [counted] = await db.select({ rows }).from(sql`pg_class`).where(isTable);
  const chunks = Math.ceil((counted?.rows ?? 0) / (minutesADay * batchRows));
  return Math.min(Math.max(chunks, minChunks), maxChunks);
}

/** Looks through the next rows after `place`. Returns the place reached; undefined at the end. */
export async function deleteOnWalk(
  db: Db,
  { table, key, isExpired }: ExpiredOnWalk,
  place: string | undefined,
): Promise<string | undefined> {
  const next = await findNext(db, key, place, batchRows);
  if (next === undefined) return undefined;
  await deleteRows(db, { table, isExpired: and(next.isNext, isExpired) });
  return next.place;
}

export async function findNext(
  db: Db,
  key: PgColumn,
  place: string | undefined,
  limit: number,
  isMeant?: SQL,
): Promise<{ readonly isNext: SQL | undefined; readonly place: string | undefined } | undefined> {
  const next = await db
    .select({ key: sql<string>`${key}` })
    .from(key.table)
    .where(and(isMeant, place === undefined ? undefined : gt(key, place)))
    .orderBy(asc(key))
    .limit(limit);
  const [first, last] = [next[0], next.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isNext = and(between(key, first.key, last.key), isMeant);
  return { isNext, place: next.length < limit ? undefined : last.key };
}
