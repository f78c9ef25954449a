import { and, asc, desc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import {
  isOfOrganization,
  isOrganizationMembership,
  type OrganizationRef,
  organizations,
  teamOfSlug,
  teams,
} from '../../accounts/groups/store.ts';
import { isBookable, lockUser, type MakeBookable } from '../../accounts/store.ts';
import { groups, memberships, users } from '../../accounts/tables.ts';
import type { Belonging } from '../../platform/belongings.ts';
import { type Changes, type Db, inTransaction, isAmong, uniqueViolationOf } from '../../platform/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { maxEventTypes } from '../limits.ts';
import { usualHours } from '../schedules/request.ts';
import { eventTypeHosts, eventTypes, schedules } from '../tables.ts';

export type EventTypeSet =
  | { readonly userId: number }
  | { readonly usernames: readonly string[]; readonly organization?: OrganizationRef | undefined }
  | { readonly teamId: number }
  | { readonly teamSlug: string }
  | { readonly organizationId: number }
  | { readonly hostId: number };

interface Filter {
  readonly withHidden: boolean;
  readonly eventSlug?: string | undefined;
}

export interface ListOptions extends Filter {
  readonly sortCreatedAt?: 'asc' | 'desc' | undefined;
  readonly take: number;
  readonly skip?: number;
  readonly isShort?: boolean;
}

const teamOrganizations = alias(groups, 'team_organizations');
const hostUsers = alias(users, 'host_users');

type Hosts = { userId: number; name: string; username: string | null }[];
const hosts = sql<Hosts>`coalesce((
  select json_agg(json_build_object('userId', ${hostUsers.id}, 'name', ${hostUsers.name}, 'username', ${hostUsers.username}) order by ${hostUsers.id})
  from ${eventTypeHosts} inner join ${users} "host_users" on ${hostUsers.id} = ${eventTypeHosts.userId}
  where ${eventTypeHosts.eventTypeId} = ${eventTypes.id}
), '[]')`;
const noHosts = sql<Hosts>`'[]'::json`;

type EventType = typeof eventTypes.$inferSelect;

/** Lists of links show neither questions nor places nor hosts (security C217). */
const leftOut = {
  bookingFields: sql<EventType['bookingFields']>`'[]'::jsonb`,
  locations: sql<EventType['locations']>`'[]'::jsonb`,
};

export function selectEventTypes(db: Db, isShort = false) {
  const { id, name, username, weekStart, managingClientId } = users;
  return db
    .select({
      eventType: { ...getTableColumns(eventTypes), ...(isShort ? leftOut : {}) },
      user: { id, name, username, weekStart, managingClientId },
      userOrganization: {
        slug: organizations.slug,
        name: organizations.name,
        isPlatform: organizations.isPlatform,
      },
      team: { id: teams.id, slug: teams.slug, name: teams.name },
      teamOrganization: {
        slug: teamOrganizations.slug,
        name: teamOrganizations.name,
        isPlatform: teamOrganizations.isPlatform,
      },
      hosts: isShort ? noHosts : hosts,
    })
    .from(eventTypes)
    .leftJoin(users, eq(users.id, eventTypes.userId))
    .leftJoin(memberships, isOrganizationMembership)
    .leftJoin(organizations, eq(organizations.id, memberships.groupId))
    .leftJoin(teams, eq(teams.id, eventTypes.teamId))
    .leftJoin(teamOrganizations, eq(teamOrganizations.id, teams.organizationId));
}

export type ShownEventType = Awaited<ReturnType<typeof selectEventTypes>>[number];

function isOf(
  db: Db,
  { usernames, organization }: Extract<EventTypeSet, { readonly usernames: unknown }>,
  config: Platform['config'],
): SQL {
  const isOwner = and(
    inArray(users.username, [...usernames]),
    isBookable(config),
    organization && isOfOrganization(db, organization),
  );
  return isAmong(eventTypes.userId, db.select({ id: users.id }).from(users).where(isOwner));
}

function belongsTo(db: Db, set: Exclude<EventTypeSet, { readonly usernames: unknown }>): SQL {
  if ('userId' in set) return eq(eventTypes.userId, set.userId);
  if ('teamId' in set) return eq(eventTypes.teamId, set.teamId);
  if ('teamSlug' in set) return isAmong(eventTypes.teamId, teamOfSlug(db, set.teamSlug));
  if ('hostId' in set) {
    const hosted = db
      .select({ id: eventTypeHosts.eventTypeId })
      .from(eventTypeHosts)
      .where(eq(eventTypeHosts.userId, set.hostId));
    return isAmong(eventTypes.id, hosted);
  }
  const isTeamOf = eq(teams.organizationId, set.organizationId);
  return isAmong(eventTypes.teamId, db.select({ id: teams.id }).from(teams).where(isTeamOf));
}

type ListPlatform = Pick<Platform, 'config' | 'db'>;

function isListed({ config, db }: ListPlatform, set: EventTypeSet, { withHidden, eventSlug }: Filter) {
  return and(
    'usernames' in set ? isOf(db, set, config) : belongsTo(db, set),
    withHidden ? undefined : eq(eventTypes.hidden, false),
    eventSlug === undefined ? undefined : eq(eventTypes.slug, eventSlug),
  );
}

export async function countEventTypes(app: ListPlatform, set: EventTypeSet, filter: Filter): Promise<number> {
  return app.db.$count(eventTypes, isListed(app, set, filter));
}

export async function listEventTypes(
  app: ListPlatform,
  set: EventTypeSet,
  { sortCreatedAt, take, skip = 0, isShort, ...filter }: ListOptions,
): Promise<readonly ShownEventType[]> {
  const ordered = sortCreatedAt === 'desc' ? desc : asc;
  return selectEventTypes(app.db, isShort)
    .where(isListed(app, set, filter))
    .orderBy(...(sortCreatedAt ? [ordered(eventTypes.createdAt)] : []), ordered(eventTypes.id))
    .limit(take)
    .offset(skip);
}

/** Whether any event type of the user says where it takes place. */
export async function hasPlace(db: Db, userId: number): Promise<boolean> {
  const isPlaced = sql`jsonb_array_length(${eventTypes.locations}) > 0`;
  return (await db.$count(eventTypes, and(eq(eventTypes.userId, userId), isPlaced))) > 0;
}

export async function findEventType(db: Db, id: number): Promise<ShownEventType | undefined> {
  const [found] = await selectEventTypes(db).where(eq(eventTypes.id, id));
  return found;
}

export type EventTypeValues = Omit<
  typeof eventTypes.$inferInsert,
  'id' | 'userId' | 'teamId' | 'createdAt' | 'updatedAt'
>;

export type EventTypeFault =
  | ('too_many' | 'slug_taken' | 'schedule_not_found' | 'host_not_in_team')
  | 'not_found';
type Owner = { readonly userId: number } | { readonly teamId: number };

export async function createEventType(
  db: Db,
  owner: Owner,
  values: EventTypeValues,
  hostIds: readonly number[],
  now: Date,
): Promise<Result<number, EventTypeFault>> {
  return write(db, owner, values, hostIds, async (tx) => {
    await lockOwner(tx, owner);
    if ((await tx.$count(eventTypes, belongsTo(tx, owner))) >= maxEventTypes) return refuse('too_many');
    const [created] = await tx
      .insert(eventTypes)
      .values({ ...values, ...owner, createdAt: now, updatedAt: now })
      .returning({ id: eventTypes.id });
    if (created === undefined) throw new Error('the event type was not created');
    return ok(created.id);
  });
}

/** Accounts can't import this folder, so they are handed this function. */
export const makeBookable: MakeBookable = async (tx, { id: userId, timeZone }, now) => {
  const hours = { name: 'Working hours', timeZone, weekly: usualHours, overrides: {}, isDefault: true };
  const meeting = { title: '30-minute meeting', slug: '30min', lengthInMinutes: 30 };
  const added = tx.$with('added').as(
    tx
      .insert(schedules)
      .values({ ...hours, userId, createdAt: now })
      .returning({ id: schedules.id }),
  );
  await tx
    .with(added)
    .insert(eventTypes)
    .values({ ...meeting, userId, createdAt: now, updatedAt: now });
};

interface EventTypeChange {
  readonly id: number;
  readonly owner: Owner;
  readonly values: Changes<EventTypeValues>;
  /** Undefined leaves the hosts unchanged. */
  readonly hostIds: readonly number[] | undefined;
}

export async function changeEventType(
  db: Db,
  { id, owner, values, hostIds }: EventTypeChange,
  now: Date,
): Promise<Result<number, EventTypeFault>> {
  return write(db, owner, values, hostIds, async (tx) => {
    const changed = await tx
      .update(eventTypes)
      .set({ ...values, updatedAt: now })
      .where(eq(eventTypes.id, id))
      .returning({ id: eventTypes.id });
    return changed.length > 0 ? ok(id) : refuse('not_found');
  });
}

async function lockOwner(tx: Db, owner: Owner): Promise<void> {
  if ('userId' in owner) await lockUser(tx, owner.userId);
  else await tx.select({ id: teams.id }).from(teams).where(eq(teams.id, owner.teamId)).for('no key update');
}

async function write(
  db: Db,
  owner: Owner,
  { scheduleId }: Changes<EventTypeValues>,
  hostIds: readonly number[] | undefined,
  writeRow: (tx: Db) => Promise<Result<number, EventTypeFault>>,
): Promise<Result<number, EventTypeFault>> {
  try {
    return await inTransaction(db, async (tx): Promise<Result<number, EventTypeFault>> => {
      const fault = await findFault(tx, owner, scheduleId, hostIds ?? []);
      if (fault !== undefined) return refuse(fault);
      const written = await writeRow(tx);
      if (!written.ok || hostIds === undefined || !('teamId' in owner)) return written;
      const eventTypeId = written.value;
      await tx.delete(eventTypeHosts).where(eq(eventTypeHosts.eventTypeId, eventTypeId));
      const { teamId } = owner;
      const rows = hostIds.map((userId) => ({ eventTypeId, teamId, userId }));
      if (rows.length > 0) await tx.insert(eventTypeHosts).values(rows);
      return written;
    });
  } catch (error) {
    if (uniqueViolationOf(error)?.includes('slug') !== true) throw error;
    return refuse('slug_taken');
  }
}

/** Leaving a team locks the team first, so this lock keeps its members until hosts are written. */
async function findFault(
  tx: Db,
  owner: Owner,
  scheduleId: number | null | undefined,
  hostIds: readonly number[],
): Promise<EventTypeFault | undefined> {
  if ('teamId' in owner) {
    if (hostIds.length === 0) return undefined;
    await tx.select({ id: teams.id }).from(teams).where(eq(teams.id, owner.teamId)).for('key share');
    const isHost = and(eq(memberships.groupId, owner.teamId), inArray(memberships.userId, [...hostIds]));
    const members = await tx.$count(memberships, isHost);
    return members === hostIds.length ? undefined : 'host_not_in_team';
  }
  if (scheduleId === null || scheduleId === undefined) return undefined;
  const isOwn = and(eq(schedules.id, scheduleId), eq(schedules.userId, owner.userId));
  return (await tx.$count(schedules, isOwn)) === 1 ? undefined : 'schedule_not_found';
}

export async function deleteEventType(db: Db, id: number): Promise<void> {
  await inTransaction(db, (tx) => tx.delete(eventTypes).where(eq(eventTypes.id, id)));
}

export const eventTypeBelongings: readonly Belonging[] = [
  { table: eventTypes, of: [eventTypes.userId], counted: { words: 'Event types' } },
  { table: eventTypeHosts, of: [eventTypeHosts.userId] },
];
