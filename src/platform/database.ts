import { join } from 'node:path';
import type { Logger as QueryLogger } from 'drizzle-orm';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js';
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator';
import postgres from 'postgres';
import { openDataDirectory } from './data-directory.ts';
import { packageFolder } from './package-folder.ts';

/**
 * Drizzle's common PostgreSQL type: code is written once, for `postgres` and for the embedded
 * PGlite.
 */
export type Db = PgDatabase<PgQueryResultHKT>;

/** A transaction, which is used as the database is. */
export type Transaction = Parameters<Parameters<Db['transaction']>[0]>[0];

export interface Database {
  readonly db: Db;
  readonly kind: 'postgres' | 'embedded';
  /** Whether the database answers, at most a second later. */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** Sees every statement; tests count with it. */
  readonly queryLogger?: QueryLogger;
  /** Connections of the pool, PostgreSQL only. */
  readonly maxConnections?: number;
  /** For one connection to come about, PostgreSQL only. */
  readonly connectTimeoutSeconds?: number;
}

const migrationsFolder = join(packageFolder, 'migrations');
/**
 * What only one instance at a time may do; numbers that are ours alone among the users of one
 * database.
 */
export const advisoryLocks = {
  migrations: 7_270_431,
  signingKeys: 7_270_432,
  failedRequests: 7_270_433,
  /** With a user's id as its second key: the time of one host. */
  hosts: 7_270_434,
} as const;
const defaultConnectTimeoutSeconds = 5;
/**
 * No statement of ours takes long; one that waits longer for a lock is given up, and its request
 * answers a fault.
 */
const statementTimeoutMs = 15_000;
/**
 * Locks of ours are held for milliseconds; whoever waits longer leaves the connection to others.
 */
const lockTimeoutMs = 5_000;

/**
 * The driver's own waits grow to 20 s, during which every request would hang although the server is
 * back.
 */
function secondsToReconnect(failures: number): number {
  return Math.min(0.05 * 2 ** failures, 1);
}

/**
 * A migrated PostgreSQL database. Any number of instances may start on an empty one at the same
 * time: migrations run on a connection of their own under an advisory lock.
 *
 * @throws when the server cannot be reached or a migration fails
 */
export async function openPostgres(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const { connectTimeoutSeconds = defaultConnectTimeoutSeconds } = options;
  await migrateUnderLock(url, connectTimeoutSeconds);
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
  const db = drizzlePostgres(sql, { casing: 'snake_case', ...loggerOption(options) });
  return {
    db,
    kind: 'postgres',
    isAlive: () => answersInTime(db),
    close: () => sql.end({ timeout: 5 }),
  };
}

async function migrateUnderLock(url: string, connectTimeoutSeconds: number): Promise<void> {
  const sql = postgres(url, { max: 1, connect_timeout: connectTimeoutSeconds, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${advisoryLocks.migrations})`;
    await migratePostgres(drizzlePostgres(sql), { migrationsFolder });
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/**
 * A migrated embedded database in the directory, which this process holds alone until it is closed.
 *
 * @throws DataDirectoryInUse when another process holds the directory
 */
export async function openEmbedded(directory: string, options: DatabaseOptions = {}): Promise<Database> {
  const held = openDataDirectory(directory);
  try {
    const { PGlite } = await import('@electric-sql/pglite');
    const { drizzle } = await import('drizzle-orm/pglite');
    const { migrate } = await import('drizzle-orm/pglite/migrator');
    const client = await PGlite.create({ dataDir: held.databasePath });
    const db = drizzle(client, { casing: 'snake_case', ...loggerOption(options) });
    const close = async (): Promise<void> => {
      try {
        await client.close();
      } finally {
        held.release();
      }
    };
    try {
      await migrate(db, { migrationsFolder });
    } catch (error) {
      await client.close();
      throw error;
    }
    return { db, kind: 'embedded', isAlive: () => answersInTime(db), close };
  } catch (error) {
    held.release();
    throw error;
  }
}

function loggerOption({ queryLogger }: DatabaseOptions): { logger?: QueryLogger } {
  return queryLogger === undefined ? {} : { logger: queryLogger };
}

async function answersInTime(db: Db): Promise<boolean> {
  const answered = db.execute('select 1').then(
    () => true,
    () => false,
  );
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, 1000, false);
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** What PostgreSQL calls a violated unique constraint. */
const uniqueViolation = '23505';
/** What it calls a violated exclusion constraint. */
const exclusionViolation = '23P01';
/** What it calls a reference to a row that is not there. */
const foreignKeyViolation = '23503';
/** What it calls a transaction that it gave up because two waited for each other. */
const deadlock = '40P01';
const connectionFaults =
  /^(CONNECT_TIMEOUT|CONNECTION_CLOSED|CONNECTION_ENDED|CONNECTION_DESTROYED|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|55P03|57014|57P0[1-5]|53300|08\w{3})$/;

/** Whether an error says that the database is away for now, so that the caller may try again. */
export function isDatabaseAway(error: unknown): boolean {
  return connectionFaults.test(driverCode(error));
}

/**
 * The name of the unique constraint that refused a row; undefined when the error says something
 * else.
 */
export function uniqueViolationOf(error: unknown): string | undefined {
  if (driverCode(error) !== uniqueViolation) return undefined;
  for (const source of [error, causeOf(error)]) {
    const named = readText(source, 'constraint_name') || readText(source, 'constraint');
    if (named !== '') return named;
  }
  return '';
}

/** Whether an exclusion constraint refused a row. */
export function isExclusionViolation(error: unknown): boolean {
  return driverCode(error) === exclusionViolation;
}

/** Whether a row was refused because what it refers to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  return driverCode(error) === foreignKeyViolation;
}

/** How often a transaction begins anew before its caller hears of a deadlock. */
const maxRetries = 2;

/**
 * Runs a transaction, and again if the database gave it up because it and another waited for each
 * other: deletions reach many rows in an order of their own. Only for what may begin anew.
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
