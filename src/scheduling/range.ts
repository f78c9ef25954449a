import { ok, type Result, refuse } from '../result.ts';
import type { Interval } from './core/interval.ts';

const longestRangeMs = 92 * 86_400_000;

/** Messages about the end of a range. */
export const rangeFaults = {
  range_empty: 'The end must be after the start.',
  range_too_long: 'The range can be up to 92 days.',
} as const;

/** Midnight of a date or some days later, in the requested time zone, as milliseconds. */
type StartOfDay = (date: string, plusDays: number) => number;

const isDate = (text: string): boolean => !text.includes('T');

/** Milliseconds since the epoch; a date starts at its midnight. */
export function readStart(text: string, startOfDay: StartOfDay): number {
  return isDate(text) ? startOfDay(text, 0) : Date.parse(text);
}

/** Milliseconds since the epoch; a date includes the whole day. */
export function readEnd(text: string, startOfDay: StartOfDay): number {
  return isDate(text) ? startOfDay(text, 1) : Date.parse(text);
}

export function readRange(
  start: string,
  end: string,
  startOfDay: StartOfDay,
): Result<Interval, 'range_empty' | 'range_too_long'> {
  const range = { start: readStart(start, startOfDay), end: readEnd(end, startOfDay) };
  if (range.start >= range.end) return refuse('range_empty');
  return range.end - range.start > longestRangeMs ? refuse('range_too_long') : ok(range);
}
