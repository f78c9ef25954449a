import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import {
  lastMigrations,
  migrate,
  migrationLock,
  migrationName,
  migrationsFolder,
} from '../../src/platform/migrations.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { version } from '../../src/platform/package.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { openEmptyDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';

const all = readMigrationFiles({ migrationsFolder });
const lastOfFormer = Object.values(lastMigrations).at(-1);
const ofFormerRelease = 1 + all.findIndex((one) => migrationName(one) === lastOfFormer);

async function makeEmptyDatabase(): Promise<string> {
  const { url, close } = await openEmptyDatabase();
  atTheEnd(close);
  return url;
}

function connect(url: string): postgres.Sql {
  const connection = postgres(url, { onnotice: () => {} });
  atTheEnd(() => connection.end());
  return connection;
}

/** A migration that comes after all others. */
function laterMigration(...statements: readonly string[]): readonly MigrationMeta[] {
  const last = all.at(-1);
  if (last === undefined) throw new Error('there are no migrations');
  return [...all, { ...last, sql: [...statements], folderMillis: last.folderMillis + 1, hash: 'later' }];
}

/** One value of each type: rows made of them refer to each other. */
const valueOfType: Readonly<Record<string, string>> = {
  uuid: `'00000000-0000-4000-8000-000000000001'`,
  integer: '1',
  smallint: '1',
  bigint: '1',
  text: `'x'`,
  boolean: 'false',
  jsonb: `'{}'`,
  bytea: `'\\x00'`,
  date: `'2027-02-01'`,
  'timestamp with time zone': `'2027-02-01T09:00:00Z'`,
  ARRAY: `'{}'`,
};

/** What the tables' checks want. */
const valueOfColumn: Readonly<Record<string, string>> = {
  'bookings.ends_at': `'2027-02-01T10:00:00Z'`,
  'booking_hosts.ends_at': `'2027-02-01T10:00:00Z'`,
  'event_types.user_id': '1',
  'webhooks.user_id': '1',
  // Below are those that migrations add.
  'queue_lanes.id': '1000',
  'queue_jobs.id': '1000',
};

/** The n-th value of a column that must differ from row to row. */
const nthOfType: Readonly<Record<string, string>> = {
  uuid: `md5(n::text)::uuid`,
  integer: 'n',
  smallint: 'n % 30000',
  bigint: 'n',
  text: `'x' || n`,
  bytea: `convert_to(n::text, 'utf8')`,
  'timestamp with time zone': `timestamptz '2027-02-01T09:00:00Z' + n * interval '1 second'`,
};

interface Column {
  readonly table: string;
  readonly isUnique: boolean;
  readonly column: string;
  readonly type: string;
  /** The first one of an enumeration. */
  readonly label: string | null;
}

/** Rows in each table that has none; their names. */
async function fillEmptyTables(connection: postgres.Sql, rows = 1): Promise<string[]> {
  const columns = await connection<Column[]>`
    select table_name as "table", column_name as "column", data_type as "type",
      (select quote_literal(min(enumlabel)) from pg_enum where enumtypid = to_regtype(quote_ident(udt_name))) as label,
      exists (select from pg_index join pg_attribute on attrelid = indrelid and attnum = any(indkey)
        where indrelid = to_regclass(quote_ident(table_name)) and (indisunique or indisexclusion)
          and attname = column_name) as "isUnique"
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE' and is_generated = 'NEVER'
      and (is_nullable = 'NO' or table_name || '.' || column_name in ${connection(Object.keys(valueOfColumn))})`;
  const filled: string[] = [];
  for (const [table, own] of Map.groupBy(columns, (column) => column.table)) {
    const names = own.map(({ column }) => `"${column}"`);
    const values = own.map(
      ({ column, type, label, isUnique }) =>
        (rows > 1 && isUnique ? nthOfType[type] : undefined) ??
        valueOfColumn[`${table}.${column}`] ??
        valueOfType[type] ??
        label,
    );
    const { count } = await connection.unsafe(
      `insert into "${table}" (${names}) overriding system value
        select ${values} from generate_series(1, ${rows}) n where not exists (select from "${table}")`,
    );
    if (count > 0) filled.push(table);
  }
  return filled;
}

test('each migration runs on a database that has rows in every table of the migrations before (architecture §3)', async () => {
  const url = await makeEmptyDatabase();
  const connection = postgres(url, { max: 1, onnotice: () => {} });
  atTheEnd(() => connection.end());
  // The rows refer to each other in any order.
  await connection`set session_replication_role = replica`;

  for (let count = 1; count <= all.length; count += 1) {
    await migrate(url, { migrations: all.slice(0, count) });
    await fillEmptyTables(connection);
  }

  expect(await fillEmptyTables(connection)).toEqual([]);
  const broken = await connection`select conname from pg_constraint where not convalidated`;
  expect([...broken]).toEqual([]);
});

test('a start that migrates says from which version to which, and what it ran', async () => {
  const url = await makeEmptyDatabase();
  const told: unknown[] = [];
  const log = { info: (line: object) => told.push(line), warn() {} };
  await migrate(url, { log, migrations: all.slice(0, ofFormerRelease) });
  await migrate(url, { log });

  expect(told).toEqual([
    { to: version, migrations: expect.arrayContaining(['0000_first', '0041_index_of_checks']) },
    {
      from: '0.1.0',
      to: version,
      migrations: expect.arrayContaining(['0042_queue_functions_are_planned_once']),
    },
  ]);
});

test('a start with nothing to migrate takes no lock and waits for none', async () => {
  const url = await makeEmptyDatabase();
  await migrate(url);
  const connection = connect(url);
  await connection.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${migrationLock})`;
    await tx`lock table users in access exclusive mode`;

    await migrate(url);
  });
});

test('the wait for another instance is logged, and ends with words that say what to look for (security C69)', async () => {
  const url = await makeEmptyDatabase();
  const lines: string[] = [];
  const log = { info: () => {}, warn: (text: string) => void lines.push(text) };

  await connect(url).begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${migrationLock})`;
    await expect(migrate(url, { log, waitMs: 200 })).rejects.toThrow('long transactions');
  });

  expect(lines).toContain(
    'the migrations wait for another instance that migrates, or for locks on their tables',
  );
  expect(await queryRows(url, `select to_regclass('users') as users`)).toEqual([{ users: null }]);
});

