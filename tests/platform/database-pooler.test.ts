import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { isDatabaseAway } from '../../src/platform/database.ts';
import { migrate } from '../../src/platform/migrations.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { openEmptyDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { issueTokens, usable, use } from '../support/tokens.ts';
import { addClient, refresh } from '../support/world.ts';
import { startPooler } from './pooler.ts';

const service = await openTestService();

test.each(['session', 'transaction'] as const)(
  'behind PgBouncer in %s mode an empty database is migrated, no lock stays behind, and the next start waits for none (security C69)',
  async (pooler) => {
    const empty = await openEmptyDatabase();
    atTheEnd(empty.close);
    const url = await startPooler(empty.url, pooler);

    for (let start = 0; start < 2; start += 1) {
      const { db, isAlive, close } = await openPostgres(url, { pooler });
      expect(await isAlive()).toBe(true);
      const counts = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0
            ? db.execute(sql`select ${index}::int as number`)
            : db.transaction((tx) => tx.execute(sql`select ${index}::int as number`)),
        ),
      );
      expect(counts.map((rows) => [...(Array.isArray(rows) ? rows : [])])).toEqual(
        counts.map((_, number) => [{ number }]),
      );
      await close();
    }

    const locks = `select pid from pg_locks where locktype = 'advisory' and database =
      (select oid from pg_database where datname = current_database())`;
    expect(await queryRows(empty.url, locks)).toEqual([]);
  },
);

test.each(['session', 'transaction'] as const)(
  'an instance behind PgBouncer in %s mode serves the same tokens as one that is not (contract §1, DATABASE_POOLER)',
  async (pooler) => {
    const environment = {
      DATABASE_URL: await startPooler(service.database.url, pooler),
      DATABASE_POOLER: pooler,
    };
    const behind = await openAnotherInstance(service, environment);
    const client = await addClient(service, { type: 'public' });
    const tokens = await Promise.all(Array.from({ length: 8 }, () => issueTokens(service, client)));

    const answers = await Promise.all(
      tokens.map(({ refresh_token }) => refresh(behind, client, refresh_token)),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(tokens.map(() => 200));
    for (const answer of answers) expect(await use(behind, client, answer.json())).toEqual(usable);
  },
);

test('a setting that the pooler refuses ends the start in its words, instead of waiting for another answer (security C69)', async () => {
  const url = await startPooler(service.database.url, 'session');
  const refusal = await migrate(`${url}?statement_timeout=1000`).catch((error: unknown) => error);

  expect(String(refusal)).toContain('unsupported startup parameter: statement_timeout');
  expect(isDatabaseAway(refusal)).toBe(false);
});
