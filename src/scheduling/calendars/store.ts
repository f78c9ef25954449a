import {
  and,
  asc,
  eq,
  exists,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias, type PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { managingRoles } from '../../accounts/person.ts';
import { lockUser } from '../../accounts/store.ts';
import { memberships, users } from '../../accounts/tables.ts';
import { allowOneOf, hasAccess, type Moment } from '../../oauth/standing.ts';
import { clients, grants } from '../../oauth/tables.ts';
import type { AuditSentences } from '../../platform/audit/actions.ts';
import type { AuditContext } from '../../platform/audit/context.ts';
import { type AuditEvent, recordAuditEvent } from '../../platform/audit/store.ts';
import { type Belonging, deletedWith, type End } from '../../platform/belongings.ts';
import { type Db, isAmong } from '../../platform/database.ts';
import { prepared } from '../../platform/prepared.ts';
import type { Principal } from '../../v2/principals/store.ts';
import type { Interval } from '../core/interval.ts';
import { maxCalendars } from '../limits.ts';
import { bookingHosts, bookings, calendarEntries, calendars } from '../tables.ts';
import type { Outage } from './calendar-error.ts';

/** An unavailable calendar isn't read again for each request. */
export const failureSeconds = 10;

const longestMeetingMs = 86_400_000;
const maxOwn = 5000;

export type Calendar = typeof calendars.$inferSelect;

export async function listCalendars(db: Db, userId: number): Promise<readonly Calendar[]> {
  return db.select().from(calendars).where(eq(calendars.userId, userId)).orderBy(asc(calendars.id));
}

export async function hasCalendar(db: Db, userId: number): Promise<boolean> {
  return (await db.$count(calendars, eq(calendars.userId, userId))) > 0;
}

export async function listReadableCalendars(db: Db, userIds: readonly number[]) {
  return readableCalendars(db).execute({ userIds: `{${userIds.join()}}` });
}

const readableCalendars = prepared((db) =>
  db
    .select({
      id: calendars.id,
      userId: calendars.userId,
      name: calendars.name,
      encryptedAccess: calendars.encryptedAccess,
      endedReadings: calendars.endedReadings,
      retryAt: calendars.retryAt,
      unreadable: calendars.unreadable,
      timeZone: users.timeZone,
      email: users.email,
    })
    .from(calendars)
    .innerJoin(users, eq(users.id, calendars.userId))
    .where(sql`${calendars.userId} = any(${sql.placeholder('userIds')}::int[])`)
    .orderBy(asc(calendars.id))
    .prepare('readable_calendars'),
);

export type ReadableCalendar = Awaited<ReturnType<ReturnType<typeof readableCalendars>['execute']>>[number];

/** Returns undefined unless the caller owns the calendar, or manages a team of its owner. */
export async function findCalendarName(
  db: Db,
  id: number,
  { userId, teamId }: Pick<Principal, 'teamId' | 'userId'>,
): Promise<string | undefined> {
  const managed = alias(memberships, 'managed');
  const teamOfOwner = db
    .select({ id: managed.groupId })
    .from(managed)
    .innerJoin(memberships, eq(memberships.groupId, managed.groupId))
    .where(
      and(
        eq(managed.kind, 'team'),
        eq(managed.userId, userId),
        inArray(managed.role, [...managingRoles]),
        eq(memberships.userId, calendars.userId),
        teamId === null ? undefined : eq(managed.groupId, teamId),
      ),
    );
  const [found] = await db
    .select({ name: calendars.name })
    .from(calendars)
    .where(and(eq(calendars.id, id), or(eq(calendars.userId, userId), exists(teamOfOwner))));
  return found?.name;
}

/**
 * Marks a booking's entries to be written, and returns whether there are any. Call it in the
 * transaction that changes the booking.
 */
export async function markEntries(tx: Db, bookingId: number | SQL, now: Date): Promise<boolean> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const isOfBooking = sql`ics_uid = (select ics_uid from ${bookings} where id = ${bookingId})`;
  const changed = tx.$with('changed', {}).as(sql`
      update ${calendarEntries}
      set version = version + 1, changed_at = ${at}, due_at = ${at}, attempts = 0, failure = null
      where ${isOfBooking} returning 1`);
  const added = tx.$with('added', {}).as(sql`
    insert into ${calendarEntries}
      (user_id, ics_uid, calendar_id, encrypted_collection, server, destination_app_id, changed_at, due_at)
    select c.user_id, b.ics_uid, c.id, c.encrypted_destination, c.destination_server, c.destination_app_id, ${at}, ${at}
    from ${bookings} b
    inner join ${bookingHosts} bh on bh.booking_id = b.id
    inner join ${calendars} c on c.user_id = bh.user_id and c.encrypted_destination is not null
    where b.id = ${bookingId} and b.status = 'accepted'
    order by c.user_id
    on conflict do nothing returning 1`);
  const [marked] = await tx
    .with(changed, added)
    .select({ any: sql<boolean>`exists (select from changed) or exists (select from added)` })
    .from(sql`(select) as one`);
  return marked?.any ?? false;
}

