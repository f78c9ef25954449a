// The whole file is the public surface of `latchkey/sql`.

import type { ClientWithSecrets } from './core/client.ts';
import { type Grant, revocationReasons } from './core/grant.ts';
import type { GrantStore } from './http/authorize.ts';

type Row = Readonly<Record<string, unknown>>;

export interface SqlStoreOptions {
  /** Runs one statement, outside of a transaction, and returns its rows with the columns' names. */
  query(statement: string, values: readonly (string | number | null)[]): Promise<readonly Row[]>;
  findClient(clientId: string): Promise<ClientWithSecrets | undefined>;
  /** How the database names the first parameter: `$1` as PostgreSQL does, or `?1` as SQLite and D1 do. */
  readonly parameter?: '$1' | '?1';
}

/** For PostgreSQL, SQLite and D1. Times are in milliseconds since 1970, lists in JSON. */
export const createGrantsTable = `create table if not exists oauth_grants (
  id text primary key, client_id text not null, user_id text not null, team_id integer,
  scopes text not null, resources text not null, redirect_uri text not null, code_challenge text, dpop_jkt text,
  generation integer not null, issued_at bigint not null, approved_at bigint, redeemed_at bigint, rotated_at bigint,
  revoked_at bigint, revocation_reason text
)`;

const columns = [
  ...['id', 'client_id', 'user_id', 'team_id', 'scopes', 'resources', 'redirect_uri', 'code_challenge'],
  ...['dpop_jkt', 'generation', 'issued_at', 'approved_at', 'redeemed_at', 'rotated_at', 'revoked_at'],
  'revocation_reason',
];

/** A store over one table; each change is one statement of one row. */
export function sqlStore({ query, findClient, parameter = '$1' }: SqlStoreOptions): GrantStore {
  const written = (statement: string) => statement.replaceAll('$', parameter[0] ?? '$');
  const run = (statement: string, ...values: (string | number | null)[]) => query(written(statement), values);
  const insertion = `insert into oauth_grants (${columns.join()}) values (${columns.map((_, index) => `$${index + 1}`).join()})
    on conflict (id) do nothing`;
  return {
    async add(grant) {
      const { id, clientId, userId, teamId, redirectUri, codeChallenge, dpopJkt, generation } = grant;
      const lists = [JSON.stringify(grant.scopes), JSON.stringify(grant.resources)];
      const bindings = [redirectUri, codeChallenge, dpopJkt, generation];
      const { issuedAt, approvedAt = null, redeemedAt, rotatedAt, revokedAt, revocationReason } = grant;
      const times = [issuedAt, approvedAt, redeemedAt, rotatedAt, revokedAt].map(
        (time) => time?.getTime() ?? null,
      );
      await run(insertion, id, clientId, userId, teamId, ...lists, ...bindings, ...times, revocationReason);
    },
    async find(clientId, grantId) {
      const [client, [row]] = await Promise.all([
        findClient(clientId),
        grantId === undefined ? [] : run('select * from oauth_grants where id = $1', grantId),
      ]);
      return { client, grant: row && grantOf(row) };
    },
    async redeem({ id, dpopJkt }, now) {
      const redeemed = await run(
        `update oauth_grants set generation = 1, redeemed_at = $2, rotated_at = $2, dpop_jkt = $3
        where id = $1 and generation = 0 and revoked_at is null returning id`,
        ...[id, now.getTime(), dpopJkt],
      );
      return redeemed.length > 0;
    },
    async advance({ id, dpopJkt }, generation, now) {
      const advanced = await run(
        `update oauth_grants set rotated_at = case when generation = $2 then rotated_at else $3 end,
        generation = $2, dpop_jkt = $4
        where id = $1 and generation in ($2, $5) and revoked_at is null and (dpop_jkt is null or dpop_jkt = $4)
        returning id`,
        ...[id, generation, now.getTime(), dpopJkt, generation - 1],
      );
      return advanced.length > 0;
    },
    async revoke({ id }, reason, now) {
      await run(
        `update oauth_grants set revoked_at = $2, revocation_reason = $3 where id = $1 and revoked_at is null returning id`,
        ...[id, now.getTime(), reason],
      );
    },
  };
}

/** @throws if a column is missing or holds something else, which mustn't be taken for more access */
function grantOf(row: Row): Grant {
  const text = (name: string): string => {
    const value = row[name];
    if (typeof value !== 'string') throw new Error(`oauth_grants.${name} should be a text`);
    return value;
  };
  const orNull = <Value>(name: string, read: (name: string) => Value): Value | null =>
    row[name] === null ? null : read(name);
  const number = (name: string): number => {
    const value = Number(row[name] ?? Number.NaN);
    if (!Number.isSafeInteger(value)) throw new Error(`oauth_grants.${name} should be a number`);
    return value;
  };
  const time = (name: string): Date => new Date(number(name));
  const named = (name: string): unknown => JSON.parse(text(name));
  const list = (name: string): readonly string[] => {
    const value = named(name);
    if (!Array.isArray(value)) throw new Error(`oauth_grants.${name} should be a list`);
    return value.map(String);
  };
  return {
    ...{ id: text('id'), clientId: text('client_id'), userId: text('user_id') },
    teamId: orNull('team_id', number),
    scopes: named('scopes') === 'all' ? 'all' : list('scopes'),
    resources: named('resources') === null ? null : list('resources'),
    redirectUri: text('redirect_uri'),
    codeChallenge: orNull('code_challenge', text),
    dpopJkt: orNull('dpop_jkt', text),
    generation: number('generation'),
    issuedAt: time('issued_at'),
    approvedAt: orNull('approved_at', time),
    redeemedAt: orNull('redeemed_at', time),
    rotatedAt: orNull('rotated_at', time),
    revokedAt: orNull('revoked_at', time),
    revocationReason: revocationReasons.find((reason) => reason === row['revocation_reason']) ?? null,
  };
}