test('a migration that fails leaves the ones before it, and nothing of its own', async () => {
  const url = await makeEmptyDatabase();
  const broken = laterMigration('create table half_done ()', 'select 1 / 0');

  await expect(migrate(url, { migrations: broken })).rejects.toThrow('division by zero');

  expect(
    await queryRows(url, `select to_regclass('half_done') as half, to_regclass('users') is null as lost`),
  ).toEqual([{ half: null, lost: false }]);
  await migrate(url);
});

test('a migration gives way to a transaction of the version before that needs its tables in the other order: no deadlock (architecture §3)', async () => {
  const url = await makeEmptyDatabase();
  const { db, close } = await openPostgres(url);
  const isWaiting = `select exists (select from pg_locks where not granted) as is_waiting`;
  const { promise: holds, resolve: holdsOne } = Promise.withResolvers<void>();
  const busy = db.transaction(async (tx) => {
    await tx.execute(sql`delete from signing_keys where false`);
    holdsOne();
    await expect.poll(() => queryRows(url, isWaiting), { interval: 10 }).toEqual([{ is_waiting: true }]);
    await tx.execute(sql`delete from sessions where false`);
  });
  await holds;
  const alterations = ['sessions', 'signing_keys'].map(
    (table) => `alter table ${table} add column later text`,
  );

  await migrate(url, { migrations: laterMigration(...alterations) });
  await busy;
  await close();

  const deadlocks = 'select deadlocks::int from pg_stat_database where datname = current_database()';
  expect(await queryRows(url, deadlocks)).toEqual([{ deadlocks: 0 }]);
  expect(
    await queryRows(url, 'select sessions.later, signing_keys.later from sessions, signing_keys'),
  ).toEqual([]);
});

test('the work of a migration is done once, however long one of its tables is held by others', async () => {
  const url = await makeEmptyDatabase();
  await migrate(url);
  const connection = connect(url);
  await connection`create sequence attempts`;
  const work = ['alter table sessions add later text', `select nextval('attempts')`];
  const migrations = laterMigration(...work, 'alter table signing_keys add later text');

  const { migrating } = await connection.begin(async (tx) => {
    await tx`delete from signing_keys where false`;
    const started = migrate(url, { migrations });
    // Longer than a migration waits for a table.
    await sleep(1000);
    return { migrating: started };
  });
  await migrating;

  expect(await queryRows(url, 'select last_value::int as attempts from attempts')).toEqual([{ attempts: 1 }]);
});

/** `MIGRATION_ROWS=300000 npx vitest run platform/migrations -t longest` prints what docs/operations.md has. */
const rowsOfLoad = Number(process.env['MIGRATION_ROWS'] ?? 3000);

