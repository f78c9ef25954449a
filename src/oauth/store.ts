import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { type Db, isAmong } from '../platform/database.ts';
import { prepared } from '../platform/prepared.ts';
import type { Grant, Lifetimes } from './core/grant.ts';
import { areOf, isConnection, isWaitingCode } from './standing.ts';
import { clientColumns, clients, grants } from './tables.ts';

const namedClient = {
  ...clientColumns,
  name: clients.name,
  websiteUrl: clients.websiteUrl,
  logoId: clients.logoId,
  documentExpiresAt: clients.documentExpiresAt,
};

const namedClients = prepared((db) =>
  db
    .select(namedClient)
    .from(clients)
    .where(eq(clients.id, sql.placeholder('clientId')))
    .prepare('named_client'),
);

export async function findNamedClient(db: Db, clientId: string) {
  const [found] = await namedClients(db).execute({ clientId });
  return found;
}

export async function findAppNames(
  db: Db,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const isNamed = inArray(clients.id, [...new Set(clientIds)]);
  const found = await db.select({ id: clients.id, name: clients.name }).from(clients).where(isNamed);
  return new Map(found.map(({ id, name }) => [id, name]));
}

export type NamedClient = NonNullable<Awaited<ReturnType<typeof findNamedClient>>>;

export type NewGrant = Pick<
  Grant,
  | ('id' | 'clientId' | 'userId' | 'teamId' | 'scopes' | 'resources')
  | ('redirectUri' | 'codeChallenge' | 'dpopJkt' | 'approvedAt')
>;

/** A user and a client have at most this many grants (docs/operations.md). */
export const maxGrants = 100;
/** Each exchange is counted from here on, because others may be under way. */
const crowdedFrom = maxGrants - 10;

const isLive = (lifetimes: Lifetimes, now: Date) =>
  sql<boolean>`coalesce(${or(isConnection(lifetimes, now), isWaitingCode(lifetimes.codeSeconds, now))}, false)`;

/**
 * Any website can have remembered codes issued, so a new code ends no grant: ended grants are kept
 * only while there is room. The ceiling itself is explained for longer.
 */
async function deleteEndedGrants(
  tx: Db,
  party: Pick<Grant, 'userId' | 'clientId'>,
  lifetimes: Lifetimes,
  now: Date,
): Promise<void> {
  const isOverCeiling = sql`(${grants.revocationReason} is not distinct from 'too_many')`;
  const kept = sql`case when ${isOverCeiling} then ${2 * maxGrants}::int else ${maxGrants}::int end`;
  const live = isLive(lifetimes, now);
  const place = sql`row_number() over (order by ${live} desc, ${isOverCeiling} desc, ${grants.issuedAt} desc, ${grants.id})`;
  const ranked = tx
    .select({ id: grants.id, isSpare: sql`not ${live} and ${place} > ${kept}`.as('is_spare') })
    .from(grants)
    .where(areOf(party))
    .as('ranked');
  const spare = tx.select({ id: ranked.id }).from(ranked).where(sql`${ranked.isSpare}`);
  await tx.delete(grants).where(isAmong(grants.id, spare));
}

/**
 * A decision that is sent twice creates the grant once. Returns false if its code was used or
 * expired.
 */
export async function issueGrant(db: Db, grant: NewGrant, lifetimes: Lifetimes, now: Date): Promise<boolean> {
  const isCrowded = sql`(
    select nullif(count(*) >= ${crowdedFrom}, false) from ${grants} where ${areOf(grant)} and ${isLive(lifetimes, now)}
  )`;
  const issued = await db
    .insert(grants)
    .values({ ...grant, scopes: grant.scopes === null ? null : [...grant.scopes], issuedAt: now, isCrowded })
    .onConflictDoUpdate({
      target: grants.id,
      set: { id: sql`excluded.id` },
      setWhere: sql`${and(
        isWaitingCode(lifetimes.codeSeconds, now),
        sql`${grants.teamId} is not distinct from excluded.team_id`,
      )}`,
    })
    .returning({ id: grants.id });
  await deleteEndedGrants(db, grant, lifetimes, now);
  return issued.length > 0;
}

export async function insertRedeemedGrant(
  db: Db,
  grant: NewGrant,
  lifetimes: Lifetimes,
  now: Date,
): Promise<void> {
  const scopes = grant.scopes === null ? null : [...grant.scopes];
  const times = { issuedAt: now, redeemedAt: now, rotatedAt: now };
  await db.insert(grants).values({ ...grant, scopes, generation: 1, ...times });
  await deleteEndedGrants(db, grant, lifetimes, now);
}
