import { and, eq, gt, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { teamOfSlug } from '../accounts/groups/store.ts';
import type { Person } from '../accounts/person.ts';
import { isBookable, readerColumns } from '../accounts/store.ts';
import { users } from '../accounts/tables.ts';
import { clients } from '../oauth/tables.ts';
import { advisoryLocks, type Db } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import { prepared, preparedFor } from '../platform/prepared.ts';
import { findTeamRole, type Principal } from '../v2/principals/store.ts';
import type { Reader } from '../web/translated.ts';
import type { Availability } from './core/availability.ts';
import type { BookedStart } from './core/day-limit.ts';
import type { Interval } from './core/interval.ts';
import type { TakenTime } from './core/round-robin.ts';
import type { Lengths } from './event-types/request.ts';
import { selectEventTypes } from './event-types/store.ts';
import { maxBookingsADay, maxBookingsAhead } from './limits.ts';
import { usualHours } from './schedules/request.ts';
import type { Schedule } from './schedules/store.ts';
import { longestHoldMs } from './standing.ts';
import { bookingHosts, bookings, eventTypeHosts, eventTypes, schedules } from './tables.ts';

export interface HostProfile
  extends Pick<Person, 'id' | 'name' | 'email' | 'timeZone' | 'timeFormat' | 'dateLocale'>,
    Reader {
  /** A managed user's address is the word of the client that made the user. */
  readonly isManaged: boolean;
}

export interface EventTypeHost extends HostProfile {
  readonly username: string | null;
  readonly availability: Availability;
}

export interface HostedEventType {
  readonly eventType: typeof eventTypes.$inferSelect;
  readonly hosts: readonly EventTypeHost[];
}

export type EventTypeName =
  | { readonly eventTypeId: number }
  | { readonly eventTypeSlug: string; readonly username: string }
  | { readonly eventTypeSlug: string; readonly teamSlug: string };

interface NameQuery {
  readonly eventTypeId?: number | undefined;
  readonly eventTypeSlug?: string | undefined;
  readonly username?: string | undefined;
  readonly teamSlug?: string | undefined;
}

export function readEventTypeName(query: NameQuery): EventTypeName | undefined {
  const { eventTypeId, eventTypeSlug, username, teamSlug } = query;
  if (eventTypeId !== undefined) return { eventTypeId };
  if (eventTypeSlug === undefined) return undefined;
  if (username !== undefined) return { eventTypeSlug, username: username.toLowerCase() };
  return teamSlug === undefined ? undefined : { eventTypeSlug, teamSlug };
}

const ownSchedules = alias(schedules, 'own_schedules');
const defaultSchedules = alias(schedules, 'default_schedules');

type NamedBy = 'eventTypeId' | 'teamSlug' | 'username';

/** Prepares a statement for each way to name an event type. */
function preparedByName<App extends Pick<Platform, 'db'>, Statement>(
  prepare: (app: App, isNamed: SQL | undefined) => Statement,
): (app: App, name: EventTypeName) => Statement {
  const by = (namedBy: NamedBy) => preparedFor((app: App) => prepare(app, isNamed(app.db, namedBy)));
  const statements = {
    eventTypeId: by('eventTypeId'),
    teamSlug: by('teamSlug'),
    username: by('username'),
  } as const;
  return (app, name) =>
    statements['eventTypeId' in name ? 'eventTypeId' : 'username' in name ? 'username' : 'teamSlug'](app);
}

const addressedEventTypes = preparedByName(({ db }: Pick<Platform, 'db'>, isNamed) =>
  selectEventTypes(db, true).where(isNamed).prepare('addressed_event_type'),
);

/** Returns what its address says, and who owns it. */
export async function findAddressedEventType(app: Pick<Platform, 'db'>, name: EventTypeName) {
  const [found] = await addressedEventTypes(app, name).execute({ ...name });
  return found;
}

const hostedEventTypes = preparedByName(({ config, db }: Pick<Platform, 'config' | 'db'>, isNamed) => {
  const { id, name, email, username } = users;
  const isManaged = sql<boolean>`${users.managingClientId} is not null`;
  return db
    .select({
      eventType: eventTypes,
      user: { id, name, email, username, ...readerColumns, isManaged },
      own: ownSchedules,
      usual: defaultSchedules,
    })
    .from(eventTypes)
    .leftJoin(eventTypeHosts, eq(eventTypeHosts.eventTypeId, eventTypes.id))
    .leftJoin(
      users,
      and(sql`${users.id} = coalesce(${eventTypes.userId}, ${eventTypeHosts.userId})`, mayBeBooked(config)),
    )
    .leftJoin(ownSchedules, eq(ownSchedules.id, eventTypes.scheduleId))
    .leftJoin(
      defaultSchedules,
      and(eq(defaultSchedules.userId, users.id), eq(defaultSchedules.isDefault, true)),
    )
    .where(isNamed)
    .orderBy(users.id)
    .prepare('hosted_event_type');
});

/** Hosts are the user who owns it, or the team's members, if they may be booked. */
export async function findHostedEventType(
  app: Pick<Platform, 'config' | 'db'>,
  name: EventTypeName,
): Promise<HostedEventType | undefined> {
  const rows = await hostedEventTypes(app, name).execute({ ...name });
  const [first] = rows;
  if (first === undefined || (first.eventType.userId !== null && first.user === null)) return undefined;
  const hosts = rows.flatMap(({ user, own, usual }): EventTypeHost[] => {
    if (user === null) return [];
    return [{ ...user, availability: availabilityOf(own ?? usual, user.timeZone) }];
  });
  return { eventType: first.eventType, hosts };
}

/** Strangers can't find hidden event types by counting ids (security C59). */
export async function findOfferedEventType(
  app: Pick<Platform, 'config' | 'db'>,
  name: EventTypeName,
  caller: Principal | undefined,
): Promise<HostedEventType | undefined> {
  const found = await findHostedEventType(app, name);
  if (found === undefined || !found.eventType.hidden || !('eventTypeId' in name)) return found;
  if (caller === undefined) return undefined;
  const { teamId } = found.eventType;
  const isKnown =
    teamId === null
      ? caller.teamId === null && found.hosts.some(({ id }) => id === caller.userId)
      : (await findTeamRole(app.db, caller, teamId)) !== undefined;
  return isKnown ? found : undefined;
}

function isNamed(db: Db, namedBy: NamedBy): SQL | undefined {
  const named = sql.placeholder(namedBy);
  if (namedBy === 'eventTypeId') return eq(eventTypes.id, named);
  const isSlug = eq(eventTypes.slug, sql.placeholder('eventTypeSlug'));
  if (namedBy === 'teamSlug') return and(inArray(eventTypes.teamId, teamOfSlug(db, named)), isSlug);
  const owner = db.select({ id: users.id }).from(users).where(eq(users.username, named));
  return and(inArray(eventTypes.userId, owner), isSlug);
}

function availabilityOf(schedule: Schedule | null, timeZone: string): Availability {
  if (schedule === null) return { timeZone, weekly: usualHours, overrides: new Map() };
  const { weekly, overrides } = schedule;
  return { timeZone: schedule.timeZone, weekly, overrides: new Map(Object.entries(overrides)) };
}

/**
 * Locks hosts until the transaction ends, sorted so that no two transactions wait for each other. An
 * event type comes before its hosts, and no transaction locks two of them.
 * What is asked in the same transaction after it needn't wait for it. For `areNew` bookings, whose
 * statements find the same rows whatever is asked, it is planned once.
 */
export async function lockHosts(
  tx: Db,
  hostIds: readonly number[],
  { areNew = false, eventTypeId }: { readonly areNew?: boolean; readonly eventTypeId?: number } = {},
): Promise<void> {
  const { hosts, limitedEventTypes } = advisoryLocks;
  const sorted = hostIds.toSorted((a, b) => a - b).map((id) => [hosts, id] as const);
  const locks = eventTypeId === undefined ? sorted : [[limitedEventTypes, eventTypeId] as const, ...sorted];
  const planning = areNew ? 'force_generic_plan' : null;
  const [kinds, ids] = [locks.map(([kind]) => kind), locks.map(([, id]) => id)];
  await hostLocks(tx).execute({ kinds: listOf(kinds), ids: listOf(ids), planning });
}

const hostLocks = prepared((db) =>
  db
    .select({
      isLocked: sql`pg_advisory_xact_lock(kind, id)`,
      // PostgreSQL plans some statements at each call, which takes ten times as long as they do.
      planning: sql`set_config('plan_cache_mode', coalesce(${sql.placeholder('planning')}::text, current_setting('plan_cache_mode')), true)`,
    })
    .from(
      sql`unnest(${sql.placeholder('kinds')}::int[], ${sql.placeholder('ids')}::int[]) as locks (kind, id)`,
    )
    .prepare('host_locks'),
);

/**
 * Keeps the event type until the transaction ends; undefined means that it is gone. Call it after
 * {@link lockHosts}, because it also tells which hosts have no room for one more booking.
 */
export async function keepEventType(tx: Db, id: number, hostIds: readonly number[], now: Date) {
  const yesterday = new Date(now.getTime() - 86_400_000).toISOString();
  const asked = { id, hostIds: listOf(hostIds), now: now.toISOString(), yesterday };
  const [kept] = await keptEventTypes(tx).execute(asked);
  return kept;
}

const keptEventTypes = prepared((db) => {
  const { bookedAt, startsAt, holds } = bookingHosts;
  const isFull = or(
    hasAsMany(db, maxBookingsADay, gt(bookedAt, instantOf('yesterday'))),
    hasAsMany(db, maxBookingsAhead, and(gt(startsAt, instantOf('now')), eq(holds, true))),
  );
  const full = sql<number[]>`array(
    select host_id from unnest(${sql.placeholder('hostIds')}::int[]) as asked (host_id) where ${isFull})`;
  return db
    .select({ fullHostIds: full })
    .from(eventTypes)
    .where(eq(eventTypes.id, sql.placeholder('id')))
    .for('key share')
    .prepare('kept_event_type');
});

function hasAsMany(db: Db, max: number, which: SQL | undefined): SQL {
  const found = db
    .select({ one: sql`1` })
    .from(bookingHosts)
    .where(and(sql`${bookingHosts.userId} = host_id`, which))
    .offset(max - 1)
    .limit(1);
  return sql`exists (${found})`;
}

export async function listTakenTimes(
  db: Db,
  hostIds: readonly number[],
  range: Interval,
  exceptUid: string | undefined,
): Promise<readonly TakenTime[]> {
  const [row] = await takenTimes(db).execute({
    hostIds: listOf(hostIds),
    from: new Date(range.start - longestHoldMs).toISOString(),
    until: new Date(range.end + longestHoldMs).toISOString(),
    exceptUid: exceptUid ?? '',
  });
  const times: readonly (readonly [number, number, number])[] = JSON.parse(`[${row?.times ?? ''}]`);
  // Destructuring would make an iterator for each.
  return times.map((time) => ({ hostId: time[0], start: time[1], end: time[2] }));
}

/** Lists what takes a place of the event type's days; `movedUid` is about to leave its own. */
export async function listBookedStarts(
  db: Db,
  eventTypeId: number,
  { start, end }: Interval,
  movedUid: string | undefined,
): Promise<readonly BookedStart[]> {
  const [from, until] = [new Date(start).toISOString(), new Date(end).toISOString()];
  const rows = await bookedStarts(db).execute({ eventTypeId, from, until, movedUid: movedUid ?? '' });
  return rows.map(({ startsAt, isMoved }) => ({ start: startsAt.getTime(), isMoved }));
}

const bookedStarts = prepared((db) => {
  const { eventTypeId, startsAt, status, uid } = bookings;
  return db
    .select({ startsAt, isMoved: sql<boolean>`${uid} = ${sql.placeholder('movedUid')}` })
    .from(bookings)
    .where(
      and(
        eq(eventTypeId, sql.placeholder('eventTypeId')),
        gte(startsAt, instantOf('from')),
        lt(startsAt, instantOf('until')),
        inArray(status, ['accepted', 'pending']),
      ),
    )
    .prepare('booked_starts');
});

export async function findBookedTime(db: Db, eventTypeId: number, uid: string) {
  const { startsAt, endsAt } = bookings;
  const isNamed = and(eq(bookings.uid, uid), eq(bookings.eventTypeId, eventTypeId));
  const [found] = await db.select({ startsAt, endsAt }).from(bookings).where(isNamed);
  return found;
}

export const listOf = (ids: readonly number[]): string => `{${ids.join()}}`;

export const isWithinList = (column: PgColumn, name: string): SQL =>
  sql`${column} = any(${sql.placeholder(name)}::int[])`;
export const instantOf = (name: string): SQL => sql`${sql.placeholder(name)}::timestamptz`;

/**
 * One row of JSON costs the service less than a row for each time, and PostgreSQL puts arrays
 * together as text at half of what its functions for JSON cost (bench/README.md).
 */
const takenTimes = prepared((db) => {
  const { userId, startsAt, endsAt, beforeBuffer, afterBuffer } = bookingHosts;
  const isExcept = eq(bookings.uid, sql.placeholder('exceptUid'));
  const except = db.select({ id: bookings.id }).from(bookings).where(isExcept);
  return db
    .select({
      times: sql<string | null>`string_agg('[' || concat_ws(
        ',', ${userId}, ${epochMs(startsAt)} - ${beforeBuffer} * 60000, ${epochMs(endsAt)} + ${afterBuffer} * 60000) || ']', ',')`,
    })
    .from(bookingHosts)
    .where(
      and(
        isWithinList(userId, 'hostIds'),
        eq(bookingHosts.holds, true),
        gte(startsAt, instantOf('from')),
        lt(startsAt, instantOf('until')),
        sql`${bookingHosts.bookingId} is distinct from ${except}`,
      ),
    )
    .prepare('taken_times');
});

const epochMs = (instant: PgColumn): SQL => sql`(date_part('epoch', ${instant}) * 1000)::bigint`;

/** Returns sorted minutes. */
export function lengthsOf({ lengthInMinutes, lengthInMinutesOptions }: Lengths): readonly number[] {
  return [...new Set([lengthInMinutes, ...(lengthInMinutesOptions ?? [])])].toSorted((a, b) => a - b);
}

/** Returns undefined if the length isn't offered. */
export function withLength(hosted: HostedEventType, minutes: number): HostedEventType | undefined {
  return lengthsOf(hosted.eventType).includes(minutes) ? keepLength(hosted, minutes) : undefined;
}

/** A rescheduled booking keeps its length, whatever its event type offers by now. */
export function keepLength({ eventType, hosts }: HostedEventType, minutes: number): HostedEventType {
  return { eventType: { ...eventType, lengthInMinutes: minutes }, hosts };
}

/** Returns minutes. */
export function lengthOf({ startsAt, endsAt }: { readonly startsAt: Date; readonly endsAt: Date }): number {
  return Math.round((endsAt.getTime() - startsAt.getTime()) / 60_000);
}

/** Managed users go with their client: without it nobody could cancel (contract §1). */
function mayBeBooked(config: Pick<Platform['config'], 'emailVerification'>): SQL | undefined {
  const isStillManaged = sql`exists (
    select from ${clients} where ${clients.id} = ${users.managingClientId} and ${clients.status} = 'accepted'
  )`;
  return and(isBookable(config), or(isNull(users.managingClientId), isStillManaged));
}

export async function isSomeoneBookable(
  { config, db }: Pick<Platform, 'config' | 'db'>,
  people: readonly { readonly id: number }[],
): Promise<boolean> {
  const ids = people.map(({ id }) => id);
  return (await db.$count(users, and(inArray(users.id, ids), mayBeBooked(config)))) > 0;
}
