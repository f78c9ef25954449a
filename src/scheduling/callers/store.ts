import { and, eq, sql } from 'drizzle-orm';
import type { Role } from '../../accounts/person.ts';
import { memberships, users } from '../../accounts/tables.ts';
import type { Db } from '../../io/database.ts';
import { prepared } from '../../io/prepared.ts';
import { isStanding } from '../../oauth/store.ts';
import { clients, grants } from '../../oauth/tables.ts';

const caller = prepared((db) =>
  db
    .select({
      userId: users.id,
      timeZone: users.timeZone,
      teamId: grants.teamId,
      organizationId: users.organizationId,
      organizationRole: users.organizationRole,
    })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(users, eq(users.id, grants.userId))
    .where(isStanding(sql.placeholder('grantId')))
    .prepare('caller'),
);

/** Whom a standing grant acts for; undefined when it does not stand (contract §5). One statement, by primary keys. */
export async function findCaller(db: Db, grantId: string) {
  const [found] = await caller(db).execute({ grantId });
  return found;
}

/** Whom a request acts for: a user, and one of the user's teams alone if the permission was given for it. */
export type Caller = NonNullable<Awaited<ReturnType<typeof findCaller>>>;

/** A caller's role in a team; undefined for no member, and for a permission that was given for another team. */
export async function findTeamRole(db: Db, caller: Caller, teamId: number): Promise<Role | undefined> {
  if (caller.teamId !== null && caller.teamId !== teamId) return undefined;
  const [found] = await db
    .select({ role: memberships.role })
    .from(memberships)
    .where(and(eq(memberships.teamId, teamId), eq(memberships.userId, caller.userId)));
  return found?.role;
}
