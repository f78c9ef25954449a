import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Lifetimes } from '../../../oauth/core/grant.ts';
import { momentOf } from '../../../oauth/standing.ts';
import { type Db, isAmong } from '../../../platform/database.ts';
import {
  at,
  type Claim,
  type ClaimedJob,
  claimJobs,
  isLeased,
  type QueueName,
  queueTransaction,
} from '../../../platform/queue/store.ts';
import { queueLanes } from '../../../platform/queue/tables.ts';
import { mayBeWritten } from '../../calendars/store.ts';
import { bookingHosts, bookings, calendarEntries, calendars } from '../../tables.ts';
import { selectBookings } from '../store.ts';

export const waitingEntries = sql`select from ${calendarEntries} where ${calendarEntries.dueAt} is not null`;

const queue: QueueName = 'calendar_entries';

/** All instances together write at most this many entries to one server, and one of one host. */
const maxOfServer = 2; // protects: C121

const maxQueued = 200;

/**
 * Selects each host's first entry as a job in the lane of its server, due when its calendar's pause
 * ends. However many entries wait, one of each calendar is read.
 */
// protects: C121
const firstOf = (hosts: SQL, now: Date): SQL => sql`
  select ${queue} as queue, h.user_id::text as key, j.*, greatest(j.from_at, ${at(now)}) as "dueAt"
  from (${hosts}) h (user_id) cross join lateral (
    select e.server as lane, e.ics_uid, greatest(e.due_at, c.write_retry_at) as from_at
    from ${calendars} c cross join lateral (
      select * from ${calendarEntries} where calendar_id = c.id and due_at is not null
      order by due_at, ics_uid limit 1
    ) e
    where c.user_id = h.user_id order by from_at, e.ics_uid limit 1
  ) j`;

const queueingFirst = (now: Date): SQL =>
  sql`queue_add((select coalesce(jsonb_agg(first), '[]') from first), ${at(now)})`;

/** Queues the hosts of entries that are new or have changed; bookings change several at a time. */
async function queueHosts(db: Db, now: Date): Promise<boolean> {
  const { userId, version, queuedVersion, dueAt } = calendarEntries;
  const row = sql`${calendarEntries}.ctid`;
  const isNew = and(isNotNull(dueAt), ne(version, queuedVersion));
  const anyNew = db.select({ row }).from(calendarEntries).where(isNew).orderBy(asc(userId));
  if ((await anyNew.limit(1)).length === 0) return false;
  const some = anyNew.limit(maxQueued).for('no key update', { skipLocked: true });
  const isSome = isAmong(row, some);
  const added = db
    .$with('added')
    .as(db.update(calendarEntries).set({ queuedVersion: version }).where(isSome).returning({ userId }));
  const first = db.$with('first', {}).as(firstOf(sql`select distinct user_id from added`, now));
  const [queued] = await queueTransaction(db, (tx) =>
    tx
      .with(added, first)
      .select({ count: sql<number>`(select count(*)::int from added)`, done: queueingFirst(now) })
      .from(sql`(select) as one`),
  );
  return queued?.count === maxQueued;
}

/**
 * Leases hosts for one entry each. Servers take turns, and at each its hosts, so that a slow server
 * or a long queue delays nobody else.
 */
export async function claimHosts(db: Db, claim: Omit<Claim, 'maxOfLane'>): Promise<readonly ClaimedJob[]> {
  const mayBeMore = await queueHosts(db, claim.now);
  const jobs = await claimJobs(db, [queue], { ...claim, maxOfLane: maxOfServer });
  return jobs.length === 0 && mayBeMore ? claimHosts(db, claim) : jobs;
}

export type ClaimedEntry = typeof calendarEntries.$inferSelect &
  Pick<typeof calendars.$inferSelect, 'encryptedAccess' | 'writeFailures'> & {
    readonly mayWrite: boolean;
    readonly job: ClaimedJob;
  };

/** Returns undefined if nothing of the host may be written now, or not to this lane's server. */
export async function findDueEntry(db: Db, lifetimes: Lifetimes, job: ClaimedJob, now: Date) {
  const { userId, icsUid, calendarId, server } = calendarEntries;
  const { encryptedAccess, writeFailures } = calendars;
  const mayWrite = mayBeWritten(calendarEntries, momentOf(lifetimes, now));
  const [found] = await queueTransaction(db, (tx) =>
    tx
      .select({ ...getTableColumns(calendarEntries), encryptedAccess, writeFailures, mayWrite })
      .from(sql`(${firstOf(sql`select ${job.key}::int`, now)}) first`)
      .innerJoin(calendarEntries, and(eq(userId, Number(job.key)), sql`${icsUid} = first.ics_uid`))
      .innerJoin(calendars, eq(calendars.id, calendarId))
      .innerJoin(queueLanes, and(eq(queueLanes.id, job.laneId), eq(queueLanes.lane, server)))
      .where(sql`first."dueAt" <= ${at(now)}`),
  );
  return found && { ...found, attempts: found.attempts + job.attempts, job };
}

