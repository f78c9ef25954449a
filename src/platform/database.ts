import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type AnyColumn, type Logger as QueryLogger, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js';
import { openDataDirectory } from './data-directory.ts';
import { type DriverOptions, openDriver } from './driver.ts';
import { type MigrationOptions, migrate as migratePostgres, migrationsFolder } from './migrations.ts';

/** Drizzle's common PostgreSQL type, for `postgres` and PGlite. */
export type Db = PgDatabase<PgQueryResultHKT>;

/** For an update: undefined leaves a column as it is. */
export type Changes<Values> = { readonly [Name in keyof Values]?: Values[Name] | undefined };

export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

/** For those who hand SQL on and write none. */
export type Fragment = SQL;

/**
 * As `inArray`, for a query that depends on no row: it is evaluated once. The query of an `in` may
 * be evaluated again for each row, if the planner takes the table to be small.
 */
export function isAmong(column: AnyColumn, query: SQLWrapper): SQL {
  return sql`${column} = any(array${query})`;
}

export interface Database {
  readonly db: Db;
  readonly kind: 'postgres' | 'embedded';
  /** Whether it answers within a second, and can be written to. */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}

/** For PostgreSQL, but for the first. */
export interface DatabaseOptions extends DriverOptions, Pick<MigrationOptions, 'log' | 'signal'> {
  /** Tests count statements with it. */
  readonly queryLogger?: QueryLogger;
  /** True by default. Without, nothing is asked of the server yet. */
  readonly migrates?: boolean;
}

/** What only one instance may do at a time; migrations have 7_270_431. */
export const advisoryLocks = {
  signingKeys: 7_270_432,
  failedRequests: 7_270_433,
  /** Its second key is the host's user id. */
  hosts: 7_270_434,
  /** Its second key is the table. */
  cleanup: 7_270_435,
  clientDocuments: 7_270_436,
} as const;
/**
 * Any number of instances may start in parallel.
 *
 * @throws when the server can't be reached or a migration fails
 */
export async function openPostgres(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const { migrates = true } = options;
  if (migrates) await migratePostgres(url, options);
  const driver = openDriver(url, options);
  const db = drizzlePostgres(driver, { casing: 'snake_case', logger: options.queryLogger ?? false });
  return {
    db,
    kind: 'postgres',
    isAlive: () => answersInTime(db),
    close: () => driver.end({ timeout: 5 }),
  };
}

/** Of this version; a newer version's database has none. */
export async function countPendingMigrations(db: Db): Promise<number> {
  const isThere = sql<boolean>`to_regclass('drizzle.__drizzle_migrations') is not null`;
  const [found] = await db.select({ isThere }).from(sql`(select 1) as one`);
  const last = sql<number>`coalesce(max(created_at), 0)::float8`;
  const [row] = found?.isThere ? await db.select({ last }).from(sql`drizzle.__drizzle_migrations`) : [];
  return readMigrationFiles({ migrationsFolder }).filter((one) => one.folderMillis > (row?.last ?? 0)).length;
}

/** PostgreSQL's own are for many connections. The system caches the files, too. */
const embeddedSettings = ['shared_buffers=16MB', 'max_connections=5'] as const;

