import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { version } from '../package.ts';
import { handedIn, type Part } from '../parts.ts';
import type { OnAnswered, Platform } from '../platform.ts';
import { routeOf } from '../request-identity.ts';
import { countsOf } from './counters.ts';
import { countUnsent, countWaiting } from './store.ts';

const durationBuckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** A slower database is left out of the answer. */
const maxDatabaseMs = 2000;

/** Opens no address. Only services with metrics load prom-client. */
export async function createMetrics({
  db,
  runtime,
  clockSkewSeconds,
  parts,
}: Pick<Platform, 'clockSkewSeconds' | 'db' | 'runtime' | 'parts'>) {
  const { default: prometheus } = await import('prom-client');
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = prometheus;
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const [what, [help, ...labelNames]] of handedIn(parts, counterEntries)) {
    new Counter({
      name: `latchkey_${what}_total`,
      help,
      labelNames,
      registers,
      collect() {
        this.reset();
        for (const [values, total] of countsOf(what)) this.inc(labelsOf(labelNames, values), total);
      },
    });
  }
  const durations = new Histogram({
    name: 'latchkey_http_request_duration_seconds',
    help: 'From the first byte of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: durationBuckets,
    registers,
  });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `latchkey_${name}`, help, labelNames, registers });
  const skew = gauge('clock_skew_seconds', 'How far this machine’s clock is ahead of the database’s.');
  gauge('build_info', 'The version of the service, always with the value 1.', 'version').set({ version }, 1);
  const isUp = gauge('database_up', 'Whether the database answered this scrape in time.');
  const answer = gauge('database_answer_seconds', 'A statement’s wait for a connection and its answer.');
  const unsent = gauge('outbox_emails', 'Unsent emails, 10,000 at most.', 'state');
  const oldest = gauge('outbox_oldest_seconds', 'Age of the oldest unsent email.', 'state');
  const waiting = handedIn(parts, ({ metrics }) => metrics?.gauges).map((of) => ({
    of,
    shown: gauge(of.name, of.help),
  }));

  async function askDatabase(): Promise<void> {
    const startedAt = performance.now();
    const byState = await countUnsent(db);
    answer.set((performance.now() - startedAt) / 1000);
    for (const { of, shown } of waiting) shown.set(await countWaiting(db, of));
    for (const { state, emails, oldest: createdAt } of byState) {
      unsent.set({ state }, emails);
      oldest.set({ state }, Math.max((runtime.now().getTime() - createdAt.getTime()) / 1000, 0));
    }
  }

  /** A database that hangs isn't asked again. */
  let asking: Promise<number> | undefined;
  const ask = (): Promise<number> =>
    askDatabase()
      .then(
        () => 1,
        () => 0,
      )
      .finally(() => {
        asking = undefined;
      });

  return {
    registry,
    /** Routes are patterns, methods those that Node.js knows: no path makes a series of its own. */
    onAnswered(request: FastifyRequest, { statusCode, elapsedTime }: FastifyReply): void {
      const { method } = request;
      const labels = { method, route: routeOf(request), status: String(statusCode) };
      durations.observe(labels, elapsedTime / 1000);
    },
    async read(): Promise<string> {
      for (const asked of [unsent, oldest, answer]) asked.reset();
      skew.set(clockSkewSeconds());
      asking ??= ask();
      isUp.set(await Promise.race([asking, sleep(maxDatabaseMs, 0, { ref: false })]));
      return registry.metrics();
    },
  };
}

const counterEntries = ({ metrics }: Part) => Object.entries(metrics?.counters ?? {});

function labelsOf(names: readonly string[], values: string): Record<string, string> {
  const parts = values.split(' ');
  return Object.fromEntries(names.map((name, index) => [name, parts[index] ?? '']));
}

/**
 * Serves `/metrics` at an address of its own (contract §7). Throws when the address can't be had.
 */
export async function startMetrics(
  app: Pick<Platform, 'clockSkewSeconds' | 'db' | 'runtime' | 'log' | 'parts'>,
  { host, port }: NonNullable<Config['metrics']>,
): Promise<{ readonly onAnswered: OnAnswered; close(): Promise<void> }> {
  const { onAnswered, read, registry } = await createMetrics(app);
  let reading: Promise<string> | undefined;
  const server = createServer({ requestTimeout: 10_000 }, async (request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    reading ??= read().finally(() => {
      reading = undefined;
    });
    try {
      const text = await reading;
      response.writeHead(200, { 'content-type': registry.contentType }).end(text);
    } catch (err) {
      app.log.error({ err }, 'the metrics could not be read');
      response.writeHead(500).end();
    }
  });
  server.listen({ port, host, exclusive: true });
  await once(server, 'listening');
  app.log.info({ address: server.address() }, 'metrics are served');
  return {
    onAnswered,
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
