import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { isDatabaseAway } from '../../src/io/database.ts';
import { openTestDatabase } from '../support/database.ts';

const database = await openTestDatabase();
afterAll(database.close);

test('a statement is given up after 15 s, on every connection of the service (checks C46)', async () => {
  const settings = await Promise.all(
    Array.from({ length: 4 }, () =>
      database.db.execute(sql`select current_setting('statement_timeout') as time_limit`),
    ),
  );

  expect(settings.flatMap((rows) => [...(Array.isArray(rows) ? rows : [])])).toEqual(
    Array.from({ length: 4 }, () => ({ time_limit: '15s' })),
  );
});

test('a statement that was given up says that it is worth trying again (contract §4)', async () => {
  const late = database.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 50`);
    await tx.execute(sql`select pg_sleep(10)`);
  });

  await expect(late).rejects.toSatisfy(isDatabaseAway);
});
