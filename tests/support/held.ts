import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { advisoryLocks } from '../../src/platform/database.ts';
import type { TestService } from './service.ts';
import type { TestUser } from './world.ts';

/** Something under lock: whatever wants to change it has loaded and decided, and waits with its commit. */
export interface Held {
  /** Waits until so many statements queue for a lock; PostgreSQL will let them through in the order in which they came. */
  untilWaiting(statements: number): Promise<void>;
  countWaiting(): Promise<number>;
  release(): Promise<void>;
}

const patienceMs = 10_000;

/** Holds back whatever changes what a user has allowed. */
export async function holdPermissions(service: TestService, { id }: Pick<TestUser, 'id'>): Promise<Held> {
  return hold(service, (sql) => sql`select from users where id = ${id} for no key update`);
}

/** Holds back whatever takes a host's time. */
export async function holdHost(service: TestService, { id }: Pick<TestUser, 'id'>): Promise<Held> {
  return hold(service, (sql) => sql`select pg_advisory_xact_lock(${advisoryLocks.hosts}::int, ${id}::int)`);
}

/** Holds back whatever reads a table: of secrets, every token request before it's decided. */
export async function holdTable(service: TestService, table: 'bookings' | 'client_secrets'): Promise<Held> {
  return hold(service, (sql) => sql`lock table ${sql(table)} in access exclusive mode`);
}

/** Holds back whatever changes or deletes a row, or refers to it again. */
export async function holdRow(
  service: TestService,
  table: 'calendars' | 'clients' | 'event_types' | 'grants' | 'groups' | 'schedules' | 'users' | 'webhooks',
  id: number | string,
): Promise<Held> {
  return hold(service, (sql) => sql`select from ${sql(table)} where id = ${id} for update`);
}

async function hold(
  { database }: TestService,
  lock: (sql: postgres.ReservedSql) => PromiseLike<unknown>,
): Promise<Held> {
  const sql = postgres(database.url, { max: 2, onnotice: () => {} });
  const holder = await sql.reserve();
  await holder`begin`;
  await lock(holder);
  return {
    async untilWaiting(statements) {
      const deadline = Date.now() + patienceMs;
      while ((await countWaiting(sql)) < statements) {
        if (Date.now() > deadline) throw new Error(`fewer than ${statements} statements wait for the lock`);
        await sleep(5);
      }
    },
    countWaiting: () => countWaiting(sql),
    async release() {
      await holder`commit`;
      holder.release();
      await sql.end();
    },
  };
}

async function countWaiting(sql: postgres.Sql): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.waiting ?? 0;
}
