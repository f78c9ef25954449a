import { createHash } from 'node:crypto';
import postgres from 'postgres';
import type { TestDatabase } from './database.ts';

/** What a row holds, and the transaction that wrote it. */
const wholeRow = "t.xmin || ' ' || t::text";
/** A message's delivery goes on in the background, so only what is to be sent counts. */
const message = 'row(id, recipient, subject, text)::text';

/** One connection a database: it is cut with the database. */
const readers = new Map<string, Reader>();

interface Reader {
  readonly sql: postgres.Sql;
  readonly tables: readonly string[];
}

/** All rows of each table as text, but for queues: they go on in the background, too. */
export async function readTables({
  url,
}: Pick<TestDatabase, 'url'>): Promise<Readonly<Record<string, readonly string[]>>> {
  const { sql, tables } = readers.get(url) ?? (await openReader(url));
  const contents: Record<string, string[]> = Object.fromEntries(tables.map((name) => [name, []]));
  const selects = tables.map((name) => {
    const content = name === 'outbox' ? message : wholeRow;
    return `select '${name}' as name, ${content} as row from "${name}" t`;
  });
  const rows = await sql.unsafe<{ name: string; row: string }[]>(
    `${selects.join(' union all ')} order by 1, 2`,
    [],
    { prepare: true },
  );
  for (const { name, row } of rows) contents[name]?.push(row);
  return contents;
}

async function openReader(url: string): Promise<Reader> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'queue_%' order by tablename`;
  const reader = { sql, tables: tables.map(({ name }) => name) };
  readers.set(url, reader);
  return reader;
}

/** A digest of each table's rows: any write at all changes it. */
export async function digestTables(database: TestDatabase): Promise<Record<string, string>> {
  const contents = Object.entries(await readTables(database));
  return Object.fromEntries(
    contents.map(([name, rows]) => {
      const digest = createHash('sha256').update(rows.join('\n')).digest('base64url');
      return [name, `${rows.length} rows, ${digest}`] as const;
    }),
  );
}
