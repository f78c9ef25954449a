import { and, eq, gt, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import { alias, type PgColumn } from 'drizzle-orm/pg-core';
import { teamOfSlug } from '../../accounts/groups/store.ts';
import type { Person } from '../../accounts/person.ts';
import { users } from '../../accounts/tables.ts';
import { advisoryLocks, type Db } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { prepared } from '../../platform/prepared.ts';
import { findTeamRole, type Principal } from '../../v2/principals/store.ts';
import type { Availability } from '../core/availability.ts';
import type { Interval } from '../core/interval.ts';
import type { TakenTime } from '../core/round-robin.ts';
import type { Lengths } from '../event-types/request.ts';
import { bookingQuotas } from '../limits.ts';
import { mayBeBooked } from '../people/store.ts';
import { usualHours } from '../schedules/request.ts';
import type { Schedule } from '../schedules/store.ts';
import { bookingHosts, bookings, eventTypeHosts, eventTypes, schedules } from '../tables.ts';

export interface HostProfile
  extends Pick<Person, 'id' | 'name' | 'email' | 'timeZone' | 'timeFormat' | 'dateLocale'> {
  /** A managed user's address is the word of the client that made the user. */
  readonly isManaged: boolean;
}

export interface EventTypeHost extends HostProfile {
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

interface NamedEventType {
  readonly eventTypeId?: number | undefined;
  readonly eventTypeSlug?: string | undefined;
  readonly username?: string | undefined;
  readonly teamSlug?: string | undefined;
}

export function readEventTypeName(query: NamedEventType): EventTypeName | undefined {
  const { eventTypeId, eventTypeSlug, username, teamSlug } = query;
  if (eventTypeId !== undefined) return { eventTypeId };
  if (eventTypeSlug === undefined) return undefined;
  if (username !== undefined) return { eventTypeSlug, username: username.toLowerCase() };
  return teamSlug === undefined ? undefined : { eventTypeSlug, teamSlug };
}

const ownSchedules = alias(schedules, 'own_schedules');
const defaultSchedules = alias(schedules, 'default_schedules');

type NamedBy = 'eventTypeId' | 'teamSlug' | 'username';

function selectHosted(db: Db, namedBy: NamedBy, config: Pick<Platform['config'], 'emailVerification'>) {
  const { id, name, email, timeZone, timeFormat, dateLocale } = users;
  const isManaged = sql<boolean>`${users.managingClientId} is not null`;
  return db
    .select({
      eventType: eventTypes,
      user: { id, name, email, timeZone, timeFormat, dateLocale, isManaged },
      own: ownSchedules,
      usual: defaultSchedules,
    })
    .from(eventTypes)
    .leftJoin(eventTypeHosts, eq(eventTypeHosts.eventTypeId, eventTypes.id))
    .leftJoin(
      users,
      and(sql`${users.id} = coalesce(${eventTypes.userId}, ${eventTypeHosts.userId})`, mayBeBooked(config)),
    )
    .leftJoin(
      ownSchedules,
      and(eq(ownSchedules.id, eventTypes.scheduleId), eq(ownSchedules.userId, users.id)),
    )
    .leftJoin(
      defaultSchedules,
      and(eq(defaultSchedules.userId, users.id), eq(defaultSchedules.isDefault, true)),
    )
    .where(isNamed(db, namedBy))
    .orderBy(users.id)
    .prepare('hosted_event_type');
}

const hostedStatements = prepared((_db) => new Map<string, ReturnType<typeof selectHosted>>());

/** Hosts are the user who owns it, or the team's members, if they may be booked. */
export async function findHostedEventType(
  { config, db }: Pick<Platform, 'config' | 'db'>,
  name: EventTypeName,
): Promise<HostedEventType | undefined> {
  const namedBy = 'eventTypeId' in name ? 'eventTypeId' : 'username' in name ? 'username' : 'teamSlug';
  const statements = hostedStatements(db);
  const key = `${namedBy} ${config.emailVerification}`;
  const statement = statements.get(key) ?? selectHosted(db, namedBy, config);
  statements.set(key, statement);
  const rows = await statement.execute({ ...name });
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
 * Locks hosts until the transaction ends, sorted so that no two transactions wait for each other.
 */
export async function lockHosts(tx: Db, hostIds: readonly number[]): Promise<void> {
  if (hostIds.length === 0) return;
  const ids = sql.join(
    hostIds.toSorted((a, b) => a - b).map((id) => sql`(${id}::int)`),
    sql`, `,
  );
  await tx.execute(
    sql`select pg_advisory_xact_lock(${advisoryLocks.hosts}::int, id) from (values ${ids}) as hosts (id)`,
  );
}

/**
 * Keeps the event type until the transaction ends; undefined means that it is gone. Call it after
 * {@link lockHosts}, because it also tells which hosts have no room for one more booking.
 */
export async function keepEventType(
  tx: Db,
  id: number,
  hostIds: readonly number[],
  now: Date,
): Promise<{ readonly fullHostIds: readonly number[] } | undefined> {
  const yesterday = new Date(now.getTime() - 86_400_000);
  const isFull = or(
    hasAsMany(tx, bookingQuotas.aDay, gt(bookingHosts.bookedAt, yesterday)),
    hasAsMany(tx, bookingQuotas.ahead, and(gt(bookingHosts.startsAt, now), eq(bookingHosts.holds, true))),
  );
  const full = sql<number[]>`array(
    select host_id from unnest(${listOf(hostIds)}::int[]) as asked (host_id) where ${isFull})`;
  const [kept] = await tx
    .select({ fullHostIds: full })
    .from(eventTypes)
    .where(eq(eventTypes.id, id))
    .for('key share');
  return kept;
}

function hasAsMany(tx: Db, max: number, which: SQL | undefined): SQL {
  const found = tx
    .select({ one: sql`1` })
    .from(bookingHosts)
    .where(and(sql`${bookingHosts.userId} = host_id`, which))
    .offset(max - 1)
    .limit(1);
  return sql`exists (${found})`;
}

/** Earlier bookings can't reach into a range, with their buffers. */
export const longestMs = 3 * 86_400_000;

export async function listTakenTimes(
  db: Db,
  hostIds: readonly number[],
  range: Interval,
  exceptUid: string | undefined,
): Promise<readonly TakenTime[]> {
  const [row] = await takenTimes(db).execute({
    hostIds: listOf(hostIds),
    from: new Date(range.start - longestMs).toISOString(),
    until: new Date(range.end + longestMs).toISOString(),
    exceptUid: exceptUid ?? '',
  });
  const times: readonly TakenNumbers[] = JSON.parse(row?.times ?? '[]');
  return times.map(([hostId, start, end, beforeBufferMinutes, afterBufferMinutes]) => ({
    hostId,
    start,
    end,
    beforeBufferMinutes,
    afterBufferMinutes,
  }));
}

export async function findBookedTime(
  db: Db,
  eventTypeId: number,
  uid: string,
): Promise<{ readonly startsAt: Date; readonly endsAt: Date } | undefined> {
  const { startsAt, endsAt } = bookings;
  const isNamed = and(eq(bookings.uid, uid), eq(bookings.eventTypeId, eventTypeId));
  const [found] = await db.select({ startsAt, endsAt }).from(bookings).where(isNamed);
  return found;
}

export const listOf = (ids: readonly number[]): string => `{${ids.join()}}`;

export const isWithinList = (column: PgColumn, name: string): SQL =>
  sql`${column} = any(${sql.placeholder(name)}::int[])`;
export const instantOf = (name: string): SQL => sql`${sql.placeholder(name)}::timestamptz`;

/** One row of numbers costs the service a tenth of what rows of their own would. */
const takenTimes = prepared((db) => {
  const { userId, startsAt, endsAt, beforeBuffer, afterBuffer } = bookingHosts;
  const isExcept = eq(bookings.uid, sql.placeholder('exceptUid'));
  const except = db.select({ id: bookings.id }).from(bookings).where(isExcept);
  return db
    .select({
      times: sql<string>`coalesce(json_agg(json_build_array(
        ${userId}, ${epochMs(startsAt)}, ${epochMs(endsAt)}, ${beforeBuffer}, ${afterBuffer})), '[]')::text`,
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

type TakenNumbers = readonly [hostId: number, start: number, end: number, before: number, after: number];

const epochMs = (instant: PgColumn): SQL => sql`(extract(epoch from ${instant}) * 1000)::bigint`;

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
