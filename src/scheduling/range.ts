import { ok, type Result, refuse } from '../result.ts';
import type { Interval } from './core/interval.ts';

const longestRangeMs = 92 * 86_400_000;

/** What is said of a range that cannot be answered, of its end. */
export const rangeFaults = {
  range_empty: 'The end must be after the start.',
  range_too_long: 'Ask for 92 days at most.',
} as const;

/** When a date, or one some days after it, begins in the time zone of a query; milliseconds since the epoch. */
type StartOfDay = (date: string, plusDays: number) => number;

const isDate = (text: string): boolean => !text.includes('T');

/** The instant from which a query asks: a date begins with its day. Milliseconds since the epoch. */
export function readStart(text: string, startOfDay: StartOfDay): number {
  return isDate(text) ? startOfDay(text, 0) : Date.parse(text);
}

/** The instant until which a query asks: a date means the whole of that day. Milliseconds since the epoch. */
export function readEnd(text: string, startOfDay: StartOfDay): number {
  return isDate(text) ? startOfDay(text, 1) : Date.parse(text);
}

/** The range of a query, in its time zone. */
export function readRange(
  start: string,
  end: string,
  startOfDay: StartOfDay,
): Result<Interval, 'range_empty' | 'range_too_long'> {
  const range = { start: readStart(start, startOfDay), end: readEnd(end, startOfDay) };
  if (range.start >= range.end) return refuse('range_empty');
  return range.end - range.start > longestRangeMs ? refuse('range_too_long') : ok(range);
}
