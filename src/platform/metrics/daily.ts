import { handedIn } from '../parts.ts';
import type { Platform } from '../platform.ts';
import { countsOf } from './counters.ts';
import { addToDay, type DailyNumber, listDays } from './store.ts';

const dayMs = 86_400_000;
const shownDays = 30;

const dayOf = (at: Date): Date => new Date(Math.floor(at.getTime() / dayMs) * dayMs);

function totalOf({ counter, values }: DailyNumber): number {
  const counts = countsOf(counter);
  if (values !== undefined) return counts.get(values) ?? 0;
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** Returns what adds this process's counts to the day; a crash loses a minute's. */
export function createDailyNumbers({ db, parts, runtime }: Pick<Platform, 'db' | 'parts' | 'runtime'>) {
  const numbers = handedIn(parts, ({ metrics }) => metrics?.dailyNumbers);
  const written = new Map(numbers.map((one) => [one.name, totalOf(one)]));
  return async function write(): Promise<void> {
    const day = dayOf(runtime.now());
    const counted = numbers.map((one) => ({ name: one.name, now: totalOf(one) }));
    // Instances that add to the same rows do so in the same order.
    const rows = counted
      .map(({ name, now }) => ({ day, name, total: now - (written.get(name) ?? 0) }))
      .filter(({ total }) => total > 0)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
    if (rows.length === 0) return;
    await addToDay(db, rows);
    for (const { name: counter, now } of counted) written.set(counter, now);
  };
}

/** Returns the last {@link shownDays} days of each number, the oldest first. */
export async function listDailyNumbers({ db, parts, runtime }: Pick<Platform, 'db' | 'parts' | 'runtime'>) {
  const today = dayOf(runtime.now()).getTime();
  const days = Array.from(
    { length: shownDays },
    (_, index) => new Date(today - (shownDays - 1 - index) * dayMs),
  );
  const rows = await listDays(db, days[0] ?? new Date(today));
  return handedIn(parts, ({ metrics }) => metrics?.dailyNumbers).map(({ name, words }) => ({
    words,
    days: days.map((at) => ({
      at,
      total: rows.find((row) => row.name === name && row.day.getTime() === at.getTime())?.total ?? 0,
    })),
  }));
}
