import { eq, type SQL, sql } from 'drizzle-orm';
import { findRole, isOrganizationMembership, organizations, teams } from '../../accounts/groups/store.ts';
import { memberships, users } from '../../accounts/tables.ts';
import type { AccessToken } from '../../oauth/core/access-token.ts';
import { isStanding, whenRun } from '../../oauth/standing.ts';
import { acceptedScopes, clients, grants } from '../../oauth/tables.ts';
import type { Db } from '../../platform/database.ts';
import { grouped } from '../../platform/group-commit.ts';
import type { Platform } from '../../platform/platform.ts';
import { preparedFor } from '../../platform/prepared.ts';

const isNamed = sql`${grants.id} = any(${sql.placeholder('grantIds')}::uuid[])`;

type Token = Pick<AccessToken, 'grantId' | 'clientId'>;

type App = Pick<Platform, 'config' | 'db' | 'defaultSchedule' | 'runtime'>;

/** Requests with a token ask together (ADR 12), unless grouping is off. */
function groupedByClient<Row extends { readonly grantId: string }>(
  prepare: (app: App) => { execute(values: Record<string, unknown>): Promise<readonly Row[]> },
) {
  type Asked = readonly [token: Token, when: object];
  const findAll = async (app: App, asked: readonly Asked[]) => {
    const grantIds = `{${asked.map(([{ grantId }]) => grantId).join()}}`;
    const rows = await prepare(app).execute({ grantIds, ...asked[0]?.[1] });
    const found = new Map(rows.map((row) => [row.grantId, row]));
    return asked.map(([{ grantId }]) => found.get(grantId));
  };
  const findOf = preparedFor((app: App) =>
    grouped(
      (asked: readonly Asked[]) => findAll(app, asked),
      ([{ clientId }]) => clientId,
    ),
  );
  return async (app: App, token: Token) => {
    const asked = [token, { ...app.config.lifetimes, now: app.runtime.now().toISOString() }] as const;
    return app.config.databaseGrouping === 'on' ? findOf(app)(asked) : (await findAll(app, [asked]))[0];
  };
}

const principals = preparedFor(({ db }: App) =>
  db
    .select({
      grantId: grants.id,
      userId: users.id,
      timeZone: users.timeZone,
      managedBy: users.managingClientId,
      teamId: grants.teamId,
      organizationId: memberships.groupId,
      organizationRole: memberships.role,
      registeredScopes: acceptedScopes,
    })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(users, eq(users.id, grants.userId))
    .leftJoin(memberships, isOrganizationMembership)
    .where(isStanding(isNamed, whenRun))
    .prepare('principals'),
);

/** Undefined means that the grant doesn't stand (contract §5). */
export const findPrincipal = groupedByClient(principals);

export type Principal = Omit<
  NonNullable<Awaited<ReturnType<typeof findPrincipal>>>,
  'grantId' | 'registeredScopes'
>;

/** Returns undefined for non-members, and if the grant is for another team. */
export async function findTeamRole(db: Db, principal: Pick<Principal, 'teamId' | 'userId'>, teamId: number) {
  if (principal.teamId !== null && principal.teamId !== teamId) return undefined; // protects: C119
  return findRole(db, { kind: 'team', id: teamId }, principal.userId);
}

declare module '../../platform/platform.ts' {
  interface OptionalCapabilities {
    readonly defaultSchedule: DefaultSchedule;
  }
}

export interface DefaultSchedule {
  readonly idOf: SQL<number | null>;
  /** Returns false, with nothing changed, if the schedule isn't the user's. */
  choose(tx: Db, userId: number, id: number): Promise<boolean>;
}

const people = preparedFor(({ db, defaultSchedule }: App) =>
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
      defaultScheduleId: defaultSchedule?.idOf ?? sql<null>`null`,
      organizationId: organizations.id,
      isPlatform: organizations.isPlatform,
      team: { id: teams.id, slug: teams.slug, name: teams.name },
      registeredScopes: acceptedScopes,
    })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(users, eq(users.id, grants.userId))
    .leftJoin(memberships, isOrganizationMembership)
    .leftJoin(organizations, eq(organizations.id, memberships.groupId))
    .leftJoin(teams, eq(teams.id, grants.teamId))
    .where(isStanding(isNamed, whenRun))
    .prepare('me'),
);

export const findMe = groupedByClient(people);

export type Me = NonNullable<Awaited<ReturnType<typeof findMe>>>;
