import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgDatabase, PgQueryResultHKT, PgTable } from 'drizzle-orm/pg-core';

export type Db = PgDatabase<PgQueryResultHKT>;

export type Changes<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

export type Fragment = SQL;

/** The planner evaluates an array once, but the query of an `in` maybe for each row. */
export function isAmong(column: SQLWrapper, query: SQLWrapper): SQL {
  return sql`${column} = any(array${query})`;
}

/**
 * Inserts any number of rows by one parameter ({@link jsonOf}), so that it's one statement, which
 * is prepared (ADR 7).
 */
export function insertion(table: PgTable, names: readonly string[], rows: SQLWrapper): SQL {
  const columns = sql.raw(names.map((name) => `"${toSnakeCase(name)}"`).join());
  return sql`insert into ${table} (${columns}) select ${columns}
    from jsonb_populate_recordset(null::${table}, ${rows}::jsonb)`;
}

export function jsonOf<Row extends object>(names: readonly (keyof Row & string)[], rows: readonly Row[]) {
  const asColumns = rows.map((row) => names.map((name) => [toSnakeCase(name), inJson(row[name])] as const));
  return JSON.stringify(asColumns.map((columns) => Object.fromEntries(columns)));
}

/** A lone surrogate is no text in JSON, where a text parameter would have the sign for it. */
function inJson(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}

/** One holder at a time; migrations have 7_270_431. A second key is a user's, table's or event type's. */
export const advisoryLocks = {
  signingKeys: 7_270_432,
  failedRequests: 7_270_433,
  hosts: 7_270_434,
  cleanup: 7_270_435,
  clientDocuments: 7_270_436,
  limitedEventTypes: 7_270_437,
} as const;

const uniqueViolation = '23505';
const exclusionViolation = '23P01';
const foreignKeyViolation = '23503';
const deadlock = '40P01';
const inFailedTransaction = '25P02';
/** A password that is changed, or a role that may no longer log in. */
const loginRefused = /^28(000|P01)$/;
/** These come from PostgreSQL, the driver, and statements that wait too long for others. */
const outages: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^57014$/, 'a statement took too long, or waited too long for a connection'],
  [/^53100$/, 'the disk of the database is full'],
  [/^25006$/, 'the database is read-only'], // protects: C70
  [/^53300$/, 'the database has too many connections'],
  [loginRefused, 'the database refuses the login'],
  [/^(40001|40P01|55P03)$/, 'another transaction was in the way'], // protects: C152
  [
    /^(CONNECT_TIMEOUT|CONNECTION_\w+|TOO_MANY_WAITING|STATEMENT_OVERDUE|25P03|53\w{3}|57P0[1-5]|08\w{3})$/,
    'the database is away',
  ],
];
/** Any connection may have these codes, also a client's. */
// protects: C46
const socketFaults = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;

/** Returns, for the log, why a later try may succeed; undefined for other faults. */
export function explainOutage(error: unknown): string | undefined {
  if (isRefusedByPooler(error)) return undefined;
  const code = driverCode(error);
  // protects: C212
  if (socketFaults.test(code)) return isOfStatement(error) ? 'the database is away' : undefined;
  return outages.find(([codes]) => codes.test(code))?.[1];
}

export function isDatabaseAway(error: unknown): boolean {
  return explainOutage(error) !== undefined;
}

/** While a service runs, a login that is refused may be let in again; at its start it's a fault. */
export function isLoginRefused(error: unknown): boolean {
  return loginRefused.test(driverCode(error));
}

function isOfStatement(error: unknown): boolean {
  return [error, causeOf(error)].some((fault) => fault instanceof Error && 'query' in fault);
}

/** A pooler that takes no such setting, or no transaction, never will; other faults of its own pass. */
function isRefusedByPooler(error: unknown): boolean {
  return driverCode(error) === '08P01' && /startup parameter|statement pooling mode/.test(String(error));
}

/** Returns the constraint's name; undefined for any other error. */
export const uniqueViolationOf = (error: unknown) => violationOf(error, uniqueViolation);

/** Returns the constraint's name; undefined for any other error. @public */
export const foreignKeyViolationOf = (error: unknown) => violationOf(error, foreignKeyViolation);

function violationOf(error: unknown, code: string): string | undefined {
  if (driverCode(error) !== code) return undefined;
  for (const source of [error, causeOf(error)]) {
    const named = readText(source, 'constraint_name') || readText(source, 'constraint');
    if (named !== '') return named;
  }
  return '';
}

export function isExclusionViolation(error: unknown): boolean {
  return driverCode(error) === exclusionViolation;
}

export function isForeignKeyViolation(error: unknown): boolean {
  return driverCode(error) === foreignKeyViolation;
}

const maxRetries = 2;

/** Takes what goes out together with the commit, which undoes everything where it fails. */
export type WithCommit = (asked: PromiseLike<unknown>) => void;

/**
 * Retries after deadlocks and deletions, which lock rows in their own order. `run` may run again.
 */
export async function inTransaction<Value>(
  db: Db,
  run: (tx: Transaction, last: WithCommit) => Promise<Value>,
): Promise<Value> {
  for (let tries = 0; ; tries += 1) {
    const asked: Promise<unknown>[] = [];
    const last: WithCommit = (one) => {
      // A statement of Drizzle's is sent by each `then`.
      const sent = Promise.resolve(one);
      // A statement may fail while `run` still waits for others.
      sent.catch(() => {});
      asked.push(sent);
    };
    try {
      const value = await db.transaction((tx) => run(tx, last));
      await Promise.all(asked);
      return value;
    } catch (error) {
      const cause = causeAmong([error, ...errorsOf(await Promise.allSettled(asked))]);
      const isOvertaken = driverCode(cause) === deadlock || isForeignKeyViolation(cause); // protects: C152
      if (!isOvertaken || tries === maxRetries) throw cause;
    }
  }
}

const errorsOf = (settled: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));

/** What follows the first failure of a transaction fails, too. */
const causeAmong = (errors: readonly unknown[]): unknown =>
  errors.find((error) => driverCode(error) !== inFailedTransaction) ?? errors[0];

/**
 * Asks a transaction what doesn't depend on each other, in one round trip. Waits for all of it even
 * if some fails: nothing may be asked of a transaction that has ended.
 */
export async function together<const Asked extends readonly unknown[]>(
  asked: Asked,
): Promise<{ -readonly [Index in keyof Asked]: Awaited<Asked[Index]> }> {
  // A statement of Drizzle's is sent by each `then`.
  const sent = asked.map(async (one) => one);
  const errors = errorsOf(await Promise.allSettled(sent));
  if (errors.length > 0) throw causeAmong(errors);
  return Promise.all(sent) as Promise<{ -readonly [Index in keyof Asked]: Awaited<Asked[Index]> }>;
}

function driverCode(error: unknown): string {
  return readText(causeOf(error), 'code') || readText(error, 'code');
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}

function readText(source: unknown, key: string): string {
  if (typeof source !== 'object' || source === null) return '';
  const value: unknown = Reflect.get(source, key);
  return typeof value === 'string' ? value : '';
}
