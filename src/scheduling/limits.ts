import { createLimit, type Limit } from '../io/limit.ts';
import type { System } from '../io/system.ts';

/** What anybody may do without a token, a minute and a network: far above what people do (checks C41). */
export interface PublicLimits {
  /** Each sends mail to whomever it names. */
  readonly bookings: Limit;
  /** Each makes us compute. */
  readonly slotQuestions: Limit;
  /** Each hides a slot from others. */
  readonly reservations: Limit;
}

export function createPublicLimits(system: System): PublicLimits {
  return {
    bookings: createLimit(60, system),
    slotQuestions: createLimit(240, system),
    reservations: createLimit(20, system),
  };
}
