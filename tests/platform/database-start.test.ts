import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { openPostgres } from '../../src/platform/open-database.ts';
import { version } from '../../src/platform/package.ts';
import { openEmptyDatabase, type TestDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';
import { startLineProcess } from './line-process.ts';

const journal = z.object({ entries: z.array(z.object({ when: z.number() })) });

async function readJournal(): Promise<number[]> {
  const text = await readFile(new URL('../../migrations/meta/_journal.json', import.meta.url), 'utf8');
  return journal.parse(JSON.parse(text)).entries.map(({ when }) => when);
}

/** When each migration that the database remembers was made, in the order of their running. */
async function readMigrations({ url }: Pick<TestDatabase, 'url'>): Promise<number[]> {
  const rows = await queryRows(
    url,
    'select created_at::float8 as made from drizzle.__drizzle_migrations order by id',
  );
  return rows.map(({ made }) => Number(made));
}

async function makeEmptyDatabase() {
  const database = await openEmptyDatabase();
  onTestFinished(database.close);
  return database;
}

test('instances that start at the same time on an empty database all come up, and every migration runs once (architecture §3)', async () => {
  const empty = await makeEmptyDatabase();
  const processes = await Promise.all(
    Array.from({ length: 4 }, () => startLineProcess('database-opener-process.ts')),
  );
  onTestFinished(() => Promise.all(processes.map((process) => process.kill())).then(() => {}));

  const answers = await Promise.all([...processes, ...processes].map((process) => process.ask(empty.url)));

  expect(answers).toEqual(answers.map(() => 'opened'));
  expect(await readMigrations(empty)).toEqual(await readJournal());
});

test('a start names the migrations that it ran; a later one runs none again and leaves no lock behind', async () => {
  const empty = await makeEmptyDatabase();
  const told: unknown[] = [];
  const log = { info: (facts: unknown) => void told.push(facts), warn: () => {} };
  await (await openPostgres(empty.url, { log })).close();

  const again = await openPostgres(empty.url, { log });
  onTestFinished(again.close);

  const files = globSync('migrations/*.sql').map((path) => path.replace(/^.*\/|\.sql$/g, ''));
  expect(told).toEqual([{ to: version, migrations: files.toSorted() }]);

  expect(await readMigrations(empty)).toEqual(await readJournal());
  const locks = `select pid from pg_locks join pg_database on pg_database.oid = pg_locks.database
    where locktype = 'advisory' and datname = current_database()`;
  expect(await queryRows(empty.url, locks)).toEqual([]);
});

test.each(['repeatable read', 'serializable'])(
  'a database whose transactions are %s by default is migrated, and its statements read what is committed',
  {
    timeout: 60_000,
  },
  async (isolation) => {
    const empty = await makeEmptyDatabase();
    const name = new URL(empty.url).pathname.slice(1);
    await queryRows(empty.url, `alter database "${name}" set default_transaction_isolation = '${isolation}'`);

    const database = await openPostgres(empty.url);
    onTestFinished(database.close);

    const read = sql<string>`current_setting('transaction_isolation')`;
    const [alone] = await database.db.select({ read }).from(sql`(select 1) as one`);
    const [within] = await database.db.transaction((tx) => tx.select({ read }).from(sql`(select 1) as one`));
    expect([alone?.read, within?.read]).toEqual(['read committed', 'read committed']);
  },
);

test('a start without a server fails within seconds and does not hang', async () => {
  const start = performance.now();

  await expect(openPostgres('postgres://postgres@127.0.0.1:1/none')).rejects.toThrow('ECONNREFUSED');

  expect(performance.now() - start).toBeLessThan(8000);
});
