import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { noteInstance } from '../../src/platform/instances/store.ts';
import { version } from '../../src/platform/package.ts';
import { enqueue } from '../../src/platform/queue/store.ts';
import { queueJobs } from '../../src/platform/queue/tables.ts';
import { openTestDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';

const door = { PARTS: 'door' } as const;

test('instances whose PARTS differ say so, at the start of one and within a minute at the others', {
  tags: 'parts',
}, async () => {
  const first = await openTestService({}, undefined, undefined, { cleanupEveryMs: 50 });
  const second = await openAnotherInstance(first, door);

  const words = /PARTS differ between instances: not all serve [^"]*\bwebhooks\b/g;
  expect(second.logText()).toMatch(words);
  await expect.poll(() => first.logText().match(words)?.length).toBe(1);
});

test('instances that are alike say nothing, nor does one that takes the place of another', async () => {
  const first = await openTestService(door);
  const second = await openAnotherInstance(first, door);
  await second.close();
  await first.close();
  const next = await openAnotherInstance(first);

  expect([first, second, next].map(({ logText }) => logText()).join('')).not.toContain('PARTS differ');
});

test('an older version says which one was here and which of its jobs wait, once, and leaves them', async () => {
  const database = await openTestDatabase();
  const at = new Date('2027-02-01T08:00:00Z');
  await noteInstance(database.db, { version: '99.0.0', parts: '' }, at);
  await queryRows(
    database.url,
    "insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 9e12)",
  );
  const later = { queue: 'webhooks', lane: '1', key: 'later', dueAt: at } as const;
  await enqueue(database.db, [later], at);
  await queryRows(database.url, "update queue_jobs set queue = 'faxes'");
  await queryRows(database.url, "update queue_lanes set queue = 'faxes'");

  const service = await openTestService({}, undefined, Promise.resolve(database), { cleanupEveryMs: 50 });

  const words = `version 99.0.0 of Latchkey has used this database, and what ${version} doesn't know stays as it is until that version runs again; its jobs (faxes) wait`;
  await expect.poll(() => service.database.statements.length).toBeGreaterThan(0);
  expect(service.logText().split(words)).toHaveLength(2);
  const isLater = and(eq(queueJobs.key, 'later'), eq(queueJobs.attempts, 0));
  expect(await database.db.$count(queueJobs, isLater)).toBe(1);
});
