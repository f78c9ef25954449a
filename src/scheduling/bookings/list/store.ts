import { and, asc, desc, eq, gt, gte, inArray, lte, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Db } from '../../../platform/database.ts';
import { longestHoldMs } from '../../standing.ts';
import { bookingHosts, bookings } from '../../tables.ts';
import type { BookingFilters, BookingListStatus } from '../request.ts';
import { type ShownBooking, selectBookings } from '../store.ts';

/** A page searches names, addresses and titles at once. */
type SearchedFilters = BookingFilters & { readonly search?: string | undefined };

export type BookingSet = { readonly hostId: number } | { readonly teamId: number };

/** Counting all of a large team's would read them all. */
const maxCountedAhead = 10_000;

/** Counts the bookings up to the page, and {@link maxCountedAhead} more at most. */
export async function listBookingsCounted(db: Db, set: BookingSet, filters: BookingFilters, now: Date) {
  const { skip, take } = filters;
  const found = await listBookings(db, set, filters, now);
  // Most lists fit on one page, which needs no count.
  const isLast = found.length < take && (found.length > 0 || skip === 0);
  if (isLast) return { bookings: found, total: skip + found.length };
  const counted = idsOf(db, set, filters, now).limit(skip + maxCountedAhead);
  return { bookings: found, total: await db.$count(counted.as('counted')) };
}

/** Finds the ids first, so that a skipped row costs nothing of what a shown one does. */
export async function listBookings(
  db: Db,
  set: BookingSet,
  filters: SearchedFilters,
  now: Date,
  isShort = false,
): Promise<readonly ShownBooking[]> {
  const { skip, take } = filters;
  const order = orderOf(filters, set);
  const page = idsOf(db, set, filters, now)
    .orderBy(...order)
    .limit(take)
    .offset(skip)
    .as('page');
  return selectBookings(db, isShort)
    .innerJoin(page, eq(page.id, bookings.id))
    .orderBy(...orderOf(filters));
}

/** No index finds these, so they are looked for in so many of a set, those that start last. */
const maxSearched = 10_000;

function isSearched(filters: SearchedFilters): boolean {
  const { attendeeName, search, sortUpdatedAt, attendeeEmail, bookingUid } = filters;
  const { afterCreatedAt, beforeCreatedAt, afterUpdatedAt, beforeUpdatedAt } = filters;
  const times = [afterCreatedAt, beforeCreatedAt, afterUpdatedAt, beforeUpdatedAt];
  return (
    [attendeeName, search, sortUpdatedAt, ...times].some((one) => one !== undefined) &&
    attendeeEmail === undefined &&
    bookingUid === undefined
  );
}

/** The set's own row tells where the search ends. */
function startsLate(startsAt: PgColumn, isOfSet: SQL | undefined): SQL {
  const last = sql`select ${startsAt} from ${startsAt.table} where ${isOfSet} order by ${startsAt} desc offset ${maxSearched - 1}::int limit 1`;
  return sql`${startsAt} >= coalesce((${last}), '-infinity')`; // protects: C381
}

/** A host's are read by the host, because nothing in a booking says whose it is. */
function idsOf(db: Db, set: BookingSet, filters: SearchedFilters, now: Date) {
  if ('teamId' in set) {
    const { startsAt, endsAt, teamId } = bookings;
    const ofTeam = and(eq(teamId, set.teamId), ...timesOf(filters, { startsAt, endsAt }));
    const late = isSearched(filters) ? startsLate(startsAt, ofTeam) : undefined;
    return db
      .select({ id: bookings.id })
      .from(bookings)
      .where(and(ofTeam, late, ...conditionsOf(filters, now)))
      .$dynamic();
  }
  const { bookingId: id, userId } = bookingHosts;
  const { status, ...others } = filters;
  const isTold = status?.every((one) => one === 'upcoming' || one === 'past') !== false;
  const rest = conditionsOf(isTold ? others : { ...others, status }, now).filter((one) => one !== undefined);
  const isOfHost = and(eq(userId, set.hostId), ...hostConditionsOf(filters, now)); // protects: C261
  // The host's rows alone tell, and what is skipped costs no booking.
  if (rest.length === 0 && filters.sortUpdatedAt === undefined)
    return db.select({ id }).from(bookingHosts).where(isOfHost).$dynamic();
  return db
    .select({ id })
    .from(bookingHosts)
    .innerJoin(bookings, eq(bookings.id, id))
    .where(
      and(isOfHost, isSearched(filters) ? startsLate(bookingHosts.startsAt, isOfHost) : undefined, ...rest),
    )
    .$dynamic();
}

