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

/** What one owner can have (security C54). */
export const quotas = { schedules: 50, eventTypes: 200 } as const;

/** What one host can have: bookings ahead that hold, and new ones in a day (security C221). */
export const bookingQuotas = { ahead: 5000, aDay: 1000 } as const;

/** Per minute of a grant, or without a token of a network (security C41). */
export function createPublicLimits(runtime: Runtime) {
  return {
    bookings: createLimit(60, runtime, 'api_bookings'),
    ownBookings: createLimit(120, runtime, 'api_own_bookings'),
    slotQueries: createLimit(240, runtime, 'api_slots'),
    reservations: createLimit(20, runtime, 'api_reservations'),
  } as const;
}

/** What reading a host's schedules takes, in starts. */
const startsAHost = 500;

/** How many questions for slots one of so many starts and hosts counts for (security C58). */
export function costOf({ starts, hosts }: { readonly starts: number; readonly hosts: number }): number {
  return Math.ceil(((starts + startsAHost) * Math.max(hosts, 1)) / 10_000);
}

/** Emails per hour about bookings (security C50). */
export const emailBudgets = {
  /** To one address of a person who may have no account here, about one owner's bookings. */
  attendee: { scope: 'to', max: 20 },
  /** To one who was added by who booked. */
  guest: { scope: 'guest', max: 20 },
  /** To one address about all owners' bookings, past the first three of each. */
  mailbox: { scope: 'mailbox', max: 60, first: 3 },
  /** To a host, who sees the bookings on a page too. */
  host: { scope: 'host', max: 200 },
  /** About one event type to who booked, and to guests, of whom a booking can have ten. */
  eventType: { scope: 'event-type', max: 300 },
  guestsOf: { scope: 'event-type-guests', max: 300 },
} as const;

/** Of one booking by its attendee, through all its times and hosts; and as many by hosts. */
const maxChangesADay = 20;

/**
 * Counts that a booking is rescheduled or reassigned, for it and for its cause (security
 * C131). Its emails can't bound that: one that replaces another costs nothing. Nothing is counted
 * without a cause: we ourselves. Call it in the transaction of the change.
 *
 * @throws BudgetSpent
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
