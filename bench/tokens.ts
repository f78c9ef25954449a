import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { z } from 'zod';
import { bundle } from '../build.ts';
import { type Db, openPostgres } from '../src/platform/database.ts';
import { startCluster } from '../tests/support/cluster.ts';
import { createDatabase } from '../tests/support/create-database.ts';
import { addConnectedClient, type ConnectedClient } from './connected-grants.ts';
import { median, printTable, quantile } from './figures.ts';
import { bundleFlags, type MeasuredProcess, repository, secret, startMeasured } from './measured-process.ts';

const rounds = Number(process.argv[2] ?? 5);
const requests = 10_000;
const warmUpRequests = 1000;
const concurrency = 50;
const grantCount = 200;

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** What the same process and client reach with an answer that costs nothing. */
  readonly healthPerSecond: number;
  readonly megabytesBefore: number;
  readonly megabytesAfter: number;
  /** Share of the updates of `grants` that were HOT. */
  readonly hotShare: number;
}

const bundleFolder = join(repository, 'node_modules/.cache/latchkey-bench');
const issued = z.object({ refresh_token: z.string() });
const updatesOfGrants = z.array(z.object({ hot: z.number(), updates: z.number() }));

async function main(): Promise<void> {
  await bundle(bundleFolder);
  const cluster = await startCluster();
  try {
    const measured: Round[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await measureRound(cluster.address));
    printRounds(measured);
  } finally {
    await cluster.stop();
    await rm(bundleFolder, { recursive: true });
  }
}

/** A new database, a new process. */
async function measureRound(clusterAddress: string): Promise<Round> {
  const created = await createDatabase(clusterAddress, undefined);
  const database = await openPostgres(created.url, { maxConnections: 2 });
  const client = await addConnectedClient(database.db, grantCount);
  await database.db.execute('vacuum analyze');
  const environment = { DATABASE_URL: created.url, SECRET: secret };
  const server = await startMeasured(
    [...bundleFlags, join(bundleFolder, 'server.js')],
    '/readyz',
    environment,
  );
  const figures = await measure(server, client).finally(server.stop);
  // A connection reports its updates to the statistics when it ends.
  await sleep(500);
  const hotShare = await readHotShare(database.db);
  await database.close();
  await created.drop();
  return { ...figures, hotShare };
}

async function measure(server: MeasuredProcess, client: ConnectedClient): Promise<Omit<Round, 'hotShare'>> {
  const pool = new Pool(server.address, { connections: concurrency });
  const refresh = refresher(pool, client);
  const megabytesBefore = server.residentMegabytes();
  await callMany(warmUpRequests, refresh);
  const tokens = await callMany(requests, refresh);
  const megabytesAfter = server.residentMegabytes();
  const health = await callMany(requests, () => drain(pool, '/healthz'));
  await pool.close();
  return {
    perSecond: tokens.perSecond,
    p50Ms: quantile(tokens.durationsMs, 0.5),
    p99Ms: quantile(tokens.durationsMs, 0.99),
    healthPerSecond: health.perSecond,
    megabytesBefore,
    megabytesAfter,
  };
}

/**
 * Every call refreshes one grant; each of the callers at once has grants of its own, and spends
 * what it was given before.
 */
function refresher(pool: Pool, client: ConnectedClient): (caller: number) => Promise<void> {
  const current = [...client.refreshTokens];
  const turns = Array.from({ length: concurrency }, () => 0);
  return async (caller) => {
    const turn = turns[caller] ?? 0;
    turns[caller] = turn + 1;
    const grant = (caller + turn * concurrency) % grantCount;
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/v2/auth/oauth2/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: client.id,
        client_secret: client.secret,
        refresh_token: current[grant] ?? '',
      }).toString(),
    });
    const answer: unknown = await body.json();
    if (statusCode !== 200) throw new Error(`a refresh answered ${statusCode}`);
    current[grant] = issued.parse(answer).refresh_token;
  };
}

async function drain(pool: Pool, path: string): Promise<void> {
  const { body } = await pool.request({ method: 'GET', path });
  await body.dump();
}

/**
 * Calls so often in all, `concurrency` callers at once, each as soon as its last call was answered.
 */
async function callMany(
  calls: number,
  call: (caller: number) => Promise<void>,
): Promise<{ readonly perSecond: number; readonly durationsMs: readonly number[] }> {
  const durationsMs: number[] = [];
  let begun = 0;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async (_, caller) => {
      while (begun < calls) {
        begun += 1;
        const callAt = performance.now();
        await call(caller);
        durationsMs.push(performance.now() - callAt);
      }
    }),
  );
  return { perSecond: (calls * 1000) / (performance.now() - startedAt), durationsMs };
}

async function readHotShare(db: Db): Promise<number> {
  const rows = await db.execute(
    "select n_tup_hot_upd::int as hot, n_tup_upd::int as updates from pg_stat_user_tables where relname = 'grants'",
  );
  const [counted] = updatesOfGrants.parse(Array.isArray(rows) ? [...rows] : []);
  return counted === undefined ? Number.NaN : counted.hot / counted.updates;
}

function printRounds(measured: readonly Round[]): void {
  const row = (name: string, figure: (round: Round) => number, digits: number): string[] => {
    const figures = measured.map(figure);
    return [name, median(figures), Math.min(...figures), Math.max(...figures)].map((cell) =>
      typeof cell === 'string' ? cell : cell.toFixed(digits),
    );
  };
  printTable([
    ['10,000 refreshes, 50 at once', 'median', 'least', 'most'],
    row('requests/s', ({ perSecond }) => perSecond, 0),
    row('p50, ms', ({ p50Ms }) => p50Ms, 1),
    row('p99, ms', ({ p99Ms }) => p99Ms, 1),
    row('requests/s, as a share of /healthz', (round) => round.perSecond / round.healthPerSecond, 2),
    row('resident MB before', ({ megabytesBefore }) => megabytesBefore, 0),
    row('resident MB after', ({ megabytesAfter }) => megabytesAfter, 0),
    row('HOT share of the updates of grants', ({ hotShare }) => hotShare, 3),
  ]);
}

await main();
