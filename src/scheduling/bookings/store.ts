import { and, asc, desc, eq, gt, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { TimeFormat } from '../../accounts/person.ts';
import { users } from '../../accounts/tables.ts';
import type { Db } from '../../io/database.ts';
import type { BookingStatus } from '../core/booking.ts';
import { bookingHosts, bookings, eventTypes } from '../tables.ts';
import type { BookingFilters, ListStatus } from './filters.ts';

interface HostRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly username: string | null;
  readonly timeZone: string;
  readonly timeFormat: TimeFormat;
}

const hosts = sql<readonly HostRow[]>`coalesce((
  select json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'username', u.username, 'timeZone', u.time_zone, 'timeFormat', u.time_format) order by u.id)
  from ${bookingHosts} bh inner join ${users} u on u.id = bh.user_id where bh.booking_id = ${bookings.id}
), '[]')`;

function selectShown(db: Pick<Db, 'select'>) {
  return db
    .select({
      booking: bookings,
      eventType: { id: eventTypes.id, slug: eventTypes.slug },
      schedulingType: eventTypes.schedulingType,
      hosts,
    })
    .from(bookings)
    .leftJoin(eventTypes, eq(eventTypes.id, bookings.eventTypeId));
}

/** A booking with its hosts. */
export type ShownBooking = Awaited<ReturnType<typeof selectShown>>[number];

/** One booking; undefined when there is none of this uid. */
export async function findBooking(db: Pick<Db, 'select'>, uid: string): Promise<ShownBooking | undefined> {
  const [found] = await selectShown(db).where(eq(bookings.uid, uid));
  return found;
}

/** A booking as somebody has looked at it: every change of its status, time or host raises its sequence (RFC 5546 §2.1.4). */
export interface SeenBooking {
  readonly id: number;
  readonly status: BookingStatus;
  readonly sequence: number;
}

/** Whether a booking is still as it was looked at: what was decided from it, and its letters, still fit. */
export function isAsSeen({ id, status, sequence }: SeenBooking): SQL | undefined {
  return and(eq(bookings.id, id), eq(bookings.status, status), eq(bookings.sequence, sequence));
}

/** Whose bookings: those that a user hosts, or those of a team's event types, deleted ones too. */
export type BookingSet = { readonly hostId: number } | { readonly teamId: number };

/** A page of bookings, and how many there are in all; without an order they come as they were made, so that pages stay whole while others are added. */
export async function listBookings(
  db: Db,
  set: BookingSet,
  filters: BookingFilters,
  now: Date,
): Promise<{ readonly bookings: readonly ShownBooking[]; readonly total: number }> {
  const condition = and(belongsTo(db, set), ...conditionsOf(filters, now));
  const [found, total] = await Promise.all([
    selectShown(db)
      .where(condition)
      .orderBy(...orderOf(filters))
      .limit(filters.take)
      .offset(filters.skip),
    db.$count(bookings, condition),
  ]);
  return { bookings: found, total };
}

function belongsTo(db: Db, set: BookingSet): SQL {
  if ('teamId' in set) return eq(bookings.teamId, set.teamId);
  const hosted = db
    .select({ id: bookingHosts.bookingId })
    .from(bookingHosts)
    .where(eq(bookingHosts.userId, set.hostId));
  return inArray(bookings.id, hosted);
}

const directions = { asc, desc } as const;

function orderOf({ sortStart, sortEnd, sortCreated }: BookingFilters): SQL[] {
  const sorts = [
    [sortStart, bookings.startsAt],
    [sortEnd, bookings.endsAt],
    [sortCreated, bookings.createdAt],
  ] as const;
  const order = sorts.flatMap(([direction, column]) =>
    direction === undefined ? [] : [directions[direction](column)],
  );
  return [...order, directions[sortStart ?? sortEnd ?? sortCreated ?? 'asc'](bookings.id)];
}

function conditionsOf(filters: BookingFilters, now: Date): (SQL | undefined)[] {
  return [
    where(filters.status, (all) => or(...all.map((one) => conditionOfStatus(one, now)))),
    where(filters.attendeeEmail, (email) => sql`lower(${bookings.attendeeEmail}) = lower(${email})`),
    where(filters.attendeeName, (part) => sql`strpos(lower(${bookings.attendeeName}), lower(${part})) > 0`),
    where(filters.bookingUid, (uid) => eq(bookings.uid, uid)),
    where(filters.eventTypeId, (id) => eq(bookings.eventTypeId, id)),
    where(filters.eventTypeIds, (ids) => inArray(bookings.eventTypeId, ids)),
    where(filters.teamId, (id) => eq(bookings.teamId, id)),
    where(filters.teamsIds, (ids) => inArray(bookings.teamId, ids)),
    where(filters.afterStart, (at) => gte(bookings.startsAt, at)),
    where(filters.beforeEnd, (at) => lte(bookings.endsAt, at)),
    where(filters.afterCreatedAt, (at) => gte(bookings.createdAt, at)),
    where(filters.beforeCreatedAt, (at) => lte(bookings.createdAt, at)),
    where(filters.afterUpdatedAt, (at) => gte(bookings.updatedAt, at)),
    where(filters.beforeUpdatedAt, (at) => lte(bookings.updatedAt, at)),
  ];
}

/** The condition of a filter, if there is one. */
function where<Value>(
  value: Value | undefined,
  toCondition: (value: Value) => SQL | undefined,
): SQL | undefined {
  return value === undefined ? undefined : toCondition(value);
}

function conditionOfStatus(status: ListStatus, now: Date): SQL | undefined {
  const holds = inArray(bookings.status, ['accepted', 'pending']);
  switch (status) {
    case 'upcoming':
      return and(holds, gt(bookings.endsAt, now));
    case 'past':
      return and(holds, lte(bookings.endsAt, now));
    case 'unconfirmed':
      return and(eq(bookings.status, 'pending'), gt(bookings.endsAt, now));
    case 'recurring':
      return sql`false`;
    default:
      return eq(bookings.status, status);
  }
}

/** The bookings that a user hosts and that are not over; locked until the transaction ends, if that is asked for. */
export async function listHosted(
  db: Pick<Db, 'select'>,
  hostId: number,
  now: Date,
  mode?: 'locked',
): Promise<readonly ShownBooking[]> {
  const hosted = db
    .select({ id: bookingHosts.bookingId })
    .from(bookingHosts)
    .where(and(eq(bookingHosts.userId, hostId), eq(bookingHosts.holds, true)));
  const query = selectShown(db)
    .where(and(inArray(bookings.id, hosted), gt(bookings.endsAt, now)))
    .orderBy(asc(bookings.id));
  return mode === 'locked' ? query.for('update', { of: bookings }) : query;
}
