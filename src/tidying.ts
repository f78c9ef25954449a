import type { Logger } from 'pino';
import { sweepAttempts } from './accounts/attempts/store.ts';
import { sweepInvitations } from './accounts/invitations/store.ts';
import { sweepDevices } from './accounts/protection/store.ts';
import { sweepSessions } from './accounts/sessions/store.ts';
import type { Db } from './io/database.ts';
import type { System } from './io/system.ts';
import { sweepFailures } from './oauth/failures/store.ts';
import { sweepLogos } from './oauth/logos/store.ts';
import { sweepSecrets } from './oauth/secrets/store.ts';
import { sweepGrants } from './oauth/store.ts';
import { sweepSentMessages } from './outbox/store.ts';
import { sweepIdempotencyKeys } from './scheduling/bookings/taking/store.ts';
import { sweepReservations } from './scheduling/slots/store.ts';

type Sweep = (db: Db, now: Date) => Promise<void>;

const everyMs = 3_600_000;
const dayMs = 86_400_000;

const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * dayMs);

/** What nobody can use any more, and for how long some of it stays visible. */
const sweeps = {
  sessions: sweepSessions,
  invitations: sweepInvitations,
  attempts: sweepAttempts,
  /** A browser that has not signed in for a year is new again. */
  devices: (db, now) => sweepDevices(db, daysBefore(now, 365)),
  /** Those whose code was never exchanged. */
  grants: (db, now) => sweepGrants(db, daysBefore(now, 1)),
  /** So long an owner can be told that an app still sends a secret that was deleted. */
  'deleted secrets': (db, now) => sweepSecrets(db, daysBefore(now, 30)),
  logos: (db) => sweepLogos(db),
  'failed token requests': sweepFailures,
  /** What was sent stays visible to admins for so long. */
  'sent messages': (db, now) => sweepSentMessages(db, daysBefore(now, 30)),
  reservations: sweepReservations,
  'idempotency keys': sweepIdempotencyKeys,
} as const satisfies Record<string, Sweep>;

export interface TidyingDeps {
  readonly db: Db;
  readonly system: System;
  readonly log: Logger;
}

/** Sweeps everything once; what fails is logged by its name, and does not keep the rest from being swept. */
export async function tidy({ db, system, log }: TidyingDeps): Promise<void> {
  const now = system.now();
  for (const [name, sweep] of Object.entries<Sweep>(sweeps)) {
    await sweep(db, now).catch((err: unknown) => log.error({ err, sweep: name }, 'tidying up failed'));
  }
}

/** Tidies up once an hour until it is stopped. */
export function startTidying(deps: TidyingDeps): { stop(): void } {
  const timer = setInterval(() => void tidy(deps), everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
