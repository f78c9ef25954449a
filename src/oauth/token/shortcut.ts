import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { makePgArray } from 'drizzle-orm/pg-core/utils';
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
  readScopes,
  registeredScopes,
} from '../tables.ts';
import { afterExchange, afterRefresh } from './store.ts';

interface Asked {
  readonly now: Date;
  readonly grantId: string;
  readonly clientId: string;
  readonly secretHash: string;
  readonly generation: number;
  readonly jkt: string | null;
  readonly redirectUri?: string;
  readonly codeChallenge?: string | null;
}

/** Columns of what is asked; as arrays, since PostgreSQL takes longer to read JSON. */
const columnsOfRefresh = {
  now: ['timestamptz', ({ now }) => now.toISOString()],
  grant_id: ['uuid', ({ grantId }) => grantId],
  client_id: ['text', ({ clientId }) => clientId],
  secret_hash: ['text', ({ secretHash }) => secretHash],
  generation: ['int', ({ generation }) => generation],
  dpop_jkt: ['text', ({ jkt }) => jkt],
} as const satisfies Columns;

const columnsOfExchange = {
  ...columnsOfRefresh,
  redirect_uri: ['text', ({ redirectUri }) => redirectUri],
  code_challenge: ['text', ({ codeChallenge }) => codeChallenge],
} as const satisfies Columns;

type Columns = Readonly<
  Record<string, readonly [type: string, read: (asked: Asked) => string | number | null | undefined]>
>;

function askedIn(columns: Columns): SQL {
  const arrays = Object.entries(columns).map(
    ([name, [type]]) => sql`${sql.placeholder(name)}::${sql.raw(type)}[]`,
  );
  const names = sql.raw([...Object.keys(columns), 'position'].join());
  return sql`unnest(${sql.join(arrays, sql`, `)}) with ordinality as asked(${names})`;
}

function arraysOf(columns: Columns, all: readonly Asked[]): Readonly<Record<string, string>> {
  const arrays = Object.entries(columns).map(([name, [, read]]) => [
    name,
    makePgArray(all.map((one) => read(one) ?? null)),
  ]);
  return Object.fromEntries(arrays);
}

const fitsKey = or(isNull(grants.dpopJkt), eq(grants.dpopJkt, sql`asked.dpop_jkt`));

/** The planner would expect more rows without it, and read small tables from end to end. */
const isOneOfFew = sql`asked.position between 1 and 64`;

/** A public client's grant is bound to the key it was last moved with. */
const boundTo = sql<string | null>`case ${clients.type}
  when 'public' then coalesce(asked.dpop_jkt, ${grants.dpopJkt}) else ${grants.dpopJkt} end`;

