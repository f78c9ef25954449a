import { and, asc, eq, inArray } from 'drizzle-orm';
import { type Db, uniqueViolationOf } from '../../platform/database.ts';
import { ok, type Result, refuse } from '../../result.ts';
import type { GroupStore } from '../members/group.ts';
import { byRank } from '../members/store.ts';
import { managingRoles, type Role } from '../person.ts';
import { memberships, organizations, teams, users } from '../tables.ts';

/** The teams that the user owns or administers, by name. */
export async function listManagedTeams(
  db: Db,
  userId: number,
): Promise<readonly { readonly id: number; readonly slug: string; readonly name: string }[]> {
  return db
    .select({ id: teams.id, slug: teams.slug, name: teams.name })
    .from(memberships)
    .innerJoin(teams, eq(teams.id, memberships.teamId))
    .where(and(eq(memberships.userId, userId), inArray(memberships.role, [...managingRoles])))
    .orderBy(asc(teams.name), asc(teams.id));
}

const ownTeam = {
  id: teams.id,
  slug: teams.slug,
  name: teams.name,
  role: memberships.role,
  organizationName: organizations.name,
  organizationSlug: organizations.slug,
  isPlatform: organizations.isPlatform,
};

/** The teams that the user is in, with the role, by name. */
export async function listOwnTeams(db: Db, userId: number) {
  return db
    .select(ownTeam)
    .from(memberships)
    .innerJoin(teams, eq(teams.id, memberships.teamId))
    .leftJoin(organizations, eq(organizations.id, teams.organizationId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(teams.name), asc(teams.id));
}

/** A team as its members see it; undefined for everybody else. */
export async function findOwnTeam(db: Db, id: number, userId: number) {
  const [found] = await db
    .select(ownTeam)
    .from(memberships)
    .innerJoin(teams, eq(teams.id, memberships.teamId))
    .leftJoin(organizations, eq(organizations.id, teams.organizationId))
    .where(and(eq(memberships.teamId, id), eq(memberships.userId, userId)));
  return found;
}

/**
 * The id of the team of this slug, name and organization, if the user owns it: what a form that is
 * sent twice has made.
 */
export async function findTwinTeam(db: Db, team: NewTeam, ownerId: number): Promise<number | undefined> {
  const [found] = await db
    .select({ id: teams.id, organizationId: teams.organizationId })
    .from(memberships)
    .innerJoin(teams, eq(teams.id, memberships.teamId))
    .where(
      and(
        eq(teams.slug, team.slug),
        eq(teams.name, team.name),
        eq(memberships.userId, ownerId),
        eq(memberships.role, 'owner'),
      ),
    );
  return found?.organizationId === (team.organizationId ?? null) ? found.id : undefined;
}

export interface NewTeam {
  readonly slug: string;
  readonly name: string;
  readonly organizationId?: number | null;
}

/** Makes a team with its members. */
export async function createTeam(
  db: Db,
  team: NewTeam,
  members: readonly { readonly userId: number; readonly role: Role }[],
  now: Date,
): Promise<{ readonly id: number }> {
  return db.transaction(async (tx) => {
    const [created] = await tx
      .insert(teams)
      .values({ ...team, createdAt: now })
      .returning({ id: teams.id });
    if (created === undefined) throw new Error('the team was not made');
    if (members.length > 0) {
      await tx.insert(memberships).values(members.map((member) => ({ ...member, teamId: created.id })));
    }
    return created;
  });
}

/**
 * Makes a team that the user owns; the database decides whether its slug is free. In a transaction
 * of its own, or in a savepoint.
 */
export async function createOwnTeam(
  db: Db,
  team: NewTeam,
  ownerId: number,
  now: Date,
): Promise<Result<number, 'slug_taken'>> {
  try {
    const { id } = await createTeam(db, team, [{ userId: ownerId, role: 'owner' }], now);
    return ok(id);
  } catch (error) {
    if (uniqueViolationOf(error) === undefined) throw error;
    return refuse('slug_taken');
  }
}

/**
 * Gives a team another name and slug; the database decides whether the slug is free. In a
 * transaction of its own, or in a savepoint.
 */
export async function renameTeam(
  db: Db,
  id: number,
  { name, slug }: { readonly name: string; readonly slug: string },
): Promise<Result<'renamed', 'slug_taken'>> {
  try {
    await db.transaction((tx) => tx.update(teams).set({ name, slug }).where(eq(teams.id, id)));
    return ok('renamed');
  } catch (error) {
    if (uniqueViolationOf(error) === undefined) throw error;
    return refuse('slug_taken');
  }
}

const isMembership = (teamId: number, userId: number) =>
  and(eq(memberships.teamId, teamId), eq(memberships.userId, userId));

/** The people of a team. */
export const teamStore: GroupStore = {
  kind: 'team',
  async lock(tx, id) {
    const [found] = await tx.select({ name: teams.name }).from(teams).where(eq(teams.id, id)).for('update');
    return found;
  },
  async findName(db, id) {
    const [found] = await db.select({ name: teams.name }).from(teams).where(eq(teams.id, id));
    return found?.name;
  },
  async findRole(db, id, userId) {
    const [found] = await db
      .select({ role: memberships.role })
      .from(memberships)
      .where(isMembership(id, userId));
    return found?.role;
  },
  async listMembers(db, id) {
    return db
      .select({ id: users.id, name: users.name, email: users.email, role: memberships.role })
      .from(memberships)
      .innerJoin(users, eq(users.id, memberships.userId))
      .where(eq(memberships.teamId, id))
      .orderBy(byRank(memberships.role), asc(users.name), asc(users.id));
  },
  async addMember(tx, teamId, userId, role) {
    const added = await tx
      .insert(memberships)
      .values({ teamId, userId, role })
      .onConflictDoNothing()
      .returning({ userId: memberships.userId });
    return added.length > 0;
  },
  async setRole(tx, id, userId, role) {
    await tx.update(memberships).set({ role }).where(isMembership(id, userId));
  },
  async removeMember(tx, id, userId) {
    await tx.delete(memberships).where(isMembership(id, userId));
  },
  async deleteGroup(tx, id) {
    await tx.delete(teams).where(eq(teams.id, id));
  },
};
