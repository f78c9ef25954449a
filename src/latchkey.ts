import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ensureAdmin } from './accounts/admin.ts';
import { sweepAttempts } from './accounts/attempts/store.ts';
import { sweepInvitations } from './accounts/invitations/store.ts';
import { sweepDevices } from './accounts/protection/store.ts';
import { sweepSessions } from './accounts/sessions/store.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import {
  type Database,
  type DatabaseOptions,
  type Db,
  isDatabaseAway,
  openEmbedded,
  openPostgres,
} from './io/database.ts';
import { loadGeneratedSecret } from './io/generated-secret.ts';
import { createLimit } from './io/limit.ts';
import { smtpSender } from './io/mail.ts';
import { createRootSecret, nodeHash, type RootSecret } from './io/root-secret.ts';
import { realSystem, type System } from './io/system.ts';
import { forgetTeamConsents } from './oauth/connections/store.ts';
import { startFailureRecorder } from './oauth/failures/recorder.ts';
import { sweepFailures } from './oauth/failures/store.ts';
import { type Keyring, openKeyring } from './oauth/keyring.ts';
import { sweepLogos } from './oauth/logos/store.ts';
import { startSecretUse } from './oauth/secrets/last-use.ts';
import { sweepSecrets } from './oauth/secrets/store.ts';
import { revokeUserGrants, sweepGrants } from './oauth/store.ts';
import { createTokenLimits } from './oauth/token/limits.ts';
import { startDelivery } from './outbox/delivery.ts';
import { sweepSentMessages } from './outbox/store.ts';
import { sweepIdempotencyKeys } from './scheduling/bookings/store.ts';
import { sweepReservations } from './scheduling/slots/store.ts';

/** The service put together, ready to listen. */
export interface Latchkey {
  readonly app: FastifyInstance;
  readonly database: Database;
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>;
}

export interface LatchkeyOptions {
  readonly log: Logger;
  readonly system?: System;
  readonly database?: DatabaseOptions;
  /** How long failed token requests are gathered before they are written together. */
  readonly recordFailuresAfterMs?: number;
  /** Ends a start that waits for its database. */
  readonly signal?: AbortSignal;
}

/** From one address: far above what a person does. */
const bookingsPerMinute = 60;
const tidyEveryMs = 3_600_000;
const forgetDevicesAfterDays = 365;
const retryDatabaseMs = 1000;
const daySeconds = 86_400;
/** What was sent stays visible to admins for so long. */
const sentMessageDays = 30;
/** So long an owner can be told that an app still sends a secret that was deleted. */
const deletedSecretsDays = 30;
const recordFailuresAfterMs = 1000;

/**
 * Opens everything that the service stands on: database, migrations, secret, signing keys, the admin, the outbox.
 *
 * @throws when any of it cannot be had; nothing stays open then
 */
export async function openLatchkey(config: Config, options: LatchkeyOptions): Promise<Latchkey> {
  // Closed in the reverse order, each even if another one fails.
  await using opened = new AsyncDisposableStack();
  const { log, system = realSystem } = options;
  const database = opened.adopt(await openStorage(config, options), (it) => it.close());
  const { db } = database;
  const { appUrl, apiUrl } = config;
  const rootSecret = await openRootSecret(config);
  if (config.admin !== undefined) {
    await ensureAdmin(db, config.admin, system, (tx, userId) =>
      revokeUserGrants(tx, userId, 'admin', system.now()),
    );
  }
  const keyring = await openKeyring({ db, system, rootSecret });
  const send = config.mail === undefined ? undefined : smtpSender(config.mail);
  const delivery = opened.adopt(startDelivery({ db, system, rootSecret, log, send }), (it) => it.stop());
  const secretUse = opened.adopt(startSecretUse({ db, log }), (it) => it.stop());
  const recording = { db, system, log, mac: rootSecret, hash: nodeHash };
  const delayMs = options.recordFailuresAfterMs ?? recordFailuresAfterMs;
  const failures = opened.adopt(startFailureRecorder({ ...recording, delayMs }), (it) => it.close());
  const built = await buildApp({
    log,
    db,
    system,
    rootSecret,
    mac: rootSecret,
    hash: nodeHash,
    keyring,
    failures,
    limits: createTokenLimits(system),
    secretUse,
    appUrl,
    apiUrl,
    orgHost: config.orgHost,
    mayBookFrom: createLimit(bookingsPerMinute, system).allows,
    // Nobody can connect a calendar yet.
    readCalendars: async () => ({ busy: [], unavailable: [] }),
    issuer: appUrl,
    audience: apiUrl,
    signUp: config.signUp,
    trustedProxies: config.trustedProxies,
    lifetimes: {
      codeSeconds: config.codeSeconds,
      refreshIdleSeconds: config.refreshIdleDays * daySeconds,
      refreshMaxSeconds: config.refreshMaxDays * daySeconds,
    },
    nudgeOutbox: delivery.nudge,
    endPermissions: (tx, userId) => revokeUserGrants(tx, userId, 'user', system.now()),
    endTeamPermissions: forgetTeamConsents,
    isDatabaseAlive: database.isAlive,
  });
  const app = opened.adopt(built, (it) => it.close());
  opened.adopt(startTidying(log, system, db, keyring), clearInterval);
  const kept = opened.move();
  return { app, database, close: () => kept.disposeAsync() };
}

/** Removes now and then what nobody can use any more, and makes the next signing key when it is due. */
function startTidying(log: Logger, system: System, db: Db, keyring: Keyring): NodeJS.Timeout {
  const tidy = (): void => {
    const now = system.now();
    const daysAgo = (days: number): Date => new Date(now.getTime() - days * daySeconds * 1000);
    Promise.all([
      keyring.renew(),
      sweepSessions(db, now),
      sweepInvitations(db, now),
      sweepAttempts(db, now),
      sweepDevices(db, daysAgo(forgetDevicesAfterDays)),
      sweepGrants(db, daysAgo(1)),
      sweepSecrets(db, daysAgo(deletedSecretsDays)),
      sweepLogos(db),
      sweepSentMessages(db, daysAgo(sentMessageDays)),
      sweepReservations(db, now),
      sweepIdempotencyKeys(db, daysAgo(1)),
      sweepFailures(db, now),
    ]).catch((err: unknown) => log.error({ err }, 'tidying up failed'));
  };
  return setInterval(tidy, tidyEveryMs).unref();
}

async function openStorage({ storage }: Config, options: LatchkeyOptions): Promise<Database> {
  return storage.kind === 'postgres'
    ? awaitPostgres(storage.url, options)
    : openEmbedded(storage.directory, options.database);
}

/** A start may come before its database's: as long as that is away it waits, and says so. */
async function awaitPostgres(url: string, { log, database, signal }: LatchkeyOptions): Promise<Database> {
  for (;;) {
    try {
      return await openPostgres(url, database);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      log.warn({ err: error }, 'PostgreSQL is away; the start waits for it');
      await sleep(retryDatabaseMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}

async function openRootSecret({ secrets, storage }: Config): Promise<RootSecret> {
  if (secrets !== undefined) return createRootSecret(secrets);
  if (storage.kind === 'postgres') throw new Error('SECRET is required with DATABASE_URL');
  return createRootSecret([await loadGeneratedSecret(storage.directory)]);
}