test('the longest that a reader or a writer of any table waits for an upgrade from the former release', {
  timeout: 3_600_000,
}, async () => {
  const url = await makeEmptyDatabase();
  const filling = postgres(url, { max: 1, onnotice: () => {} });
  await migrate(url, { migrations: all.slice(0, ofFormerRelease) });
  await filling`set session_replication_role = replica`;
  const tables = await fillEmptyTables(filling, rowsOfLoad);
  await filling.end();
  const ended = new AbortController();
  const waits: { readonly table: string; readonly ms: number }[] = [];
  const work = async (statement: (table: string) => string): Promise<void> => {
    const connection = connect(url);
    while (!ended.signal.aborted)
      for (const table of tables) {
        const before = performance.now();
        await connection.unsafe(statement(table));
        waits.push({ table, ms: performance.now() - before });
      }
  };
  const writing = (table: string): string => `delete from "${table}" where false`;
  const reading = (table: string): string => `select * from "${table}" limit 1`;
  const workers = Promise.all([reading, reading, writing].map(work));

  const before = performance.now();
  await migrate(url);
  const tookMs = performance.now() - before;
  ended.abort();
  await workers;

  const longest = waits.toSorted((one, other) => other.ms - one.ms)[0] ?? { table: 'none', ms: 0 };
  if (process.env['MIGRATION_ROWS'] !== undefined)
    process.stderr.write(
      `${tables.length} tables of ${rowsOfLoad} rows: ${Math.round(tookMs)} ms, ${waits.length} statements, the longest ${Math.round(longest.ms)} ms (${longest.table})\n`,
    );
  expect(waits.length).toBeGreaterThan(tables.length);
  // A migration gives way after 0.4 s; the rest is this machine's.
  expect(longest.ms).toBeLessThan(2000);
});

describe('a migration of indexes alone is built while requests write their table (architecture §3)', () => {
  const index = 'CREATE INDEX "later" ON "signing_keys" USING btree ("active_at");';
  const columns = sql`(id, public_jwk, encrypted_private_key, active_at)`;
  const isBuilt = `select indisvalid as is_valid from pg_index where indexrelid = to_regclass('later')`;

  test('rows are written and read at any moment of it, though it waits for a transaction of before', async () => {
    const url = await makeEmptyDatabase();
    const { db, close } = await openPostgres(url, { limitMs: 300 });
    const write = (name: string) =>
      db.execute(
        sql`insert into signing_keys ${columns} select ${name} || n, '{}', '', now() from generate_series(1, 1000) n`,
      );
    await write('before');
    const waiting = `select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and query ilike 'create index%'`;

    const migrated = await connect(url).begin(async (tx) => {
      await tx`delete from signing_keys where id = 'before1'`;
      const migrating = migrate(url, { migrations: laterMigration(index) });
      await expect.poll(() => queryRows(url, waiting), { interval: 10 }).toEqual([{ count: 1 }]);
      for (const name of ['one', 'other']) await write(name);
      await db.execute(sql`update signing_keys set active_at = now() where id like 'one%'`);
      return { migrating };
    });
    await migrated.migrating;
    await close();

    expect(await queryRows(url, isBuilt)).toEqual([{ is_valid: true }]);
  });

  test('what an attempt left unfinished is built again; what it finished is kept, and dropped indexes may be gone', async () => {
    const url = await makeEmptyDatabase();
    await migrate(url);
    const connection = connect(url);
    const broken = 'create unique index concurrently later on signing_keys (active_at)';
    await connection`insert into signing_keys select n, '{}', '', now() from generate_series(1, 2) n`;
    await expect(connection.unsafe(broken)).rejects.toThrow('could not create');
    expect(await queryRows(url, isBuilt)).toEqual([{ is_valid: false }]);

    await migrate(url, { migrations: laterMigration(index, 'DROP INDEX "never_there";') });
    const oid = `select 'later'::regclass::oid::int as oid`;
    const built = await queryRows(url, oid);
    await connection`delete from drizzle.__drizzle_migrations where hash = 'later'`;
    await migrate(url, { migrations: laterMigration(index) });

    expect(await queryRows(url, isBuilt)).toEqual([{ is_valid: true }]);
    expect(await queryRows(url, oid)).toEqual(built);
  });

  test('instances that start at the same time build it once', async () => {
    const url = await makeEmptyDatabase();
    await migrate(url);
    const connection = connect(url);
    await connection`insert into signing_keys select n, '{}', '', now() from generate_series(1, 100000) n`;

    await Promise.all([1, 2, 3].map(() => migrate(url, { migrations: laterMigration(index) })));

    expect(await queryRows(url, isBuilt)).toEqual([{ is_valid: true }]);
    expect(
      await queryRows(url, `select count(*)::int from drizzle.__drizzle_migrations where hash = 'later'`),
    ).toEqual([{ count: 1 }]);
  });
});

test('an index of a table that has rows is in a migration of its own', () => {
  /** The first ones are older than this rule. */
  const later = all.slice(35);
  for (const { sql: statements } of later) {
    const isIndex = (statement: string) => /^\s*create (unique )?index/i.test(statement);
    const made = statements.flatMap((statement) => /create table "(\w+)"/i.exec(statement)?.[1] ?? []);
    const onOthers = statements
      .filter(isIndex)
      .filter((one) => !made.includes(/ on "(\w+)"/i.exec(one)?.[1] ?? ''));
    if (onOthers.length > 0)
      expect(statements.every((one) => isIndex(one) || /^\s*drop index/i.test(one))).toBe(true);
  }
});
