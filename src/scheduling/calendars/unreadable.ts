import { OutboundError, type OutboundFailure } from '../../io/outbound.ts';

/** Why a calendar cannot be read. */
export type CalendarFault = OutboundFailure | 'status' | 'not_a_calendar' | 'credentials' | 'busy' | 'sealed';

/** Holds nothing but a reason and a status: no address, no credential, no word of the server's. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
  readonly reason: CalendarFault;
  constructor(reason: CalendarFault, status?: number) {
    super(status === undefined ? reason : `${reason} ${status}`);
    this.reason = reason;
  }
}

/** What to say of whatever was thrown while a calendar was read. Other libraries' words may hold addresses. */
export function faultOf(error: unknown): CalendarFault {
  return error instanceof Unreadable || error instanceof OutboundError ? error.reason : 'not_a_calendar';
}

/** For the person who connects a calendar: what is wrong, and what to do. */
export const faultSentences = {
  address_not_http: 'The address must be http or https, without user name and password in it.',
  address_not_public: 'The address leads into a network that is not public.',
  unreachable: 'The server cannot be reached at this address.',
  timed_out: 'The server did not answer in time.',
  too_large: 'The calendar is larger than 10 MB.',
  too_many_redirects: 'The address redirects too often.',
  status: 'The server does not give out a calendar at this address.',
  not_a_calendar: 'What the server answers cannot be read as a calendar.',
  credentials: 'The server does not accept this user name and password.',
  busy: 'The calendar is being read already. Please try again in a moment.',
  sealed: 'The calendar must be connected again.',
} as const satisfies Record<CalendarFault, string>;
