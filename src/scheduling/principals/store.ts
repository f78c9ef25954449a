import { and, eq, isNull, or, type SQL, sql } from 'drizzle-orm';
import { findRole, isOrganizationMembership, organizations, teams } from '../../accounts/groups/store.ts';
import type { Role } from '../../accounts/person.ts';
import { unverifiedDays } from '../../accounts/sign-up/store.ts';
import { isBookable } from '../../accounts/store.ts';
import { emailVerifications, memberships, users } from '../../accounts/tables.ts';
import type { AccessToken } from '../../oauth/core/access-token.ts';
import { isStanding, whenRun } from '../../oauth/store.ts';
import { clients, grants } from '../../oauth/tables.ts';
import type { Db } from '../../platform/database.ts';
import { grouped } from '../../platform/group-commit.ts';
import type { Platform } from '../../platform/platform.ts';
import { prepared } from '../../platform/prepared.ts';
import { batchRows, type Expired } from '../../platform/retention/store.ts';
import { bookingHosts, calendars, schedules } from '../tables.ts';

/** Managed users go with their client: without it nobody could cancel (contract §1). */
export function mayBeBooked(config: Pick<Platform['config'], 'emailVerification'>): SQL | undefined {
  const isStillManaged = sql`exists (
    select from ${clients} where ${clients.id} = ${users.managingClientId} and ${clients.status} = 'accepted'
  )`;
  return and(isBookable(config), or(isNull(users.managingClientId), isStillManaged));
}

const isNamed = sql`${grants.id} = any(${sql.placeholder('grantIds')}::uuid[])`;

type Token = Pick<AccessToken, 'grantId' | 'clientId'>;

/** Requests with a token ask together (ADR 12), unless grouping is off. */
function groupedByClient<Row extends { readonly grantId: string }>(
  prepare: (db: Db) => { execute(values: Record<string, unknown>): Promise<readonly Row[]> },
) {
  type Asked = readonly [token: Token, when: object];
  const findAll = async (db: Db, asked: readonly Asked[]) => {
    const grantIds = `{${asked.map(([{ grantId }]) => grantId).join()}}`;
    const rows = await prepare(db).execute({ grantIds, ...asked[0]?.[1] });
    const found = new Map(rows.map((row) => [row.grantId, row]));
    return asked.map(([{ grantId }]) => found.get(grantId));
  };
  const findOf = prepared((db) =>
    grouped(
      (asked: readonly Asked[]) => findAll(db, asked),
      ([{ clientId }]) => clientId,
    ),
  );
  return async ({ db, config, runtime }: Pick<Platform, 'db' | 'config' | 'runtime'>, token: Token) => {
    const asked = [token, { ...config.lifetimes, now: runtime.now().toISOString() }] as const;
    return config.databaseGrouping === 'on' ? findOf(db)(asked) : (await findAll(db, [asked]))[0];
  };
}

const principals = prepared((db) =>
  db
    .select({
      grantId: grants.id,
      userId: users.id,
      timeZone: users.timeZone,
      managedBy: users.managingClientId,
      teamId: grants.teamId,
      organizationId: memberships.groupId,
      organizationRole: memberships.role,
      registeredScopes: clients.scopes,
    })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(users, eq(users.id, grants.userId))
    .leftJoin(memberships, isOrganizationMembership)
    .where(isStanding(isNamed, whenRun))
    .prepare('principals'),
);

/** Undefined if the grant doesn't stand (contract §5). */
export const findPrincipal = groupedByClient(principals);

/** A user, limited to one team if the grant is for that team. */
export type Principal = Omit<
  NonNullable<Awaited<ReturnType<typeof findPrincipal>>>,
  'grantId' | 'registeredScopes'
>;

/** Undefined for non-members, and if the grant is for another team. */
export async function findTeamRole(
  db: Db,
  principal: Pick<Principal, 'teamId' | 'userId'>,
  teamId: number,
): Promise<Role | undefined> {
  if (principal.teamId !== null && principal.teamId !== teamId) return undefined;
  return findRole(db, { kind: 'team', id: teamId }, principal.userId);
}

const people = prepared((db) =>
  db
    .select({
      grantId: grants.id,
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
    .where(isStanding(isNamed, whenRun))
    .prepare('me'),
);

/** Undefined if the grant doesn't stand. */
export const findMe = groupedByClient(people);

export type Me = NonNullable<Awaited<ReturnType<typeof findMe>>>;

/**
 * Accounts that someone signed up for and never verified, with nothing in them but hours and event
 * types: they would keep addresses and usernames from others. Never where nobody has to verify
 * anything.
 */
export function expiredSignUps({ emailVerification }: Platform['config'], now: Date): Expired {
  const { userId, browserHash, createdAt } = emailVerifications;
  const before = new Date(now.getTime() - unverifiedDays * 86_400_000).toISOString();
  // The oldest, by index: what stays in spite of its age loses its mark a day later.
  const oldest = sql`select ${userId} from ${emailVerifications}
    where ${createdAt} <= ${before}::timestamptz and ${browserHash} is not null order by ${createdAt} limit ${batchRows}`;
  const isEmpty = [memberships, bookingHosts, calendars, grants].map(
    (table) => sql`not exists (select from ${table} where ${table.userId} = ${users.id})`,
  );
  const isExpired = and(
    sql`${emailVerification} = 'required'`,
    sql`${users.id} = any(array(${oldest}))`,
    isNull(users.emailVerifiedAt),
    isNull(users.suspendedAt),
    ...isEmpty,
    sql`not exists (select from ${clients} where ${clients.ownerId} = ${users.id})`,
  );
  return { table: users, isExpired };
}
