import { eq, inArray, or, sql } from 'drizzle-orm';
import { type Db, insertion, isAmong, jsonOf } from '../platform/database.ts';
import { prepared } from '../platform/prepared.ts';
import type { Lifetimes } from './core/grant.ts';
import type { Scope } from './core/scope.ts';
import { areOf, hasClient, isConnection, isWaitingCode, type StoredGrant, whenRun } from './standing.ts';
import { clientColumns, clients, grantedScopes, grants } from './tables.ts';

export const namedClient = {
  ...clientColumns,
  name: clients.name,
  postLogoutRedirectUris: clients.postLogoutRedirectUris,
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

export interface NewGrant
  extends Pick<
    StoredGrant,
    | ('id' | 'clientId' | 'userId' | 'teamId' | 'resources')
    | ('redirectUri' | 'codeChallenge' | 'dpopJkt' | 'approvedAt')
  > {
  /** Full access, too, is what it means today (security C300). */
  readonly scopes: readonly Scope[];
}

/** A user and a client have at most this many grants (docs/operations.md). */
export const maxGrants = 100;
/** Each exchange is counted from here on, because others may be under way. */
const crowdedFrom = maxGrants - 10;

/** Returns all grants of a user and an app. */
export async function listHeld(
  db: Db,
  { userId, clientId }: Pick<StoredGrant, 'userId' | 'clientId'>,
  lifetimes: Lifetimes,
  now: Date,
) {
  return held(db).execute({ userId, clientId, ...lifetimes, now: now.toISOString() });
}

const partyAsked = { userId: sql.placeholder('userId'), clientId: sql.placeholder('clientId') };

const held = prepared((db) => {
  const { id, teamId, resources } = grants;
  return db
    .select({
      id,
      teamId,
      scopes: grantedScopes,
      resources,
      isConnection: sql<boolean>`coalesce(${isConnection(whenRun)}, false)`,
      isWaiting: sql<boolean>`coalesce(${isWaitingCode(whenRun)}, false)`,
      hasClient: sql<boolean>`${hasClient}`,
    })
    .from(grants)
    .where(areOf(partyAsked))
    .prepare('held_grants');
});

export type HeldGrant = Awaited<ReturnType<typeof listHeld>>[number];

const isLive = sql<boolean>`coalesce(${or(isConnection(whenRun), isWaitingCode(whenRun))}, false)`;

/**
 * Any website can have remembered codes issued, so a new code ends no grant: ended grants are kept
 * only while there is room. The limit itself is explained for longer.
 */
async function deleteEndedGrants(
  tx: Db,
  { userId, clientId }: Pick<StoredGrant, 'userId' | 'clientId'>,
  lifetimes: Lifetimes,
  now: Date,
): Promise<void> {
  await endedGrants(tx).execute({ userId, clientId, ...lifetimes, now: now.toISOString() });
}

const endedGrants = prepared((db) => {
  const isOverLimit = sql`(${grants.revocationReason} is not distinct from 'too_many')`;
  const kept = sql`case when ${isOverLimit} then ${2 * maxGrants}::int else ${maxGrants}::int end`;
  // protects: C143
  const place = sql`row_number() over (order by ${isLive} desc, ${isOverLimit} desc, ${grants.issuedAt} desc, ${grants.id})`;
  const ranked = db
    // protects: C143
    .select({ id: grants.id, isSpare: sql`not ${isLive} and ${place} > ${kept}`.as('is_spare') })
    .from(grants)
    .where(areOf(partyAsked))
    .as('ranked');
  const spare = db.select({ id: ranked.id }).from(ranked).where(sql`${ranked.isSpare}`);
  return db.delete(grants).where(isAmong(grants.id, spare)).prepare('ended_grants');
});

type Named = Pick<StoredGrant, 'id' | 'teamId'>;

/** A decision that is sent twice creates the grant once. */
export function isIssued({ id }: Named, all: readonly HeldGrant[]): boolean {
  return all.some((one) => one.id === id);
}

/** The grant is new, or its code wasn't used and hasn't expired. */
export function mayIssue({ id, teamId }: Named, all: readonly HeldGrant[]): boolean {
  return all.every((one) => one.id !== id || (one.isWaiting && one.teamId === teamId));
}

/** Call it while the user is locked, with what the user and the app hold. */
export async function issueGrant(
  db: Db,
  grant: NewGrant,
  heldGrants: readonly HeldGrant[],
  lifetimes: Lifetimes,
  now: Date,
): Promise<void> {
  const live = heldGrants.filter(({ isConnection: isUsed, isWaiting }) => isUsed || isWaiting);
  const isCrowded = live.length >= crowdedFrom || null;
  const row = { approvedAt: null, ...grant, issuedAt: now, isCrowded };
  await Promise.all([
    issuedGrants(db).execute({ rows: jsonOf(issuedColumns, [row]) }),
    heldGrants.length < maxGrants ? undefined : deleteEndedGrants(db, grant, lifetimes, now),
  ]);
}

const issuedColumns = [
  ...(['id', 'clientId', 'userId', 'teamId', 'scopes', 'resources', 'redirectUri'] as const),
  ...(['codeChallenge', 'dpopJkt', 'approvedAt', 'issuedAt', 'isCrowded'] as const),
] as const;

const issuedGrants = prepared((db) => {
  const issued = db.$with('issued', {}).as(insertion(grants, issuedColumns, sql.placeholder('rows')));
  return db.with(issued).select({ one: sql`1` }).from(sql`(select) as one`).prepare('issued_grant');
});

export async function insertRedeemedGrant(db: Db, grant: NewGrant, lifetimes: Lifetimes, now: Date) {
  const times = { issuedAt: now, redeemedAt: now, rotatedAt: now };
  await db.insert(grants).values({ ...grant, scopes: [...grant.scopes], generation: 1, ...times });
  await deleteEndedGrants(db, grant, lifetimes, now);
}
