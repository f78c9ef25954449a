import { OutboundError, type OutboundFailure } from '../../platform/outbound.ts';
import { english, type Sentence } from '../../platform/words.ts';
import { IcsFault, type Place } from '../ics/fault.ts';

export type CalendarErrorReason = keyof typeof errorMessages;

export interface Problem extends Place {
  readonly reason: CalendarErrorReason;
}

/** A part of a file that can't be read keeps people from booking the days that begin at `from`. */
export interface Outage extends Problem {
  readonly from?: number;
}

/** The message contains no address, credentials or text of the server; the place is its owner's. */
export class CalendarError extends Error {
  override readonly name = 'CalendarError';
  readonly reason: CalendarErrorReason;
  readonly place: Place;
  readonly status: number | undefined;
  constructor(reason: CalendarErrorReason, status?: number, place: Place = {}) {
    super(status === undefined ? reason : `${reason} ${status}`);
    this.reason = reason;
    this.place = place;
    this.status = status;
  }
}

/** Messages of libraries may contain addresses, so only a reason is passed on. */
export function reasonOf(error: unknown): CalendarErrorReason {
  const isKnown =
    error instanceof CalendarError || error instanceof OutboundError || error instanceof IcsFault;
  return isKnown ? error.reason : 'not_a_calendar';
}

export function problemOf(error: unknown): Problem {
  const place = error instanceof CalendarError || error instanceof IcsFault ? error.place : {};
  return { ...place, reason: reasonOf(error) };
}

/** Puts it in a sentence for the owner. What is in the line is told in the file's own words. */
export function explainProblem(
  { reason, feed, line, what = '', entry }: Problem,
  { t, say } = english,
): string {
  const ofFeed = feed === undefined ? '' : `${t('Feed {number}:', { number: feed })} `;
  if (line === undefined) return `${ofFeed}${say(errorMessages[reason])}`;
  const place = { line: String(line), what };
  return entry === undefined
    ? `${ofFeed}${t('Line {line} {what}.', place)}`
    : `${ofFeed}${t('Line {line}, in the entry “{entry}”, {what}.', { ...place, entry })}`;
}

export const errorMessages = {
  address_not_http: 'Use an http or https address without a username or password.',
  address_not_public: 'The address is in a private network.',
  unreachable: 'The server can’t be reached at this address.',
  timed_out: 'The server didn’t respond in time.',
  too_large:
    'The calendar is too large: a feed can have up to 20 MB, and 4 MB of series and of what three months need.',
  too_costly: 'The calendar has too many events, or rules that take too long to expand.',
  too_many: 'Your calendars have too many events together: up to 5,000 busy times in three months are read.',
  too_many_redirects: 'The address redirects too many times.',
  status: 'The server has no calendar at this address.',
  failing: 'The server can’t answer at the moment. Try again later.',
  not_a_calendar: 'The server’s response isn’t a valid calendar.',
  credentials: 'Incorrect username or password.',
  busy: 'Too many calendars are being read. Try again in a moment.',
  not_decryptable: 'Connect the calendar again.',
} as const satisfies Record<OutboundFailure, Sentence> & Record<string, Sentence>;
