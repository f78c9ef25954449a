import { is, sql } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { dataOf } from '../../part.ts';
import type { Db } from '../database.ts';
import { listMigratedTables } from '../migrations.ts';
import type { Platform } from '../platform.ts';

/** A table with rows of a part that this build lacks. */
export interface Orphan {
  readonly table: string;
  readonly encryptedColumns: readonly string[];
}

/** Nothing in this build ends, exports or encrypts again what is in these tables (ADR 18). */
export async function findOrphans({ db, parts }: Pick<Platform, 'db' | 'parts'>): Promise<readonly Orphan[]> {
  const claimed = dataOf(parts, ({ tables }) => tables)
    .flatMap((module) => Object.values(module))
    .flatMap((one) => (is(one, PgTable) ? [getTableConfig(one).name] : []));
  const others = (await listTables(db)).filter(({ table }) => !claimed.includes(table));
  if (others.length === 0) return []; // protects: C311 (others.length === 0 → true)
  const ours = listMigratedTables();
  const found: Orphan[] = [];
  for (const { table, encrypted } of others) {
    if (!ours.includes(table) || !(await hasRows(db, table))) continue;
    found.push({ table, encryptedColumns: encrypted.split(',').filter((name) => name !== '') });
  }
  return found;
}

async function listTables(db: Db) {
  const encrypted = sql<string>`(select coalesce(string_agg(attname, ',' order by attname), '')
    from pg_attribute where attrelid = t.oid and attnum > 0 and attname like 'encrypted\\_%')`;
  return db
    .select({ table: sql<string>`relname`, encrypted })
    .from(sql`pg_class t`)
    .where(
      sql`relkind = 'r' and relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
    )
    .orderBy(sql`relname`);
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(sql`${sql.identifier(table)}`)
    .limit(1);
  return found.length > 0;
}