/** What a host's rows repeat of the bookings narrows what is read of either. */
function hostConditionsOf(filters: BookingFilters, now: Date): (SQL | undefined)[] {
  const { status } = filters;
  const { startsAt, endsAt, holds } = bookingHosts;
  const earliest = new Date(now.getTime() - longestHoldMs);
  const ahead = and(eq(holds, true), gt(startsAt, earliest), gt(endsAt, now));
  const over = eq(holds, false);
  const past = and(eq(holds, true), lte(endsAt, now));
  const byStatus = { upcoming: ahead, unconfirmed: ahead, past, cancelled: over, rejected: over };
  const told = status?.map((one) => (one in byStatus ? byStatus[one as keyof typeof byStatus] : undefined));
  return [
    told?.includes(undefined) ? undefined : or(...(told ?? [])),
    ...timesOf(filters, { startsAt, endsAt }),
  ];
}

function timesOf(
  { afterStart, beforeEnd }: BookingFilters,
  { startsAt, endsAt }: Readonly<Record<'startsAt' | 'endsAt', PgColumn>>,
): (SQL | undefined)[] {
  return [where(afterStart, (at) => gte(startsAt, at)), where(beforeEnd, (at) => lte(endsAt, at))];
}

const directions = { asc, desc } as const;

function orderOf({ sortStart, sortEnd, sortCreated, sortUpdatedAt }: BookingFilters, set?: BookingSet) {
  const isOfHost = set !== undefined && 'hostId' in set;
  const sorts = [
    // The host's own row repeats both times.
    [sortStart, isOfHost ? bookingHosts.startsAt : bookings.startsAt],
    [sortEnd, isOfHost ? bookingHosts.endsAt : bookings.endsAt],
    // Bookings are numbered as they are created.
    [sortCreated, isOfHost ? bookingHosts.bookingId : bookings.id],
    [sortUpdatedAt, bookings.updatedAt],
  ] as const;
  const order = sorts.flatMap(([direction, column]) =>
    direction === undefined ? [] : [directions[direction](column)],
  );
  const [first = 'asc'] = sorts.flatMap(([direction]) => direction ?? []);
  return [...order, directions[first](isOfHost ? bookingHosts.bookingId : bookings.id)];
}

function conditionsOf(filters: SearchedFilters, now: Date): (SQL | undefined)[] {
  return [
    where(filters.status, (all) => or(...all.map((one) => conditionOfStatus(one, now)))),
    where(filters.attendeeEmail, (email) => sql`lower(${bookings.attendeeEmail}) = lower(${email})`),
    where(filters.attendeeName, (part) => sql`strpos(lower(${bookings.attendeeName}), lower(${part})) > 0`),
    where(
      filters.search,
      (part) =>
        sql`strpos(lower(concat_ws(' ', ${bookings.attendeeName}, ${bookings.attendeeEmail}, ${bookings.title})), lower(${part})) > 0`,
    ),
    where(filters.bookingUid, (uid) => eq(bookings.uid, uid)),
    where(filters.eventTypeId, (id) => eq(bookings.eventTypeId, id)),
    where(filters.eventTypeIds, (ids) => inArray(bookings.eventTypeId, ids)),
    where(filters.teamId, (id) => eq(bookings.teamId, id)),
    where(filters.teamsIds, (ids) => inArray(bookings.teamId, ids)),
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
