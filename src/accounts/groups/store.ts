import {
  and,
  asc,
  eq,
  inArray,
  isNull,
  not,
  type Placeholder,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { AuditSentences } from '../../platform/audit/actions.ts';
import { type AuditEvent, recordAuditEvent } from '../../platform/audit/store.ts';
import { type Belonging, deleteOf, type End, rowsOf } from '../../platform/belongings.ts';
import type { Db } from '../../platform/database.ts';
import { prepared } from '../../platform/prepared.ts';
import { type GroupKind, isManagingRole, managingRoles, type Role, roles } from '../person.ts';
import { keepFormerName, refuseKeptName, type User } from '../store.ts';
import { groups, memberships, users } from '../tables.ts';
import type { Member } from './rules.ts';

/** A query joins these by an id that is known to be of this kind. */
export const teams = alias(groups, 'teams');
export const organizations = alias(groups, 'organizations');

export const isOrganizationMembership = and(
  eq(memberships.userId, users.id),
  eq(memberships.kind, 'organization'),
);

export interface OrganizationRef {
  readonly id?: number | undefined;
  readonly slug?: string | undefined;
}

/** Returns a condition on `users`; id and slug must both match where both are given. */
export function isOfOrganization(db: Db, { id, slug }: OrganizationRef): SQL {
  const members = db
    .select({ id: memberships.userId })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.groupId))
    .where(
      and(
        eq(memberships.kind, 'organization'),
        id === undefined ? undefined : eq(organizations.id, id),
        slug === undefined ? undefined : eq(organizations.slug, slug),
      ),
    );
  return inArray(users.id, members);
}

export async function isInOrganization(
  db: Db,
  slug: string,
  of: { readonly username: string } | { readonly teamSlug: string },
): Promise<boolean> {
  if ('username' in of)
    return (await db.$count(users, and(eq(users.username, of.username), isOfOrganization(db, { slug })))) > 0;
  const organization = db
    .select({ id: organizations.id })
    .from(organizations)
    .where(and(eq(organizations.kind, 'organization'), eq(organizations.slug, slug)));
  const isTeam = and(eq(groups.kind, 'team'), eq(groups.slug, of.teamSlug));
  return (await db.$count(groups, and(isTeam, inArray(groups.organizationId, organization)))) > 0;
}

export function teamOfSlug(db: Db, slug: string | Placeholder) {
  return db
    .select({ id: groups.id })
    .from(groups)
    .where(and(eq(groups.kind, 'team'), eq(groups.slug, slug)));
}

export interface GroupRef {
  readonly kind: GroupKind;
  readonly id: number;
}

const isInGroup = ({ kind, id }: GroupRef) => and(eq(memberships.groupId, id), eq(memberships.kind, kind));
const isMember = (group: GroupRef, userId: number) => and(isInGroup(group), eq(memberships.userId, userId));

function selectOwn(db: Db, condition: SQL | undefined) {
  const { id, kind, slug, name, isPlatform } = groups;
  return db
    .select({
      id,
      kind,
      slug,
      name,
      isPlatform,
      role: memberships.role,
      organization: {
        id: organizations.id,
        slug: organizations.slug,
        name: organizations.name,
        isPlatform: organizations.isPlatform,
      },
    })
    .from(memberships)
    .innerJoin(groups, eq(groups.id, memberships.groupId))
    .leftJoin(organizations, eq(organizations.id, groups.organizationId))
    .where(condition)
    .orderBy(asc(groups.name), asc(groups.id));
}

export type OwnGroup = Awaited<ReturnType<typeof selectOwn>>[number];

const ownGroups = prepared((db) =>
  selectOwn(
    db,
    and(eq(memberships.userId, sql.placeholder('userId')), eq(memberships.kind, sql.placeholder('kind'))),
  ).prepare('own_groups'),
);

export async function listOwnGroups(db: Db, kind: GroupKind, userId: number): Promise<readonly OwnGroup[]> {
  return ownGroups(db).execute({ kind, userId });
}

