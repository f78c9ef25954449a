import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import { prepared } from '../../platform/prepared.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { isStanding } from '../store.ts';
import { clients, grants } from '../tables.ts';

const isOwn = and(
  eq(grants.id, sql.placeholder('grantId')),
  eq(grants.clientId, sql.placeholder('clientId')),
);

const standing = prepared((db) =>
  db
    .select({ registered: clients.scopes })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .where(isStanding(sql`${isOwn}`))
    .prepare('introspected_grant'),
);

/** By the rule of our API itself; undefined: not the client's, or it doesn't stand. */
export async function findStanding(
  db: Db,
  of: { readonly grantId: string; readonly clientId: string },
): Promise<{ readonly registered: GrantedScopes } | undefined> {
  const [found] = await standing(db).execute(of);
  return found;
}
