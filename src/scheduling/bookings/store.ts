import { and, asc, desc, eq, gt, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import { users } from '../../accounts/tables.ts';
import type { Db } from '../../io/database.ts';
import type { BookingStatus } from '../core/booking.ts';
import { bookingHosts, bookings, eventTypes } from '../tables.ts';
import type { ListStatus } from './request.ts';

interface HostRow {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly username: string | null;
  readonly timeZone: string;
}

const hosts = sql<readonly HostRow[]>`coalesce((
  select json_agg(json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'username', u.username, 'timeZone', u.time_zone) order by u.id)
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

export interface BookingFilters {
  readonly status?: readonly (ListStatus | BookingStatus)[] | undefined;
  readonly attendeeEmail?: string | undefined;
  readonly eventTypeId?: number | undefined;
  readonly afterStart?: Date | undefined;
  readonly beforeEnd?: Date | undefined;
  readonly sortStart?: 'asc' | 'desc' | undefined;
  readonly sortCreated?: 'asc' | 'desc' | undefined;
  readonly take: number;
  readonly skip: number;
}

/** A page of bookings, and how many there are in all; without an order they come as they were made, so that pages stay whole while others are added. */
export async function listBookings(
  db: Db,
  set: BookingSet,
  filters: BookingFilters,
  now: Date,
): Promise<{ readonly bookings: readonly ShownBooking[]; readonly total: number }> {
  const { sortStart, sortCreated, take, skip } = filters;
  const condition = and(belongsTo(db, set), ...conditionsOf(filters, now));
  const directions = { asc, desc } as const;
  const order = [
    ...(sortStart === undefined ? [] : [directions[sortStart](bookings.startsAt)]),
    ...(sortCreated === undefined ? [] : [directions[sortCreated](bookings.createdAt)]),
    (sortStart ?? sortCreated) === 'desc' ? desc(bookings.id) : asc(bookings.id),
  ];
  const [found, total] = await Promise.all([
    selectShown(db)
      .where(condition)
      .orderBy(...order)
      .limit(take)
      .offset(skip),
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

function conditionsOf(filters: BookingFilters, now: Date): (SQL | undefined)[] {
  const { status, attendeeEmail, eventTypeId, afterStart, beforeEnd } = filters;
  return [
    status === undefined ? undefined : or(...status.map((one) => conditionOfStatus(one, now))),
    attendeeEmail === undefined ? undefined : sql`lower(${bookings.attendeeEmail}) = lower(${attendeeEmail})`,
    eventTypeId === undefined ? undefined : eq(bookings.eventTypeId, eventTypeId),
    afterStart === undefined ? undefined : gte(bookings.startsAt, afterStart),
    beforeEnd === undefined ? undefined : lte(bookings.endsAt, beforeEnd),
  ];
}

function conditionOfStatus(status: ListStatus | BookingStatus, now: Date): SQL | undefined {
  const holds = inArray(bookings.status, ['accepted', 'pending']);
  switch (status) {
    case 'upcoming':
      return and(holds, gt(bookings.endsAt, now));
    case 'past':
      return and(holds, lte(bookings.endsAt, now));
    case 'unconfirmed':
      return eq(bookings.status, 'pending');
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
