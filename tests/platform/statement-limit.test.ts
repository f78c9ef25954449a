import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { inTransaction, isDatabaseAway, type Transaction } from '../../src/platform/database.ts';
import { openTestDatabase } from '../support/database.ts';

const database = await openTestDatabase();
afterAll(database.close);

test.each([
  ['a statement', 'statement_timeout', '5s'],
  ['a transaction whose instance is paused', 'idle_in_transaction_session_timeout', '10s'],
])(
  '%s is given up in time, on every connection of the service (security C46)',
  async (_words, setting, limit) => {
    const settings = await Promise.all(
      Array.from({ length: 4 }, () =>
        database.db.execute(sql`select current_setting(${setting}) as time_limit`),
      ),
    );

    expect(settings.flatMap((rows) => [...(Array.isArray(rows) ? rows : [])])).toEqual(
      Array.from({ length: 4 }, () => ({ time_limit: limit })),
    );
  },
);

test('a caller who waited too long for a lock is told that it is worth trying again (contract §4)', async () => {
  const { db } = database;
  const late = db.transaction(async (holder) => {
    await holder.execute(sql`select pg_advisory_xact_lock(1)`);
    await db.transaction(async (waiter) => {
      await waiter.execute(sql`set local lock_timeout = 50`);
      await waiter.execute(sql`select pg_advisory_xact_lock(1)`);
    });
  });

  await expect(late).rejects.toSatisfy(isDatabaseAway);
});

test('a transaction that was given up because two waited for each other begins again, and both end well', async () => {
  const { db } = database;
  const lock = (tx: Transaction, key: number) => tx.execute(sql`select pg_advisory_xact_lock(${key}::int)`);
  let tries = 0;
  let holders = 0;
  const { promise: bothHold, resolve: haveBoth } = Promise.withResolvers<void>();
  const both = [
    [2, 3],
    [3, 2],
  ].map(([first = 0, second = 0]) =>
    inTransaction(db, async (tx) => {
      tries += 1;
      await lock(tx, first);
      holders += 1;
      if (holders === 2) haveBoth();
      await bothHold;
      await lock(tx, second);
      return first;
    }),
  );

  expect(await Promise.all(both)).toEqual([2, 3]);
  expect(tries).toBe(3);
});

test('what fails for another reason is not tried again', async () => {
  let tries = 0;
  const failing = inTransaction(database.db, async (tx) => {
    tries += 1;
    await tx.execute(sql`select 1 / 0`);
  });

  await expect(failing).rejects.toThrow();
  expect(tries).toBe(1);
});

test('a statement that was given up says that it is worth trying again (contract §4)', async () => {
  const late = database.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 50`);
    await tx.execute(sql`select pg_sleep(10)`);
  });

  await expect(late).rejects.toSatisfy(isDatabaseAway);
});
