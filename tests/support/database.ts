import { inject } from 'vitest';
import { type Database, type DatabaseOptions, openPostgres } from '../../src/platform/open-database.ts';
import { type CreatedDatabase, createDatabase } from './create-database.ts';
import { beginDates } from './dates.ts';

export interface TestDatabase extends Database {
  readonly url: string;
  /** What Drizzle has sent since the start, transactions' begin and commit left out; `splice(0)` takes it and starts again. */
  readonly statements: string[];
}

/**
 * A migrated PostgreSQL database of the test file's own, at the top of the file:
 *
 *     const database = await openTestDatabase();
 *     afterAll(database.close);
 *
 * Tests of one file share it, so they make their own rows. More connections, or whole instances of the service, may be
 * opened at `database.url`; closing cuts what is left of them.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  return open(await createDatabase(inject('clusterAddress'), inject('templateName')), { migrates: false });
}

/** The same, on a server of the test's own. */
export async function openTestDatabaseAt(address: string): Promise<TestDatabase> {
  return open(await createDatabase(address, undefined));
}

async function open(created: CreatedDatabase, options: DatabaseOptions = {}): Promise<TestDatabase> {
  beginDates();
  const statements: string[] = [];
  const opened = await openPostgres(created.url, {
    ...options,
    queryLogger: { logQuery: (statement) => void statements.push(statement) },
  });
  return {
    ...opened,
    url: created.url,
    statements,
    async close() {
      await opened.close();
      await created.drop();
      // Files of one process keep what they name.
      statements.splice(0);
    },
  };
}

/** Makes many rows for a test, over a connection of its own that may take longer than a request's. */
export async function fillTables(
  { url }: Pick<TestDatabase, 'url'>,
  fill: (db: Database['db']) => Promise<unknown>,
): Promise<void> {
  const { db, close } = await openPostgres(url, { migrates: false, maxConnections: 1, limitMs: 600_000 });
  await fill(db).finally(close);
}

/** A PostgreSQL database without any table, for tests of the start. */
export async function openEmptyDatabase() {
  const { url, drop } = await createDatabase(inject('clusterAddress'), undefined);
  return { url, close: drop };
}
