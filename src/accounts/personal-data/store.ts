import { and, asc, eq, or, sql } from 'drizzle-orm';
import { getTableConfig } from 'drizzle-orm/pg-core';
import { type Holder, type PersonalRows, rowsOf } from '../../platform/belongings.ts';
import type { Db } from '../../platform/database.ts';
import { belongingsOf, dataOf } from '../../platform/parts.ts';
import type { Platform } from '../../platform/platform.ts';

/** An index finds each of these rows. */
export function personalRows({ db, parts }: Pick<Platform, 'db' | 'parts'>, person: Holder) {
  return belongingsOf(parts).flatMap(({ table, of, exported }) =>
    exported === undefined
      ? [rowsOf(table, or(...of.map((column) => eq(column, person.id))))]
      : exported(db, person),
  );
}

/** Only operators get rows that no index finds. */
export function rowsBeyondIndexes({ parts }: Pick<Platform, 'parts'>, person: Holder) {
  return dataOf(parts, ({ searched }) => searched?.(person));
}

const pageRows = 1000;

/** The key is computed: with an indexed one, the planner may read the whole table in its order. */
export async function* readPages(
  db: Db,
  { table, isOwn, columns }: PersonalRows,
): AsyncGenerator<readonly unknown[]> {
  const { columns: all, primaryKeys } = getTableConfig(table);
  const keys = primaryKeys[0]?.columns ?? all.filter(({ primary }) => primary);
  const key = sql<string>`concat_ws('/', ${sql.join([...keys], sql`, `)}) collate "C"`;
  for (let after: string | undefined; ; ) {
    const isNext = after === undefined ? undefined : sql`${key} > ${after}`;
    const page = await db
      .select({ key, row: { ...columns } })
      .from(table)
      .where(and(isOwn, isNext))
      .orderBy(asc(key))
      .limit(pageRows);
    yield page.map(({ row }) => row);
    after = page.at(-1)?.key;
    if (page.length < pageRows) return;
  }
}
