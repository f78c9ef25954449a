import { is, sql } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from '../database.ts';
import { listMigratedTables } from '../migrations.ts';
import { dataOf } from '../parts.ts';
import type { Platform } from '../platform.ts';

/**
 * Returns tables with rows of a part that this build lacks: nothing in it ends, exports or encrypts
 * them again (ADR 18).
 */
export async function findOrphans({ db, parts }: Pick<Platform, 'db' | 'parts'>): Promise<readonly string[]> {
  const claimed = dataOf(parts, ({ tables }) => tables)
    .flatMap((module) => Object.values(module))
    .flatMap((one) => (is(one, PgTable) ? [getTableConfig(one).name] : []));
  const others = listMigratedTables().filter((table) => !claimed.includes(table));
  if (others.length === 0) return []; // protects: C311
  const found = await db
    .select({ table: sql<string>`name` })
    .from(sql`unnest(${`{${others.join()}}`}::text[]) as name`)
    .where(sql`to_regclass(name) is not null`)
    .orderBy(sql`name`);
  const filled: string[] = [];
  for (const { table } of found) if (await hasRows(db, table)) filled.push(table);
  return filled;
}

async function hasRows(db: Db, table: string): Promise<boolean> {
  const found = await db
    .select({ one: sql`1` })
    .from(sql`${sql.identifier(table)}`)
    .limit(1);
  return found.length > 0;
}
