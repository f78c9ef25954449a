import { and, eq, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Db } from '../../platform/database.ts';
import { prepared } from '../../platform/prepared.ts';
import type { Lifetimes } from '../core/grant.ts';
import type { GrantedScopes } from '../core/scope.ts';
import { isStanding, whenRun } from '../standing.ts';
import { acceptedScopes, clients, grants } from '../tables.ts';

const callers = alias(clients, 'callers');
const callerId = sql.placeholder('callerId');
const isServed = sql`${callers.resource} = any(string_to_array(${sql.placeholder('resources')}::text, ' '))`;

const standing = prepared((db) =>
  db
    .select({ registered: acceptedScopes })
    .from(grants)
    .innerJoin(clients, eq(clients.id, grants.clientId))
    .innerJoin(callers, eq(callers.id, callerId))
    .where(
      isStanding(
        sql`${and(eq(grants.id, sql.placeholder('grantId')), or(eq(grants.clientId, callerId), isServed))}`,
        whenRun,
      ),
    )
    .prepare('introspected_grant'),
);

/** Returns undefined if the grant doesn't stand or the caller may not know of it. */
export async function findStanding(
  db: Db,
  { resources, ...of }: { grantId: string; callerId: string; resources: readonly string[] },
  lifetimes: Lifetimes,
  now: Date,
): Promise<{ readonly registered: GrantedScopes } | undefined> {
  const [found] = await standing(db).execute({
    ...{ ...of, ...lifetimes },
    now: now.toISOString(),
    resources: resources.join(' '),
  });
  return found;
}
