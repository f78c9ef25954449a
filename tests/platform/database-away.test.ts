import { once } from 'node:events';
import { createServer } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { explainOutage, isDatabaseAway } from '../../src/platform/database.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { startCluster } from '../support/cluster.ts';
import { openTestDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';

const database = await openTestDatabase();
afterAll(database.close);
const { db } = database;

/** Ends the service's connections to the test database, as a restart of the server does; those that are at work, or all. */
async function terminateConnections(which: 'working' | 'all'): Promise<void> {
  const working = which === 'working' ? `and query like '%pg_sleep%'` : '';
  await expect
    .poll(
      () =>
        queryRows(
          database.url,
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'latchkey' ${working}`,
        ),
      { timeout: 5000 },
    )
    .not.toEqual([]);
}

async function faultOf(act: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing went wrong');
}

describe('the database is away (security C46)', () => {
  test('when nobody listens', async () => {
    expect(isDatabaseAway(await faultOf(() => openPostgres('postgres://postgres@127.0.0.1:1/none')))).toBe(
      true,
    );
    expect(isDatabaseAway(await faultOf(() => openPostgres('postgres://postgres@localhost:1/none')))).toBe(
      true,
    );
  });

  test('when its host is unknown', async () => {
    expect(
      isDatabaseAway(await faultOf(() => openPostgres('postgres://postgres@nowhere.invalid/none'))),
    ).toBe(true);
  });

  test('when the server takes the connection and says nothing', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const address = silent.address();
    const port = typeof address === 'object' ? address?.port : undefined;

    const url = `postgres://postgres@127.0.0.1:${port}/none`;
    const fault = await faultOf(() => openPostgres(url, { limitMs: 500 }));

    expect(isDatabaseAway(fault)).toBe(true);
  });

  test('when the server ends the connection during a statement; the next one finds it again', async () => {
    const fault = faultOf(() => db.execute(sql`select pg_sleep(10)`));
    await terminateConnections('working');

    expect(isDatabaseAway(await fault)).toBe(true);
    expect(await database.isAlive()).toBe(true);
  });

  test('when the server ends the connection during a transaction, of which nothing stays', async () => {
    const fault = faultOf(() =>
      db.transaction(async (transaction) => {
        await transaction.execute(sql`create table half_done ()`);
        await transaction.execute(sql`select pg_sleep(10)`);
      }),
    );
    await terminateConnections('working');

    expect(isDatabaseAway(await fault)).toBe(true);
    expect(await queryRows(database.url, `select to_regclass('half_done') as found`)).toEqual([
      { found: null },
    ]);
  });

  test('when the server ends the connection between two statements of a transaction', async () => {
    const fault = await faultOf(() =>
      db.transaction(async (transaction) => {
        await transaction.execute(sql`select 1`);
        await terminateConnections('all');
        await transaction.execute(sql`select 2`);
      }),
    );

    expect(isDatabaseAway(fault)).toBe(true);
  });

  test('after the server has stopped', async () => {
    const cluster = await startCluster();
    onTestFinished(cluster.stop);
    const opened = await openPostgres(`${cluster.address}/postgres`);
    onTestFinished(opened.close);
    await cluster.stop();

    expect(isDatabaseAway(await faultOf(() => opened.db.execute(sql`select 1`)))).toBe(true);
    expect(await opened.isAlive()).toBe(false);
  });

  test('after it was closed', async () => {
    const opened = await openPostgres(database.url);
    await opened.close();

    expect(isDatabaseAway(await faultOf(() => opened.db.execute(sql`select 1`)))).toBe(true);
    expect(await opened.isAlive()).toBe(false);
  });

  test.for([
    ['25006', 'it is read-only', 'read-only'],
    ['53100', 'its disk is full', 'disk'],
    ['53200', 'it is out of memory', 'away'],
    ['53300', 'it has no connection left to give', 'too many connections'],
    ['53400', 'it is at a limit of its configuration', 'away'],
    ['57014', 'a statement is over its time', 'took too long'],
    ['57P01', 'an administrator ends the connection', 'away'],
    ['57P02', 'another connection has crashed', 'away'],
    ['57P03', 'it is starting or stopping', 'away'],
    ['08006', 'a proxy before it has lost it', 'away'],
    ['40P01', 'two transactions wait for each other', 'another transaction'],
    ['40001', 'two transactions can’t both be', 'another transaction'],
  ])('when it says %s: %s, and the log names it (security C212)', async ([code, , words]) => {
    const raise = `do $$ begin raise exception 'away' using errcode = '${code}'; end $$`;
    const fault = await faultOf(() => db.execute(raise));

    expect(isDatabaseAway(fault)).toBe(true);
    expect(explainOutage(fault)).toContain(words);
  });
});

describe('the database is not away', () => {
  test.for<[what: string, statement: string]>([
    ['a wrong statement', 'select * from no_such_table'],
    [
      'a violated constraint',
      `insert into sessions (id_hash, user_id, created_at, expires_at) values ('x', -1, now(), now())`,
    ],
    ['a division by zero', 'select 1 / 0'],
  ])('when it refuses %s', async ([, statement]) => {
    expect(isDatabaseAway(await faultOf(() => db.execute(statement)))).toBe(false);
  });

  test('when the database is missing on a server that answers', async () => {
    expect(isDatabaseAway(await faultOf(() => openPostgres(`${database.url}_missing`)))).toBe(false);
  });

  test.for([
    [undefined],
    [null],
    ['ECONNREFUSED'],
    [new Error('ECONNREFUSED')],
    [{ code: 42 }],
    [Object.assign(new Error('aborted'), { code: 'ECONNRESET' })],
  ])('because of something else that was thrown: %o', ([thrown]) => {
    expect(isDatabaseAway(thrown)).toBe(false);
  });
});

test('readiness answers within a good second when all connections hang (contract §7, /readyz)', async () => {
  const narrow = await openPostgres(database.url, { maxConnections: 1 });
  onTestFinished(narrow.close);
  let hasAnswered = false;
  const hanging = narrow.db.execute(sql`select pg_sleep(2)`).then(() => {
    hasAnswered = true;
  });

  expect(await narrow.isAlive()).toBe(false);

  expect(hasAnswered).toBe(false);
  await hanging;
  expect(await narrow.isAlive()).toBe(true);
});
