import { createLimit, type Limit } from '../../platform/rate-limits/in-memory.ts';
import type { Runtime } from '../../platform/runtime.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    readonly tokenRateLimits: TokenRateLimits;
  }
}

/** Per minute, on each instance (security C41). */
export interface TokenRateLimits {
  /** Per client. Only failures count, so nobody can lock a client out. */
  readonly failedAuthentications: Limit;
  /** Per grant: far more than any app needs. */
  readonly grantRequests: Limit;
  /** Per client and grant. */
  readonly introspections: Limit;
}

export function createTokenRateLimits(runtime: Runtime): TokenRateLimits {
  return {
    failedAuthentications: createLimit(60, runtime, 'client_authentication'),
    grantRequests: createLimit(600, runtime, 'token_grant'),
    introspections: createLimit(600, runtime, 'introspection'),
  };
}
