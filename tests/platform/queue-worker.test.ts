import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { claimJobs, enqueue, holdJob } from '../../src/platform/queue/store.ts';
import { queueJobs } from '../../src/platform/queue/tables.ts';
import { claimAndSettle, doWhatIsDue } from '../../src/platform/queue/worker.ts';
import { nodeRuntime } from '../../src/platform/runtime.ts';
import { openTestDatabase } from '../support/database.ts';

const log = pino({ enabled: false });

/** Returns what was tried of twenty things that wait, of which some fail. */
function workOn(isFaulty: (one: number) => boolean) {
  const waiting = Array.from({ length: 20 }, (_, index) => index);
  const tried: number[] = [];
  const work = claimAndSettle(
    { log, runtime: nodeRuntime },
    { what: 'a queue', leaseSeconds: 60, places: 4 },
    async ({ count }) => waiting.splice(0, count),
    async (one) => {
      tried.push(one);
      if (isFaulty(one)) throw new Error('it can be claimed, and not be settled');
    },
  );
  return { work, tried };
}

test('a fault of what settles meets as many things as there are places, and as many at the next look (architecture §3)', async () => {
  const { work, tried } = workOn(() => true);

  await doWhatIsDue([work]);
  const atFirst = tried.length;
  await doWhatIsDue([work]);

  expect([atFirst, tried.length]).toEqual([4, 8]);
});

test('a thing that can’t be settled keeps no others waiting (architecture §3)', async () => {
  const { work, tried } = workOn((one) => one === 0);

  await doWhatIsDue([work]);

  expect(tried).toHaveLength(20);
});

test('a job that another instance claimed isn’t held by the lease of one that was claimed beside it (security C153)', async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const now = new Date('2026-01-01T09:00:00Z');
  const leaseUntil = new Date('2026-01-01T09:01:00Z');
  const later = new Date('2026-01-01T09:02:00Z');
  const jobOf = (key: string) => ({ queue: 'webhooks', key, lane: key, dueAt: now }) as const;
  await enqueue(db, [jobOf('a'), jobOf('b')], now);
  const jobs = await claimJobs(db, ['webhooks'], { now, leaseUntil, count: 2 });
  await db.update(queueJobs).set({ leasedUntil: later }).where(eq(queueJobs.key, 'a'));

  const held = await db.transaction((tx) =>
    Promise.all(jobs.map(async (job) => [job.key, await holdJob(tx, job)] as const)),
  );

  expect(Object.fromEntries(held)).toEqual({ a: false, b: true });
});
