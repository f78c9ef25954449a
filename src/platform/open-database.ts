import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { PGlite } from '@electric-sql/pglite';
import { type Logger as QueryLogger, sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js';
import {
  DataDirectoryFault,
  DataDirectoryInUse,
  openDataDirectory,
  refuseRemains,
} from './data-directory.ts';
import type { Db } from './database.ts';
import { type DriverOptions, openDriver } from './driver.ts';
import {
  type MigrationOptions,
  migrate as migratePostgres,
  migrationName,
  migrationsFolder,
  readMigrations,
  versionOf,
} from './migrations.ts';
import { version } from './package.ts';
import { unpackTemplate } from './template-database.ts';

export interface Database {
  readonly db: Db;
  readonly kind: 'postgres' | 'embedded';
  /** Returns whether the database answers within a second, and takes writes. */
  isAlive(): Promise<boolean>;
  close(): Promise<void>;
}

export interface EmbeddedDatabase extends Database {
  readonly client: PGlite;
}

export interface DatabaseOptions extends DriverOptions, Pick<MigrationOptions, 'log' | 'signal'> {
  readonly queryLogger?: QueryLogger;
  /** Without migrations, opening asks the server nothing. */
  readonly migrates?: boolean;
}

/**
 * Instances may start in parallel. Throws when the server can't be reached or a migration fails.
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

/** A newer version's database lacks none. */
export async function findPendingMigrations(db: Db) {
  const isThere = sql<boolean>`to_regclass('drizzle.__drizzle_migrations') is not null`;
  const [found] = await db.select({ isThere }).from(sql`(select 1) as one`);
  const last = sql<number>`coalesce(max(created_at), 0)::float8`;
  const [row] = found?.isThere ? await db.select({ last }).from(sql`drizzle.__drizzle_migrations`) : [];
  const known = readMigrations();
  const reached = row?.last ?? 0;
  return {
    pending: known.filter(({ folderMillis }) => folderMillis > reached).map(migrationName),
    isNewer: reached > (known.at(-1)?.folderMillis ?? 0),
    version: versionOf(reached),
  };
}

/** PostgreSQL's own settings are for many connections. The system caches the files, too. */
const embeddedSettings = [
  'shared_buffers=16MB',
  'max_connections=5',
  // It takes 1,000 by itself, and where the system has fewer, it fails with words about its own files.
  'max_files_per_process=64', // protects: C380
] as const;

export async function describeDatabaseServer(db: Db) {
  const [server] = await db
    .select({
      version: sql<number>`current_setting('server_version_num')::int`,
      epochMs: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::float8`,
      maxConnections: sql<number>`current_setting('max_connections')::int`,
      isReadOnly: sql<boolean>`current_setting('transaction_read_only')::boolean`,
      hasJit: sql<boolean>`current_setting('jit')::boolean`,
      encoding: sql<string>`current_setting('server_encoding')`,
      hasTls: sql<boolean>`coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false)`,
      // An index that a restore builds last counts rows, too, so only statistics are a sign.
      isAnalyzed: sql<boolean>`not exists (
        select from pg_class where relnamespace = current_schema::regnamespace and relkind = 'r'
          and pg_relation_size(oid) > 1048576 and not exists (
            select from pg_stats where schemaname = current_schema and tablename = relname
          )
      )`,
      megabytes: sql<number>`(pg_database_size(current_database()) / 1048576)::int`,
    })
    .from(sql`(select 1) as one`);
  if (server === undefined) throw new Error('the database answered nothing');
  return server;
}

/** Throws DataDirectoryInUse when another process holds the directory, else DataDirectoryFault. */
export async function openEmbedded(
  directory: string,
  options: DatabaseOptions = {},
): Promise<EmbeddedDatabase> {
  return openIn(directory, options).catch((error: unknown) => {
    throw error instanceof DataDirectoryInUse ? error : new DataDirectoryFault(directory, error);
  });
}

async function openIn(directory: string, options: DatabaseOptions): Promise<EmbeddedDatabase> {
  await using opened = new AsyncDisposableStack();
  const held = opened.adopt(openDataDirectory(directory), (it) => it.release());
  keepBaselineCode();
  const { PGlite: Embedded } = await import('@electric-sql/pglite');
  const { drizzle } = await import('drizzle-orm/pglite');
  const { migrate } = await import('drizzle-orm/pglite/migrator');
  const startParams = [
    ...Embedded.defaultStartParams,
    ...embeddedSettings.flatMap((setting) => ['-c', setting]),
  ];
  // A start that was killed before it finished the database has left nothing to keep.
  const unfinished = `${held.databasePath}.unfinished`;
  if (existsSync(unfinished)) await rm(held.databasePath, { recursive: true, force: true });
  else refuseRemains(directory, held.databasePath);
  if (!existsSync(join(held.databasePath, 'PG_VERSION'))) {
    options.log?.info({ directory: resolve(directory) }, 'DATA_DIR has no database yet; making one');
    await writeFile(unfinished, '');
    await unpackTemplate(held.databasePath);
  }
  const client = opened.adopt(await Embedded.create({ dataDir: held.databasePath, startParams }), (it) =>
    it.close(),
  );
  const db = drizzle(client, { casing: 'snake_case', logger: options.queryLogger ?? false });
  const { pending, version: from } = await findPendingMigrations(db);
  await migrate(db, { migrationsFolder });
  if (pending.length > 0)
    options.log?.info({ from, to: version, migrations: pending }, 'the database was migrated');
  await rm(unfinished, { force: true });
  const kept = opened.move();
  return { db, client, kind: 'embedded', isAlive: () => answersInTime(db), close: () => kept.disposeAsync() };
}

/** Optimizing one of PGlite's functions takes 4 s and 600 MB, and makes no statement faster. */
function keepBaselineCode(): void {
  setFlagsFromString('--wasm-tier-up-filter=0');
}

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

/** Returns milliseconds since 1970. */
export async function readClock(db: Db): Promise<number> {
  const ms = sql`extract(epoch from clock_timestamp()) * 1000`.mapWith(Number);
  const [answer] = await db.select({ ms }).from(sql`(select 1) as one`);
  if (answer === undefined) throw new Error('the database did not tell the time');
  return answer.ms;
}
