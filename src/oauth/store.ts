import {
  type AnyColumn,
  and,
  arrayOverlaps,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNull,
  or,
  type Placeholder,
  type SQL,
  sql,
} from 'drizzle-orm';
import { managingRoles } from '../accounts/person.ts';
import { memberships } from '../accounts/tables.ts';
import { type Db, isAmong } from '../platform/database.ts';
import { prepared } from '../platform/prepared.ts';
import { fromBase64url } from './core/bytes.ts';
import type { Grant, Lifetimes, RevocationReason } from './core/grant.ts';
import type { TokenStore } from './core/ports.ts';
import type { Scope } from './core/scope.ts';
import { clientSecrets, clients, grants, rememberedConsents } from './tables.ts';

const client = {
  id: clients.id,
  type: clients.type,
  status: clients.status,
  redirectUris: clients.redirectUris,
  scopes: clients.scopes,
  requiresPkce: clients.requiresPkce,
};

const namedClient = {
  ...client,
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

/** By ID, of those that still exist. */
export async function findAppNames(
  db: Db,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const isNamed = inArray(clients.id, [...new Set(clientIds)]);
  const found = await db.select({ id: clients.id, name: clients.name }).from(clients).where(isNamed);
  return new Map(found.map(({ id, name }) => [id, name]));
}

export type NamedClient = NonNullable<Awaited<ReturnType<typeof findNamedClient>>>;

/** Deleted secrets open nothing (contract §2). */
const liveSecrets = sql<readonly { readonly id: string; readonly hash: string }[]>`coalesce((
  select json_agg(json_build_object('id', ${clientSecrets.id}, 'hash', ${clientSecrets.secretHash}))
  from ${clientSecrets} where ${clientSecrets.clientId} = ${clients.id} and ${clientSecrets.deletedAt} is null
), '[]')`;

/**
 * A grant for a team lasts while its user owns or administers it. No `exists`: behind an `or` the
 * planner may hash all memberships to answer it.
 */
export const mayActForTeam = sql<boolean>`(${grants.teamId} is null or coalesce((
  select ${inArray(memberships.role, [...managingRoles])} from ${memberships}
  where ${memberships.groupId} = ${grants.teamId} and ${memberships.userId} = ${grants.userId}
), false))`;

const endedWithClient = sql`${grants.issuedAt} <= ${clients.grantsEndedAt}`;

/** A suspension of its client ends a grant; join `clients`. */
export const isSinceSuspension = or(
  isNull(clients.grantsEndedAt),
  gt(grants.issuedAt, clients.grantsEndedAt),
);

/** Its client was neither suspended since, nor deleted. */
export const hasClient = sql`exists (
  select 1 from ${clients} where ${clients.id} = ${grants.clientId} and ${isSinceSuspension}
)`;

/** It is not forgotten with its client's values (contract §3). */
export const isStillRemembered = sql`exists (
  select 1 from ${clients} where ${clients.id} = ${rememberedConsents.clientId}
    and (${clients.consentsEndedAt} is null or ${rememberedConsents.rememberedAt} > ${clients.consentsEndedAt})
)`;

const grantOfClient = {
  ...getTableColumns(grants),
  revokedAt: sql`coalesce(
    ${grants.revokedAt}, case when ${endedWithClient} then ${clients.grantsEndedAt} end
  )`.mapWith(grants.revokedAt),
  revocationReason: sql<RevocationReason | null>`case
    when ${grants.revokedAt} is null and ${endedWithClient} then 'admin' else ${grants.revocationReason}
  end`,
};

const clientAndGrant = prepared((db) =>
  db
    .select({
      client,
      secrets: liveSecrets,
      grant: grantOfClient,
      isStandby: sql<boolean>`pg_is_in_recovery()`,
    })
    .from(clients)
    .leftJoin(grants, and(eq(grants.id, sql.placeholder('grantId')), mayActForTeam))
    .where(eq(clients.id, sql.placeholder('clientId')))
    .prepare('client_and_grant'),
);

export type NewGrant = Pick<
  Grant,
  | ('id' | 'clientId' | 'userId' | 'teamId' | 'scopes' | 'resources')
  | ('redirectUri' | 'codeChallenge' | 'dpopJkt' | 'approvedAt')
>;

/** By the index of users alone: the planner may add that of clients, with millions of entries. */
export function areOf({
  userId,
  clientId,
}:
  | Pick<Grant, 'userId' | 'clientId'>
  | { readonly userId: Placeholder; readonly clientId: Placeholder }): SQL {
  return sql`(${grants.userId} = ${userId} and ${grants.clientId} || '' = ${clientId})`;
}

/** Of one user and client (docs/operations.md). */
export const maxGrants = 100;
/** From so many on each exchange counts: others may be under way. */
const crowdedFrom = maxGrants - 10;

/** A code that can still be exchanged. */
export const isWaitingCode = (codeSeconds: number, now: Date) =>
  and(
    eq(grants.generation, 0),
    isNull(grants.revokedAt),
    gt(grants.issuedAt, new Date(now.getTime() - codeSeconds * 1000)),
  );

const isLive = (lifetimes: Lifetimes, now: Date) =>
  sql<boolean>`coalesce(${or(isConnection(lifetimes, now), isWaitingCode(lifetimes.codeSeconds, now))}, false)`;

/**
 * Any website can have remembered codes issued, so a new one ends nothing: of what has ended there
 * is kept what there is room for. The ceiling itself is explained for longer.
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

/** The same decision sent twice creates it once; false when its code was used or expired. */
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

/** It never had a code; its first refresh token is out already. */
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

/** Since it was found, its client may have been suspended (security C13). */
const mayMove = and(isNull(grants.revokedAt), hasClient);

const redeeming = prepared((db) =>
  db
    .update(grants)
    .set({
      generation: 1,
      redeemedAt: instantPlaceholder('now'),
      rotatedAt: instantPlaceholder('now'),
      dpopJkt: sql`${sql.placeholder('dpopJkt')}::text`,
    })
    .where(and(eq(grants.id, sql.placeholder('id')), eq(grants.generation, 0), mayMove))
    .returning({ isCrowded: grants.isCrowded })
    .prepare('redeem_grant'),
);

const advancing = prepared((db) => {
  const generation = sql`${sql.placeholder('generation')}::int`;
  const dpopJkt = sql`${sql.placeholder('dpopJkt')}::text`;
  return db
    .update(grants)
    .set({
      generation,
      redeemedAt: sql`coalesce(${grants.redeemedAt}, ${grants.issuedAt})`,
      rotatedAt: sql`case when ${grants.generation} = ${generation} then ${grants.rotatedAt} else ${instantPlaceholder('now')} end`,
      dpopJkt,
    })
    .where(
      and(
        eq(grants.id, sql.placeholder('id')),
        sql`${grants.generation} between ${generation} - 2 and ${generation}`,
        or(isNull(grants.dpopJkt), eq(grants.dpopJkt, dpopJkt)),
        mayMove,
      ),
    )
    .returning({ id: grants.id })
    .prepare('advance_grant');
});

function instantPlaceholder(name: string) {
  return sql`${sql.placeholder(name)}::timestamptz`;
}

class StandbyAnswered extends Error {
  /** read_only_sql_transaction, as from any change there. */
  readonly code = '25006';
}

/**
 * Each function is one statement by primary key, so none needs a transaction (architecture §2).
 * `makeRoom`: what follows an exchange where there were almost as many grants as there can be.
 */
export function tokenStore(
  db: Db,
  makeRoom?: (redeemed: Grant) => Promise<void>,
): Omit<TokenStore, 'revoke'> {
  return {
    async find(clientId, grantId) {
      const [found] = await clientAndGrant(db).execute({ clientId, grantId: grantId ?? null });
      if (found === undefined) return { client: undefined, grant: undefined };
      // It may not have heard of this grant's last change, so nothing is refused for good.
      if (found.isStandby) throw new StandbyAnswered();
      const secrets = found.secrets.flatMap(({ id, hash: text }) => {
        const hash = fromBase64url(text);
        return hash === undefined ? [] : [{ id, hash }];
      });
      return { client: { ...found.client, secrets }, grant: found.grant ?? undefined };
    },
    async redeem(grant, now) {
      const { id, dpopJkt } = grant;
      const [redeemed] = await redeeming(db).execute({ id, dpopJkt, now: now.toISOString() });
      if (redeemed?.isCrowded) await makeRoom?.(grant);
      return redeemed !== undefined;
    },
    async advance({ id, dpopJkt }, generation, now) {
      const values = { id, dpopJkt, generation, now: now.toISOString() };
      return (await advancing(db).execute(values)).length > 0;
    },
  };
}

/** When access is looked at; in a prepared statement {@link whenRun}. */
export interface Moment {
  readonly now: SQL;
  readonly codeSeconds: number | Placeholder;
  readonly refreshMaxSeconds: number | Placeholder;
  readonly refreshIdleSeconds: number | Placeholder;
}

export function momentOf(lifetimes: Lifetimes, now: Date): Moment {
  return { ...lifetimes, now: sql`${now.toISOString()}::timestamptz` };
}

/** Executed with `now` as text, and the lifetimes. */
export const whenRun: Moment = {
  now: instantPlaceholder('now'),
  codeSeconds: sql.placeholder('codeSeconds'),
  refreshMaxSeconds: sql.placeholder('refreshMaxSeconds'),
  refreshIdleSeconds: sql.placeholder('refreshIdleSeconds'),
};

const isWithin = (instant: AnyColumn | SQL, seconds: number | Placeholder, now: SQL): SQL =>
  sql`${instant} > ${now} - make_interval(secs => ${seconds}::int)`;

/** Its code was exchanged, and its refresh token hasn't expired (as the core decides it). */
export function isRefreshable({ now, refreshMaxSeconds, refreshIdleSeconds }: Moment) {
  const since = sql`coalesce(${grants.approvedAt}, ${grants.redeemedAt})`;
  return and(isWithin(since, refreshMaxSeconds, now), isWithin(grants.rotatedAt, refreshIdleSeconds, now));
}

/**
 * A remembered consent is in force while access that gives all of it can still refresh, or the code
 * of the click itself can be exchanged, and no longer than that click would be (contract §3).
 */
export function isRemembered(moment: Moment) {
  const { userId, clientId, teamId, scopes, rememberedAt } = rememberedConsents;
  const isNewCode = and(
    eq(grants.generation, 0),
    eq(grants.issuedAt, rememberedAt),
    isWithin(grants.issuedAt, moment.codeSeconds, moment.now),
  );
  const rests = sql`exists (
    select from ${grants} where ${grants.userId} = ${userId} and ${grants.clientId} || '' = ${clientId}
      and ${grants.teamId} is not distinct from ${teamId} and ${grants.resources} is null
      and (${grants.scopes} is null or ${grants.scopes} @> ${scopes}) and ${grants.revokedAt} is null
      and (${isRefreshable(moment)} or ${isNewCode})
  )`;
  return and(isStillRemembered, isWithin(rememberedAt, moment.refreshMaxSeconds, moment.now), rests);
}

/**
 * Whether a grant gives access, to its tokens and to whatever was made with them, in the resource's
 * own query; join `clients` (contract §5). What stands is a {@link isConnection connection}.
 */
export const isStanding = (isNamed: SQL, moment: Moment) =>
  and(
    isNamed,
    isNull(grants.revokedAt),
    isRefreshable(moment),
    eq(clients.status, 'accepted'),
    isSinceSuspension,
    mayActForTeam,
  );

/** The access by which an app made something for a user stands; `isEnough` is of its grant. */
export const hasAccess = (
  userId: AnyColumn,
  appId: AnyColumn,
  moment: Moment,
  isEnough?: SQL,
): SQL<boolean> =>
  sql`exists (
    select from ${grants} inner join ${clients} on ${clients.id} = ${grants.clientId}
    where ${and(isStanding(sql`${grants.userId} = ${userId} and ${grants.clientId} || '' = ${appId}`, moment), isEnough)}
  )`;

/** By a grant, and by the registration of its client as it is now; join `clients`. */
export const allowOneOf = (...scopes: Scope[]) =>
  and(...[grants.scopes, clients.scopes].map((given) => or(isNull(given), arrayOverlaps(given, scopes))));

/** What people see among their connected apps, and can remove. */
export const isConnection = (lifetimes: Lifetimes, now: Date) =>
  and(isNull(grants.revokedAt), isRefreshable(momentOf(lifetimes, now)), hasClient);
