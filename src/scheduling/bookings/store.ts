import { and, asc, desc, eq, getTableColumns, inArray, lt, lte, max, or, type SQL, sql } from 'drizzle-orm';
import { isOver, type Leaving, tellCount } from '../../accounts/deletion/store.ts';
import { groups, users } from '../../accounts/tables.ts';
import {
  type Belonging,
  type Holder,
  ifVerified,
  type PersonalRows,
  rowsOf,
} from '../../platform/belongings.ts';
import {
  type Db,
  insertion,
  inTransaction,
  isExclusionViolation,
  isForeignKeyViolation,
  jsonOf,
  together,
  uniqueViolationOf,
} from '../../platform/database.ts';
import { addCausedEmails, type CausedEmails } from '../../platform/mail/caused-emails.ts';
import { prepared } from '../../platform/prepared.ts';
import { batchRows, type Expired, type ExpiredOnWalk } from '../../platform/retention/store.ts';
import type { Sentence } from '../../platform/words.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { BookingEvents, BookingTrigger, Concerned } from '../../v2/booking-events.ts';
import { markEntries } from '../calendars/store.ts';
import type { BookingStatus } from '../core/booking.ts';
import { type DayLimit, withoutFullDays } from '../core/day-limit.ts';
import type { Interval } from '../core/interval.ts';
import {
  type Candidate,
  chooseHosts,
  type HostChoice,
  nextBookedAt,
  stillFree,
} from '../core/round-robin.ts';
import type { EventTime } from '../core/slots.ts';
import { countBookingChange } from '../limits.ts';
import { countUpcomingHosted, isUpcomingOf } from '../standing.ts';
import { type HostProfile, keepEventType, listBookedStarts, listTakenTimes, lockHosts } from '../store.ts';
import { bookingHosts, bookings, calendars, eventTypes } from '../tables.ts';
import { eventPayloadOf } from './event-payload.ts';
import { type IdempotencyEntry, insertIdempotencyKey } from './idempotency/store.ts';

/** Hosts are looked up one by one: without statistics, a join would read all users. */
const hosts = sql<readonly (HostProfile & { readonly username: string | null })[]>`coalesce((
  select json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'username', u.username, 'timeZone', u.time_zone, 'timeFormat', u.time_format, 'dateLocale', u.date_locale, 'language', u.language, 'lastLanguage', u.last_language, 'isManaged', u.managing_client_id is not null) order by u.id)
  from ${bookingHosts} bh cross join lateral (select * from ${users} where id = bh.user_id limit 1) u where bh.booking_id = ${bookings.id}
), '[]')`;

type Booking = typeof bookings.$inferSelect;

/** Stands for the attendee, who has no account. */
export const theAttendee = 0;
const endedByEmail = sql<
  string | null
>`case ${bookings.endedBy} when ${sql.raw(String(theAttendee))} then ${bookings.attendeeEmail}
  else (select email from ${users} where id = ${bookings.endedBy}) end`;

/** Lists on pages don't show these columns (security C217). */
const leftOut = {
  description: sql<string>`''`,
  responses: sql<Booking['responses']>`'{}'::jsonb`,
  asked: sql<Booking['asked']>`'[]'::jsonb`,
  metadata: sql<Booking['metadata']>`'{}'::jsonb`,
};

/** Event type and team are null once they are deleted. `isShort` leaves out people's text. */
export function selectBookings(db: Db, isShort = false) {
  return db
    .select({
      booking: {
        ...getTableColumns(bookings),
        ...(isShort ? leftOut : {}),
        eventTypeId: sql<number | null>`${eventTypes.id}`,
        teamId: sql<number | null>`${groups.id}`,
      },
      eventType: { id: eventTypes.id, slug: eventTypes.slug },
      schedulingType: eventTypes.schedulingType,
      hosts,
      endedByEmail,
    })
    .from(bookings)
    .leftJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId))
    .leftJoin(groups, eq(groups.id, bookings.teamId));
}

export type ShownBooking = Awaited<ReturnType<typeof selectBookings>>[number];

export async function findBooking(db: Db, uid: string): Promise<ShownBooking | undefined> {
  const [found] = await selectBookings(db).where(eq(bookings.uid, uid));
  return found;
}

/** Returns the name of the team that a booking belongs to. */
export async function findTeamName(db: Db, { teamId }: Booking): Promise<string | undefined> {
  if (teamId === null) return undefined;
  const [team] = await db.select({ name: groups.name }).from(groups).where(eq(groups.id, teamId));
  return team?.name;
}

