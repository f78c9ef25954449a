import { auditBelongings, expiredAuditEvents } from './audit/store.ts';
import * as auditTables from './audit/tables.ts';
import * as instanceTables from './instances/tables.ts';
import { watchInstances } from './instances/watch.ts';
import * as limitTables from './limits/tables.ts';
import { emailsTo, mailAudit } from './mail/store.ts';
import * as mailTables from './mail/tables.ts';
import { createDailyNumbers } from './metrics/daily.ts';
import * as metricsTables from './metrics/tables.ts';
import type { Part } from './parts.ts';
import * as queueTables from './queue/tables.ts';
import { pastLife } from './retention/store.ts';

declare module './audit/actions.ts' {
  interface AuditActions extends Record<keyof typeof mailAudit, unknown> {}
}

/**
 * What all parts stand on: database, mail and queues, limits, audit log, metrics. It knows no
 * feature.
 */
export const platformPart = {
  async open(opening) {
    const write = createDailyNumbers(opening);
    const instances = watchInstances(opening);
    await instances.look();
    return {
      capabilities: {},
      async goOn() {
        await instances.look();
        await write();
      },
      // A stop must not fail for them.
      async stop() {
        await Promise.allSettled([instances.end(), write()]);
      },
    };
  },
  data: {
    tables: [auditTables, mailTables, metricsTables, queueTables, limitTables, instanceTables],
    belongings: auditBelongings,
    expired: [
      pastLife(limitTables.rateLimits.resetAt),
      // Nobody waits for an email that hasn't gone out for so long.
      pastLife(mailTables.outbox.createdAt, 30),
      expiredAuditEvents,
      pastLife(metricsTables.dailyNumbers.day, 400),
      pastLife(instanceTables.instances.seenAt, 400),
    ],
    searched: emailsTo,
    auditSentences: mailAudit,
  },
  metrics: {
    counters: {
      rate_limit_refused: ['What is over a limit.', 'limit'],
      audit_events: ['Events of the audit log.', 'action'],
      emails: ['Attempts to send an email.', 'outcome'],
      cleanup_deleted_rows: ['Expired rows that were deleted.', 'table'],
      cleanup_failures: ['Cleanups of a table that failed.', 'table'],
      log_lines_lost: ['Lines that the log had no room for.'],
    },
  },
} as const satisfies Part;