export async function listManagedTeams(db: Db, userId: number): Promise<readonly OwnGroup[]> {
  return (await listOwnGroups(db, 'team', userId)).filter(({ role }) => isManagingRole(role));
}

/** Selects them by name, as a column of a statement about something else. */
export const managedTeams = (userId: SQLWrapper) => sql<
  readonly Pick<OwnGroup, 'id' | 'slug' | 'name'>[]
>`coalesce((
  select json_agg(json_build_object('id', g.id, 'slug', g.slug, 'name', g.name) order by g.name, g.id)
  from ${memberships} m inner join ${groups} g on g.id = m.group_id
  where m.user_id = ${userId} and m.kind = 'team' and ${inArray(sql`m.role`, [...managingRoles])}
), '[]')`;

export async function findOwnGroup(db: Db, group: GroupRef, userId: number): Promise<OwnGroup | undefined> {
  const [found] = await selectOwn(db, isMember(group, userId));
  return found;
}

export async function findOwnOrganization(db: Db, userId: number): Promise<OwnGroup | undefined> {
  const [found] = await listOwnGroups(db, 'organization', userId);
  return found;
}

export async function countTeams(
  db: Db,
  of: { readonly organizationId: number } | { readonly userId: number },
) {
  if ('organizationId' in of) return db.$count(groups, eq(groups.organizationId, of.organizationId));
  return db.$count(memberships, and(eq(memberships.userId, of.userId), eq(memberships.kind, 'team')));
}

/** Lists teams by name; `role` is null where the user isn't a member. */
export async function listOrganizationTeams(db: Db, organizationId: number, userId: number) {
  return db
    .select({ id: groups.id, slug: groups.slug, name: groups.name, role: memberships.role })
    .from(groups)
    .leftJoin(memberships, and(eq(memberships.groupId, groups.id), eq(memberships.userId, userId)))
    .where(eq(groups.organizationId, organizationId))
    .orderBy(asc(groups.name), asc(groups.id));
}

export type NewGroup = Omit<typeof groups.$inferInsert, 'createdAt'>;

/** Throws what `refusingTakenNames` catches. */
export async function createGroup(
  db: Db,
  group: NewGroup,
  members: readonly { readonly userId: number; readonly role: Role }[],
  now: Date,
): Promise<number> {
  return db.transaction(async (tx) => {
    const [created] = await tx
      .insert(groups)
      .values({ ...group, createdAt: now })
      .returning({ id: groups.id });
    if (created === undefined) throw new Error('the group was not created');
    await refuseKeptName(tx, { kind: group.kind, id: created.id }, group.slug, now);
    const ref = { groupId: created.id, kind: group.kind };
    if (members.length > 0)
      await tx.insert(memberships).values(members.map((member) => ({ ...member, ...ref })));
    return created.id;
  });
}

/** Keeps the former slug for the group; throws what `refusingTakenNames` catches. */
export async function updateGroup(
  tx: Db,
  group: LockedGroup,
  change: { readonly name: string; readonly slug?: string | undefined },
  now: Date,
): Promise<void> {
  await tx.update(groups).set(change).where(eq(groups.id, group.id));
  if (change.slug === undefined || change.slug === group.slug) return;
  await keepFormerName(tx, group, group.slug, now);
  await refuseKeptName(tx, group, change.slug, now);
}

export async function deleteGroup(tx: Db, group: LockedGroup, now: Date): Promise<void> {
  await keepFormerName(tx, group, group.slug, now);
  await tx.delete(groups).where(eq(groups.id, group.id));
}

export type LockedGroup = Pick<typeof groups.$inferSelect, 'kind' | 'id' | 'name' | 'slug'>;

/** Locks the group, where every change starts. Returns undefined if it's gone. */
export async function lockGroup(tx: Db, group: GroupRef): Promise<LockedGroup | undefined> {
  const [found] = await lockedGroups(tx).execute({ ...group });
  return found && { ...group, ...found };
}

