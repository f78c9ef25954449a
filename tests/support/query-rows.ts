import postgres from 'postgres';

/** Asks a database past the service, on a connection of its own. */
export async function queryRows(
  url: string,
  statement: string,
): Promise<Readonly<Record<string, unknown>>[]> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    return [...(await sql.unsafe<Record<string, unknown>[]>(statement))];
  } finally {
    await sql.end();
  }
}
