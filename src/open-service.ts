import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { adminOutcomes, ensureAdmin } from './accounts/admin/admins.ts';
import { isFirstAccount, listAdminEmails } from './accounts/store.ts';
import { buildApp } from './app.ts';
import { startCleanup } from './cleanup.ts';
import { type Config, ConfigFault, configWarnings } from './config.ts';
import { databaseHostsOf } from './environment.ts';
import { loadParts } from './parts.ts';
import { systemContext } from './platform/audit/context.ts';
import { brandFaults } from './platform/brand.ts';
import { type ConnectionLimits, connectionsWithin, readMaxOpenFiles } from './platform/connections.ts';
import { openRootSecret } from './platform/data-directory.ts';
import { isDatabaseAway, isLoginRefused } from './platform/database.ts';
import { openDatabaseClock } from './platform/database-clock.ts';
import { createBuckets } from './platform/limits/buckets.ts';
import { explainFault } from './platform/log.ts';
import { startDelivery } from './platform/mail/delivery.ts';
import { type SendMail, smtpSender } from './platform/mail/smtp.ts';
import { startMetrics } from './platform/metrics/metrics.ts';
import { type Database, type DatabaseOptions, openEmbedded, openPostgres } from './platform/open-database.ts';
import { findOrphans } from './platform/orphans/store.ts';
import type { Opened, PartOptions } from './platform/parts.ts';
import type { Platform } from './platform/platform.ts';
import { reencryptAll } from './platform/reencryption/store.ts';
import { nodeRuntime, type Runtime } from './platform/runtime.ts';
import { createTurns } from './platform/turns.ts';

export interface Service {
  readonly app: FastifyInstance;
  readonly database: Database;
  /** Fails `/readyz`, and goes on until load balancers have seen it. */
  announceStop(delaySeconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface ServiceOptions extends PartOptions {
  readonly log: Logger;
  readonly runtime?: Runtime;
  /** See {@link Runtime}. */
  readonly limits?: Runtime['limits'];
  readonly database?: DatabaseOptions;
  readonly send?: SendMail;
  readonly signal?: AbortSignal;
  readonly cleanupEveryMs?: number;
  readonly httpConnections?: ConnectionLimits;
}

const minuteMs = 60_000;
const ticksAnHour = 12;
const closeIdleEveryMs = 50;
/** Slow connections are cut off then, so that the stop ends in time. */
const finishRequestsMs = 5000;
const retryDatabaseMs = 1000;
const tellAgainMs = 10_000;

const nothing: Opened = { capabilities: {} };

/** Opens all that the service stands on. Throws, and leaves nothing open, when any of it fails. */
export async function openService(config: Config, options: ServiceOptions): Promise<Service> {
  // The stack closes in reverse order, each even if another one fails.
  await using opened = new AsyncDisposableStack();
  const { log } = options;
  const faults = brandFaults(config.brand);
  if (faults.length > 0) throw new ConfigFault(faults);
  for (const warning of configWarnings(config)) log.warn(warning);
  const database = opened.adopt(await openStorage(config, options), (it) => it.close());
  const { db } = database;
  // The embedded database has this machine's clock.
  const clock =
    options.runtime === undefined && database.kind === 'postgres'
      ? opened.adopt(await openDatabaseClock({ db, log }), (it) => it.stop())
      : undefined;
  const clockSkewSeconds = clock?.skewSeconds ?? (() => 0);
  const now = clock?.now ?? nodeRuntime.now; // protects: C64
  const usual = options.runtime ?? { ...nodeRuntime, now };
  const runtime = { ...usual, limits: options.limits };
  const buckets = createBuckets(runtime);
  const secrets = await openRootSecret(config);
  const send = options.send ?? (config.mail === undefined ? undefined : smtpSender(config.mail));
  const delivery = opened.adopt(startDelivery({ db, runtime, secrets, log, send }), (it) => it.stop());
  const parts = await loadParts(config.parts);
  await warnOfOrphans({ db, log, parts });
  const openedParts: Opened[] = [];
  for (const { open } of parts)
    openedParts.push(
      (await open?.({ config, db, log, parts, runtime, secrets, opened, options })) ?? nothing,
    );
  const capabilities: Partial<Platform> = Object.assign({}, ...openedParts.map((part) => part.capabilities));
  const metrics =
    config.metrics &&
    opened.adopt(await startMetrics({ db, runtime, log, clockSkewSeconds, parts }, config.metrics), (it) =>
      it.close(),
    );
  const stopping = new AbortController();
  const foundation = {
    ...capabilities,
    parts,
    config,
    log,
    runtime,
    db,
    isDatabaseAlive: database.isAlive,
    clockSkewSeconds,
    stopping: stopping.signal,
    secrets,
    onAnswered: metrics?.onAnswered,
    mail: { isConfigured: send !== undefined, nudge: delivery.nudge },
    buckets,
    takeTurn: createTurns(buckets.requests, 4),
    // Pages have turns of their own, so that they never wait for apps (security C332).
    takePageTurn: createTurns(buckets.requests, 2),
  };
  const built = await buildApp(foundation, options.httpConnections ?? countPlaces(config, log));
  // All stop together, since each may wait for a slow peer.
  const app = opened.adopt(built, async (it) => {
    await Promise.all([closeConnections(it), delivery.stop(), ...openedParts.map((part) => part.stop?.())]);
  });
  if (config.admin !== undefined) {
    const by = systemContext(runtime.now(), log);
    const outcome = await ensureAdmin(app, config.admin, by);
    if (outcome === undefined)
      throw new ConfigFault(['ADMIN_PASSWORD is easy to guess: use a few unrelated words']);
    log.info(adminOutcomes[outcome]);
  }
  app.addHook('onListen', () => warnWithoutAdmin({ config, db, log }));
  const cleanup = startCleanup(
    { db, runtime, log, config, parts },
    async (signal) => {
      // A fault of one part, or of the database, ends neither the others nor the process.
      for (const { goOn } of openedParts)
        await goOn?.(app, signal).catch((err: unknown) =>
          log.error({ err }, 'unfinished work did not go on'),
        );
    },
    options.cleanupEveryMs,
  );
  opened.adopt(cleanup, (it) => it.stop());
  opened.adopt(reencryptRegularly({ config, db, secrets, log, parts }), clearInterval);
  const kept = opened.move();
  return {
    app,
    database,
    async announceStop(delaySeconds) {
      stopping.abort();
      if (app.server.listening) await sleep(delaySeconds * 1000);
    },
    close: () => kept.disposeAsync(),
  };
}

const fewPlaces = 1024;

function countPlaces({ storage }: Config, log: Logger): ConnectionLimits {
  const maxFiles = readMaxOpenFiles();
  const limits = connectionsWithin(maxFiles, storage.kind === 'postgres' ? storage.poolSize : 0);
  if (limits.max < fewPlaces)
    log.warn(
      { maxFiles, connections: limits.max },
      'the process may open few files, so it takes few connections: raise ulimit -n (LimitNOFILE of systemd, --ulimit nofile of Docker)',
    );
  return limits;
}

async function warnOfOrphans({ db, log, parts }: Pick<Platform, 'db' | 'log' | 'parts'>): Promise<void> {
  const tables = await findOrphans({ db, parts });
  if (tables.length > 0)
    log.warn(
      { tables },
      'tables of parts that this build lacks have rows, which no deletion, reset, export or new SECRET reaches',
    );
}

async function warnWithoutAdmin(app: Pick<Platform, 'config' | 'db' | 'log'>): Promise<void> {
  if (await isFirstAccount(app))
    app.log.warn('the first account that signs up administers this installation');
  else if ((await listAdminEmails(app.db)).length === 0)
    app.log.warn(
      'no admin can review apps: set ADMIN_EMAIL and ADMIN_PASSWORD, or run "latchkey-server users make-admin EMAIL"',
    );
}

/** Node.js itself closes connections that are idle at the beginning. */
async function closeConnections(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), closeIdleEveryMs);
  const slow = setTimeout(() => {
    app.log.warn('connections that are still in use are closed');
    app.server.closeAllConnections();
  }, finishRequestsMs);
  await app.close().finally(() => {
    clearInterval(idle);
    clearTimeout(slow);
  });
}