const lockedGroups = prepared((db) => {
  const { id, kind, name, slug } = groups;
  const isAsked = and(eq(id, sql.placeholder('id')), eq(kind, sql.placeholder('kind')));
  return db.select({ name, slug }).from(groups).where(isAsked).for('update').prepare('locked_group');
});

export async function findRole(db: Db, group: GroupRef, userId: number): Promise<Role | undefined> {
  const [found] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(isMember(group, userId));
  return found?.role;
}

export type NamedMember = Member & Pick<User, 'name' | 'username' | 'email'>;

/** People neither see nor change managed users. */
const isPerson = isNull(users.managingClientId);

/** Counts no further than `most`, so that the page of a large group reads its members once. */
export async function countPeople(db: Db, group: GroupRef, most = 2 ** 31): Promise<number> {
  const people = db
    .select({ id: users.id })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(isInGroup(group), isPerson));
  return db.$count(people.limit(most).as('people'));
}

const isManagedIn = (group: GroupRef) => and(isInGroup(group), not(isPerson));

export async function listManagingApps(db: Db, group: GroupRef) {
  const clientId = sql<string>`${users.managingClientId}`;
  return db
    .select({ clientId, users: sql<number>`count(*)::int` })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(isManagedIn(group))
    .groupBy(clientId)
    .orderBy(clientId);
}

/**
 * Suspends managed users, whom a job deletes, and removes them from the group. Returns their
 * number.
 */
export async function suspendManagedUsers(tx: Db, group: GroupRef, now: Date, clientId?: string) {
  const isTheirs = clientId === undefined ? not(isPerson) : eq(users.managingClientId, clientId);
  const inGroup = tx.select({ id: memberships.userId }).from(memberships).where(isInGroup(group));
  const ended = await tx
    .update(users)
    .set({ suspendedAt: now })
    .where(and(isTheirs, isNull(users.suspendedAt), inArray(users.id, inGroup)))
    .returning({ id: users.id });
  const managed = tx.select({ id: users.id }).from(users).where(isTheirs);
  await tx.delete(memberships).where(and(isInGroup(group), inArray(memberships.userId, managed)));
  return ended.length;
}

interface MembersAsked {
  readonly take: number;
  readonly skip?: number;
  /** A part of a name, or also of an email address. */
  readonly search?: { readonly text: string; readonly isByEmail: boolean } | undefined;
}

/** Owners first, members last, each by name. */
export async function listMembers(db: Db, group: GroupRef, { take, skip = 0, search }: MembersAsked) {
  const { name, email } = users;
  const ranks = roles.map((name, rank) => sql`when ${name} then ${sql.raw(String(rank))}`);
  const searched = search && (search.isByEmail ? sql`concat_ws(' ', ${name}, ${email})` : name);
  const isFound = searched && sql`position(lower(${search.text}) in lower(${searched})) > 0`;
  return selectMembers(db, and(isInGroup(group), isFound))
    .orderBy(sql`case ${memberships.role} ${sql.join(ranks, sql` `)} end`, asc(users.name), asc(users.id))
    .limit(take)
    .offset(skip);
}

function selectMembers(db: Db, which: SQL | undefined) {
  const { id, name, username, email } = users;
  return db
    .select({ id, name, username, email, role: memberships.role })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(which, isPerson));
}

export async function findMember(
  db: Db,
  group: GroupRef,
  who: { readonly id: number } | { readonly email: string },
): Promise<NamedMember | undefined> {
  const isAsked = 'id' in who ? eq(users.id, who.id) : eq(users.email, who.email);
  const [found] = await selectMembers(db, and(isInGroup(group), isAsked));
  return found;
}

export async function countOwners(db: Db, group: GroupRef): Promise<number> {
  return db.$count(memberships, and(isInGroup(group), eq(memberships.role, 'owner')));
}

