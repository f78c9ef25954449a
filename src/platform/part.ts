import type { Part } from '../part.ts';
import { auditBelongings } from './audit/belongings.ts';
import { changeLimits, expiredAuditEvents } from './audit/store.ts';
import { emailsTo } from './mail/store.ts';
import { outbox } from './mail/tables.ts';
import { rateLimits } from './rate-limits/tables.ts';
import { pastLife } from './retention/store.ts';

/** What every service has: counts, outgoing email, the audit log. */
export const platformPart = {
  expired: [
    pastLife(rateLimits.resetAt),
    // Emails go, sent or not: nobody waits for one that has not gone out for so long.
    pastLife(outbox.createdAt, 30),
    expiredAuditEvents,
  ],
  limits: [changeLimits],
  belongings: auditBelongings,
  searched: emailsTo,
} as const satisfies Part;
