import { and, eq, sql } from 'drizzle-orm';
import { findRole, isOrganizationMembership, organizations, teams } from '../../accounts/groups/store.ts';
import type { Role } from '../../accounts/person.ts';
import { memberships, users } from '../../accounts/tables.ts';
import { isStanding } from '../../oauth/store.ts';
import { clients, grants } from '../../oauth/tables.ts';
import type { Db } from '../../platform/database.ts';
import { prepared } from '../../platform/prepared.ts';
import { schedules } from '../tables.ts';

const principal = prepared((db) =>
  db
    .select({
      userId: users.id,
      timeZone: users.timeZone,
      teamId: grants.teamId,
      organizationId: memberships.groupId,
      organizationRole: memberships.role,
      registeredScopes: clients.scopes,
    })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(users, eq(users.id, grants.userId))
    .leftJoin(memberships, isOrganizationMembership)
    .where(isStanding(sql.placeholder('grantId')))
    .prepare('principal'),
);

/** Undefined if the grant doesn't stand (contract §5). One statement. */
export async function findPrincipal(db: Db, grantId: string) {
  const [found] = await principal(db).execute({ grantId });
  return found;
}

/** A user, limited to one team if the grant is for that team. */
export type Principal = Omit<NonNullable<Awaited<ReturnType<typeof findPrincipal>>>, 'registeredScopes'>;

/** Undefined for non-members, and if the grant is for another team. */
export async function findTeamRole(db: Db, principal: Principal, teamId: number): Promise<Role | undefined> {
  if (principal.teamId !== null && principal.teamId !== teamId) return undefined;
  return findRole(db, { kind: 'team', id: teamId }, principal.userId);
}

/** Undefined if the grant doesn't stand. */
export async function findMe(db: Db, grantId: string) {
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      emailVerified: sql<boolean>`${users.emailVerifiedAt} is not null and ${users.managingClientId} is null`,
      username: users.username,
      name: users.name,
      timeZone: users.timeZone,
      weekStart: users.weekStart,
      timeFormat: users.timeFormat,
      defaultScheduleId: schedules.id,
      organizationId: organizations.id,
      isPlatform: organizations.isPlatform,
      team: { id: teams.id, slug: teams.slug, name: teams.name },
      registeredScopes: clients.scopes,
    })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(users, eq(users.id, grants.userId))
    .leftJoin(memberships, isOrganizationMembership)
    .leftJoin(organizations, eq(organizations.id, memberships.groupId))
    .leftJoin(schedules, and(eq(schedules.userId, users.id), eq(schedules.isDefault, true)))
    .leftJoin(teams, eq(teams.id, grants.teamId))
    .where(isStanding(grantId));
  return found;
}

export type Me = Omit<NonNullable<Awaited<ReturnType<typeof findMe>>>, 'registeredScopes'>;
