import type { Runtime } from '../runtime.ts';
import type { Sentence } from '../words.ts';

export const minute = 60;
export const hour = 60 * minute;
const day = 24 * hour;

/** Metrics, keys of the database and docs/limits.md call it by its name in the tables below. */
export interface Limit {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
  readonly of: string;
  readonly what: string;
  /** Pages and programs get this sentence, and when to try again. */
  readonly says: string;
}

type Row = Pick<Limit, 'max' | 'of' | 'what'> & Partial<Limit>;

const caller = 'a session; an app for a person; a network';

const inMemory = {
  requests: {
    max: 600,
    of: `${caller}; a grant; a client`,
    what: 'requests; one more for each 32 KB of an answer and 20 items of a list',
  },
  slots: {
    max: 240,
    of: caller,
    what: 'questions for slots, booking pages; one for each 10,000 starts times hosts',
  },
  bookings: {
    max: 60,
    of: caller,
    what: 'bookings, reschedules, reservations of slots',
    says: 'Too many bookings came from you or your network.',
  },
  // Only failures count, so that nobody can lock a client out.
  wrong_secrets: {
    max: 60,
    of: 'a client; of personal tokens, a network',
    what: 'wrong secrets, unknown personal tokens',
    says: 'Too many secrets were wrong.',
  },
  outgoing: {
    max: 20,
    of: 'an account',
    what: 'calendars connected, webhooks tested and resent: we ask another server',
    says: 'You have made us ask other servers too often.',
  },
  // Twenty usual calendars take a second.
  calendar_time: { max: 5000, of: 'an account', what: 'milliseconds of a thread that reads its calendars' },
  // Visitors choose the range, so these take nothing of the time above.
  distant_weeks: { max: 40, of: 'an account', what: 'readings of weeks more than a year ahead' },
  deliveries: { max: 120, of: 'an account at a host name', what: 'requests with events; others wait' },
  failed_requests: { max: 30, of: 'an app, by reason', what: 'failed requests that are stored' },
} as const satisfies Readonly<Record<string, Row>>;

/** Token buckets of one instance: so many at once, and as many again over a minute (security C41). */
export const memoryLimits = namedRows(inMemory, { seconds: minute });

export type MemoryLimit = keyof typeof memoryLimits;

declare module '../scoped-plugin.ts' {
  interface RouteLimits extends Record<MemoryLimit, true> {}
}

const inDatabase = {
  guesses: {
    max: 10,
    seconds: 15 * minute,
    of: 'an account, for each of its own browsers and for all others; by passkey',
    what: 'wrong passwords, passkeys and recovery codes',
    says: 'Too many failed sign-ins.' satisfies Sentence,
  },
  guesses_of_network: {
    max: 100,
    seconds: 15 * minute,
    of: 'a network',
    what: 'failed sign-ins from browsers that the account doesn’t know',
    says: 'Too many failed sign-ins.' satisfies Sentence,
  },
  strangers: {
    max: 100,
    seconds: hour,
    of: 'a network',
    what: 'sign-ups, requests to reset a password: each costs a hash or an email',
    says: 'Too many accounts or links were asked for from your network.' satisfies Sentence,
  },
  // A link to reset works as long, so a flooded mailbox still has one that does.
  letters: {
    max: 3,
    seconds: 30 * minute,
    of: 'an address, by kind',
    what: 'emails to verify, to reset, to invite, which anyone can cause; more aren’t sent',
  },
  notable: {
    max: 20,
    seconds: hour,
    of: 'an account, an app, by kind',
    what: 'what sends an email, takes a name or reads much: submissions, invitations, secrets, passkeys, groups, downloads',
    says: 'You have done this too often in the last hour.',
  },
  changes: {
    max: 500,
    seconds: day,
    of: 'an account; an app for one; an app has 60 times as many',
    what: 'changes that could be made again and again: names, roles, approvals, settings',
    says: 'You have made too many changes in one day.' satisfies Sentence,
  },
  thing_changes: {
    max: 20,
    seconds: day,
    of: 'a booking: by its attendee; by hosts; a metadata document; an owner of calendars',
    what: 'reschedulings and reassignments; readings that change an app; emails of calendars that fail',
    says: 'This booking has changed too often. You can still cancel it.' satisfies Sentence,
  },
  emails: {
    max: 150,
    seconds: hour,
    of: 'a network; an account has twice as many, an app for the users it manages 40 times',
    what: 'emails to others that its requests cause',
    says: 'You or your network have sent too many emails through us.' satisfies Sentence,
  },
  emails_to: {
    max: 20,
    seconds: hour,
    of: 'a mailbox, for each owner of event types, as attendee and as guest; a host has 10 times as many',
    what: 'emails about bookings; more aren’t sent, or later if the mailbox has heard of the booking',
  },
} as const satisfies Readonly<Record<string, Row>>;

/** Counted for all instances together, in windows that begin with the first that is counted. */
export const databaseLimits = namedRows(inDatabase, { seconds: hour });

function namedRows<Name extends string>(rows: Readonly<Record<Name, Row>>, usual: { seconds: number }) {
  return mapEntries<Name, Row, Limit>(rows, (name, row) => ({
    name,
    says: 'You, your apps or your network have asked for too much.' satisfies Sentence,
    ...usual,
    ...row,
  }));
}

/** Returns how many are allowed; tests hand in less (see {@link Runtime}). */
export function maxOf({ name, max }: Pick<Limit, 'name' | 'max'>, { limits }: Runtime): number {
  return limits?.[name] ?? max;
}

export function mapEntries<Key extends string, Value, Made>(
  table: Readonly<Record<Key, Value>>,
  make: (key: string, value: Value) => Made,
): Readonly<Record<Key, Made>> {
  const made = Object.entries<Value>(table).map(([key, value]) => [key, make(key, value)]);
  return Object.fromEntries(made);
}