/** Lists memberships by group id, the order in which groups are locked. */
export async function listMemberships(db: Db, userId: number) {
  const { kind, groupId, role } = memberships;
  return db
    .select({ kind, id: groupId, role })
    .from(memberships)
    .where(eq(memberships.userId, userId))
    .orderBy(asc(groupId));
}

/** Returns false for members, and for members of another organization. */
export async function addMember(tx: Db, { kind, id: groupId }: GroupRef, userId: number, role: Role) {
  const added = await tx
    .insert(memberships)
    .values({ groupId, kind, userId, role })
    .onConflictDoNothing()
    .returning({ userId: memberships.userId });
  return added.length > 0;
}

export async function setRole(tx: Db, group: GroupRef, userId: number, role: Role): Promise<void> {
  await tx.update(memberships).set({ role }).where(isMember(group, userId));
}

export async function deleteMember(tx: Db, group: GroupRef, userId: number): Promise<void> {
  await tx.delete(memberships).where(isMember(group, userId));
}

export const groupAudit = {
  'group.created': ['Created {name}', 'You created {name}'],
  'group.changed': ['Edited {name}', 'You edited {name}'],
  'group.deleted': ['Deleted {name}', 'You deleted {name}'],
  'group.member_added': ['Joined {name}', 'You joined {name}'],
  'group.member_removed': ['Someone left {name}', 'You left {name}', 'You removed someone from {name}'],
  'group.role_changed': [
    'Changed someone’s role in {name}',
    'Your role in {name} was changed {reason}',
    'You changed someone’s role in {name} {reason}',
  ],
  'managed_users.ended': ['Deleted the users of {name}', 'You deleted the users of {name}'],
  'invitation.changed': [
    'Changed the role of an invitation to {name}',
    'You changed the role of an invitation to {name}',
  ],
  'invitation.sent': ['Invited someone to {name}', 'You invited someone to {name}'],
  'invitation.withdrawn': ['Withdrew an invitation to {name}', 'You withdrew an invitation to {name}'],
  'invitation.declined': ['Declined an invitation to {name}', 'You declined an invitation to {name}'],
} as const satisfies AuditSentences;

export function eventOf(
  action: keyof typeof groupAudit,
  { id: groupId, name: label }: Pick<LockedGroup, 'id' | 'name'>,
  userId?: number,
): AuditEvent {
  const isRepeatable = action === 'group.changed' || action === 'group.role_changed';
  return { action, isRepeatable, groupId, label, ...(userId === undefined ? {} : { userId }) };
}

/**
 * A group keeps an owner, if needed the next member. With one member it stays: nobody has a hold by
 * it.
 */
const leaveOthers: End = async (tx, userId, by) => {
  for (const membership of await listMemberships(tx, userId)) {
    const group = await lockGroup(tx, membership);
    const heir = (await listMembers(tx, membership, { take: 2 })).find(({ id }) => id !== userId);
    if (group === undefined || heir === undefined) continue;
    if (membership.role === 'owner' && heir.role !== 'owner') {
      await setRole(tx, group, heir.id, 'owner');
      const changed = eventOf('group.role_changed', group, heir.id);
      await recordAuditEvent(tx, by, { ...changed, reason: `${heir.role} to owner` });
    }
    await deleteMember(tx, group, userId);
    await recordAuditEvent(tx, by, eventOf('group.member_removed', group, userId));
  }
};

export const groupBelongings: readonly Belonging[] = [
  {
    table: memberships,
    of: [memberships.userId],
    isContent: true,
    counted: { words: 'Teams and organizations' },
    onProof: leaveOthers, // protects: C201
    onDeletion: deleteOf(memberships.userId),
  },
  {
    table: groups,
    of: [],
    exported: (db, { id }) => {
      const own = db.select({ id: memberships.groupId }).from(memberships).where(eq(memberships.userId, id));
      return [rowsOf(groups, inArray(groups.id, own))];
    },
  },
];
