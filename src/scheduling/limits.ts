import type { Db } from '../platform/database.ts';
import { type EmailCause, emailLimits } from '../platform/mail/budgets.ts';
import { BudgetSpent, type SpentWords } from '../platform/rate-limits/budget.ts';
import type { Buckets } from '../platform/rate-limits/in-memory.ts';
import { databaseLimits, day, hour, memoryLimits } from '../platform/rate-limits/limit.ts';
import { consumeEach, findResetAt } from '../platform/rate-limits/store.ts';
import { ofCaller } from '../v2/limits.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly publicRateLimits: Buckets<typeof publicLimits>;
  }
}

/** Quotas are per owner (security C54). */
export const quotas = { schedules: 50, eventTypes: 200, calendars: 20 } as const;

/** A host can have so many bookings ahead that hold, and so many new ones a day (security C221). */
export const bookingQuotas = { ahead: 5000, aDay: 1000 } as const; // protects: C221

/** Visitors have these limits, too (security C41). */
export const publicLimits = memoryLimits({
  slotQueries: ['api_slots', 240, ofCaller, 'questions for slots', { guide: 'Slots' }],
  bookings: ['api_bookings', 60, ofCaller, 'bookings', { guide: 'Bookings' }],
  reservations: ['api_reservations', 20, ofCaller, 'reservations of slots', { guide: 'Reservations' }],
  ownBookings: [
    'api_own_bookings',
    120,
    'a network',
    'calls for a booking',
    { guide: 'With a booking token' },
  ],
});

export const calendarLimits = memoryLimits({
  // Each connection makes us ask another server.
  connection: ['calendar_connection', 20, 'an account', 'calendars that are connected, or wrong addresses'],
  // Visitors choose distant ranges.
  distant: ['distant_calendar_readings', 40, 'an account', 'readings of weeks more than a year ahead'],
  // Twenty usual calendars take a second.
  costs: ['calendar_costs', 5000, 'an account', 'milliseconds of a thread that reads its calendars'],
});

/** Reading a host's schedules takes as long as checking this many starts. */
const startsAHost = 500;

/** Returns how many queries a query with these starts and hosts counts as (security C58). */
export function costOf({ starts, hosts }: { readonly starts: number; readonly hosts: number }): number {
  return Math.ceil(((starts + startsAHost) * Math.max(hosts, 1)) / 10_000); // protects: C58
}

export const outageLimits = databaseLimits({
  // A calendar that fails again and again is on its page all the same.
  outages: [10, day, 'an account', 'emails that calendars can’t be read'],
});

const late = 'then later, or none';
/** Budgets count by recipient, and by what the emails are about (security C50). */
export const emailBudgets = emailLimits({
  attendee: ['to', 20, 'an attendee and an owner', 'emails about bookings', late],
  guest: ['guest', 20, 'a guest and an owner', 'emails about bookings', late],
  mailbox: ['mailbox', 60, 'an address', 'emails about bookings past the first three of each owner', late],
  host: ['host', 200, 'a host', 'emails about bookings', late],
  eventType: ['event-type', 300, 'an event type', 'emails to attendees', late],
  // Each recipient has heard of the booking that ends.
  deleted: ['deleted', 3000, 'a deleted account', 'emails about its bookings that end'],
  guestsOf: ['event-type-guests', 300, 'an event type', 'emails to guests', late],
});

/** The first three emails of each owner to a mailbox don't count. */
export const mailboxBudget = { ...emailBudgets.mailbox, first: 3 } as const;

export const bookingChangeLimits = databaseLimits({
  // The cause of changes has as many an hour as of emails.
  booking_changes: [20, day, 'a booking: by its attendee; by hosts', 'reschedulings and reassignments'],
});

const tooManyChanges: SpentWords = {
  what: 'booking changes',
  message: 'This booking, or bookings by you, changed too often. You can still cancel it. Try again later.',
  title: 'Too many changes',
  text: 'This booking changed too often, or you or your network changed too many. Nothing was changed. You can still cancel it. Try again later.',
};

/**
 * Counts the change for the booking and its cause, because emails that replace others cost nothing
 * (security C131). Call it in the transaction of the change. @throws BudgetSpent
 */
export async function countBookingChange(tx: Db, icsUid: string, cause: EmailCause | undefined, now: Date) {
  if (cause === undefined) return;
  const { booking_changes: ofBooking } = bookingChangeLimits;
  const { name } = ofBooking;
  const [{ scope: party }] = cause;
  const limits = [
    { ...ofBooking, key: `${name}:${icsUid}:${party}` }, // protects: C131
    // protects: C131
    ...cause.map(({ scope, id, max }) => ({ key: `${name}:${scope}:${id}`, name, max, windowSeconds: hour })),
  ];
  const withRoom = await consumeEach(tx, limits, now);
  const spent = limits.find(({ key }) => !withRoom.some((one) => one.key === key));
  if (spent !== undefined)
    throw new BudgetSpent(tooManyChanges, (await findResetAt(tx, spent.key)) ?? now, now);
}
