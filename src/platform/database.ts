import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger as QueryLogger } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import { openDataDirectory } from './data-directory.ts';
import { type MigrationOptions, migrate as migratePostgres, migrationsFolder } from './migrations.ts';

/** Drizzle's common PostgreSQL type, for `postgres` and PGlite. */
export type Db = PgDatabase<PgQueryResultHKT>;

export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

export interface Database {
  readonly db: Db;
  readonly kind: 'postgres' | 'embedded';
  /** Waits a second at most. */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}

export interface DatabaseOptions extends Pick<MigrationOptions, 'log' | 'signal'> {
  /** Tests count statements with it. */
  readonly queryLogger?: QueryLogger;
  /** PostgreSQL only. */
  readonly maxConnections?: number;
  /** PostgreSQL only. */
  readonly connectTimeoutSeconds?: number;
}

/** What only one instance may do at a time; migrations have 7_270_431. */
export const advisoryLocks = {
  signingKeys: 7_270_432,
  failedRequests: 7_270_433,
  /** Its second key is the host's user id. */
  hosts: 7_270_434,
  /** Its second key is the table. */
  cleanup: 7_270_435,
} as const;
const defaultConnectTimeoutSeconds = 5;
/** None of our statements takes long; one that waits longer for a lock is given up. */
const statementTimeoutMs = 15_000;
/** Locks are held for milliseconds. */
const lockTimeoutMs = 5_000;

/**
 * The driver's own delays grow to 20 s, in which requests would hang although the server is back.
 */
function secondsToReconnect(failures: number): number {
  return Math.min(0.05 * 2 ** failures, 1);
}

/**
 * Any number of instances may start in parallel.
 *
 * @throws when the server can't be reached or a migration fails
 */
export async function openPostgres(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const { connectTimeoutSeconds = defaultConnectTimeoutSeconds } = options;
  await migratePostgres(url, { ...options, connectTimeoutSeconds });
  const sql = postgres(url, {
    max: options.maxConnections ?? 10,
    connect_timeout: connectTimeoutSeconds,
    backoff: secondsToReconnect,
    fetch_types: false,
    connection: {
      application_name: 'latchkey',
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
    },
    onnotice: () => {},
  });
  const db = drizzlePostgres(prepareStatements(sql), { casing: 'snake_case', ...loggerOption(options) });
  return {
    db,
    kind: 'postgres',
    isAlive: () => answersInTime(db),
    close: () => sql.end({ timeout: 5 }),
  };
}

/** With more, it's a long list, whose length makes each statement another one. */
const maxPreparedParameters = 24;

/**
 * Drizzle prepares only what has a name. Planned once per connection, a statement takes one round
 * trip instead of two, and a fraction of PostgreSQL's time (ADR 7).
 */
function prepareStatements(sql: postgres.Sql): postgres.Sql {
  const { begin } = sql;
  prepareUnsafe(sql);
  return Object.assign(sql, {
    begin: (run: (tx: postgres.TransactionSql) => Promise<unknown>) =>
      begin((tx) => {
        prepareUnsafe(tx);
        return run(tx);
      }),
  });
}

function prepareUnsafe(sql: Pick<postgres.ISql, 'unsafe'>): void {
  const { unsafe } = sql;
  sql.unsafe = (text, parameters = [], options = {}) => {
    const prepare = parameters.length > 0 && parameters.length <= maxPreparedParameters;
    return unsafe(text, parameters, { ...options, prepare });
  };
}

/** @throws DataDirectoryInUse when another process holds the directory */
export async function openEmbedded(directory: string, options: DatabaseOptions = {}): Promise<Database> {
  await using opened = new AsyncDisposableStack();
  const held = opened.adopt(openDataDirectory(directory), (it) => it.release());
  const { PGlite } = await import('@electric-sql/pglite');
  const { drizzle } = await import('drizzle-orm/pglite');
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  const client = opened.adopt(await PGlite.create({ dataDir: held.databasePath }), (it) => it.close());
  const db = drizzle(client, { casing: 'snake_case', ...loggerOption(options) });
  await migrate(db, { migrationsFolder });
  const kept = opened.move();
  return { db, kind: 'embedded', isAlive: () => answersInTime(db), close: () => kept.disposeAsync() };
}

function loggerOption({ queryLogger }: DatabaseOptions): { logger?: QueryLogger } {
  return queryLogger === undefined ? {} : { logger: queryLogger };
}

async function answersInTime(db: Db): Promise<boolean> {
  const answered = db.execute('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([answered, sleep(1000, false, { ref: false })]);
}

const uniqueViolation = '23505';
const exclusionViolation = '23P01';
const foreignKeyViolation = '23503';
const deadlock = '40P01';
const connectionFaults =
  /^(CONNECT_TIMEOUT|CONNECTION_CLOSED|CONNECTION_ENDED|CONNECTION_DESTROYED|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|TOO_MANY_WAITING|STATEMENT_OVERDUE|55P03|57014|57P0[1-5]|53300|25006|08\w{3})$/;

/** Away for now; the caller may try again. */
export function isDatabaseAway(error: unknown): boolean {
  return connectionFaults.test(driverCode(error));
}

/** The constraint's name; undefined for any other error. */
export function uniqueViolationOf(error: unknown): string | undefined {
  if (driverCode(error) !== uniqueViolation) return undefined;
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

/**
 * Retries after a deadlock: deletions lock many rows in an order of their own. Only for what may
 * run again.
 */
export async function inTransaction<Value>(db: Db, run: (tx: Transaction) => Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await db.transaction(run);
    } catch (error) {
      if (driverCode(error) !== deadlock || tries === maxRetries) throw error;
    }
  }
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
