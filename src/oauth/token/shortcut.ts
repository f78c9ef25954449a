import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../platform/database.ts';
import { grouped } from '../../platform/group-commit.ts';
import { prepared } from '../../platform/prepared.ts';
import { toBase64url } from '../core/bytes.ts';
import type { Lifetimes } from '../core/grant.ts';
import type { MovedGrant, Shortcut, UsualExchange, UsualRefresh } from '../core/ports.ts';
import { identityScopes, type KnownScopes } from '../core/scope.ts';
import { isRefreshable, isSinceSuspension, mayActForTeam, whenRun } from '../standing.ts';
import {
  acceptedScopes,
  clientSecrets,
  clients,
  grantedScopes,
  grants,
  registeredScopes,
} from '../tables.ts';
import { afterExchange, afterRefresh } from './store.ts';

interface Asked {
  readonly grant_id: string;
  readonly client_id: string;
  readonly secret_hash: string;
  readonly now: Date;
  readonly generation: number;
  readonly dpop_jkt: string | null;
  readonly redirect_uri?: string;
  readonly code_challenge?: string | null;
}

const asked = sql`rows from (json_to_recordset(${sql.placeholder('asked')}::json) as (
  now timestamptz, grant_id uuid, client_id text, secret_hash text, generation int,
  dpop_jkt text, redirect_uri text, code_challenge text
)) with ordinality as asked(
  now, grant_id, client_id, secret_hash, generation, dpop_jkt, redirect_uri, code_challenge, position
)`;

const fitsKey = or(isNull(grants.dpopJkt), eq(grants.dpopJkt, sql`asked.dpop_jkt`));

/**
 * The planner takes what is asked for 100 rows, for which it would read all clients of a few
 * thousand.
 */
const clientOfAsked = sql`lateral (
  select * from ${clients} where ${clients.id} = asked.client_id limit 1
) as ${clients}`;

/** A public client's grant is bound to the key it was last moved with. */
const boundTo = sql<string | null>`case ${clients.type}
  when 'public' then coalesce(asked.dpop_jkt, ${grants.dpopJkt}) else ${grants.dpopJkt} end`;

/** Leaves locked grants out: nobody, and no instance, waits for another's grant. */
function openGrants(db: Db, isRight: SQL | undefined) {
  const isSecret = and(
    eq(clientSecrets.clientId, clients.id),
    eq(clientSecrets.secretHash, sql`asked.secret_hash`),
    isNull(clientSecrets.deletedAt),
    eq(clients.type, 'confidential'),
  );
  const known = sql`${sql.placeholder('known')}::text[]`;
  // Something of all three, without building their intersection.
  const keepsScopes = and(
    sql`${grantedScopes} && ${acceptedScopes}`,
    or(
      sql`${grantedScopes} <@ ${known}`,
      and(sql`${grantedScopes} <@ ${acceptedScopes}`, sql`${grantedScopes} && ${known}`),
    ),
  );
  return db.$with('open').as(
    db
      .select({
        id: sql<string>`${grants.id}`.as('open_id'),
        registeredScopes: registeredScopes.scopes.as('registered_scopes'),
        isFullAccess: registeredScopes.isFullAccess.as('is_full_access'),
        secretId: sql<string | null>`${clientSecrets.id}`.as('secret_id'),
        position: sql<number>`asked.position::int`.as('position'),
        now: sql`asked.now`.as('now'),
        dpopJkt: boundTo.as('bound_to'),
      })
      .from(asked)
      .innerJoin(clientOfAsked, sql`true`)
      // protects: C10
      .innerJoin(grants, and(eq(grants.id, sql`asked.grant_id`), eq(grants.clientId, clients.id)))
      .leftJoin(clientSecrets, isSecret)
      .where(
        and(
          eq(clients.status, 'accepted'), // protects: C44
          or(eq(clients.type, 'public'), isNotNull(clientSecrets.id)),
          eq(grants.generation, sql`asked.generation`), // protects: C14
          isNull(grants.revokedAt),
          isNull(grants.resources), // protects: C62
          isSinceSuspension, // protects: C13
          mayActForTeam,
          keepsScopes, // protects: C305
          isRight,
        ),
      )
      .for('no key update', { of: grants, skipLocked: true }),
  );
}

