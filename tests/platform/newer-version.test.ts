import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { version } from '../../src/platform/package.ts';
import { enqueue } from '../../src/platform/queue/store.ts';
import { queueJobs } from '../../src/platform/queue/tables.ts';
import { openTestDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';
import { openTestService } from '../support/service.ts';

test('an older version says that a newer one was here and which of its jobs wait, once, and leaves them', async () => {
  const database = await openTestDatabase();
  const at = new Date('2027-02-01T08:00:00Z');
  await queryRows(
    database.url,
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9e12)",
  );
  const later = { queue: 'webhooks', lane: '1', key: 'later', dueAt: at } as const;
  await enqueue(database.db, [later], at);
  await queryRows(database.url, "update queue_jobs set queue = 'faxes'");
  await queryRows(database.url, "update queue_lanes set queue = 'faxes'");

  const service = await openTestService({}, undefined, Promise.resolve(database), { cleanupEveryMs: 50 });

  const words = `a newer version of Latchkey has used this database, and what ${version} doesn't know stays as it is until that version runs again; its jobs (faxes) wait`;
  await expect.poll(() => service.database.statements.length).toBeGreaterThan(0);
  expect(service.logText().split(words)).toHaveLength(2);
  const isLater = and(eq(queueJobs.key, 'later'), eq(queueJobs.attempts, 0));
  expect(await database.db.$count(queueJobs, isLater)).toBe(1);
});
