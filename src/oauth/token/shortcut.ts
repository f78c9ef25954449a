import { and, eq, gt, isNotNull, isNull, or, type SQL, sql } from 'drizzle-orm';
import { makePgArray } from 'drizzle-orm/pg-core/utils';
import type { Db } from '../../platform/database.ts';
import { grouped } from '../../platform/group-commit.ts';
import { toBase64url } from '../core/bytes.ts';
import type { Lifetimes } from '../core/grant.ts';
import type { MovedGrant, Shortcut, UsualRequest } from '../core/ports.ts';
import { identityScopes, type KnownScopes, type Scope } from '../core/scope.ts';
import { isRefreshable, isSinceSuspension, isWaitingCode, type Moment, mayActForTeam } from '../standing.ts';
import {
  acceptedScopes,
  clientSecrets,
  clients,
  grantedScopes,
  grants,
  readScopes,
  registeredScopes,
} from '../tables.ts';

type Column = readonly [name: string, type: string, write: (asked: UsualRequest) => string | number];

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/**
 * Columns of what is asked; as arrays, since PostgreSQL takes longer to read JSON. What a request
 * chooses is quoted, and the rest has no character that would have to be.
 */
const columns: readonly Column[] = [
  ['now', 'timestamptz', ({ now }) => now.toISOString()],
  ['grant_id', 'uuid', ({ grantId }) => grantId],
  ['client_id', 'text', ({ clientId }) => quoted(clientId)],
  ['secret_hash', 'text', ({ secretHash }) => toBase64url(secretHash)],
  ['generation', 'int', ({ generation }) => generation],
  ['dpop_jkt', 'text', ({ jkt }) => jkt ?? 'null'],
  ['redirect_uri', 'text', ({ exchange }) => (exchange ? quoted(exchange.redirectUri) : 'null')],
  ['code_challenge', 'text', ({ exchange }) => exchange?.codeChallenge ?? 'null'],
];

const arrays = columns.map(([name, type]) => sql`${sql.placeholder(name)}::${sql.raw(type)}[]`);
const names = sql.raw([...columns.map(([name]) => name), 'position'].join());
const askedRows = sql`unnest(${sql.join(arrays, sql`, `)}) with ordinality as asked(${names})`;

const fitsKey = or(isNull(grants.dpopJkt), eq(grants.dpopJkt, sql`asked.dpop_jkt`));

/** The planner would expect more rows without it, and read small tables from end to end. */
const isOneOfFew = sql`asked.position between 1 and 64`;

/** A public client's grant is bound to the key it was last moved with. */
const boundTo = sql<string | null>`case ${clients.type}
  when 'public' then coalesce(asked.dpop_jkt, ${grants.dpopJkt}) else ${grants.dpopJkt} end`;

/** The core's `decideCode` says more. */
const isRightExchange = (asked: Moment) =>
  and(
    isWaitingCode(asked),
    isNull(grants.isCrowded), // protects: C206
    eq(grants.redirectUri, sql`asked.redirect_uri`), // protects: C6
    sql`${grants.codeChallenge} is not distinct from asked.code_challenge`, // protects: C8
    or(
      isNotNull(grants.codeChallenge),
      and(eq(clients.type, 'confidential'), eq(clients.requiresPkce, false)),
    ),
    fitsKey,
  );

/** The core's `decideRefresh` says more. */
const isRightRefresh = (asked: Moment) =>
  and(gt(grants.generation, 0), isRefreshable(asked), or(eq(clients.type, 'confidential'), fitsKey));

/**
 * Something is left of what was granted, is registered and is known, without building their
 * intersection, and mostly by the first two lines.
 */
function keepsScopes(known: readonly Scope[]): SQL {
  const list = sql`${makePgArray([...known])}::text[]`;
  return sql`${grantedScopes} && ${list} and case
    when ${grantedScopes} = ${acceptedScopes} then true
    when ${grantedScopes} <@ ${acceptedScopes} or ${grantedScopes} <@ ${list} then ${grantedScopes} && ${acceptedScopes}
    else false end`;
}

/** Leaves locked grants out: nobody, and no instance, waits for another's grant. */
function openGrants(db: Db, lifetimes: Lifetimes, known: readonly Scope[]) {
  const isSecret = and(
    eq(clientSecrets.clientId, clients.id),
    eq(clientSecrets.secretHash, sql`asked.secret_hash`),
    isNull(clientSecrets.deletedAt),
    eq(clients.type, 'confidential'),
  );
  const asked = { ...lifetimes, now: sql`asked.now` };
  const isRight = and(
    isOneOfFew,
    eq(clients.status, 'accepted'), // protects: C44
    or(eq(clients.type, 'public'), isNotNull(clientSecrets.id)),
    eq(grants.generation, sql`asked.generation`), // protects: C14
    isNull(grants.revokedAt),
    isNull(grants.resources), // protects: C62
    isSinceSuspension, // protects: C13
    mayActForTeam,
    keepsScopes(known), // protects: C305
    or(isRightExchange(asked), isRightRefresh(asked)),
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
      .from(askedRows)
      .innerJoin(clients, eq(clients.id, sql`asked.client_id`))
      // protects: C10
      .innerJoin(grants, and(eq(grants.id, sql`asked.grant_id`), eq(grants.clientId, clients.id)))
      // What every statement has is written into it: PostgreSQL reads parameters each time.
      .leftJoin(clientSecrets, sql`${isSecret}`.inlineParams())
      .where(sql`${isRight}`.inlineParams())
      .for('no key update', { of: grants, skipLocked: true }),
  );
}

function prepareMoves(db: Db, lifetimes: Lifetimes, known: readonly Scope[]) {
  const open = openGrants(db, lifetimes, known);
  const { position, others, isFullAccess, secretId } = open;
  return db
    .with(open)
    .update(grants)
    .set({
      generation: sql`${grants.generation} + 1`,
      redeemedAt: sql`coalesce(${grants.redeemedAt}, open.now)`,
      rotatedAt: sql`open.now`,
      dpopJkt: sql`open.bound_to`,
    })
    .from(open)
    .where(eq(grants.id, open.id))
    .returning({
      position,
      userId: sql<string>`${grants.userId}::text`,
      teamId: grants.teamId,
      scopes: grantedScopes,
      /** What was registered, where it differs. */
      others,
      isFullAccess,
      secretId,
    })
    .prepare('move_grants');
}

/** Requests share the statement after the one under way (ADR 12), with a grant once in each. */
export function createShortcut(db: Db, lifetimes: Lifetimes, scopes: KnownScopes): Shortcut {
  const underWay = new Set<string>();
  // `profile` and `email` say nothing without `openid`, so alone they keep no token (contract §6).
  const telling = scopes.filter((name) => name === 'openid' || !identityScopes.includes(name)); // protects: C305
  const moving = prepareMoves(db, lifetimes, telling);
  const ask = grouped(
    async (all: readonly UsualRequest[]) => {
      const answers: MovedGrant[] = [];
      const given: Record<string, string> = {};
      for (const [name, , write] of columns) given[name] = `{${all.map(write).join()}}`;
      for (const moved of await moving.execute(given)) {
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
  return {
    async move(usual) {
      const { grantId, clientId, exchange } = usual;
      if (!isText(clientId) || !isText(exchange?.redirectUri ?? '') || underWay.has(grantId))
        return undefined;
      underWay.add(grantId);
      try {
        return await ask(usual);
      } finally {
        underWay.delete(grantId);
      }
    },
  };
}

/** PostgreSQL can't read such a text, which would fail the statement for all. */
function isText(value: string): boolean {
  return value.isWellFormed() && !value.includes('\0');
}
