import { and, asc, eq, isNull } from 'drizzle-orm';
import { type Db, uniqueViolationOf } from '../../platform/database.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { GroupStore } from '../members/group.ts';
import { byRank } from '../members/store.ts';
import type { Role } from '../person.ts';
import { lockUser } from '../store.ts';
import { memberships, organizations, teams, users } from '../tables.ts';

/** The organization that the user is in, with the role; nobody is in more than one. */
export async function findOwnOrganization(db: Db, userId: number) {
  const [found] = await db
    .select({
      id: organizations.id,
      slug: organizations.slug,
      name: organizations.name,
      isPlatform: organizations.isPlatform,
      role: users.organizationRole,
    })
    .from(users)
    .innerJoin(organizations, eq(organizations.id, users.organizationId))
    .where(eq(users.id, userId));
  return found === undefined ? undefined : { ...found, role: roleOf(found.role) };
}

export type OwnOrganization = NonNullable<Awaited<ReturnType<typeof findOwnOrganization>>>;

/** Whoever is in an organization without a role, from before there were any, has the least. */
const roleOf = (role: Role | null): Role => role ?? 'member';

/** The teams of an organization by name; `role` is the user's, null where they are no member. */
export async function listOrganizationTeams(db: Db, organizationId: number, userId: number) {
  return db
    .select({
      id: teams.id,
      slug: teams.slug,
      name: teams.name,
      role: memberships.role,
      organizationSlug: organizations.slug,
      isPlatform: organizations.isPlatform,
    })
    .from(teams)
    .innerJoin(organizations, eq(organizations.id, teams.organizationId))
    .leftJoin(memberships, and(eq(memberships.teamId, teams.id), eq(memberships.userId, userId)))
    .where(eq(teams.organizationId, organizationId))
    .orderBy(asc(teams.name), asc(teams.id));
}

export interface NewOrganization {
  readonly slug: string;
  readonly name: string;
  readonly isPlatform: boolean;
}

/**
 * Makes an organization that the user owns, if they are in none; the database decides whether the
 * slug is free.
 */
export async function createOrganization(
  db: Db,
  organization: NewOrganization,
  ownerId: number,
  now: Date,
): Promise<Result<{ readonly id: number }, 'slug_taken' | 'in_another_organization'>> {
  try {
    return await db.transaction(async (tx) => {
      await lockUser(tx, ownerId);
      const isFree = and(eq(users.id, ownerId), isNull(users.organizationId));
      if ((await tx.$count(users, isFree)) === 0) return refuse('in_another_organization');
      const [created] = await tx
        .insert(organizations)
        .values({ ...organization, createdAt: now })
        .returning({ id: organizations.id });
      if (created === undefined) throw new Error('the organization was not made');
      await tx
        .update(users)
        .set({ organizationId: created.id, organizationRole: 'owner' })
        .where(eq(users.id, ownerId));
      return ok(created);
    });
  } catch (error) {
    if (uniqueViolationOf(error) === undefined) throw error;
    return refuse('slug_taken');
  }
}

/**
 * Gives an organization another name and slug, as {@link createOrganization} does. In a transaction
 * of its own, or in a savepoint.
 */
export async function renameOrganization(
  db: Db,
  id: number,
  change: { readonly name: string; readonly slug?: string },
): Promise<Result<'renamed', 'slug_taken'>> {
  try {
    await db.transaction((tx) => tx.update(organizations).set(change).where(eq(organizations.id, id)));
    return ok('renamed');
  } catch (error) {
    if (uniqueViolationOf(error) === undefined) throw error;
    return refuse('slug_taken');
  }
}

const isMember = (organizationId: number, userId: number) =>
  and(eq(users.id, userId), eq(users.organizationId, organizationId));

const outside = { organizationId: null, organizationRole: null } as const;

/** The people of an organization. */
export const organizationStore: GroupStore = {
  kind: 'organization',
  async lock(tx, id) {
    const [found] = await tx
      .select({ name: organizations.name })
      .from(organizations)
      .where(eq(organizations.id, id))
      .for('update');
    return found;
  },
  async findName(db, id) {
    const [found] = await db
      .select({ name: organizations.name })
      .from(organizations)
      .where(eq(organizations.id, id));
    return found?.name;
  },
  async findRole(db, id, userId) {
    const [found] = await db.select({ role: users.organizationRole }).from(users).where(isMember(id, userId));
    return found === undefined ? undefined : roleOf(found.role);
  },
  async listMembers(db, id) {
    const rows = await db
      .select({ id: users.id, name: users.name, email: users.email, role: users.organizationRole })
      .from(users)
      .where(eq(users.organizationId, id))
      .orderBy(byRank(users.organizationRole), asc(users.name), asc(users.id));
    return rows.map(({ role, ...row }) => ({ ...row, role: roleOf(role) }));
  },
  async addMember(tx, organizationId, userId, organizationRole) {
    const added = await tx
      .update(users)
      .set({ organizationId, organizationRole })
      .where(and(eq(users.id, userId), isNull(users.organizationId)))
      .returning({ id: users.id });
    return added.length > 0;
  },
  async setRole(tx, id, userId, organizationRole) {
    await tx.update(users).set({ organizationRole }).where(isMember(id, userId));
  },
  async removeMember(tx, id, userId) {
    await tx.update(users).set(outside).where(isMember(id, userId));
  },
  async deleteGroup(tx, id) {
    // Both columns: the foreign key of its own would clear the id alone.
    await tx.update(users).set(outside).where(eq(users.organizationId, id));
    await tx.delete(organizations).where(eq(organizations.id, id));
  },
};
