import { and, eq } from 'drizzle-orm';
import { isOrganizationMembership, organizations, teams } from '../../accounts/groups/store.ts';
import { memberships, users } from '../../accounts/tables.ts';
import { isStanding } from '../../oauth/store.ts';
import { clients, grants } from '../../oauth/tables.ts';
import type { Db } from '../../platform/database.ts';
import { schedules } from '../tables.ts';

/** Undefined if the grant doesn't stand. */
export async function findMe(db: Db, grantId: string) {
  const [found] = await db
    .select({
      id: users.id,
      email: users.email,
      username: users.username,
      name: users.name,
      timeZone: users.timeZone,
      weekStart: users.weekStart,
      timeFormat: users.timeFormat,
      defaultScheduleId: schedules.id,
      organizationId: organizations.id,
      isPlatform: organizations.isPlatform,
      team: { id: teams.id, slug: teams.slug, name: teams.name },
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

export type Me = NonNullable<Awaited<ReturnType<typeof findMe>>>;