/** Leaves locked grants out: nobody, and no instance, waits for another's grant. */
function openGrants(db: Db, columns: Columns, isRight: SQL | undefined) {
  const isSecret = and(
    eq(clientSecrets.clientId, clients.id),
    eq(clientSecrets.secretHash, sql`asked.secret_hash`),
    isNull(clientSecrets.deletedAt),
    eq(clients.type, 'confidential'),
  );
  const known = sql`${sql.placeholder('known')}::text[]`;
  // Something of all three, without building their intersection, and mostly by the first three lines.
  const keepsScopes = and(
    sql`${grantedScopes} && ${known}`,
    sql`${grantedScopes} && ${acceptedScopes}`,
    or(
      sql`${grantedScopes} = ${acceptedScopes}`,
      sql`${grantedScopes} <@ ${acceptedScopes}`,
      sql`${grantedScopes} <@ ${known}`,
    ),
  );
  return db.$with('open').as(
    db
      .select({
        id: sql<string>`${grants.id}`.as('open_id'),
        others: sql`nullif(${acceptedScopes}, ${grantedScopes})`.mapWith(readScopes).as('others'),
        isFullAccess: registeredScopes.isFullAccess.as('is_full_access'),
        secretId: sql<string | null>`${clientSecrets.id}`.as('secret_id'),
        position: sql<number>`asked.position::int`.as('position'),
        now: sql`asked.now`.as('now'),
        dpopJkt: boundTo.as('bound_to'),
      })
      .from(askedIn(columns))
      .innerJoin(clients, eq(clients.id, sql`asked.client_id`))
      // protects: C10
      .innerJoin(grants, and(eq(grants.id, sql`asked.grant_id`), eq(grants.clientId, clients.id)))
      .leftJoin(clientSecrets, isSecret)
      .where(
        and(
          isOneOfFew,
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

const movedBy = ({ position, others, isFullAccess, secretId }: ReturnType<typeof openGrants>) => ({
  position,
  userId: sql<string>`${grants.userId}::text`,
  teamId: grants.teamId,
  scopes: grantedScopes,
  /** What was registered, where it differs. */
  others,
  isFullAccess,
  secretId,
});

const rotating = prepared((db) => {
  const open = openGrants(
    db,
    columnsOfRefresh,
    and(isRefreshable({ ...whenRun, now: sql`asked.now` }), or(eq(clients.type, 'confidential'), fitsKey)),
  );
  return db
    .with(open)
    .update(grants)
    .set(afterRefresh(sql`${grants.generation} + 1`, sql`open.now`, sql`open.bound_to`))
    .from(open)
    .where(eq(grants.id, open.id))
    .returning(movedBy(open))
    .prepare('rotate_grants');
});

const redeeming = prepared((db) => {
  const open = openGrants(
    db,
    columnsOfExchange,
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
    .returning(movedBy(open))
    .prepare('redeem_grants');
});

/** Requests share the statement after the one under way (ADR 12), with a grant once in each. */
export function createShortcut(db: Db, lifetimes: Lifetimes, scopes: KnownScopes): Shortcut {
  const underWay = new Set<string>();
  // `profile` and `email` say nothing without `openid`, so alone they keep no token (contract §6).
  const telling = scopes.filter((name) => name === 'openid' || !identityScopes.includes(name)); // protects: C305
  const known = makePgArray(telling);
  const move = (statement: typeof rotating | typeof redeeming, columns: Columns) => {
    const ask = grouped(
      async (all: readonly Asked[]) => {
        const answers: MovedGrant[] = [];
        const values = { ...arraysOf(columns, all), ...lifetimes, known };
        for (const moved of await statement(db).execute(values)) {
          const { position, userId, teamId, scopes, others, isFullAccess, secretId } = moved;
          const asked = all[position - 1];
          if (asked === undefined) continue;
          const { grantId: id, clientId } = asked;
          answers[position - 1] = {
            grant: { id, userId, clientId, teamId, scopes },
            registered: { scopes: others ?? scopes, isFullAccess },
            secretId: secretId ?? undefined,
          };
        }
        return answers;
      },
      ({ clientId }) => clientId,
    );
    return async (one: Asked): Promise<MovedGrant | undefined> => {
      if (underWay.has(one.grantId)) return undefined;
      underWay.add(one.grantId);
      try {
        return await ask(one);
      } finally {
        underWay.delete(one.grantId);
      }
    };
  };
  const rotate = move(rotating, columnsOfRefresh);
  const redeem = move(redeeming, columnsOfExchange);
  return {
    async rotate(refresh, now) {
      return isText(refresh.clientId) ? rotate(askedOf(refresh, refresh.generation, now)) : undefined;
    },
    async redeem(exchange, now) {
      const { clientId, redirectUri, codeChallenge } = exchange;
      if (!isText(clientId) || !isText(redirectUri)) return undefined;
      return redeem({ ...askedOf(exchange, 0, now), redirectUri, codeChallenge });
    },
  };
}

function askedOf(
  { grantId, clientId, secretHash, jkt }: UsualRefresh | UsualExchange,
  generation: number,
  now: Date,
): Asked {
  return { now, grantId, clientId, secretHash: toBase64url(secretHash), generation, jkt };
}

/** PostgreSQL can't read such a text, which would fail the statement for all. */
function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}
