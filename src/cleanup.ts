import { deleteExpiredDevices } from './accounts/device-recognition/store.ts';
import { deleteExpiredInvitations } from './accounts/groups/store.ts';
import { deleteExpiredSessions } from './accounts/sessions/store.ts';
import { deleteExpiredFormerNames } from './accounts/store.ts';
import { deleteUnusedLogos } from './oauth/clients/logos/store.ts';
import { deleteExpiredSecrets } from './oauth/clients/secrets/store.ts';
import { deleteExpiredFailedRequests } from './oauth/failed-requests/store.ts';
import { deleteExpiredGrants } from './oauth/store.ts';
import { deleteExpiredAuditEvents } from './platform/audit/store.ts';
import type { Db } from './platform/database.ts';
import { deleteSettledEmails } from './platform/mail/store.ts';
import type { Platform } from './platform/platform.ts';
import { deleteExpiredRateLimits } from './platform/rate-limits/store.ts';
import { deleteExpiredIdempotencyKeys } from './scheduling/bookings/idempotency/store.ts';
import { deleteExpiredReservations } from './scheduling/slots/store.ts';

type Cleanup = (db: Db, now: Date) => Promise<void>;

const everyMs = 3_600_000;
const dayMs = 86_400_000;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs);

/** What nobody can use any more, and for how long some of it stays visible. */
const cleanups = {
  sessions: deleteExpiredSessions,
  invitations: deleteExpiredInvitations,
  'former names': deleteExpiredFormerNames,
  'rate limits': deleteExpiredRateLimits,
  /** A browser that has not signed in for a year is new again. */
  devices: (db, now) => deleteExpiredDevices(db, daysBefore(now, 365)),
  /** Those whose code was never exchanged. */
  grants: (db, now) => deleteExpiredGrants(db, daysBefore(now, 1)),
  /** So long an owner can be told that an app still sends a secret that was deleted. */
  'deleted secrets': (db, now) => deleteExpiredSecrets(db, daysBefore(now, 30)),
  logos: (db) => deleteUnusedLogos(db),
  'failed token requests': deleteExpiredFailedRequests,
  /** What was sent stays visible to admins for so long. */
  'sent and failed emails': (db, now) => deleteSettledEmails(db, daysBefore(now, 30)),
  /** A trigger keeps younger ones from everybody. */
  'audit events': (db, now) => deleteExpiredAuditEvents(db, daysBefore(now, 365)),
  reservations: deleteExpiredReservations,
  'idempotency keys': deleteExpiredIdempotencyKeys,
} as const satisfies Record<string, Cleanup>;

/** Deletes what has expired, once; one that fails is logged by its name, and the others go on. */
export async function cleanUp({ db, runtime, log }: Pick<Platform, 'db' | 'runtime' | 'log'>): Promise<void> {
  const now = runtime.now();
  for (const [name, deleteExpired] of Object.entries<Cleanup>(cleanups)) {
    await deleteExpired(db, now).catch((err: unknown) => log.error({ err, cleanup: name }, 'cleanup failed'));
  }
}

/** Cleans up once an hour until it is stopped. */
export function startCleanup(deps: Pick<Platform, 'db' | 'runtime' | 'log'>): { stop(): void } {
  const timer = setInterval(() => void cleanUp(deps), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
