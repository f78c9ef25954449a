import { and, gte, isNull, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { outbox } from '../mail/tables.ts';
import type { Counters } from './counters.ts';
import { dailyNumbers } from './tables.ts';

const maxCounted = 10_000;

/** `/metrics` tells these numbers (docs/operations.md). */
export interface WaitingGauge {
  readonly name: string;
  readonly help: string;
  /** The statement returns a row for each; 10,000 are counted. */
  readonly rows: SQL;
}

export async function countWaiting(db: Db, { rows }: WaitingGauge): Promise<number> {
  return db.$count(sql`(${rows} limit ${maxCounted}) as waiting`);
}

export async function countUnsent(db: Db) {
  const state = sql<string>`case when ${outbox.loggedAt} is not null then 'logged'
    when ${outbox.lastFailure} is not null then 'retrying' else 'waiting' end`;
  const unsent = db
    .select({ state: state.as('state'), createdAt: outbox.createdAt })
    .from(outbox)
    .where(and(isNull(outbox.sentAt), isNull(outbox.failedAt)))
    .limit(maxCounted)
    .as('unsent');
  return db
    .select({
      state: unsent.state,
      emails: sql<number>`count(*)`.mapWith(Number),
      oldest: sql<Date>`min(${unsent.createdAt})`.mapWith(outbox.createdAt),
    })
    .from(unsent)
    .groupBy(unsent.state);
}

/** Admins see these by day. Only counts with these labels' values count, or all. */
export interface DailyNumber {
  readonly name: string;
  readonly words: string;
  readonly counter: keyof Counters;
  readonly values?: string;
}

type DayRow = typeof dailyNumbers.$inferSelect;

export async function addToDay(db: Db, rows: readonly DayRow[]): Promise<void> {
  const { day, name, total } = dailyNumbers;
  await db
    .insert(dailyNumbers)
    .values([...rows])
    .onConflictDoUpdate({ target: [day, name], set: { total: sql`${total} + excluded.total` } });
}

export async function listDays(db: Db, since: Date): Promise<readonly DayRow[]> {
  return db.select().from(dailyNumbers).where(gte(dailyNumbers.day, since));
}