const ready = { writeFailures: 0, writeRetryAt: null };

/** Retries what waits or failed, perhaps for an old password, but nothing that people changed. */
async function retryEntries(tx: Db, calendarId: number, now: Date): Promise<void> {
  const { failure, dueAt, version } = calendarEntries;
  await tx
    .update(calendarEntries)
    // An attempt with the former password may be under way, and doesn't postpone the retry.
    .set({ dueAt: now, changedAt: now, attempts: 0, version: sql`${version} + 1` })
    .where(
      and(eq(calendarEntries.calendarId, calendarId), or(isNotNull(dueAt), ne(failure, 'changed_there'))),
    );
}

/** Adds a calendar, or updates the one that `isSame` finds; undefined if there are too many. */
export async function saveCalendar(
  db: Db,
  values: Omit<typeof calendars.$inferInsert, 'id'>,
  isSame: (encryptedAccess: Uint8Array) => boolean,
  by: AuditContext,
): Promise<Calendar | undefined> {
  return db.transaction(async (tx) => {
    const { userId, name, encryptedAccess } = values;
    await lockUser(tx, userId);
    const own = await tx.select().from(calendars).where(eq(calendars.userId, userId));
    const same = own.find((calendar) => isSame(calendar.encryptedAccess));
    if (same === undefined && own.length >= maxCalendars) return undefined;
    const [saved] =
      same === undefined
        ? await tx
            .insert(calendars)
            .values({ ...values, nextCheckAt: later(values.createdAt, checkMinutes) })
            .returning()
        : await tx
            .update(calendars)
            .set({ name, encryptedAccess, endedReadings: 0, retryAt: null, ...readable, ...ready })
            .where(eq(calendars.id, same.id))
            .returning();
    if (same !== undefined) await retryEntries(tx, same.id, by.at);
    if (saved !== undefined) await recordAuditEvent(tx, by, eventOf('calendar.connected', saved));
    return saved;
  });
}

export const readable = { unreadableSince: null, unreadable: null, ownerToldAt: null } as const;

/** Writes nothing if another reading, or its owner, changed the calendar meanwhile. */
export async function noteReading(
  db: Db,
  { id, endedReadings, unreadable, encryptedAccess }: ReadableCalendar,
  changes: PgUpdateSetSource<typeof calendars>,
): Promise<void> {
  const isSame = and(
    eq(calendars.id, id),
    eq(calendars.endedReadings, endedReadings),
    eq(calendars.encryptedAccess, encryptedAccess),
    unreadable === null ? isNull(calendars.unreadable) : isNotNull(calendars.unreadable),
  );
  await db.update(calendars).set(changes).where(isSame);
}

const minuteMs = 60_000;
const later = (now: Date, minutes: number): Date => new Date(now.getTime() + minutes * minuteMs);

/** An outage is looked at twice, so that a server that restarts isn't one. */
const confirmMinutes = 5;
/** Checks of a readable calendar, with the confirmation, find an outage within the hour. */
const checkMinutes = 40;
/** Owners have an email by then, and each question for slots reads the calendar, too. */
const toldCheckMinutes = 180;

export const beginOutage = (unreadable: Outage, now: Date) => ({
  unreadable,
  unreadableSince: now,
  nextCheckAt: sql`least(${calendars.nextCheckAt}, ${later(now, confirmMinutes).toISOString()}::timestamptz)`,
});