export async function listUpcomingHosted(db: Db, hostId: number, now: Date, limit: number) {
  return selectBookings(db, true)
    .innerJoin(bookingHosts, eq(bookingHosts.bookingId, bookings.id))
    .where(isUpcomingOf(hostId, now))
    .orderBy(asc(bookingHosts.startsAt), asc(bookings.id))
    .limit(limit);
}

export async function wasEverBooked(db: Db, hostId: number): Promise<boolean> {
  const found = await db
    .select({ id: bookingHosts.bookingId })
    .from(bookingHosts)
    .where(eq(bookingHosts.userId, hostId))
    .limit(1);
  return found.length > 0;
}

/** A host's history is bounded, because any event type can add to it. */
const maxHistory = 200;

/** Looks at each host's latest bookings alone: all hosts are locked meanwhile (security C132). */
export async function listCandidates(
  db: Db,
  eventTypeId: number,
  hostIds: readonly number[],
): Promise<readonly Candidate[]> {
  const latest = db
    .select({ bookingId: bookingHosts.bookingId, bookedAt: bookingHosts.bookedAt })
    .from(bookingHosts)
    .where(eq(bookingHosts.userId, users.id))
    .orderBy(desc(bookingHosts.bookedAt))
    .limit(maxHistory) // protects: C132
    .as('latest');
  const rows = await db
    .select({ id: users.id, lastBookedAt: max(latest.bookedAt) })
    .from(users)
    .innerJoinLateral(latest, sql`true`)
    .innerJoin(bookings, eq(bookings.id, latest.bookingId))
    .where(and(eq(bookings.eventTypeId, eventTypeId), inArray(users.id, [...hostIds])))
    .groupBy(users.id);
  const lastBooked = new Map(rows.map(({ id, lastBookedAt }) => [id, lastBookedAt]));
  return hostIds.map((id) => ({ id, lastBookedAt: lastBooked.get(id) ?? null }));
}

export async function findBuffers(db: Db, bookingId: number): Promise<Omit<EventTime, keyof Interval>> {
  const { beforeBuffer, afterBuffer } = bookingHosts;
  const [found] = await db
    .select({ beforeBufferMinutes: beforeBuffer, afterBufferMinutes: afterBuffer })
    .from(bookingHosts)
    .where(eq(bookingHosts.bookingId, bookingId))
    .limit(1);
  return found ?? { beforeBufferMinutes: 0, afterBufferMinutes: 0 };
}

/** Each change raises the sequence (RFC 5546 §2.1.4); what was prepared fits one version alone. */
export type BookingVersion = Pick<typeof bookings.$inferSelect, 'id' | 'status' | 'sequence'>;

function isVersion({ id, status, sequence }: BookingVersion): SQL | undefined {
  return and(eq(bookings.id, id), eq(bookings.status, status), eq(bookings.sequence, sequence));
}

export type NewBookingRow = Omit<Booking, 'id'>;

export interface BookingDraft {
  readonly hosts: ShownBooking['hosts'];
  readonly row: NewBookingRow;
  readonly emails: CausedEmails;
}

/** The booking that a new one replaces. */
export interface Replacement {
  readonly former: ShownBooking;
  readonly reason: string | null;
  readonly endedBy: number | null;
}

export interface BookingInsert {
  readonly eventTypeId: number;
  readonly choice: HostChoice;
  readonly dayLimit: DayLimit | undefined;
  readonly event: EventTime;
  readonly range: Interval;
  readonly idempotency: IdempotencyEntry | undefined;
  readonly replaces: Replacement | undefined;
}

/** What else a change has left to do. */
export interface Queued {
  readonly events: boolean;
  readonly entries: boolean;
}

/**
 * Chooses the hosts while all are locked, and writes the booking if `drafts` has one for them. An
 * exclusion constraint decides overlaps. `event_type_not_found` also means a deleted host.
 */
export async function insertBooking(
  db: Db,
  { eventTypeId, choice, dayLimit, event, range, idempotency, replaces }: BookingInsert,
  drafts: readonly BookingDraft[],
  events: BookingEvents | undefined,
  now: Date,
): Promise<
  Result<
    | { readonly hostIds: readonly number[]; readonly draft?: undefined }
    | { readonly draft: BookingDraft; readonly id: number; readonly queued: Queued },
    'slot_not_free' | 'host_full' | 'key_of_another_request' | 'booking_changed' | 'event_type_not_found'
  >
