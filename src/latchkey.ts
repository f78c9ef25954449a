import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ensureAdmin } from './accounts/admin.ts';
import { buildApp } from './app.ts';
import type { Config } from './config.ts';
import {
  type Database,
  type DatabaseOptions,
  isDatabaseAway,
  openEmbedded,
  openPostgres,
} from './io/database.ts';
import { loadGeneratedSecret } from './io/generated-secret.ts';
import { createLimit } from './io/limit.ts';
import { type SendMail, smtpSender } from './io/mail.ts';
import { createOutbound } from './io/outbound.ts';
import { createRootSecret, nodeHash, type RootSecret } from './io/root-secret.ts';
import { realSystem, type System } from './io/system.ts';
import { startFailureRecorder } from './oauth/failures/recorder.ts';
import { type Keyring, openKeyring } from './oauth/keyring.ts';
import { startSecretUse } from './oauth/secrets/last-use.ts';
import { revokeTeamGrants, revokeUserGrants } from './oauth/store.ts';
import { createTokenLimits } from './oauth/token/limits.ts';
import { startDelivery } from './outbox/delivery.ts';
import { createIcsReader } from './scheduling/calendars/ics-reader.ts';
import { createCalendarReader } from './scheduling/calendars/reader.ts';
import { createPublicLimits } from './scheduling/limits.ts';
import { startTidying } from './tidying.ts';

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
  /** Instead of the mail server of the configuration. */
  readonly send?: SendMail;
  /** How long failed token requests are gathered before they are written together. */
  readonly recordFailuresAfterMs?: number;
  /** Ends a start that waits for its database. */
  readonly signal?: AbortSignal;
}

const renewKeysEveryMs = 3_600_000;
/** Of one user; each makes us ask another server. */
const calendarsPerMinute = 20;
const retryDatabaseMs = 1000;
const daySeconds = 86_400;
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
  const send = options.send ?? (config.mail === undefined ? undefined : smtpSender(config.mail));
  const delivery = opened.adopt(startDelivery({ db, system, rootSecret, log, send }), (it) => it.stop());
  const secretUse = opened.adopt(startSecretUse({ db, log }), (it) => it.stop());
  const recording = { db, system, log, mac: rootSecret, hash: nodeHash };
  const delayMs = options.recordFailuresAfterMs ?? recordFailuresAfterMs;
  const failures = opened.adopt(startFailureRecorder({ ...recording, delayMs }), (it) => it.close());
  const outbound = opened.adopt(
    createOutbound(config.calendarAllowPrivate ? { mayConnectTo: () => true } : {}),
    (it) => it.close(),
  );
  const ics = opened.adopt(createIcsReader(), (it) => it.close());
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
    publicLimits: createPublicLimits(system),
    outbound,
    ics,
    readCalendars: createCalendarReader({ db, system, rootSecret, outbound, ics, log }),
    mayConnectCalendar: createLimit(calendarsPerMinute, system).allows,
    issuer: appUrl,
    audience: apiUrl,
    signUp: config.signUp,
    trustedProxies: config.trustedProxies,
    lifetimes: {
      codeSeconds: config.codeSeconds,
      refreshIdleSeconds: config.refreshIdleDays * daySeconds,
      refreshMaxSeconds: config.refreshMaxDays * daySeconds,
    },
    hasMail: send !== undefined,
    nudgeOutbox: delivery.nudge,
    endPermissions: (tx, userId) => revokeUserGrants(tx, userId, 'user', system.now()),
    endTeamPermissions: (tx, userId, teamId) => revokeTeamGrants(tx, userId, teamId, system.now()),
    isDatabaseAlive: database.isAlive,
  });
  const app = opened.adopt(built, (it) => it.close());
  opened.adopt(startTidying({ db, system, log }), (it) => it.stop());
  opened.adopt(renewKeysHourly(keyring, log), clearInterval);
  const kept = opened.move();
  return { app, database, close: () => kept.disposeAsync() };
}

/** The next signing key is made when it is due. */
function renewKeysHourly(keyring: Keyring, log: Logger): NodeJS.Timeout {
  const renew = (): void => {
    keyring.renew().catch((err: unknown) => log.error({ err }, 'the signing keys were not renewed'));
  };
  return setInterval(renew, renewKeysEveryMs).unref();
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
