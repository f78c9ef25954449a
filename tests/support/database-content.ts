import { createHash } from 'node:crypto';
import postgres from 'postgres';
import type { TestDatabase } from './database.ts';

/** What a row holds, and the transaction that wrote it. */
const wholeRow = "t.xmin || ' ' || t::text";
/** Of a message only what is to be sent: its delivery goes on in the background. */
const message = 'row(id, recipient, subject, text)::text';

/** All rows of each table as text. */
export async function readTables({
  url,
}: TestDatabase): Promise<Readonly<Record<string, readonly string[]>>> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const tables = await sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public' order by tablename`;
    const contents: Record<string, readonly string[]> = {};
    for (const { name } of tables) {
      const content = sql.unsafe(name === 'outbox' ? message : wholeRow);
      const rows = await sql<{ row: string }[]>`select ${content} as row from ${sql(name)} t order by 1`;
      contents[name] = rows.map(({ row }) => row);
    }
    return contents;
  } finally {
    await sql.end();
  }
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
