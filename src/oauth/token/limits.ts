import type { System } from '../../io/system.ts';

/** Counts per key in fixed windows, in memory and bounded: this instance's share of the protection (checks C41). */
export interface Limit {
  /** Counts one more; false when the window's allowance is used up. */
  allows(key: string): boolean;
}

export const windowSeconds = 60;
const mostKeys = 10_000;

/** At most so many of each key in a minute. */
export function createLimit(perWindow: number, system: System): Limit {
  let counts = new Map<string, number>();
  let windowStart = 0;
  return {
    allows(key) {
      const window = Math.floor(system.now().getTime() / (windowSeconds * 1000));
      if (window !== windowStart || counts.size >= mostKeys) {
        counts = new Map();
        windowStart = window;
      }
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count <= perWindow;
    },
  };
}

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
