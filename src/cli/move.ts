import { pipeline } from 'node:stream/promises';
import type { PGlite } from '@electric-sql/pglite';
import type postgres from 'postgres';

interface Column {
  readonly table: string;
  readonly name: string;
}

const chunkPages = 1000;

/** Returns the tables with rows in the schema that the service uses. */
export async function tablesWithRows(sql: postgres.Sql): Promise<readonly string[]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = current_schema::regnamespace and relkind in ('r', 'p') order by relname`;
  const filled: string[] = [];
  for (const { name } of tables)
    if ((await sql`select from ${sql(name)} limit 1`).length > 0) filled.push(name);
  return filled;
}

/**
 * Copies all rows and sequences into a database with the same tables and no rows, in one
 * transaction. Returns how many rows each table has. Nobody else may use either.
 */
export async function copyAll(from: PGlite, sql: postgres.Sql) {
  const { rows: columns } = await from.query<Column>(`
    select table_name as "table", column_name as name from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = current_schema and table_type = 'BASE TABLE' and is_generated = 'NEVER'
    order by table_name, ordinal_position`);
  const tables = Map.groupBy(columns, ({ table }) => table);
  return sql.begin(async (tx) => {
    // Rows refer to each other in circles, and triggers are about what is written for the first time.
    const keys = await tx<{ drop: string; add: string }[]>`
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
      from pg_constraint where contype = 'f' and connamespace = current_schema::regnamespace`;
    for (const { drop } of keys) await tx.unsafe(drop);
    const copied: { readonly table: string; readonly rows: number }[] = [];
    for (const [table, own] of tables) {
      await tx`alter table ${tx(table)} disable trigger user`;
      const names = own.map(({ name }) => `"${name}"`).join();
      copied.push({ table, rows: await copyTable(from, tx, table, names) });
      await tx`alter table ${tx(table)} enable trigger user`;
    }
    for (const { add } of keys) await tx.unsafe(add);
    const { rows: sequences } = await from.query<{ name: string; last: string }>(`
      select sequencename as name, last_value::text as last from pg_sequences
      where schemaname = current_schema and last_value is not null`);
    for (const { name, last } of sequences)
      await tx`select setval(quote_ident(${name})::regclass, ${last}::bigint)`;
    return copied;
  });
}

/** In chunks, since the embedded database hands over what it copies as a whole. */
async function copyTable(
  from: PGlite,
  tx: postgres.TransactionSql,
  table: string,
  names: string,
): Promise<number> {
  const { rows: sizes } = await from.query<{ pages: number; rows: number }>(
    `select (pg_relation_size('"${table}"') / current_setting('block_size')::int)::int as pages,
      (select count(*)::int from "${table}") as rows`,
  );
  const { pages = 0, rows = 0 } = sizes[0] ?? {};
  for (let page = 0; page < pages; page += chunkPages) {
    const isInChunk = `ctid >= '(${page},0)' and ctid < '(${page + chunkPages},0)'`;
    const { blob } = await from.query(
      `copy (select ${names} from "${table}" where ${isInChunk}) to '/dev/blob'`,
    );
    if (blob === undefined) continue;
    await pipeline(blob.stream(), await tx.unsafe(`copy "${table}" (${names}) from stdin`).writable());
  }
  const [counted] = await tx<{ rows: number }[]>`select count(*)::int as rows from ${tx(table)}`;
  if (counted?.rows !== rows) throw new Error(`${table} has ${rows} rows, and ${counted?.rows} arrived`);
  return rows;
}
