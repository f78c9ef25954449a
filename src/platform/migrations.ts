import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { FastifyBaseLogger } from 'fastify';
import postgres from 'postgres';
import { connectTo } from './driver.ts';
import { packageFolder, version } from './package.ts';

export const migrationsFolder = join(packageFolder, 'migrations');

export interface MigrationOptions {
  readonly log?: Pick<FastifyBaseLogger, 'info' | 'warn'> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limitMs?: number;
  readonly waitMs?: number;
  readonly migrations?: readonly MigrationMeta[];
}

/** A database's users share these numbers, and {@link advisoryLocks} has others. */
export const migrationLock = 7_270_431;
const defaultWaitMs = 600_000;
/** Shorter than PostgreSQL's deadlock_timeout (1 s): the migration gives way, never a request. */
const tableLockTimeoutMs = 400;
const maxPauseMs = 2000;

/**
 * Runs what the database lacks, each in a transaction with an advisory lock, which ends however the
 * process ends. One of indexes alone runs beside that transaction, while requests read and write
 * their tables. Takes no lock when there is nothing to do. Throws when a migration fails, or its
 * locks can't be had for ten minutes.
 */
export async function migrate(url: string, options: MigrationOptions = {}): Promise<void> {
  const { log, signal, waitMs = defaultWaitMs, limitMs = 5000 } = options;
  const migrations = options.migrations ?? readMigrations();
  const sql = connectTo(url, {
    max: 2,
    connect_timeout: limitMs / 1000,
    prepare: false,
    connection: { application_name: 'latchkey migrations' },
  });
  // What runs is rolled back, so that a stop waits for no migration and for no server.
  const giveUp = (): Promise<void> => sql.end({ timeout: 0 });
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    await awaitAnswer(sql, 2 * limitMs);
    let deadline = Date.now() + waitMs;
    let pauseMs = 100;
    const ran: string[] = [];
    const last = await readLast(sql);
    const from = versionOf(last);
    let next = nextOf(migrations, last);
    while (next !== undefined) {
      try {
        // An index beside it would wait for the snapshot of any other isolation, for ever.
        const done = await sql.begin('isolation level read committed', (tx) => runNext(tx, sql, migrations));
        if (done !== undefined) ran.push(migrationName(done));
        next = done && nextOf(migrations, done.folderMillis);
        deadline = Date.now() + waitMs;
        pauseMs = 100;
      } catch (error) {
        if (!isLockedOut(error)) throw error;
        log?.warn('the migrations wait for another instance that migrates, or for locks on their tables');
        if (Date.now() > deadline) throw new LockedOut(waitMs);
        await sleep(pauseMs * (0.5 + Math.random()), undefined, signal === undefined ? {} : { signal });
        pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      }
    }
    if (ran.length > 0) log?.info({ from, to: version, migrations: ran }, 'the database was migrated');
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', giveUp);
    await sql.end({ timeout: 5 });
  }
}

let read: readonly MigrationMeta[] | undefined;

/** A start needs them more than once, and they are 60 KB. */
export function readMigrations(): readonly MigrationMeta[] {
  read ??= readMigrationFiles({ migrationsFolder });
  return read;
}

/** Other programs may have tables of their own in the same database. */
export function listMigratedTables(): readonly string[] {
  return readMigrations()
    .flatMap((migration) => migration.sql)
    .flatMap((statement) => /^\s*create table "(\w+)"/i.exec(statement)?.[1] ?? []);
}

/** The driver connects again for ever where a port takes connections and closes them. */
async function awaitAnswer(sql: postgres.Sql, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswer(limitMs));
      void sql.end({ timeout: 0 });
    }, limitMs).unref();
  });
  // A pooler without transactions says so here, and not at the first one that is needed.
  await Promise.race([sql.begin((tx) => tx`select`), late]).finally(() => clearTimeout(timer));
}

class NoAnswer extends Error {
  /** With this code it counts as a database that is away (`isDatabaseAway`). */
  readonly code = 'CONNECT_TIMEOUT';
  constructor(limitMs: number) {
    const seconds = Math.round(limitMs / 1000);
    super(`the port takes connections, but no PostgreSQL server answered for ${seconds} s`);
  }
}

class LockedOut extends Error {
  constructor(waitMs: number) {
    const seconds = Math.round(waitMs / 1000);
    super(`the migrations got no lock for ${seconds} s; look for long transactions in pg_stat_activity`);
  }
}

