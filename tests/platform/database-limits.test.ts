import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { type Db, isDatabaseAway } from '../../src/platform/database.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { openTestDatabase } from '../support/database.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { queryRows } from '../support/query-rows.ts';

const database = await openTestDatabase();
atTheEnd(database.close);
await queryRows(database.url, 'create table written (by text)');

const limitMs = 400;
/** Many times the limit, and still short: machines are busy. */
const soonMs = 4000;

async function open(url: string, maxConnections: number): Promise<Db> {
  const opened = await openPostgres(url, { maxConnections, limitMs });
  atTheEnd(opened.close);
  return opened.db;
}

async function expectAwaySoon(act: () => Promise<unknown>): Promise<void> {
  const start = performance.now();
  await expect(act()).rejects.toSatisfy(isDatabaseAway);
  expect(performance.now() - start).toBeLessThan(soonMs);
}

const askThree = (db: Db) => Promise.all([1, 2, 3].map(() => db.execute(sql`select pg_sleep(0.05)`)));

test('when connections fall silent, one statement waits for its limit, and the next ones find new connections (security C65)', async () => {
  const line = await layDatabaseLine(database.url);
  const db = await open(line.url, 3);
  await askThree(db);
  line.silence();

  await expectAwaySoon(async () => db.execute(sql`select 1`));

  await askThree(db);
});

test.each(['a statement', 'the commit'])(
  'a connection that falls silent before %s of a transaction is dropped (security C65)',
  async (when) => {
    const line = await layDatabaseLine(database.url);
    const db = await open(line.url, 1);

    await expectAwaySoon(() =>
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into written values ('silenced')`);
        line.silence();
        if (when === 'a statement') await tx.execute(sql`select 1`);
      }),
    );

    expect(await db.execute(sql`select 1 as answer`)).toEqual([{ answer: 1 }]);
  },
);

test('an idle connection that is silent when its time has come is replaced (security C65)', async () => {
  const line = await layDatabaseLine(database.url);
  const opened = await openPostgres(line.url, { maxConnections: 1, limitMs });
  await opened.db.execute(sql`select 1`);
  line.silence();
  const start = performance.now();

  await opened.close();

  expect(performance.now() - start).toBeLessThan(soonMs);
});

test('a statement that gets no connection in time is refused, and never runs (security C65)', async () => {
  const db = await open(database.url, 1);

  await db.transaction(async (tx) => {
    await tx.execute(sql`select 1`);
    const late = sql`insert into written values ('too late')`;
    await Promise.all([
      expectAwaySoon(async () => db.execute(late)),
      expectAwaySoon(() => db.transaction((other) => other.execute(late))),
    ]);
  });
  await db.execute(sql`select 1`);

  expect(await queryRows(database.url, `select by from written where by = 'too late'`)).toEqual([]);
});

test('a free connection takes the next statement, whatever takes long on another one (security C65)', async () => {
  const db = await open(database.url, 2);
  let isSlowDone = false;
  const slow = db.execute(sql`select pg_sleep(0.3)`).then(() => {
    isSlowDone = true;
  });

  for (let index = 0; index < 10; index += 1)
    await Promise.all([db.execute(sql`select 1`), db.execute(sql`select ${'text'}::text`)]);

  expect(isSlowDone).toBe(false);
  await slow;
});

test('a statement that waits for a lock gives up, and keeps its connection (security C65)', async () => {
  const db = await open(database.url, 1);
  const pid = sql`select pg_backend_pid()`;
  const before = await db.execute(pid);

  await database.db.transaction(async (holder) => {
    await holder.execute(sql`lock table written in access exclusive mode`);
    await expectAwaySoon(async () => db.execute(sql`insert into written values ('locked out')`));
  });

  expect(await db.execute(pid)).toEqual(before);
});

test('an instance that is paused within a transaction loses its locks (security C65)', async () => {
  const db = await open(database.url, 1);

  await expectAwaySoon(() =>
    db.transaction(async (tx) => {
      await tx.execute(sql`lock table written in access exclusive mode`);
      await database.db.execute(sql`insert into written values ('after the pause')`);
      await sleep(100);
      await tx.execute(sql`select 1`);
    }),
  );
});

test.each([
  ['off', 'off'],
  ['session', 'on'],
] as const)(
  'with DATABASE_POOLER=%s the JIT of a server that has it on is %s for our connections (security C240)',
  async (pooler, jit) => {
    await queryRows(
      database.url,
      `do 'begin execute format(''alter database %I set jit = on'', current_database()); end'`,
    );
    const { db, close } = await openPostgres(database.url, { pooler });
    atTheEnd(close);

    expect(await db.execute(sql`show jit`)).toEqual([{ jit }]);
  },
);

test('a database that takes no writes is not ready (contract §7, /readyz, security C70)', async () => {
  const readOnly = await openPostgres(`${database.url}?default_transaction_read_only=on`);
  atTheEnd(readOnly.close);

  expect(await readOnly.isAlive()).toBe(false);
  await expectAwaySoon(async () => readOnly.db.execute(sql`insert into written values ('read-only')`));
});
