import { hash } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { normalAddressOf } from '../mail/address.ts';
import { count as countEvent } from '../metrics/counters.ts';
import { prepared } from '../prepared.ts';
import { databaseLimits, type Limit } from './limits.ts';
import { LimitReached } from './reached.ts';
import { rateLimits } from './tables.ts';
import { type Whose, whoseNetwork } from './whose.ts';

export type DatabaseLimit = keyof typeof databaseLimits;

export interface Counted extends Pick<Limit, 'name' | 'max' | 'seconds' | 'says'> {
  /** A hash, of one length whatever is counted. */
  readonly key: string;
  readonly amount?: number;
}

/** A key that stands for several may reach so many times the limit. */
export function counted(name: DatabaseLimit, parts: readonly (string | number)[], times = 1): Counted {
  const limit = databaseLimits[name];
  return { ...limit, max: limit.max * times, key: keyOf(name, parts) };
}

export function keyOf(name: string, parts: readonly (string | number)[]): string {
  return hash('sha256', JSON.stringify([name, ...parts]), 'base64url');
}

export function countedOf(name: DatabaseLimit, whose: Whose): readonly Counted[] {
  return whose.map(([key, times]) => counted(name, [key], times));
}

export function countedOfNetwork(name: DatabaseLimit, address: string): readonly Counted[] {
  return countedOf(name, whoseNetwork(address));
}

/** A mailbox has many spellings. */
export function letterTo(kind: 'verify' | 'invite', address: string): Counted {
  return counted('letters', [kind, normalAddressOf(address)]);
}

/** The window's end tells it from a later window's. */
export interface Consumed {
  readonly key: string;
  readonly resetAt: Date;
}

/**
 * Takes from each limit with room for its amount, and returns those. One statement counts for all
 * instances, so parallel requests can't overtake it. Rows are locked in the order of their keys,
 * against deadlocks.
 */
export async function takeEach(db: Db, limits: readonly Counted[], now: Date): Promise<readonly Consumed[]> {
  if (limits.length === 0) return [];
  const asked = limits.map(({ key, max, amount = 1, seconds }) => ({
    key,
    max,
    amount,
    resetAt: new Date(now.getTime() + seconds * 1000),
  }));
  const taken = await taking(db).execute({ asked: JSON.stringify(asked), now: now.toISOString() });
  for (const { key, name } of limits)
    if (!taken.some((one) => one.key === key)) countEvent('rate_limit_refused', name);
  return taken;
}

const taking = prepared((db) => {
  const isOver = sql`r.reset_at <= ${sql.placeholder('now')}::timestamptz`;
  const asked = db.$with('asked', {}).as(sql`
    select * from jsonb_to_recordset(${sql.placeholder('asked')}::jsonb)
      as a (key text, max int, amount int, "resetAt" timestamptz)`);
  const consumed = db.$with('consumed', {}).as(sql`
    insert into ${rateLimits} as r (key, count, reset_at)
      select key, amount, "resetAt" from asked order by key collate "C"
    on conflict (key) do update set
      count = case when ${isOver} then excluded.count else r.count + excluded.count end,
      reset_at = case when ${isOver} then excluded.reset_at else r.reset_at end
    where ${isOver} or r.count + excluded.count <= (select max from asked where asked.key = r.key)
    returning key, reset_at`);
  return db
    .with(asked, consumed)
    .select({ key: sql<string>`key`, resetAt: sql`reset_at`.mapWith(rateLimits.resetAt) })
    .from(sql`consumed`)
    .prepare('consumed_limits');
});

/** Returns undefined, and counts nothing, over the limit. */
export async function takeOne(db: Db, limit: Counted, now: Date): Promise<Consumed | undefined> {
  const [taken] = await takeEach(db, [limit], now);
  return taken;
}

/** What is sent twice is done once. */
export async function isFirst(
  db: Db,
  parts: readonly string[],
  seconds: number,
  now: Date,
): Promise<boolean> {
  const once = { name: 'once', says: '', key: keyOf('once', parts), max: 1, seconds };
  return (await takeOne(db, once, now)) !== undefined;
}

/**
 * Takes from all of them, in their order, up to the first without room. Count before a check, so
 * that parallel attempts stay within the limit. @throws LimitReached
 */
export async function spendAll(db: Db, limits: readonly Counted[], now: Date): Promise<readonly Consumed[]> {
  const all: Consumed[] = [];
  for (const limit of limits) {
    const taken = await takeOne(db, limit, now);
    if (taken === undefined) throw await reachedOf(db, limit, now);
    all.push(taken);
  }
  return all;
}

export async function reachedOf(db: Db, limit: Counted, now: Date): Promise<LimitReached> {
  const { key, resetAt } = rateLimits;
  const [found] = await db.select({ resetAt }).from(rateLimits).where(eq(key, limit.key));
  return new LimitReached(limit, ((found?.resetAt ?? now).getTime() - now.getTime()) / 1000);
}

/** Gives back what was right after all, or was never checked, unless the window is over. */
export async function giveBack(db: Db, taken: readonly Consumed[]): Promise<void> {
  const { count } = rateLimits;
  for (const { key, resetAt } of taken)
    await db
      .update(rateLimits)
      .set({ count: sql`${count} - 1` })
      .where(and(eq(rateLimits.key, key), eq(rateLimits.resetAt, resetAt), gt(count, 0)));
}
