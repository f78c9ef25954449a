import { setTimeout as sleep } from 'node:timers/promises';
import {
  devices,
  emailVerifications,
  formerNames,
  invitations,
  sessions,
  spentChallenges,
} from './accounts/tables.ts';
import { unusedLogos } from './oauth/clients/logos/store.ts';
import { keptDays as keptFailedRequestsDays } from './oauth/failed-requests/store.ts';
import { expiredGrants, forgottenConsents } from './oauth/revocation/store.ts';
import { clientSecrets, failedTokenRequests, webhookEvents } from './oauth/tables.ts';
import { keptDays as keptWebhookEventsDays } from './oauth/webhooks/webhook.ts';
import { expiredAuditEvents } from './platform/audit/store.ts';
import { outbox } from './platform/mail/tables.ts';
import { count } from './platform/metrics/counters.ts';
import type { Platform } from './platform/platform.ts';
import { rateLimits } from './platform/rate-limits/tables.ts';
import {
  batchRows,
  deleteBatch,
  deleteOnWalk,
  type Expired,
  type ExpiredOnWalk,
  nameOfTable,
  pastLife,
} from './platform/retention/store.ts';
import { randomHex } from './platform/runtime.ts';
import { bookingsOfDeletedAccounts, deletedAccounts } from './scheduling/account-deletion/store.ts';
import { expiredSignUps } from './scheduling/principals/store.ts';
import { idempotencyKeys, slotReservations } from './scheduling/tables.ts';

type App = Pick<Platform, 'db' | 'runtime' | 'log' | 'config'>;

const everyMs = 60_000;
const stopWaitMs = 1000;
/** Of one table in one cleanup: 50,000 rows a minute. */
export const maxBatches = 50;
/** Of one table in one cleanup; a million rows are walked through in less than four hours. */
export const maxChunks = 5;

/** Tables whose expired rows an index finds. */
const indexed: readonly ((now: Date, config: Platform['config']) => Expired)[] = [
  // By the end alone, which never changes: an index of what requests change would cost them.
  pastLife(sessions.expiresAt),
  pastLife(spentChallenges.expiresAt),
  pastLife(invitations.expiresAt),
  pastLife(formerNames.expiresAt),
  pastLife(rateLimits.resetAt),
  // A browser that has not signed in for so long is new again.
  pastLife(devices.lastSeenAt, 365),
  // An owner is told that an app still sends a deleted secret.
  pastLife(clientSecrets.deletedAt, 30),
  pastLife(failedTokenRequests.at, keptFailedRequestsDays),
  // Sent or not: nobody waits for an email that has not gone out for so long.
  pastLife(outbox.createdAt, 30),
  expiredAuditEvents,
  // With their deliveries; what waits is given up long before.
  pastLife(webhookEvents.createdAt, keptWebhookEventsDays),
  pastLife(slotReservations.expiresAt),
  // Before the links that mark them.
  (now, config) => expiredSignUps(config, now),
  // Links live for a day; a day longer than an account that is never verified, which they mark.
  pastLife(emailVerifications.createdAt, 31),
  pastLife(idempotencyKeys.createdAt, 1),
  bookingsOfDeletedAccounts,
  deletedAccounts,
];

/** Tables that are walked through. */
const walked: readonly ((app: Omit<App, 'log'>, now: Date) => ExpiredOnWalk)[] = [
  ({ config }, now) => expiredGrants(config.lifetimes, now),
  forgottenConsents,
  ({ db }) => unusedLogos(db),
];

/** Cleanups, each of which goes on with the walks where the former one ended. */
export interface Cleanup {
  /** Deletes what nobody can use any more, in bounded steps; a table that fails is logged. */
  run(): Promise<void>;
  /** Ends a run after the statement in hand. */
  end(): void;
}

export function createCleanup(app: App): Cleanup {
  const { config, db, runtime, log } = app;
  // Somewhere, so that the ends of tables are reached although processes restart.
  const places = walked.map((of): string | undefined =>
    of(app, runtime.now()).key.dataType === 'string' ? randomHex(runtime, 16) : undefined,
  );
  let hasEnded = false;

  async function deleteBatches(expired: Expired): Promise<void> {
    for (let batches = 0; batches < maxBatches && !hasEnded; batches += 1)
      if ((await deleteBatch(db, expired)) < batchRows) return;
  }

  async function walk(expired: ExpiredOnWalk, index: number): Promise<void> {
    for (let chunks = 0; chunks < maxChunks && !hasEnded; chunks += 1) {
      places[index] = await deleteOnWalk(db, expired, places[index]);
      if (places[index] === undefined) return;
    }
  }

  async function attempt(expired: Expired, work: Promise<void>): Promise<void> {
    await work.catch((err: unknown) => {
      const table = nameOfTable(expired);
      count('cleanup_failures', table);
      log.error({ err, table }, 'cleanup failed');
    });
  }

  return {
    async run() {
      const now = runtime.now();
      for (const expiredAt of indexed) {
        const expired = expiredAt(now, config);
        await attempt(expired, deleteBatches(expired));
      }
      for (const [index, expiredOf] of walked.entries()) {
        const expired = expiredOf(app, now);
        await attempt(expired, walk(expired, index));
      }
    },
    end() {
      hasEnded = true;
    },
  };
}

/** By table: what the next cleanups delete. */
export async function countExpired(app: Omit<App, 'log'>) {
  const now = app.runtime.now();
  const all = [...indexed.map((of) => of(now, app.config)), ...walked.map((of) => of(app, now))];
  const counted: { readonly table: string; readonly rows: number }[] = [];
  for (const expired of all)
    counted.push({
      table: nameOfTable(expired),
      rows: await app.db.$count(expired.table, expired.isExpired),
    });
  return counted;
}

/**
 * Cleans up once a minute until it is stopped, and goes on with what was left unfinished. Neither
 * waits for the other (security C77).
 */
export function startCleanup(
  app: App,
  goOn: (signal: AbortSignal) => Promise<void>,
): { stop(): Promise<void> } {
  const cleanup = createCleanup(app);
  const ending = new AbortController();
  const works = [() => cleanup.run(), () => goOn(ending.signal)];
  const running = works.map((): Promise<void> | undefined => undefined);
  const timer = setInterval(() => {
    for (const [index, work] of works.entries())
      running[index] ??= work().finally(() => {
        running[index] = undefined;
      });
  }, everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      ending.abort();
      cleanup.end();
      await Promise.race([Promise.all(running), sleep(stopWaitMs, undefined, { ref: false })]);
    },
  };
}