> {
  try {
    return await inTransaction(db, async (tx, last) => {
      const exceptUid = replaces?.former.booking.uid;
      const locks = { areNew: replaces === undefined, ...(dayLimit && { eventTypeId }) }; // protects: C382
      const [, kept, taken, candidates, booked] = await together([
        lockHosts(tx, choice.hostIds, locks),
        keepEventType(tx, eventTypeId, choice.hostIds, now),
        listTakenTimes(tx, choice.hostIds, range, exceptUid),
        choice.takesTurns ? listCandidates(tx, eventTypeId, choice.hostIds) : [],
        dayLimit && listBookedStarts(tx, eventTypeId, range, exceptUid),
      ]);
      if (kept === undefined) return refuse('event_type_not_found');
      // protects: C382
      if (dayLimit && booked && withoutFullDays([event], dayLimit, booked).length === 0)
        return refuse('slot_not_free');
      const free = stillFree(choice.hostIds, event, taken);
      const withRoom = free.filter((id) => replaces !== undefined || !kept.fullHostIds.includes(id));
      const hostIds = chooseHosts(choice, withRoom, candidates);
      if (hostIds === undefined) return refuse(withRoom.length < free.length ? 'host_full' : 'slot_not_free');
      const draft = drafts.find(
        ({ hosts: of }) => of.length === hostIds.length && of.every(({ id }) => hostIds.includes(id)),
      );
      if (draft === undefined) return ok({ hostIds });
      const { row, emails } = draft;
      if (replaces !== undefined) {
        const { former, reason: reschedulingReason, endedBy } = replaces;
        const end = { status: 'cancelled', rescheduledToUid: row.uid, updatedAt: now } as const;
        const isReplaced = await changeVersion(tx, former.booking, { ...end, reschedulingReason, endedBy });
        if (!isReplaced) return refuse('booking_changed');
      }
      const trigger = replaces === undefined ? 'BOOKING_CREATED' : 'BOOKING_RESCHEDULED';
      const triggers = [row.status === 'pending' ? 'BOOKING_REQUESTED' : trigger] as const;
      const concerned = { hostIds, teamId: row.teamId, eventTypeId };
      const named = sql`(select ${bookings.id} from ${bookings} where ${bookings.uid} = ${row.uid})`;
      const tellPeople = async (): Promise<void> => {
        // protects: C131
        if (replaces !== undefined) await countBookingChange(tx, row.icsUid, emails.cause, now);
        await addCausedEmails(tx, emails, now, last);
      };
      // Being prepared, the first goes out before those that find what it writes.
      const [id, entries, hears] = await together([
        insertHosted(tx, draft, event, nextBookedAt(candidates, now)),
        markEntries(tx, named, now),
        addBookingEvents(tx, events, { triggers, bookingId: named, concerned }, now),
        idempotency && insertIdempotencyKey(tx, idempotency, named, now),
        tellPeople(),
      ]);
      return ok({ draft, id, queued: { entries, events: hears } });
    });
  } catch (error) {
    if (isExclusionViolation(error)) return refuse('slot_not_free');
    if (uniqueViolationOf(error)?.includes('idempotency') === true) return refuse('key_of_another_request');
    if (isForeignKeyViolation(error)) return refuse('event_type_not_found');
    throw error;
  }
}

async function insertHosted(
  tx: Db,
  { hosts: hosting, row }: BookingDraft,
  { beforeBufferMinutes: before, afterBufferMinutes: after }: EventTime,
  bookedAt: Date,
): Promise<number> {
  const hostIds = `{${hosting.map(({ id }) => id).join()}}`;
  const values = { hostIds, before, after, bookedAt: bookedAt.toISOString() };
  const [created] = await hostedBookings(tx).execute({ ...values, rows: jsonOf(writtenColumns, [row]) });
  if (created === undefined) throw new Error('the booking was not inserted');
  return created.id;
}

const { id: _id, ...written } = getTableColumns(bookings);
const writtenColumns = Object.keys(written) as (keyof typeof written)[];

/** Rows are sorted, so that two collective bookings never wait for each other. */
const hostedBookings = prepared((db) => {
  const created = db
    .$with('created', {})
    .as(sql`${insertion(bookings, writtenColumns, sql.placeholder('rows'))} returning *`);
  const hosting = db.$with('hosting', {}).as(sql`
    insert into ${bookingHosts}
      (booking_id, user_id, starts_at, ends_at, before_buffer, after_buffer, holds, booked_at)
    select b.id, host_id, b.starts_at, b.ends_at, ${sql.placeholder('before')}::int,
      ${sql.placeholder('after')}::int, true, ${sql.placeholder('bookedAt')}::timestamptz
    from created b cross join unnest(${sql.placeholder('hostIds')}::int[]) as h (host_id) order by host_id`);
  return db
    .with(created, hosting)
    .select({ id: sql<number>`id`.mapWith(bookings.id) })
    .from(sql`created`)
    .prepare('hosted_booking');
});

