import { createLimit, type Limit } from '../../io/limit.ts';
import type { System } from '../../io/system.ts';

export interface TokenLimits {
  /**
   * Per client, and only failures count: a burst of wrong secrets is slowed, and the right secret is let through all the
   * while, so that nobody can lock a client out.
   */
  readonly failedAuthentications: Limit;
  /** Per grant: far above what any app needs. */
  readonly grantRequests: Limit;
}

export function createTokenLimits(system: System): TokenLimits {
  return { failedAuthentications: createLimit(60, system), grantRequests: createLimit(600, system) };
}
