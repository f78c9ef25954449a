import type { Db } from '../platform/database.ts';
import type { EmailCause } from '../platform/mail/budgets.ts';
import { BudgetSpent } from '../platform/rate-limits/budget.ts';
import { createLimit } from '../platform/rate-limits/in-memory.ts';
import { consumeEach, findResetAt } from '../platform/rate-limits/store.ts';
import type { Runtime } from '../platform/runtime.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly publicRateLimits: ReturnType<typeof createPublicLimits>;
  }
}

/** Quotas are per owner (security C54). */
export const quotas = { schedules: 50, eventTypes: 200 } as const;

/** A host can have so many bookings ahead that hold, and so many new ones a day (security C221). */
export const bookingQuotas = { ahead: 5000, aDay: 1000 } as const;

/** Limits are per minute, of a grant or, without a token, of a network (security C41). */
export function createPublicLimits(runtime: Runtime) {
  return {
    bookings: createLimit(60, runtime, 'api_bookings'),
    ownBookings: createLimit(120, runtime, 'api_own_bookings'),
    slotQueries: createLimit(240, runtime, 'api_slots'),
    reservations: createLimit(20, runtime, 'api_reservations'),
  } as const;
}

/** Reading a host's schedules takes as long as checking so many starts. */
const startsAHost = 500;

/** Tells how many queries a query with so many starts and hosts counts as (security C58). */
export function costOf({ starts, hosts }: { readonly starts: number; readonly hosts: number }): number {
  return Math.ceil(((starts + startsAHost) * Math.max(hosts, 1)) / 10_000);
}

/** Budgets count emails per hour about bookings (security C50). */
export const emailBudgets = {
  /** Counts emails to one person, who may have no account, about one owner's bookings. */
  attendee: { scope: 'to', max: 20 },
  /** The booker added this person, who was never asked. */
  guest: { scope: 'guest', max: 20 },
  /** Counts emails to one address about all owners' bookings, past the first three of each. */
  mailbox: { scope: 'mailbox', max: 60, first: 3 },
  host: { scope: 'host', max: 200 },
  eventType: { scope: 'event-type', max: 300 },
  guestsOf: { scope: 'event-type-guests', max: 300 },
} as const;

/** Attendee and hosts each have the limit for a booking, through all its times. */
const maxChangesADay = 20;

/**
 * Counts the change for the booking and for its cause (security C131), because emails that replace
 * others cost nothing. Call it in the transaction of the change. @throws BudgetSpent
 */
export async function countBookingChange(
  tx: Pick<Db, 'insert' | 'select'>,
  icsUid: string,
  cause: EmailCause | undefined,
  now: Date,
): Promise<void> {
  if (cause === undefined) return;
  const name = 'booking_changes';
  const [{ scope: party }] = cause;
  const limits = [
    { key: `${name}:${icsUid}:${party}`, name, max: maxChangesADay, windowSeconds: 86_400 },
    ...cause.map(({ scope, id, max }) => ({ key: `${name}:${scope}:${id}`, name, max, windowSeconds: 3600 })),
  ];
  const withRoom = await consumeEach(tx, limits, now);
  const spent = limits.find(({ key }) => !withRoom.some((one) => one.key === key));
  if (spent !== undefined) throw new BudgetSpent(name, (await findResetAt(tx, spent.key)) ?? now, now);
}