/** What a database says of itself, and of our connection to it. */
export async function describeServer(db: Db) {
  const [server] = await db
    .select({
      version: sql<number>`current_setting('server_version_num')::int`,
      epochMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`,
      isReadOnly: sql<boolean>`current_setting('transaction_read_only')::boolean`,
      hasJit: sql<boolean>`current_setting('jit')::boolean`,
      hasTls: sql<boolean>`coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)`,
      megabytes: sql<number>`(pg_database_size(current_database()) / 1048576)::int`,
    })
    .from(sql`(select 1) as one`);
  if (server === undefined) throw new Error('the database answered nothing');
  return server;
}

/** @throws DataDirectoryInUse when another process holds the directory */
export async function openEmbedded(directory: string, options: DatabaseOptions = {}): Promise<Database> {
  await using opened = new AsyncDisposableStack();
  const held = opened.adopt(openDataDirectory(directory), (it) => it.release());
  keepBaselineCode();
  const { PGlite } = await import('@electric-sql/pglite');
  const { drizzle } = await import('drizzle-orm/pglite');
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  const startParams = [
    ...PGlite.defaultStartParams,
    ...embeddedSettings.flatMap((setting) => ['-c', setting]),
  ];
  const client = opened.adopt(await PGlite.create({ dataDir: held.databasePath, startParams }), (it) =>
    it.close(),
  );
  const db = drizzle(client, { casing: 'snake_case', logger: options.queryLogger ?? false });
  await migrate(db, { migrationsFolder });
  const kept = opened.move();
  return { db, kind: 'embedded', isAlive: () => answersInTime(db), close: () => kept.disposeAsync() };
}

/**
 * V8 would optimize PGlite's WebAssembly while it runs: one of its functions takes 4 s and 600 MB,
 * and statements are no faster for it. The flag names the only function that may be optimized.
 */
function keepBaselineCode(): void {
  setFlagsFromString('--wasm-tier-up-filter=0');
}

/** A standby, or a server that refuses to write, answers, and can't work for us. */
async function answersInTime(db: Db): Promise<boolean> {
  const mode = sql<string>`current_setting('transaction_read_only')`;
  const answered = db
    .select({ mode })
    .from(sql`(select 1) as one`)
    .then(
      ([row]) => row?.mode === 'off',
      () => false,
    );
  return Promise.race([answered, sleep(1000, false, { ref: false })]);
}

/** In milliseconds since 1970. */
export async function readClock(db: Db): Promise<number> {
  const ms = sql`extract(epoch from clock_timestamp()) * 1000`.mapWith(Number);
  const [answer] = await db.select({ ms }).from(sql`(select 1) as one`);
  if (answer === undefined) throw new Error('the database did not tell the time');
  return answer.ms;
}

const uniqueViolation = '23505';
const exclusionViolation = '23P01';
const foreignKeyViolation = '23503';
const deadlock = '40P01';
/** Codes of PostgreSQL, of the driver, and of statements that wait too long for others. */
const outages: readonly (readonly [codes: RegExp, words: string])[] = [
  [/^57014$/, 'a statement took too long, or waited too long for a connection'],
  [/^53100$/, 'the disk of the database is full'],
  [/^25006$/, 'the database is read-only'],
  [/^53300$/, 'the database has too many connections'],
  [/^(40001|40P01|55P03)$/, 'another transaction was in the way'],
  [
    /^(CONNECT_TIMEOUT|CONNECTION_\w+|TOO_MANY_WAITING|STATEMENT_OVERDUE|25P03|53\w{3}|57P0[1-5]|08\w{3})$/,
    'the database is away',
  ],
];
/** Any connection may have these codes of the system, a client's too. */
const socketFaults = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)$/;

/**
 * For the log: why the database can't work for now, so that the caller may try again; undefined for
 * any other fault.
 */
export function explainOutage(error: unknown): string | undefined {
  if (isRefusedSetting(error)) return undefined;
  const code = driverCode(error);
  if (socketFaults.test(code)) return isOfStatement(error) ? 'the database is away' : undefined;
  return outages.find(([codes]) => codes.test(code))?.[1];
}

export function isDatabaseAway(error: unknown): boolean {
  return explainOutage(error) !== undefined;
}

/** The driver gives each fault of a connection the statement that it failed for. */
function isOfStatement(error: unknown): boolean {
  return [error, causeOf(error)].some((fault) => fault instanceof Error && 'query' in fault);
}

/** A pooler that takes no such setting will never take it; other faults of its own pass. */
function isRefusedSetting(error: unknown): boolean {
  return driverCode(error) === '08P01' && String(error).includes('startup parameter');
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
 * Retries after a deadlock, and where something was deleted since it was read: deletions lock many
 * rows in an order of their own. Only for what may run again.
 */
export async function inTransaction<Value>(db: Db, run: (tx: Transaction) => Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await db.transaction(run);
    } catch (error) {
      const isOvertaken = driverCode(error) === deadlock || isForeignKeyViolation(error);
      if (!isOvertaken || tries === maxRetries) throw error;
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
