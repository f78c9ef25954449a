import type { Buckets } from '../platform/rate-limits/in-memory.ts';
import { databaseLimits, day, hour, memoryLimits } from '../platform/rate-limits/limit.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly tokenRateLimits: Buckets<typeof tokenLimits>;
  }
}

export const clientLimits = databaseLimits({
  // Each submission sends an email to every admin.
  submission: [20, hour, 'an owner', 'submissions of apps and edits'],
  submission_network: [100, hour, 'a network', 'submissions of apps and edits'],
  client_change: [
    100,
    day,
    'an owner',
    'edits of apps in review, new logos of rejected ones, choices for ID tokens',
  ],
  // Every secret sends an email, and its hash stays for a while.
  new_secret: [20, day, 'an app', 'new secrets'],
});

/** Programs have these limits (security C41). */
export const tokenLimits = memoryLimits({
  // Only failures count, so that nobody can lock a client out.
  failedAuthentications: ['client_authentication', 60, 'an app', 'wrong secrets'],
  grantRequests: ['token_grant', 600, 'a grant', 'requests for tokens'],
  introspections: ['introspection', 600, 'an app and a grant', 'introspections'],
});
