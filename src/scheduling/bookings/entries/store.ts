import { and, asc, desc, eq, getTableColumns, gt, isNotNull, or, sql } from 'drizzle-orm';
import type { Lifetimes } from '../../../oauth/core/grant.ts';
import { momentOf } from '../../../oauth/standing.ts';
import type { Db } from '../../../platform/database.ts';
import { mayBeWritten } from '../../calendars/store.ts';
import { bookingHosts, bookings, calendarEntries, calendars } from '../../tables.ts';
import { type ShownBooking, selectBookings } from '../store.ts';

export type ClaimedEntry = typeof calendarEntries.$inferSelect &
  Pick<typeof calendars.$inferSelect, 'encryptedAccess' | 'writeFailures'> & { readonly mayWrite: boolean };

export const waitingEntries = sql`select from ${calendarEntries} where ${calendarEntries.dueAt} is not null`;

/** All instances together write at most this many entries to one server, and one of one user. */
const maxOfServer = 2;

/**
 * Claims the next due entry, until `leaseUntil`, of the calendar that was served least recently, so
 * that a slow server or a long queue delays its own user alone. Returns undefined if none may be
 * written now.
 */
export async function claimEntry(
  db: Db,
  lifetimes: Lifetimes,
  now: Date,
  leaseUntil: Date,
): Promise<readonly ClaimedEntry[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const { userId, icsUid, calendarId, server, dueAt, leasedUntil } = calendarEntries;
  const { encryptedAccess, writeFailures, writeRetryAt, servedAt } = calendars;
  const due = db.$with('due').as(
    db
      .select({
        userId,
        icsUid,
        calendarId,
        encryptedAccess,
        writeFailures,
        mayWrite: mayBeWritten(calendarEntries, momentOf(lifetimes, now)).as('may_write'),
      })
      .from(calendarEntries)
      .innerJoin(calendars, eq(calendars.id, calendarId))
      .where(
        sql`${dueAt} <= ${at} and coalesce(${leasedUntil} <= ${at}, true) and coalesce(${writeRetryAt} <= ${at}, true)
          and not exists (select from calendar_entries l where l.leased_until > ${at} and l.user_id = ${userId})
          and (select count(*) from calendar_entries l where l.leased_until > ${at} and l.server = ${server}) < ${maxOfServer}`,
      )
      .orderBy(sql`${servedAt} nulls first`, asc(dueAt))
      .limit(1)
      // Bookings are added meanwhile, whose foreign keys share the key.
      .for('no key update', { skipLocked: true }),
  );
  const served = db
    .$with('served')
    .as(
      db
        .update(calendars)
        .set({ servedAt: now })
        .from(due)
        .where(eq(calendars.id, due.calendarId))
        .returning({ id: calendars.id }),
    );
  return db
    .with(due, served)
    .update(calendarEntries)
    .set({ leasedUntil: leaseUntil, attempts: sql`${calendarEntries.attempts} + 1` })
    .from(due)
    .where(and(eq(userId, due.userId), eq(icsUid, due.icsUid)))
    .returning({
      ...getTableColumns(calendarEntries),
      encryptedAccess: due.encryptedAccess,
      writeFailures: due.writeFailures,
      mayWrite: due.mayWrite,
    });
}

/** After a failure of the whole calendar, nothing is written to it before `retryAt`. */
export async function noteCalendar(
  db: Db,
  { calendarId, writeFailures }: ClaimedEntry,
  retryAt: Date | undefined,
): Promise<void> {
  if (retryAt === undefined && writeFailures === 0) return;
  const failed = { writeFailures: writeFailures + 1, writeRetryAt: retryAt };
  const worked = { writeFailures: 0, writeRetryAt: null };
  await db
    .update(calendars)
    .set(retryAt === undefined ? worked : failed)
    .where(and(eq(calendars.id, calendarId), eq(calendars.writeFailures, writeFailures)));
}

type Changes = Partial<typeof calendarEntries.$inferInsert>;

/** Settles only while the lease lasts. A booking that was changed meanwhile stays due. */
export async function settleEntry(
  db: Db,
  entry: ClaimedEntry,
  { dueAt = null, ...changes }: Changes,
): Promise<void> {
  const isChanged = sql`${calendarEntries.version} <> ${entry.version}`;
  const due = dueAt === null ? sql`null` : sql`${dueAt.toISOString()}::timestamptz`;
  await db
    .update(calendarEntries)
    .set({
      ...changes,
      leasedUntil: null,
      dueAt: sql`case when ${isChanged} then ${calendarEntries.dueAt} else ${due} end`,
    })
    .where(isClaimed(entry));
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

export async function forgetEntry(db: Db, entry: ClaimedEntry): Promise<void> {
  const isSame = eq(calendarEntries.version, entry.version);
  const deleted = await db
    .delete(calendarEntries)
    .where(and(isClaimed(entry), isSame))
    .returning({ version: calendarEntries.version });
  if (deleted.length === 0)
    await settleEntry(db, entry, { etag: null, contentHash: null, attemptedHash: null });
}

function isClaimed({ userId, icsUid, leasedUntil }: ClaimedEntry) {
  return and(
    eq(calendarEntries.userId, userId),
    eq(calendarEntries.icsUid, icsUid),
    eq(calendarEntries.leasedUntil, leasedUntil ?? new Date(0)),
  );
}

export async function findToWrite(
  db: Db,
  { icsUid, userId }: Pick<ClaimedEntry, 'icsUid' | 'userId'>,
): Promise<ShownBooking | undefined> {
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
  const { title, startsAt, status } = bookings;
  const waits = and(isNotNull(dueAt), gt(calendars.writeFailures, 0));
  // A rescheduled booking is a new one with the same UID.
  const last = sql`(select max(b.id) from bookings b where b.ics_uid = ${icsUid})`;
  return db
    .select({ title, startsAt, status, failure, dueAt })
    .from(calendarEntries)
    .innerJoin(calendars, eq(calendars.id, calendarEntries.calendarId))
    .innerJoin(bookings, eq(bookings.id, last))
    .where(
      and(
        eq(calendarEntries.userId, userId),
        or(isNotNull(failure), waits),
        gt(bookings.endsAt, now),
        or(eq(status, 'accepted'), isNotNull(contentHash)),
      ),
    )
    .orderBy(asc(startsAt), asc(bookings.id))
    .limit(maxShown);
}
