import { randomUUID } from 'node:crypto';
import postgres from 'postgres';

export interface CreatedDatabase {
  readonly name: string;
  readonly url: string;
  /** Cuts all connections. */
  drop(): Promise<void>;
}

/** A new database on the server, a clone of the template if there is one. */
export async function createDatabase(
  address: string,
  templateName: string | undefined,
): Promise<CreatedDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await administer(
    address,
    (sql) => sql`create database ${sql(name)} template ${sql(templateName ?? 'template1')}`,
  );
  return {
    name,
    url: `${address}/${name}`,
    drop: () => administer(address, (sql) => sql`drop database if exists ${sql(name)} with (force)`),
  };
}

async function administer(address: string, act: (sql: postgres.Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = postgres(`${address}/postgres`, { max: 1, onnotice: () => {} });
  try {
    await act(sql);
  } finally {
    await sql.end();
  }
}