/** Waiting would end in a deadlock: an index is finished only once older statements are. */
class OthersTurn extends Error {}

async function runNext(
  tx: postgres.TransactionSql,
  beside: postgres.Sql,
  migrations: readonly MigrationMeta[],
): Promise<MigrationMeta | undefined> {
  await tx.unsafe(`set local lock_timeout = ${tableLockTimeoutMs}`);
  const [turn] = await tx`select pg_try_advisory_xact_lock(${migrationLock}) as is_ours`;
  if (turn?.['is_ours'] !== true) throw new OthersTurn(); // protects: C69
  await tx`create schema if not exists drizzle`;
  await tx`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint
  )`;
  const migration = nextOf(migrations, await readLast(tx));
  if (migration === undefined) return undefined;
  const { folderMillis, hash } = migration;
  const isOfIndexes = migration.sql.every((statement) => ofIndex.test(statement)); // protects: C260
  // All at first, or work on one would be done again whenever the next one isn't to be had.
  for (const table of isOfIndexes ? [] : tablesOf(migration))
    await tx.unsafe(`lock table "${table}" in access exclusive mode`);
  // A simple query also ends the last one's snapshot, for which an index would wait.
  await tx.unsafe('set local idle_in_transaction_session_timeout = 0');
  for (const statement of migration.sql)
    await (isOfIndexes ? changeIndex(beside, statement) : tx.unsafe(statement));
  await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  return migration;
}

/** Names it as its file is called. */
export function migrationName({ folderMillis }: Pick<MigrationMeta, 'folderMillis'>): string {
  const journal = JSON.parse(readFileSync(join(migrationsFolder, 'meta/_journal.json'), 'utf8'));
  const entries: readonly { readonly when: number; readonly tag: string }[] = journal.entries;
  return entries.find(({ when }) => when === folderMillis)?.tag ?? String(folderMillis);
}

/** The last migration of each release before this version, oldest first. */
export const lastMigrations: Readonly<Record<string, string>> = { '0.1.0': '0041_index_of_checks' };

/** Returns the version that a database is of, by its last migration; of an empty one, none. */
export function versionOf(folderMillis: number): string | undefined {
  if (folderMillis === 0) return undefined;
  const name = migrationName({ folderMillis });
  return Object.entries(lastMigrations).find(([, last]) => name <= last)?.[0] ?? version;
}

/** Returns the tables of before that a migration changes. */
function tablesOf(migration: MigrationMeta): readonly string[] {
  const found = (pattern: RegExp) => migration.sql.flatMap((one) => pattern.exec(one)?.[1] ?? []);
  const own = found(/^[^;]*?create table "(\w+)"/is);
  const changed = found(/^(?:\s*--.*\n)*\s*(?:alter|drop) table "?(\w+)/i);
  return [...new Set(changed)].filter((name) => !own.includes(name));
}

const ofIndex = /^\s*(create(?: unique)?|drop) index(?: if exists)? "(\w+)"/i;

/** Builds again what an earlier attempt left unfinished, and skips what it finished. */
async function changeIndex(sql: postgres.Sql, statement: string): Promise<void> {
  const [start = '', verb = '', name = ''] = ofIndex.exec(statement) ?? [];
  const [found] = await sql`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass(quote_ident(${name}))`;
  const isDrop = verb.toLowerCase() === 'drop';
  if (found !== undefined && (isDrop || found['is_valid'] !== true))
    await sql.unsafe(`drop index concurrently "${name}"`);
  if (isDrop || found?.['is_valid'] === true) return;
  await sql.unsafe(`${verb} index concurrently "${name}"${statement.slice(start.length)}`);
}

function nextOf(migrations: readonly MigrationMeta[], last: number): MigrationMeta | undefined {
  return migrations.find(({ folderMillis }) => folderMillis > last);
}

async function readLast(sql: postgres.ISql): Promise<number> {
  try {
    const [row] = await sql<{ last: number | null }[]>`
      select max(created_at)::float8 as last from drizzle.__drizzle_migrations`;
    return row?.last ?? 0;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.code === undefinedTable) return 0;
    throw error;
  }
}

const undefinedTable = '42P01';
const lockNotAvailable = '55P03';
const deadlock = '40P01';

function isLockedOut(error: unknown): boolean {
  if (error instanceof OthersTurn) return true;
  return error instanceof postgres.PostgresError && [lockNotAvailable, deadlock].includes(error.code);
}