/** Gives a host back until its next entry is due, which may be in another server's lane. */
export async function releaseHost(db: Db, job: ClaimedJob, now: Date): Promise<void> {
  await db.execute(sql`
    with first as (${firstOf(sql`select ${job.key}::int`, now)})
    select queue_release(jsonb_build_array(
      ${JSON.stringify(job)}::jsonb || jsonb_build_object('dueAt', (select "dueAt" from first))), ${at(now)}
    ), ${queueingFirst(now)}`);
}

export interface EntryOutcome extends Partial<typeof calendarEntries.$inferInsert> {
  readonly failure: string | null;
  /** The whole calendar is left alone until then; undefined leaves its pause as it is. */
  readonly pausedUntil?: Date | null;
}

/**
 * Settles only while the lease lasts. A booking that was changed meanwhile stays due; an entry that
 * is neither there nor due is forgotten.
 */
export async function settleEntry(
  db: Db,
  entry: ClaimedEntry,
  { dueAt = null, pausedUntil, ...changes }: EntryOutcome,
  now: Date,
): Promise<void> {
  const { version, attempts, contentHash, failure } = calendarEntries;
  const isChanged = sql`${version} <> ${entry.version}`;
  await queueTransaction(db, async (tx) => {
    if (pausedUntil !== undefined) await noteCalendar(tx, entry, pausedUntil);
    await tx
      .update(calendarEntries)
      .set({
        ...changes,
        attempts: sql`case when ${isChanged} then ${attempts} else ${entry.attempts} end`,
        dueAt: sql`case when ${isChanged} then ${calendarEntries.dueAt} else ${dueAt && at(dueAt)} end`,
      })
      .where(isClaimed(entry));
    const isOver = and(isNull(calendarEntries.dueAt), isNull(contentHash), isNull(failure));
    if (changes.contentHash === null) await tx.delete(calendarEntries).where(and(isClaimed(entry), isOver));
    await releaseHost(tx, entry.job, now);
  });
}

async function noteCalendar(tx: Db, { calendarId, writeFailures }: ClaimedEntry, writeRetryAt: Date | null) {
  if (writeRetryAt === null && writeFailures === 0) return;
  await tx
    .update(calendars)
    .set({ writeFailures: writeRetryAt === null ? 0 : writeFailures + 1, writeRetryAt })
    .where(and(eq(calendars.id, calendarId), eq(calendars.writeFailures, writeFailures))); // protects: C153
}

/** Call it before an attempt: after a crash, what is there is known to be ours. */
export async function noteAttempt(db: Db, entry: ClaimedEntry, attemptedHash: string): Promise<boolean> {
  const noted = await db
    .update(calendarEntries)
    .set({ attemptedHash })
    .where(isClaimed(entry))
    .returning({ version: calendarEntries.version });
  return noted.length > 0;
}

function isClaimed({ userId, icsUid, job }: ClaimedEntry) {
  return and(eq(calendarEntries.userId, userId), eq(calendarEntries.icsUid, icsUid), isLeased(job));
}

export async function findToWrite(db: Db, { icsUid, userId }: Pick<ClaimedEntry, 'icsUid' | 'userId'>) {
  const isHosted = and(eq(bookingHosts.bookingId, bookings.id), eq(bookingHosts.userId, userId));
  const [found] = await selectBookings(db)
    .innerJoin(bookingHosts, isHosted)
    .where(and(eq(bookings.icsUid, icsUid), eq(bookings.status, 'accepted')))
    .orderBy(desc(bookings.id))
    .limit(1);
  return found;
}

const maxShown = 20;

/** Lists bookings that the host's calendar lacks or still has; no failure means that they wait. */
export async function listUnwritten(db: Db, userId: number, now: Date) {
  const { failure, dueAt, icsUid, contentHash } = calendarEntries;
  const waits = and(isNotNull(dueAt), gt(calendars.writeFailures, 0));
  // A rescheduled booking is a new one with the same UID. Ordered by a bare id, the planner may look
  // for the last among all bookings.
  const { id, title, startsAt, endsAt, status } = bookings;
  const last = db
    .select({ id, title, startsAt, endsAt, status })
    .from(bookings)
    .where(eq(bookings.icsUid, icsUid))
    .orderBy(sql`${id} + 0 desc`)
    .limit(1)
    .as('last');
  return db
    .select({ title: last.title, startsAt: last.startsAt, status: last.status, failure, dueAt })
    .from(calendarEntries)
    .innerJoin(calendars, eq(calendars.id, calendarEntries.calendarId))
    .innerJoinLateral(last, sql`true`)
    .where(
      and(
        eq(calendarEntries.userId, userId),
        or(isNotNull(failure), waits),
        gt(last.endsAt, now),
        or(eq(last.status, 'accepted'), isNotNull(contentHash)),
      ),
    )
    .orderBy(asc(last.startsAt), asc(last.id))
    .limit(maxShown);
}
