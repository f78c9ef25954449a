import { and, asc, desc, eq, gt, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../platform/database.ts';
import { bookingHosts, bookings } from '../../tables.ts';
import type { BookingFilters, BookingListStatus } from '../request.ts';
import { type ShownBooking, selectBookings } from '../store.ts';

export type BookingSet = { readonly hostId: number } | { readonly teamId: number };

export async function listBookings(
  db: Db,
  set: BookingSet,
  filters: BookingFilters,
  now: Date,
  isShort = false,
): Promise<{ readonly bookings: readonly ShownBooking[]; readonly total: number }> {
  const condition = and(belongsTo(db, set), ...conditionsOf(filters, now));
  const { skip, take } = filters;
  const found = await selectBookings(db, isShort)
    .where(condition)
    .orderBy(...orderOf(filters))
    .limit(take)
    .offset(skip);
  // Most lists fit on one page, which needs no count.
  const isLast = found.length < take && (found.length > 0 || skip === 0);
  return { bookings: found, total: isLast ? skip + found.length : await db.$count(bookings, condition) };
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

function orderOf({ sortStart, sortEnd, sortCreated, sortUpdatedAt }: BookingFilters): SQL[] {
  const sorts = [
    [sortStart, bookings.startsAt],
    [sortEnd, bookings.endsAt],
    [sortCreated, bookings.createdAt],
    [sortUpdatedAt, bookings.updatedAt],
  ] as const;
  const order = sorts.flatMap(([direction, column]) =>
    direction === undefined ? [] : [directions[direction](column)],
  );
  const [first = 'asc'] = sorts.flatMap(([direction]) => direction ?? []);
  return [...order, directions[first](bookings.id)];
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

function where<Value>(
  value: Value | undefined,
  toCondition: (value: Value) => SQL | undefined,
): SQL | undefined {
  return value === undefined ? undefined : toCondition(value);
}

function conditionOfStatus(status: BookingListStatus, now: Date): SQL | undefined {
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