/** Releases the time of what ends. Returns false if the booking has another version by now. */
async function changeVersion(tx: Db, version: BookingVersion, changes: Partial<NewBookingRow>) {
  const changed = await tx
    .update(bookings)
    .set(changes)
    .where(isVersion(version))
    .returning({ id: bookings.id });
  if (changed.length === 0) return false;
  if (changes.status === 'cancelled' || changes.status === 'rejected')
    await tx.update(bookingHosts).set({ holds: false }).where(eq(bookingHosts.bookingId, version.id));
  return true;
}

/** Version, event type and team of a booking that is changed. */
type Changed = BookingVersion & Pick<Booking, 'eventTypeId' | 'teamId'>;

export interface StatusChange {
  readonly booking: Changed;
  readonly hostIds: readonly number[];
  readonly status: BookingStatus;
  readonly cancellationReason: string | null;
  readonly endedBy: number | null;
  readonly emails: CausedEmails;
}

/** A confirmation is a creation too, as at Cal.com. */
const triggersOf = {
  accepted: ['BOOKING_CONFIRMED', 'BOOKING_CREATED'],
  pending: ['BOOKING_REQUESTED'],
  cancelled: ['BOOKING_CANCELLED'],
  rejected: ['BOOKING_REJECTED'],
} as const satisfies Record<BookingStatus, readonly BookingTrigger[]>;

/** Returns false if the booking was changed meanwhile. */
export async function changeStatus(
  db: Db,
  { booking, hostIds, emails, ...change }: StatusChange,
  events: BookingEvents | undefined,
  now: Date,
): Promise<boolean> {
  const raised = { ...change, sequence: booking.sequence + 1, updatedAt: now };
  const { id, teamId, eventTypeId } = booking;
  const concerned = { hostIds, teamId, eventTypeId };
  return inTransaction(db, async (tx, last) => {
    if (!(await changeVersion(tx, booking, raised))) return false;
    await together([
      markEntries(tx, id, now),
      addBookingEvents(tx, events, { triggers: triggersOf[change.status], bookingId: id, concerned }, now),
      addCausedEmails(tx, emails, now, last),
    ]);
    return true;
  });
}

/** Receivers read any other event with a former booking as a move (contract §8). */
const replacing = new Set<BookingTrigger>(['BOOKING_CREATED', 'BOOKING_REQUESTED', 'BOOKING_RESCHEDULED']);

interface BookingEvent {
  readonly triggers: readonly BookingTrigger[];
  readonly bookingId: number | SQL;
  readonly concerned: Concerned;
}

async function addBookingEvents(
  tx: Db,
  events: BookingEvents | undefined,
  { triggers, bookingId, concerned }: BookingEvent,
  now: Date,
): Promise<boolean> {
  const tell = async () => {
    const [found] = await selectBookings(tx).where(eq(bookings.id, bookingId));
    if (found === undefined) return undefined;
    const { rescheduledFromUid, icsUid } = found.booking;
    const isTold = rescheduledFromUid !== null && triggers.some((trigger) => replacing.has(trigger));
    const former = isTold ? await findBooking(tx, rescheduledFromUid) : undefined;
    const { title, description, requiresConfirmation } = eventTypes;
    const [about] = await tx
      .select({ title, description, requiresConfirmation })
      .from(eventTypes)
      .where(sql`${eventTypes.id} = ${found.booking.eventTypeId}`);
    return { topic: icsUid, payload: eventPayloadOf(found, about, former) };
  };
  return (await events?.add(tx, { triggers, concerned, tell }, now)) ?? false;
}

const meetingsAtOnce = 100;
/** Nobody expects to hear of a meeting that was longer ago. */
const meetingsToldMs = 86_400_000;

