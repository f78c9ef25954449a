import { z } from 'zod';
import { ok, type Result, refuse } from '../result.ts';
import { date, instant, textLike } from '../v2/input.ts';
import { startOfDay } from './core/days.ts';
import type { Interval } from './core/interval.ts';

export const bookingUid = textLike(
  /^[A-Za-z0-9-]{1,64}$/,
  'Must be a booking UID: 1 to 64 letters, digits and dashes.',
)
  .describe('The booking UID.')
  .meta({ examples: ['4f9c2e71b0d85a3369fe1c2d'] });

const noMoment = 'Must be a date (YYYY-MM-DD) or a date-time such as 2030-01-31T09:00:00Z.';
const withLostPlus = /T[\d:.]+ \d\d:?\d\d$/;

export const moment = z
  .union([date, instant], {
    error: ({ input }) =>
      withLostPlus.test(String(input)) ? `${noMoment} Write + as %2B in an address.` : noMoment,
  })
  .describe('YYYY-MM-DD or an ISO 8601 date-time.')
  .meta({ examples: ['2030-01-07'] });

/** In 92 days, clocks are put back by three hours at most. */
export const longestRangeMs = 92 * 86_400_000 + 3 * 3_600_000;

export const rangeFaults = {
  range_empty: 'The end must be after the start.',
  range_too_long: 'The range can be up to 92 days.',
} as const;

/** A date starts at its midnight, and ends at the next one. */
export function readMoment(text: string, side: 'start' | 'end', timeZone: string): number {
  return text.includes('T') ? Date.parse(text) : startOfDay(text, timeZone, side === 'end' ? 1 : 0);
}

export function readRange(
  start: string,
  end: string,
  timeZone: string,
): Result<Interval, 'range_empty' | 'range_too_long'> {
  const range = { start: readMoment(start, 'start', timeZone), end: readMoment(end, 'end', timeZone) };
  if (range.start >= range.end) return refuse('range_empty');
  return range.end - range.start > longestRangeMs ? refuse('range_too_long') : ok(range);
}
