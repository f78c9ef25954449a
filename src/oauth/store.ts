import { and, eq, gt, inArray, isNotNull, isNull, lt, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { managingRoles } from '../accounts/person.ts';
import { memberships } from '../accounts/tables.ts';
import type { Db } from '../io/database.ts';
import { prepared } from '../io/prepared.ts';
import { fromBase64url } from './core/bytes.ts';
import type { Client, ClientWithSecrets } from './core/client.ts';
import type { Grant, Lifetimes, RevocationReason } from './core/grant.ts';
import { clientSecrets, clients, grants, rememberedConsents } from './tables.ts';

const client = {
  id: clients.id,
  type: clients.type,
  status: clients.status,
  redirectUris: clients.redirectUris,
  scopes: clients.scopes,
};

const namedClient = { ...client, name: clients.name, websiteUrl: clients.websiteUrl, logoId: clients.logoId };

/** A client as the core knows it, and as the authorization page shows it. */
export interface NamedClient extends Client {
  readonly name: string;
  readonly websiteUrl: string | null;
  readonly logoId: string | null;
}

/** The client of an authorization request; undefined when there is none of this id. */
export async function findNamedClient(db: Db, clientId: string): Promise<NamedClient | undefined> {
  const [found] = await db.select(namedClient).from(clients).where(eq(clients.id, clientId));
  return found;
}

/** The live ones alone: what was deleted opens nothing any more (contract §2). */
const liveSecrets = sql<readonly { readonly id: string; readonly hash: string }[]>`coalesce((
  select json_agg(json_build_object('id', ${clientSecrets.id}, 'hash', ${clientSecrets.secretHash}))
  from ${clientSecrets} where ${clientSecrets.clientId} = ${clients.id} and ${clientSecrets.deletedAt} is null
), '[]')`;

/** A grant for a team lasts while its user still owns or administers the team. */
export const mayActForTeam = sql<boolean>`(${grants.teamId} is null or exists (
  select 1 from ${memberships}
  where ${memberships.teamId} = ${grants.teamId} and ${memberships.userId} = ${grants.userId}
    and ${inArray(memberships.role, [...managingRoles])}
))`;

const clientAndGrant = prepared((db) =>
  db
    .select({ client, secrets: liveSecrets, grant: grants })
    .from(clients)
    .leftJoin(grants, and(eq(grants.id, sql.placeholder('grantId')), mayActForTeam))
    .where(eq(clients.id, sql.placeholder('clientId')))
    .prepare('client_and_grant'),
);

/** The client that a request names and the grant that its token speaks for, in one statement by primary keys (design §2). */
export async function findClientAndGrant(
  db: Db,
  clientId: string,
  grantId: string | undefined,
): Promise<{ readonly client: ClientWithSecrets | undefined; readonly grant: Grant | undefined }> {
  const [found] = await clientAndGrant(db).execute({ clientId, grantId: grantId ?? null });
  if (found === undefined) return { client: undefined, grant: undefined };
  const secrets = found.secrets.flatMap(({ id, hash: text }) => {
    const hash = fromBase64url(text);
    return hash === undefined ? [] : [{ id, hash }];
  });
  return { client: { ...found.client, secrets }, grant: found.grant ?? undefined };
}

export type NewGrant = Pick<
  Grant,
  'id' | 'clientId' | 'userId' | 'teamId' | 'scopes' | 'redirectUri' | 'codeChallenge'
>;

/**
 * Issues a grant whose code waits to be exchanged. The same decision sent twice issues it once, and true again while the code is
 * still good; false when the decision has been used up.
 */
export async function issueGrant(
  db: Pick<Db, 'insert'>,
  grant: NewGrant,
  codeSeconds: number,
  now: Date,
): Promise<boolean> {
  const codeIsGoodSince = new Date(now.getTime() - codeSeconds * 1000);
  const issued = await db
    .insert(grants)
    .values({ ...grant, scopes: grant.scopes === null ? null : [...grant.scopes], issuedAt: now })
    .onConflictDoUpdate({
      target: grants.id,
      set: { id: sql`excluded.id` },
      setWhere: sql`${and(
        eq(grants.generation, 0),
        isNull(grants.revokedAt),
        gt(grants.issuedAt, codeIsGoodSince),
        sql`${grants.teamId} is not distinct from excluded.team_id`,
      )}`,
    })
    .returning({ id: grants.id });
  return issued.length > 0;
}

/** Puts down a grant that never had a code: its first refresh token is out already. */
export async function insertRedeemedGrant(db: Pick<Db, 'insert'>, grant: NewGrant, now: Date): Promise<void> {
  const scopes = grant.scopes === null ? null : [...grant.scopes];
  const times = { issuedAt: now, redeemedAt: now, rotatedAt: now };
  await db.insert(grants).values({ ...grant, scopes, generation: 1, ...times });
}

const redeeming = prepared((db) =>
  db
    .update(grants)
    .set({ generation: 1, redeemedAt: instantPlaceholder('now'), rotatedAt: instantPlaceholder('now') })
    .where(and(eq(grants.id, sql.placeholder('id')), eq(grants.generation, 0), isNull(grants.revokedAt)))
    .returning({ id: grants.id })
    .prepare('redeem_grant'),
);

/** Spends a grant's code: of any number at once exactly one gets true (contract §4). */
export async function redeemGrant(db: Db, id: string, now: Date): Promise<boolean> {
  const redeemed = await redeeming(db).execute({ id, now: now.toISOString() });
  return redeemed.length > 0;
}

const advancing = prepared((db) => {
  const generation = sql`${sql.placeholder('generation')}::int`;
  return db
    .update(grants)
    .set({
      generation,
      rotatedAt: sql`case when ${grants.generation} = ${generation} then ${grants.rotatedAt} else ${instantPlaceholder('now')} end`,
    })
    .where(
      and(
        eq(grants.id, sql.placeholder('id')),
        sql`${grants.generation} in (${generation} - 1, ${generation})`,
        isNull(grants.revokedAt),
      ),
    )
    .returning({ id: grants.id })
    .prepare('advance_grant');
});

/**
 * Brings a grant to this generation from the one before. Any number of callers at once get true and the same successor; only the first
 * moves the row on, and it alone sets the time from which the retry window counts. False when the grant was revoked or has
 * moved further.
 */
export async function advanceGrant(db: Db, id: string, generation: number, now: Date): Promise<boolean> {
  const advanced = await advancing(db).execute({ id, generation, now: now.toISOString() });
  return advanced.length > 0;
}

function instantPlaceholder(name: string) {
  return sql`${sql.placeholder(name)}::timestamptz`;
}

/** Ends a grant with all its tokens; one that was ended before keeps its first reason. */
export async function revokeGrant(db: Db, id: string, reason: RevocationReason, now: Date): Promise<void> {
  await endGrants(db, [eq(grants.id, id)], reason, now);
}

/** Ends the grant if it is this client's; another client's is left alone (RFC 7009 §2.1). */
export async function revokeOwnGrant(db: Db, id: string, clientId: string, now: Date): Promise<void> {
  await endGrants(db, [eq(grants.id, id), eq(grants.clientId, clientId)], 'client', now);
}

/** Ends the grant if its code waits to be exchanged; tokens that it was exchanged for already stay. */
export async function revokeCode(db: Db, id: string, now: Date): Promise<void> {
  await endGrants(db, [eq(grants.id, id), eq(grants.generation, 0)], 'user', now);
}

/** Ends every grant of a user, and with them what is remembered of them: nothing comes back without being asked. */
export async function revokeUserGrants(
  db: Pick<Db, 'update' | 'delete'>,
  userId: number,
  reason: RevocationReason,
  now: Date,
): Promise<void> {
  await forgetConsents(db, { userId });
  await endGrants(db, [eq(grants.userId, userId)], reason, now);
}

/** The same of one user, for one client. */
export async function revokeConnection(db: Db, userId: number, clientId: string, now: Date): Promise<void> {
  await forgetConsents(db, { userId, clientId });
  await endGrants(db, [eq(grants.userId, userId), eq(grants.clientId, clientId)], 'user', now);
}

/** The same of every user, for one client. The grants come first, so that an Allow on one of them is waited for before its consent is looked for. */
export async function revokeClientGrants(db: Db, clientId: string, now: Date): Promise<void> {
  await endGrants(db, [eq(grants.clientId, clientId)], 'admin', now);
  await forgetConsents(db, { clientId });
}

/** The same of one user, for one team: whoever does not manage it any more is asked again, and so are they if they come back. */
export async function revokeTeamGrants(
  db: Pick<Db, 'update' | 'delete'>,
  userId: number,
  teamId: number,
  now: Date,
): Promise<void> {
  const ofTeam = and(eq(rememberedConsents.userId, userId), eq(rememberedConsents.teamId, teamId));
  await db.delete(rememberedConsents).where(ofTeam);
  await endGrants(db, [eq(grants.userId, userId), eq(grants.teamId, teamId)], 'user', now);
}

/** At least one condition: nothing ends everybody's grants. */
async function endGrants(
  db: Pick<Db, 'update'>,
  which: readonly [SQL, ...SQL[]],
  reason: RevocationReason,
  now: Date,
): Promise<void> {
  await db
    .update(grants)
    .set({ revokedAt: now, revocationReason: reason })
    .where(and(...which, isNull(grants.revokedAt)));
}

/** Whose consents, or for which client; one of the two at least. */
export type ConsentKeys =
  | { readonly userId: number; readonly clientId?: string }
  | { readonly userId?: number; readonly clientId: string };

/** The users are asked again the next time that the client comes. */
export async function forgetConsents(
  db: Pick<Db, 'delete'>,
  { userId, clientId }: ConsentKeys,
): Promise<void> {
  const ofUser = userId === undefined ? undefined : eq(rememberedConsents.userId, userId);
  const ofClient = clientId === undefined ? undefined : eq(rememberedConsents.clientId, clientId);
  await db.delete(rememberedConsents).where(and(ofUser, ofClient));
}

/**
 * The condition under which a token of this grant may act: the code was exchanged, nothing was revoked, the client is still accepted and the
 * user still manages the team. It is
 * part of the query that a resource makes anyway, joined with `clients` (contract §5).
 */
export function isStanding(grantId: string | Placeholder) {
  return and(
    eq(grants.id, grantId),
    isNotNull(grants.redeemedAt),
    isNull(grants.revokedAt),
    eq(clients.status, 'accepted'),
    mayActForTeam,
  );
}

/** The condition under which a grant's client counts as connected: its code was exchanged, and it can still refresh. */
export function isConnection({ refreshMaxSeconds, refreshIdleSeconds }: Lifetimes, now: Date) {
  const secondsAgo = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
  return and(
    isNull(grants.revokedAt),
    gt(grants.redeemedAt, secondsAgo(refreshMaxSeconds)),
    gt(grants.rotatedAt, secondsAgo(refreshIdleSeconds)),
  );
}

/** Removes grants whose code was never exchanged and can no longer be. */
export async function sweepGrants(db: Db, issuedBefore: Date): Promise<void> {
  await db.delete(grants).where(and(eq(grants.generation, 0), lt(grants.issuedAt, issuedBefore)));
}
