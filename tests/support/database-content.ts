import postgres from 'postgres';
import type { TestDatabase } from './database.ts';

/** What a row holds, and the transaction that wrote it. */
const wholeRow = "t.xmin || ' ' || t::text";
/** A message's delivery goes on in the background, so only what is to be sent counts. */
const message = 'row(id, recipient, subject, text)::text';

/** One connection a database: it is cut with the database. */
const readers = new Map<string, Reader>();
/** Other files write to these in the midst of a test. */
export const sharedDatabases = new Set<string>();

interface Reader {
  readonly sql: postgres.Sql;
  readonly tables: readonly string[];
}

/** All rows of each table as text, but for queues and what each minute writes: they go on in the background, too. */
export async function readTables(
  database: Pick<TestDatabase, 'url'>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const { sql, tables } = await findReader(database);
  const contents: Record<string, string[]> = Object.fromEntries(tables.map((name) => [name, []]));
  const rows = await sql.unsafe<{ name: string; row: string }[]>('execute contents');
  for (const { name, row } of rows) contents[name]?.push(row);
  return contents;
}

/** A digest of each table's rows: any write at all changes it. */
export async function digestTables(
  database: Pick<TestDatabase, 'url'>,
): Promise<Readonly<Record<string, string>>> {
  const { sql } = await findReader(database);
  const digests = await sql.unsafe<{ name: string; digest: string }[]>('execute digests');
  return Object.fromEntries(digests.map(({ name, digest }) => [name, digest]));
}

async function findReader({ url }: Pick<TestDatabase, 'url'>): Promise<Reader> {
  if (sharedDatabases.has(url)) throw new Error('whole tables are read on a service of its own');
  const known = readers.get(url);
  if (known !== undefined) return known;
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  const rows = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'queue_%'
      and tablename not in ('instances', 'daily_numbers') order by tablename`;
  const tables = rows.map(({ name }) => name);
  // Planning a statement of all tables takes longer than running it.
  await sql.unsafe(`prepare contents as ${selectOf(tables, 'row')} order by 1, 2`);
  // A sum needs no order, and sixty sorts would take longer than all else.
  const digest = "count(*) || ' rows, ' || coalesce(sum(hashtextextended(row, 0)), 0) as digest";
  await sql.unsafe(`prepare digests as ${selectOf(tables, digest)}`);
  const reader = { sql, tables };
  readers.set(url, reader);
  return reader;
}

function selectOf(tables: readonly string[], what: string): string {
  const selects = tables.map((name) => {
    const rows = `select ${name === 'outbox' ? message : wholeRow} as row from "${name}" t`;
    return `select '${name}' as name, ${what} from (${rows}) rows`;
  });
  return selects.join(' union all ');
}