/**
 * A start must not reencrypt, since instances that are being replaced can't read it; soon after,
 * they are gone.
 */
function reencryptRegularly(app: Pick<Platform, 'config' | 'db' | 'secrets' | 'log' | 'parts'>) {
  const work = (): void => {
    reencryptAll(app).then(
      (done) => {
        if (done !== undefined) app.log.info(done, 'what a former SECRET encrypted was encrypted again');
      },
      (err: unknown) => app.log.error({ err }, 'what a former SECRET encrypted was not encrypted again'),
    );
  };
  let ticks = 0;
  return setInterval(() => {
    if (ticks % ticksAnHour === 0) work();
    ticks += 1;
  }, 5 * minuteMs).unref();
}

async function openStorage({ storage }: Config, options: ServiceOptions): Promise<Database> {
  if (storage.kind === 'postgres') return awaitPostgres(storage, options);
  const directory = resolve(storage.directory);
  options.log.info({ directory }, 'the database is the embedded one in DATA_DIR');
  return openEmbedded(storage.directory, { log: options.log, ...options.database });
}

/** A start may come before its database's, so it waits, and says why when the cause is another. */
async function awaitPostgres(
  { url, poolSize, pooler }: Extract<Config['storage'], { kind: 'postgres' }>,
  { log, database, signal }: ServiceOptions,
): Promise<Database> {
  const hosts = databaseHostsOf(url).join(',') || 'localhost';
  log.info({ hosts }, 'the database is that of DATABASE_URL');
  for (let told = '', toldAt = 0; ; ) {
    try {
      return await openPostgres(url, { log, signal, maxConnections: poolSize, pooler, ...database });
    } catch (error) {
      if (!isDatabaseAway(error) || isLoginRefused(error)) throw error;
      const cause = explainFault(error);
      if (cause !== told || performance.now() - toldAt >= tellAgainMs) {
        log.warn({ hosts, cause }, 'PostgreSQL is away; the start waits for it');
        [told, toldAt] = [cause, performance.now()];
      }
      await sleep(retryDatabaseMs, undefined, signal === undefined ? {} : { signal });
    }
  }
}