/** Takes a calendar of other owners whose check is due; no other instance takes the same one. */
export async function claimCheck(db: Db, exceptOwnerIds: readonly number[], now: Date) {
  const { id, userId, unreadable, unreadableSince, ownerToldAt, nextCheckAt } = calendars;
  const at = (minutes: number): SQL => sql`${later(now, minutes).toISOString()}::timestamptz`;
  const due = db
    .select({ id })
    .from(calendars)
    .where(and(lte(nextCheckAt, now), notInArray(userId, [...exceptOwnerIds])))
    .orderBy(asc(nextCheckAt))
    .limit(1)
    .for('update', { skipLocked: true });
  const [claimed] = await db
    .update(calendars)
    .set({
      nextCheckAt: sql`case when ${unreadableSince} is null then ${at(checkMinutes)}
        when ${ownerToldAt} is null then ${at(confirmMinutes)} else ${at(toldCheckMinutes)} end`,
    })
    .where(isAmong(id, due))
    .returning({ id, userId, unreadable });
  return claimed;
}

/** Lists those of a person's calendars for which nobody can book them. */
export async function listOutages(db: Db, userId: number) {
  const { id, name, unreadableSince } = calendars;
  return db
    .select({ id, name, since: unreadableSince })
    .from(calendars)
    .where(and(eq(calendars.userId, userId), isNotNull(unreadableSince)))
    .orderBy(asc(id));
}

/** Locks the owner's calendars of which they have no email yet, after a second look. */
export async function listUntold(tx: Db, userId: number, now: Date): Promise<readonly Calendar[]> {
  const { unreadableSince, ownerToldAt } = calendars;
  return tx
    .select()
    .from(calendars)
    .where(
      and(
        eq(calendars.userId, userId),
        isNull(ownerToldAt),
        lte(unreadableSince, later(now, -confirmMinutes)), // protects: C262
      ),
    )
    .orderBy(asc(calendars.id))
    .for('update');
}

export async function noteTold(tx: Db, told: readonly Calendar[], now: Date): Promise<void> {
  const ids = told.map(({ id }) => id);
  await tx.update(calendars).set({ ownerToldAt: now }).where(inArray(calendars.id, ids));
}

/** Returns `UID start end` of the user's bookings in a range, as their calendar has them. */
export async function listOwnEntries(db: Db, userId: number, { start, end }: Interval) {
  const { startsAt, endsAt } = bookings;
  const rows = await db
    .select({ uid: bookings.icsUid, startsAt, endsAt })
    .from(bookingHosts)
    .innerJoin(bookings, eq(bookings.id, bookingHosts.bookingId))
    .where(
      and(
        eq(bookingHosts.userId, userId),
        lt(bookingHosts.startsAt, new Date(end)),
        gt(bookingHosts.startsAt, new Date(start - longestMeetingMs)),
      ),
    )
    .limit(maxOwn);
  return rows.map(({ uid, ...times }) => [uid, times.startsAt.getTime(), times.endsAt.getTime()].join(' '));
}

/** Has bookings written to the destination from now on; undefined means nowhere. */
export async function setDestination(
  db: Db,
  userId: number,
  destination:
    | { readonly calendarId: number; readonly encrypted: Uint8Array; readonly server: string }
    | undefined,
  by: AuditContext,
): Promise<void> {
  const { actorClientId: destinationAppId } = by;
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    const [former] = await tx
      .update(calendars)
      .set({ encryptedDestination: null, destinationServer: null, destinationAppId: null })
      .where(and(eq(calendars.userId, userId), isNotNull(calendars.encryptedDestination)))
      .returning();
    if (destination === undefined) {
      if (former !== undefined)
        await recordAuditEvent(tx, by, eventOf('calendar.destination_removed', former));
      return;
    }
    const { calendarId, encrypted: encryptedCollection, server } = destination;
    const isOwn = and(eq(calendars.id, calendarId), eq(calendars.userId, userId));
    const chosen = { encryptedDestination: encryptedCollection, destinationServer: server, destinationAppId };
    const [updated] = await tx
      .update(calendars)
      .set({ ...chosen, ...ready })
      .where(isOwn)
      .returning();
    if (updated !== undefined)
      await recordAuditEvent(tx, by, eventOf('calendar.destination_chosen', updated));
    const { failure, contentHash } = calendarEntries;
    const isOfUser = eq(calendarEntries.userId, userId);
    // Entries that the former destination never took are written to this one.
    await tx
      .update(calendarEntries)
      .set({ calendarId, encryptedCollection, server, destinationAppId, attemptedHash: null })
      .where(and(isOfUser, inArray(failure, ['not_allowed', 'access_ended']), isNull(contentHash)));
    if (destinationAppId === null)
      await tx
        .update(calendarEntries)
        .set({ destinationAppId })
        .where(and(isOfUser, eq(calendarEntries.calendarId, calendarId)));
    await retryEntries(tx, calendarId, by.at);
  });
}

