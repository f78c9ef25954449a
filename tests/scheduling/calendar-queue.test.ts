import { sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { queueJobs, queueLanes } from '../../src/platform/queue/tables.ts';
import {
  claimHosts,
  findDueEntry,
  releaseHost,
  settleEntry,
} from '../../src/scheduling/bookings/entries/store.ts';
import { calendarEntries, calendars } from '../../src/scheduling/tables.ts';
import { countLookUps } from '../support/queue.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService();
// Only what a test asks for is written.
await service.close();
const { clock } = service;
const { db } = service.database;
const { lifetimes } = service.app.config;

beforeEach(async () => {
  await db.execute(sql`truncate ${users}, ${calendars}, ${calendarEntries}, ${queueJobs}, ${queueLanes}
    restart identity cascade`);
  clock.advance(60);
});

/** What an instance of the version before left: so many hosts with a calendar each at one of the servers. */
async function addWaiting({ hosts, each, servers }: Readonly<Record<'hosts' | 'each' | 'servers', number>>) {
  const at = sql`${clock.now().toISOString()}::timestamptz`;
  await db.transaction(async (tx) => {
    // Without looking up what rows refer to.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`insert into ${users} (email, name, password_hash, time_zone, week_start, time_format, created_at)
      select 'n' || n || '@example.com', 'x', 'x', 'UTC', 'Monday', 24, ${at} from generate_series(1, ${hosts}::int) as n`);
    await tx.execute(sql`insert into ${calendars} (user_id, kind, name, encrypted_access, created_at)
      select n, 'caldav', 'work', '', ${at} from generate_series(1, ${hosts}::int) as n`);
    await tx.execute(sql`insert into ${calendarEntries}
      (user_id, ics_uid, calendar_id, encrypted_collection, server, changed_at, due_at, queued_version)
      select user_id, 'uid-' || n, id, '', 'server-' || user_id % ${servers}, ${at}, ${at}, case n when 1 then -1 else 0 end
      from ${calendars}, generate_series(1, ${each}::int) as n`);
  });
}

const claim = () => {
  const now = clock.now();
  return { now, leaseUntil: new Date(now.getTime() + 60_000), count: 8 };
};

describe.each([
  ['a few entries', { hosts: 50, each: 2, servers: 20 }],
  ['many hosts', { hosts: 20_000, each: 1, servers: 20 }],
  ['many entries of a few hosts', { hosts: 10, each: 2000, servers: 10 }],
])('where something waits: %s', (_words, waiting) => {
  test('eight hosts are leased together, and each is served by a look at a few rows (security C241)', {
    timeout: 60_000,
  }, async () => {
    await db.execute(sql`analyze ${calendars}, ${calendarEntries}, ${queueJobs}, ${queueLanes}`);
    await addWaiting(waiting);

    for (let claims = 1; claims <= 4; claims += 1) {
      if (claims === 3) await db.execute(sql`analyze ${calendars}, ${calendarEntries}, ${queueJobs}`);
      await db.transaction(async (tx) => {
        const before = await countLookUps(tx);
        const jobs = await claimHosts(tx, claim());
        const ofClaim = (await countLookUps(tx)) - before;
        const [first, second] = jobs;
        if (first === undefined || second === undefined) throw new Error('nothing is due');
        expect(jobs).toHaveLength(8);
        expect(ofClaim).toBeLessThan(8000);

        const entry = await findDueEntry(tx, lifetimes, first, clock.now());
        if (entry === undefined) throw new Error('nothing of the host is due');
        await settleEntry(tx, entry, { failure: null, contentHash: 'a' }, clock.now());
        await releaseHost(tx, second, clock.now());
        expect((await countLookUps(tx)) - before - ofClaim).toBeLessThan(200);
        for (const job of jobs.slice(2)) await releaseHost(tx, job, clock.now());
      });
      clock.advance(1);
    }
  });
});

test('a host whose next entry is at another server waits there (security C121)', async () => {
  await addWaiting({ hosts: 1, each: 2, servers: 1 });
  await db.execute(sql`update ${calendarEntries} set server = 'other' where ics_uid = 'uid-1'`);
  const [job] = await claimHosts(db, claim());
  const entry = job && (await findDueEntry(db, lifetimes, job, clock.now()));
  if (entry === undefined) throw new Error('nothing is due');

  await settleEntry(db, entry, { failure: null, contentHash: 'a' }, clock.now());

  const [next] = await claimHosts(db, claim());
  const other = next && (await findDueEntry(db, lifetimes, next, clock.now()));
  expect([entry.server, other?.server].toSorted()).toEqual(['other', 'server-0']);
  expect(next?.laneId).not.toBe(job?.laneId);
});

test('what has changed is neither settled nor noted once another has the lease (security C153)', async () => {
  await addWaiting({ hosts: 1, each: 1, servers: 1 });
  const [late] = await claimHosts(db, claim());
  const entry = late && (await findDueEntry(db, lifetimes, late, clock.now()));
  if (entry === undefined) throw new Error('nothing is due');
  clock.advance(61);
  const [job] = await claimHosts(db, claim());

  await settleEntry(db, entry, { failure: null, contentHash: 'a' }, clock.now());

  expect(await db.select().from(calendarEntries)).toMatchObject([{ contentHash: null, dueAt: entry.dueAt }]);
  expect(await db.select().from(queueJobs)).toMatchObject([{ leasedUntil: job?.leasedUntil }]);
});