export function selectDueMeetings(db: Db, now: Date) {
  const { id, teamId, eventTypeId, startsAt, endsAt, status, nextMeetingAt } = bookings;
  const hostIds = sql<number[]>`coalesce((
    select json_agg(${bookingHosts.userId}) from ${bookingHosts} where ${bookingHosts.bookingId} = ${id}), '[]')`;
  return db
    .select({ id, teamId, eventTypeId, startsAt, endsAt, nextMeetingAt, hostIds })
    .from(bookings)
    .where(and(sql`${status} = 'accepted'`, lte(nextMeetingAt, now))) // protects: C251
    .orderBy(asc(nextMeetingAt))
    .limit(meetingsAtOnce)
    .for('no key update', { skipLocked: true }); // protects: C251
}

/** Tells of meetings that have started or ended; says whether there may be more. */
export async function tellMeetings(db: Db, events: BookingEvents, now: Date): Promise<boolean> {
  const due = await inTransaction(db, async (tx) => {
    const found = await selectDueMeetings(tx, now);
    for (const meeting of found) {
      const isStart = meeting.nextMeetingAt?.getTime() === meeting.startsAt.getTime();
      await tx
        .update(bookings)
        .set({ nextMeetingAt: isStart ? meeting.endsAt : null })
        .where(eq(bookings.id, meeting.id));
      const trigger = isStart ? 'MEETING_STARTED' : 'MEETING_ENDED';
      const isNews = (meeting.nextMeetingAt?.getTime() ?? 0) > now.getTime() - meetingsToldMs;
      const event = { triggers: [trigger], bookingId: meeting.id, concerned: meeting } as const;
      if (isNews) await addBookingEvents(tx, events, event, now);
    }
    return found.length;
  });
  if (due > 0) events.nudge();
  return due === meetingsAtOnce;
}

export interface HostChange {
  readonly booking: Changed & { readonly icsUid: string };
  readonly fromHostId: number;
  readonly toHostId: number;
  readonly wanted: EventTime | undefined;
  readonly range: Interval;
  readonly bookedAt: Date;
  readonly title: string;
  readonly reason: string | null;
  readonly emails: CausedEmails;
}

export async function changeHost(
  db: Db,
  { booking, fromHostId, toHostId, wanted, range, bookedAt, title, reason, emails }: HostChange,
  events: BookingEvents | undefined,
  now: Date,
): Promise<Result<void, 'slot_not_free' | 'booking_changed'>> {
  try {
    return await inTransaction(db, async (tx, last) => {
      // The former host may be about to be deleted.
      await lockHosts(tx, [fromHostId, toHostId]);
      const current = await tx
        .select({ id: bookings.id })
        .from(bookings)
        .where(isVersion(booking))
        .for('update');
      if (current.length === 0) return refuse('booking_changed');
      const taken = wanted === undefined ? [] : await listTakenTimes(tx, [toHostId], range, undefined);
      if (wanted !== undefined && stillFree([toHostId], wanted, taken).length === 0)
        return refuse('slot_not_free');
      const changed = await tx
        .update(bookingHosts)
        .set({ userId: toHostId, bookedAt })
        .where(and(eq(bookingHosts.bookingId, booking.id), eq(bookingHosts.userId, fromHostId)))
        .returning({ id: bookingHosts.userId });
      if (changed.length === 0) return refuse('booking_changed');
      const raised = { title, reassignmentReason: reason, sequence: booking.sequence + 1, updatedAt: now };
      await changeVersion(tx, booking, raised);
      await markEntries(tx, booking.id, now);
      const concerned = { ...booking, hostIds: [fromHostId, toHostId] };
      const event = { triggers: ['BOOKING_RESCHEDULED'], bookingId: booking.id, concerned } as const;
      await addBookingEvents(tx, events, event, now);
      await countBookingChange(tx, booking.icsUid, emails.cause, now); // protects: C131
      await addCausedEmails(tx, emails, now, last);
      return ok(undefined);
    });
  } catch (error) {
    if (isExclusionViolation(error)) return refuse('slot_not_free');
    if (isForeignKeyViolation(error)) return refuse('booking_changed');
    throw error;
  }
}

/** A guest or attendee gets what the page of someone else's booking shows. */
const { uid, title, status, startsAt, endsAt, createdAt, updatedAt } = bookings;
const asGuest = { uid, title, status, startsAt, endsAt, createdAt, updatedAt };
const { attendeeName, attendeeEmail, attendeeTimeZone, attendeeLanguage, attendeePhoneNumber } = bookings;
const { guests, responses, asked, location, cancellationReason, reschedulingReason } = bookings;
const asAttendee = {
  attendeeName,
  attendeeEmail,
  attendeeTimeZone,
  attendeeLanguage,
  attendeePhoneNumber,
  guests,
  responses,
  asked,
  location,
  cancellationReason,
  reschedulingReason,
};