type Chosen = typeof calendars | typeof calendarEntries;

/** After a password reset, this stands in the place of the app; no app has this id. */
const byReset = '';

/** Nothing more is written until the person chooses again (security C204). */
const endDestination: End = async (tx, userId, by) => {
  const ended = { destinationAppId: byReset };
  const isOwn = (table: Chosen) => and(eq(table.userId, userId), isNull(table.destinationAppId));
  const isChosen = and(isOwn(calendars), isNotNull(calendars.encryptedDestination));
  const [former] = await tx.update(calendars).set(ended).where(isChosen).returning();
  await tx.update(calendarEntries).set(ended).where(isOwn(calendarEntries));
  if (former !== undefined) await recordAuditEvent(tx, by, eventOf('calendar.destination_removed', former));
};

export const calendarBelongings: readonly Belonging[] = [
  {
    ...deletedWith(calendars.userId),
    isContent: true,
    counted: { words: 'Calendars' },
    onReset: endDestination, // protects: C204
  },
  { table: calendarEntries, of: [calendarEntries.userId] },
];

/** The choice is a person's, or an app's that may still read their bookings (security C123). */
export const mayBeWritten = ({ userId, destinationAppId }: Chosen, moment: Moment): SQL<boolean> =>
  // protects: C123
  sql`(${destinationAppId} is null or ${hasAccess(userId, destinationAppId, moment, and(isNull(grants.teamId), allowOneOf('BOOKING_READ', 'BOOKING_WRITE')))})`;

/** Finds the app, or the reset, that decided the destination; a person's own choice isn't found. */
export async function findChoosingApp(db: Db, userId: number, moment: Moment) {
  const [found] = await db
    .select({
      name: clients.name,
      isHeard: mayBeWritten(calendars, moment),
      isReset: eq(calendars.destinationAppId, byReset).mapWith(Boolean),
    })
    .from(calendars)
    .leftJoin(clients, eq(clients.id, calendars.destinationAppId))
    .where(and(eq(calendars.userId, userId), isNotNull(calendars.destinationAppId)));
  return found;
}

export async function deleteCalendar(db: Db, userId: number, id: number, by: AuditContext) {
  return db.transaction(async (tx) => {
    const isOwn = and(eq(calendars.id, id), eq(calendars.userId, userId));
    const [deleted] = await tx.delete(calendars).where(isOwn).returning();
    if (deleted !== undefined) await recordAuditEvent(tx, by, eventOf('calendar.disconnected', deleted));
    return deleted;
  });
}

export const calendarAudit = {
  'calendar.connected': 'The calendar “{name}” was connected',
  'calendar.disconnected': 'The calendar “{name}” was disconnected',
  'calendar.destination_chosen': 'The calendar {name} was chosen for bookings',
  'calendar.destination_removed': 'Bookings are no longer written to the calendar {name}',
} as const satisfies AuditSentences;

function eventOf(action: keyof typeof calendarAudit, { id, userId, name }: Calendar): AuditEvent {
  const isRepeatable = action === 'calendar.connected' || action === 'calendar.destination_chosen';
  return { action, isRepeatable, userId, objectId: String(id), label: name };
}

/** A failure is remembered for ten seconds, and a calendar that cost too much waits for longer. */
export async function findOutage(db: Db, calendarId: number, now: Date) {
  const { retryAt, ownerToldAt } = calendars;
  const [found] = await db
    .select({ retryAt, ownerToldAt })
    .from(calendars)
    .where(eq(calendars.id, calendarId));
  const waitMs = (found?.retryAt?.getTime() ?? 0) - now.getTime();
  return {
    secondsToReading: Math.max(Math.ceil(waitMs / 1000), failureSeconds),
    isOwnerTold: found !== undefined && found.ownerToldAt !== null,
  };
}
