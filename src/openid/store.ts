import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { users } from '../accounts/tables.ts';
import type { IssuedRequest } from '../oauth/access-events.ts';
import type { Identities } from '../oauth/core/ports.ts';
import { isStanding, whenRun } from '../oauth/standing.ts';
import { acceptedScopes, clients, grants } from '../oauth/tables.ts';
import type { Db } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import { prepared } from '../platform/prepared.ts';
import type { ExpiredOf } from '../platform/retention/store.ts';
import { claimsOf } from './claims.ts';
import { openidRequests } from './tables.ts';

const describedUser = {
  name: users.name,
  username: users.username,
  timeZone: users.timeZone,
  language: users.language,
  lastLanguage: users.lastLanguage,
  dateLocale: users.dateLocale,
  updatedAt: users.updatedAt,
  email: users.email,
  isEmailVerified: sql<boolean>`${users.emailVerifiedAt} is not null and ${users.managingClientId} is null`,
};

export async function keepRequest(
  tx: Db,
  { grantId, request, authenticatedAt, at }: IssuedRequest,
): Promise<void> {
  const kept = { nonce: request.nonce ?? null, authenticatedAt, issuedAt: at };
  await tx.insert(openidRequests).values({ grantId, ...kept });
}

const kept = prepared((db) =>
  db
    .select({
      nonce: openidRequests.nonce,
      authenticatedAt: openidRequests.authenticatedAt,
      user: describedUser,
    })
    .from(openidRequests)
    .innerJoin(grants, eq(grants.id, openidRequests.grantId))
    .innerJoin(users, eq(users.id, grants.userId))
    // protects: C286
    .where(and(eq(openidRequests.grantId, sql.placeholder('grantId')), isNull(users.suspendedAt)))
    .prepare('openid_request'),
);

export const identitiesOf = ({ db }: Pick<Platform, 'db'>): Identities => ({
  async find({ id: grantId }, scopes) {
    const [found] = await kept(db).execute({ grantId });
    if (found === undefined) return undefined;
    const { nonce, authenticatedAt, user } = found;
    return { nonce, authenticatedAt, claims: claimsOf(user, scopes) };
  },
});

/** No code can be exchanged any more. */
export const expiredRequests: ExpiredOf = (now, { lifetimes }) => ({
  table: openidRequests,
  isExpired: lt(openidRequests.issuedAt, new Date(now.getTime() - lifetimes.codeSeconds * 1000)),
});

const standing = prepared((db) =>
  db
    .select({ userId: users.id, registeredScopes: acceptedScopes, user: describedUser })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(users, eq(users.id, grants.userId))
    .where(isStanding(sql`${grants.id} = ${sql.placeholder('grantId')}`, whenRun))
    .prepare('userinfo'),
);

/** Undefined means that the grant doesn't stand (contract §5). */
export async function findStandingUser(
  { config, db, runtime }: Pick<Platform, 'config' | 'db' | 'runtime'>,
  grantId: string,
) {
  const [found] = await standing(db).execute({
    grantId,
    ...config.lifetimes,
    now: runtime.now().toISOString(),
  });
  return found;
}