export const bookingBelongings: readonly Belonging[] = [
  {
    table: bookings,
    of: [],
    exported: (db, person) => {
      const { bookingId: id, userId } = bookingHosts;
      const hosted = db.select({ id }).from(bookingHosts).where(eq(userId, person.id));
      const isAttendee = ifVerified(person, sql`lower(${attendeeEmail}) = ${person.email}`);
      return [
        rowsOf(bookings, inArray(bookings.id, hosted)),
        {
          ...rowsOf(bookings, isAttendee),
          name: 'bookings_as_attendee',
          columns: { ...asGuest, ...asAttendee },
        },
      ];
    },
  },
  { table: bookingHosts, of: [bookingHosts.userId], isContent: true },
];

/** Finds bookings that have the person as a guest. No index has the addresses of guests. */
export function bookingsAsGuest(person: Holder): readonly PersonalRows[] {
  const isGuest = sql`${person.email} = any(lower(${bookings.guests}::text)::text[])`;
  return [{ ...rowsOf(bookings, ifVerified(person, isGuest)), name: 'bookings_as_guest', columns: asGuest }];
}

const hosting = sql`${bookingHosts} inner join ${bookings} on ${bookings.id} = ${bookingHosts.bookingId}`;

const isTheirsAlone = sql`${bookings.teamId} is null and not exists (
  select from ${bookingHosts} as others
  where others.booking_id = ${bookings.id} and others.user_id <> ${users.id}
)`;

const rest: Sentence =
  'Your past bookings are deleted after 30 days. Bookings of a team stay with the team, and bookings that you made with others stay with their hosts.';

/** Bookings of deleted accounts are cancelled, and deleted once their emails' links don't work. */
export const bookingsLeaving: Leaving = {
  async tell({ db, runtime }, userId) {
    const upcoming = await countUpcomingHosted(db, userId, runtime.now());
    const types = await db.$count(eventTypes, eq(eventTypes.userId, userId));
    const connected = await db.$count(calendars, eq(calendars.userId, userId));
    return [
      ...tellCount(
        '{count, plural, one {# upcoming booking that you host is} other {# upcoming bookings that you host are}} cancelled, or given to another host of a round-robin team. Attendees get an email; the next bookings come first.',
        upcoming,
      ),
      ...tellCount(
        '{count, plural, one {# event type} other {# event types}} and your booking pages no longer work.',
        types,
      ),
      ...tellCount(
        '{count, plural, one {# calendar is} other {# calendars are}} disconnected, with address and password deleted.',
        connected,
      ),
      ...((await isInBookings(db, userId)) ? [rest] : []),
    ];
  },
  async words(db, userId) {
    if (!(await isInBookings(db, userId))) return undefined;
    return {
      now: 'Upcoming bookings that you host are being cancelled, and attendees get an email.',
      later: 'Your past bookings are deleted after 30 days.',
    };
  },
  needsName: (now) => sql`exists (select from ${bookingHosts} where ${isUpcomingOf(users.id, now)})`,
  keepsRow: sql`exists (
    select from ${hosting} where ${bookingHosts.userId} = ${users.id} and ${isTheirsAlone}
  )`,
};

/** The person hosted a booking, or made one with the address of the account. */
async function isInBookings(db: Db, userId: number): Promise<boolean> {
  const isHost = sql`exists (select from ${bookingHosts} where ${bookingHosts.userId} = ${users.id})`;
  const isAttendee = sql`exists (
    select from ${bookings} where lower(${bookings.attendeeEmail}) = ${users.email}
  )`;
  return (await db.$count(users, and(eq(users.id, userId), or(isHost, isAttendee)))) > 0;
}

/** Bookings stay as long as the links in emails about them work. */
export function bookingsOfDeletedAccounts(now: Date): Expired {
  const theirs = sql`select ${bookings.id} from ${users} inner join (${hosting})
    on ${bookingHosts.userId} = ${users.id}
    where ${isOver(now)} and ${isTheirsAlone} limit ${batchRows}`;
  return { table: bookings, isExpired: sql`${bookings.id} = any(array(${theirs}))` };
}

/** A walk finds these: an index by their end would make each booking dearer. */
export function pastBookings(days: number | undefined, now: Date): ExpiredOnWalk | undefined {
  if (days === undefined) return undefined;
  const before = new Date(now.getTime() - days * 86_400_000);
  return { table: bookings, key: bookings.id, isExpired: lt(bookings.endsAt, before) };
}
