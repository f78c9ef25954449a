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
  const others = listMigratedTables().filter((table) => !claimed.includes(table));
  if (others.length === 0) return []; // protects: C311
  const found: Orphan[] = [];
  for (const { table, encrypted } of await describeTables(db, others))
    if (await hasRows(db, table))
      found.push({ table, encryptedColumns: encrypted.split(',').filter((name) => name !== '') });
  return found;
}

async function describeTables(db: Db, names: readonly string[]) {
  const encrypted = sql<string>`(select coalesce(string_agg(attname, ',' order by attname), '')
    from pg_attribute where attrelid = to_regclass(name) and attname like 'encrypted\\_%')`;
  return db
    .select({ table: sql<string>`name`, encrypted })
    .from(sql`unnest(${`{${names.join()}}`}::text[]) as name`)
    .where(sql`to_regclass(name) is not null`)
    .orderBy(sql`name`);
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(sql`${sql.identifier(table)}`)
    .limit(1);
  return found.length > 0;
}