const movedGrant = {
  id: grants.id,
  userId: sql<string>`${grants.userId}::text`,
  clientId: grants.clientId,
  teamId: grants.teamId,
  scopes: grantedScopes,
} as const;

const outcomeOf = ({
  position,
  registeredScopes: scopes,
  isFullAccess,
  secretId,
}: ReturnType<typeof openGrants>) => ({
  position,
  registered: { scopes, isFullAccess },
  secretId,
});

const rotating = prepared((db) => {
  const open = openGrants(
    db,
    and(isRefreshable({ ...whenRun, now: sql`asked.now` }), or(eq(clients.type, 'confidential'), fitsKey)),
  );
  return db
    .with(open)
    .update(grants)
    .set(afterRefresh(sql`${grants.generation} + 1`, sql`open.now`, sql`open.bound_to`))
    .from(open)
    .where(eq(grants.id, open.id))
    .returning({ grant: movedGrant, ...outcomeOf(open) })
    .prepare('rotate_grants');
});

const redeeming = prepared((db) => {
  const open = openGrants(
    db,
    and(
      gt(grants.issuedAt, sql`asked.now - make_interval(secs => ${sql.placeholder('codeSeconds')}::int)`),
      isNull(grants.isCrowded), // protects: C206
      eq(grants.redirectUri, sql`asked.redirect_uri`), // protects: C6
      sql`${grants.codeChallenge} is not distinct from asked.code_challenge`, // protects: C8
      or(
        isNotNull(grants.codeChallenge),
        and(eq(clients.type, 'confidential'), eq(clients.requiresPkce, false)),
      ),
      fitsKey,
    ),
  );
  return db
    .with(open)
    .update(grants)
    .set(afterExchange(sql`open.now`, sql`open.bound_to`))
    .from(open)
    .where(eq(grants.id, open.id))
    .returning({ grant: movedGrant, ...outcomeOf(open) })
    .prepare('redeem_grants');
});

/** Requests share the statement after the one under way (ADR 12), with a grant once in each. */
export function createShortcut(db: Db, lifetimes: Lifetimes, scopes: KnownScopes): Shortcut {
  const underWay = new Set<string>();
  // `profile` and `email` say nothing without `openid`, so alone they keep no token (contract §6).
  const telling = scopes.filter((name) => name === 'openid' || !identityScopes.includes(name)); // protects: C305
  const known = `{${telling.map((name) => JSON.stringify(name)).join()}}`;
  const move = (statement: typeof rotating | typeof redeeming) => {
    const ask = grouped(
      async (all: readonly Asked[]) => {
        const asked = JSON.stringify(all);
        const answers: MovedGrant[] = [];
        for (const { position, secretId, ...moved } of await statement(db).execute({
          asked,
          known,
          ...lifetimes,
        }))
          answers[position - 1] = { ...moved, secretId: secretId ?? undefined };
        return answers;
      },
      ({ client_id }) => client_id,
    );
    return async (one: Asked): Promise<MovedGrant | undefined> => {
      if (underWay.has(one.grant_id)) return undefined;
      underWay.add(one.grant_id);
      try {
        return await ask(one);
      } finally {
        underWay.delete(one.grant_id);
      }
    };
  };
  const rotate = move(rotating);
  const redeem = move(redeeming);
  return {
    async rotate(refresh, now) {
      return isText(refresh.clientId) ? rotate(askedOf(refresh, refresh.generation, now)) : undefined;
    },
    async redeem(exchange, now) {
      const { clientId, redirectUri, codeChallenge } = exchange;
      if (!isText(clientId) || !isText(redirectUri)) return undefined;
      const proof = { redirect_uri: redirectUri, code_challenge: codeChallenge };
      return redeem({ ...askedOf(exchange, 0, now), ...proof });
    },
  };
}

function askedOf(
  { grantId, clientId, secretHash, jkt }: UsualRefresh | UsualExchange,
  generation: number,
  now: Date,
): Asked {
  const secret_hash = toBase64url(secretHash);
  return { now, grant_id: grantId, client_id: clientId, secret_hash, generation, dpop_jkt: jkt };
}

/** PostgreSQL can't read such a text, which would fail the statement for all. */
function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}
