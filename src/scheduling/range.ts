import { ok, type Result, refuse } from '../result.ts';
import type { Interval } from './core/interval.ts';

const longestRangeMs = 92 * 86_400_000;

/** What is said of a range that cannot be answered, of its end. */
export const rangeFaults = {
  range_empty: 'The end must be after the start.',
  range_too_long: 'Ask for 92 days at most.',
} as const;

/** The range of a query; a date as its end means the whole of that day, in the time zone of the query. */
export function readRange(
  start: string,
  end: string,
  startOfDay: (date: string, plusDays: number) => number,
): Result<Interval, 'range_empty' | 'range_too_long'> {
  const isDate = (text: string): boolean => !text.includes('T');
  const range = {
    start: isDate(start) ? startOfDay(start, 0) : Date.parse(start),
    end: isDate(end) ? startOfDay(end, 1) : Date.parse(end),
  };
  if (range.start >= range.end) return refuse('range_empty');
  return range.end - range.start > longestRangeMs ? refuse('range_too_long') : ok(range);
}
