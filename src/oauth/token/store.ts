import { and, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import { prepared } from '../../platform/prepared.ts';
import { fromBase64url } from '../core/bytes.ts';
import type { Grant, RevocationReason } from '../core/grant.ts';
import type { TokenStore } from '../core/ports.ts';
import { hasClient, mayActForTeam, whenRun } from '../standing.ts';
import { clientColumns, clientSecrets, clients, grantedScopes, grants } from '../tables.ts';

/** Deleted secrets open nothing (contract §2). */
const liveSecrets = sql<readonly { readonly id: string; readonly hash: string }[]>`coalesce((
  select json_agg(json_build_object('id', ${clientSecrets.id}, 'hash', ${clientSecrets.secretHash}))
  from ${clientSecrets} where ${clientSecrets.clientId} = ${clients.id} and ${clientSecrets.deletedAt} is null
), '[]')`;

const endedWithClient = sql`${grants.issuedAt} <= ${clients.grantsEndedAt}`;

const grantOfClient = {
  ...getTableColumns(grants),
  scopes: grantedScopes,
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
      client: clientColumns,
      secrets: liveSecrets,
      grant: grantOfClient,
      isStandby: sql<boolean>`pg_is_in_recovery()`,
    })
    .from(clients)
    .leftJoin(grants, and(eq(grants.id, sql.placeholder('grantId')), mayActForTeam))
    .where(eq(clients.id, sql.placeholder('clientId')))
    .prepare('client_and_grant'),
);

/** The client may have been suspended since the grant was found (security C13). */
const mayMove = and(isNull(grants.revokedAt), hasClient); // protects: C13

const { now } = whenRun;
const isNamed = eq(grants.id, sql.placeholder('id'));
const boundTo = sql`${sql.placeholder('dpopJkt')}::text`;

const redeeming = prepared((db) =>
  db
    .update(grants)
    .set({ generation: 1, redeemedAt: now, rotatedAt: now, dpopJkt: boundTo })
    .where(and(isNamed, eq(grants.generation, 0), mayMove)) // protects: C4
    .returning({ isCrowded: grants.isCrowded })
    .prepare('redeem_grant'),
);

const advancing = prepared((db) => {
  const generation = sql`${sql.placeholder('generation')}::int`;
  return db
    .update(grants)
    .set({
      generation,
      redeemedAt: sql`coalesce(${grants.redeemedAt}, ${grants.issuedAt})`,
      rotatedAt: sql`case when ${grants.generation} = ${generation} then ${grants.rotatedAt} else ${now} end`,
      dpopJkt: boundTo,
    })
    .where(
      and(
        isNamed,
        sql`${grants.generation} between ${generation} - 2 and ${generation}`, // protects: C45
        or(isNull(grants.dpopJkt), eq(grants.dpopJkt, boundTo)),
        mayMove,
      ),
    )
    .returning({ id: grants.id })
    .prepare('advance_grant');
});

class StandbyAnswered extends Error {
  /** A change on a standby has this code, too (read_only_sql_transaction). */
  readonly code = '25006';
}

/** Each function is one statement by primary key, so none needs a transaction (architecture §2). */
export function tokenStore(
  db: Db,
  makeRoom?: (redeemed: Grant) => Promise<void>,
): Omit<TokenStore, 'revoke'> {
  return {
    async find(clientId, grantId) {
      const [found] = await clientAndGrant(db).execute({ clientId, grantId: grantId ?? null });
      if (found === undefined) return { client: undefined, grant: undefined };
      // A standby may not have heard of this grant's last change, so nothing is refused for good.
      if (found.isStandby) throw new StandbyAnswered();
      const secrets = found.secrets.flatMap(({ id, hash: text }) => {
        const hash = fromBase64url(text);
        return hash === undefined ? [] : [{ id, hash }];
      });
      const grant = found.grant && { ...found.grant, userId: String(found.grant.userId) };
      return { client: { ...found.client, secrets }, grant: grant ?? undefined };
    },
    async redeem(grant, now) {
      const { id, dpopJkt } = grant;
      const [redeemed] = await redeeming(db).execute({ id, dpopJkt, now: now.toISOString() });
      if (redeemed?.isCrowded) await makeRoom?.(grant); // protects: C206
      return redeemed !== undefined;
    },
    async advance({ id, dpopJkt }, generation, now) {
      const values = { id, dpopJkt, generation, now: now.toISOString() };
      return (await advancing(db).execute(values)).length > 0;
    },
  };
}
