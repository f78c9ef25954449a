import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { Pool } from 'undici';
import { z } from 'zod';
import { bundle } from '../build.ts';
import { openPostgres } from '../src/platform/database.ts';
import { startCluster } from '../tests/support/cluster.ts';
import { createDatabase } from '../tests/support/create-database.ts';
import { addConnectedClient, type ConnectedClient } from './connected-grants.ts';
import { median, printTable, quantile } from './figures.ts';
import {
  bundleFlags,
  cpuSecondsOfDatabase,
  type MeasuredProcess,
  repository,
  secret,
  startMeasured,
} from './measured-process.ts';

const rounds = Number(process.argv[2] ?? 5);
const requests = 8000;
/** Until V8 has compiled what runs often, as in a server that has been up for a minute. */
const warmUp = 16_000;
const concurrency = 32;
const grantCount = 200;
const workloads = ['refresh', 'code exchange', 'GET /v2/me'] as const;

type Workload = (typeof workloads)[number];

interface Burst {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly serverMicroseconds: number;
  readonly databaseMicroseconds: number;
}

/** A server with the requests of each workload, each answered by 200. */
interface Contender {
  readonly name: string;
  readonly server: MeasuredProcess;
  readonly databaseName: string;
  readonly requestOf: Readonly<Record<Workload, (caller: number) => CallOptions>>;
  /** Reads an answer that the next request depends on. */
  readonly learn?: (workload: Workload, caller: number, answer: unknown) => void;
  close(): Promise<void>;
}

interface CallOptions {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

const bundleFolder = join(repository, 'node_modules/.cache/latchkey-bench');
const form = { 'content-type': 'application/x-www-form-urlencoded' } as const;
const issued = z.object({ access_token: z.string(), refresh_token: z.string() });

async function main(): Promise<void> {
  await bundle(bundleFolder);
  const cluster = await startCluster();
  try {
    const measured = new Map<string, Burst[]>();
    for (let round = 0; round < rounds; round += 1) {
      const contenders = [await startFloor(cluster.address), await startLatchkey(cluster.address)];
      // The bursts alternate, so that a busy moment of the machine hits all.
      for (const workload of workloads)
        for (const contender of contenders) {
          await burst(contender, workload, warmUp);
          const figures = await burst(contender, workload, requests);
          const name = `${workload}: ${contender.name}`;
          measured.set(name, [...(measured.get(name) ?? []), figures]);
        }
      for (const { server } of contenders)
        process.stderr.write(`${server.residentMegabytes().toFixed(0)} MB\n`);
      for (const contender of contenders) await contender.close();
    }
    print(measured);
  } finally {
    await cluster.stop();
    await rm(bundleFolder, { recursive: true });
  }
}

async function startFloor(clusterAddress: string): Promise<Contender> {
  const created = await createDatabase(clusterAddress, undefined);
  const sql = postgres(created.url, { max: 1 });
  await sql`create table floor (id text primary key, name text, generation int) with (fillfactor = 70)`;
  await sql`insert into floor select i::text, 'Ann', 0 from generate_series(1, ${grantCount}) i`;
  await sql.end();
  const server = await startMeasured([...bundleFlags, 'bench/floor.ts'], '/readyz', {
    DATABASE_URL: created.url,
  });
  let turn = 0;
  const idOf = (): string => String(1 + (turn++ % grantCount));
  const token = () => ({ method: 'POST', path: '/token', headers: form, body: `id=${idOf()}` }) as const;
  return {
    name: 'floor',
    server,
    databaseName: created.name,
    requestOf: {
      refresh: token,
      'code exchange': token,
      'GET /v2/me': () => ({ method: 'GET', path: '/me', headers: { authorization: idOf() } }),
    },
    async close() {
      await server.stop();
      await created.drop();
    },
  };
}

async function startLatchkey(clusterAddress: string): Promise<Contender> {
  const created = await createDatabase(clusterAddress, undefined);
  const database = await openPostgres(created.url, { maxConnections: 2 });
  const client = await addConnectedClient(database.db, grantCount, warmUp + requests);
  await database.db.execute('vacuum analyze');
  await database.close();
  const environment = { DATABASE_URL: created.url, SECRET: secret, CODE_TTL_SECONDS: '600' };
  const server = await startMeasured(
    [...bundleFlags, join(bundleFolder, 'server.js')],
    '/readyz',
    environment,
  );
  return {
    name: 'Latchkey',
    server,
    databaseName: created.name,
    ...requestsOf(client),
    async close() {
      await server.stop();
      await created.drop();
    },
  };
}

/** Each caller has grants of its own, and spends what it was given before. */
function requestsOf({ id, secret, refreshTokens, codes, redirectUri }: ConnectedClient) {
  const current = [...refreshTokens];
  const accessTokens: string[] = [];
  const turns = Array.from({ length: concurrency }, () => 0);
  const grants: number[] = [];
  let exchanged = 0;
  const tokenRequest = (fields: Readonly<Record<string, string>>): CallOptions => ({
    method: 'POST',
    path: '/v2/auth/oauth2/token',
    headers: form,
    body: new URLSearchParams({ client_id: id, client_secret: secret, ...fields }).toString(),
  });
  return {
    requestOf: {
      refresh(caller: number) {
        const turn = turns[caller] ?? 0;
        turns[caller] = turn + 1;
        const own = Math.floor((grantCount - 1 - caller) / concurrency) + 1;
        const grant = caller + (turn % own) * concurrency;
        grants[caller] = grant;
        return tokenRequest({ grant_type: 'refresh_token', refresh_token: current[grant] ?? '' });
      },
      'code exchange': () =>
        tokenRequest({
          grant_type: 'authorization_code',
          redirect_uri: redirectUri,
          code: codes[exchanged++] ?? '',
        }),
      'GET /v2/me': () => ({
        method: 'GET' as const,
        path: '/v2/me',
        headers: { authorization: `Bearer ${accessTokens[Math.floor(Math.random() * grantCount)]}` },
      }),
    },
    learn(workload: Workload, caller: number, answer: unknown): void {
      if (workload !== 'refresh') return;
      const tokens = issued.parse(answer);
      const grant = grants[caller] ?? 0;
      current[grant] = tokens.refresh_token;
      accessTokens[grant] = tokens.access_token;
    },
  };
}

/** So many calls in all, each caller's as soon as its last one was answered. */
async function burst(contender: Contender, workload: Workload, calls: number): Promise<Burst> {
  const { server, databaseName } = contender;
  const pool = new Pool(server.address, { connections: concurrency });
  const durationsMs: number[] = [];
  let begun = 0;
  const cpuBefore = [server.cpuSeconds(), cpuSecondsOfDatabase(databaseName)] as const;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async (_, caller) => {
      while (begun < calls) {
        begun += 1;
        const callAt = performance.now();
        const { statusCode, body } = await pool.request(contender.requestOf[workload](caller));
        const answer: unknown = await body.json();
        if (statusCode !== 200)
          throw new Error(`${workload} answered ${statusCode}: ${JSON.stringify(answer)}`);
        contender.learn?.(workload, caller, answer);
        durationsMs.push(performance.now() - callAt);
      }
    }),
  );
  const perSecond = (calls * 1000) / (performance.now() - startedAt);
  const perCall = (seconds: number): number => (seconds * 1e6) / calls;
  await pool.close();
  return {
    perSecond,
    p99Ms: quantile(durationsMs, 0.99),
    serverMicroseconds: perCall(server.cpuSeconds() - cpuBefore[0]),
    databaseMicroseconds: perCall(cpuSecondsOfDatabase(databaseName) - cpuBefore[1]),
  };
}

function print(measured: ReadonlyMap<string, readonly Burst[]>): void {
  const of = (name: string, figure: (burst: Burst) => number): number =>
    median((measured.get(name) ?? []).map(figure));
  const rows = [...measured.keys()].map((name) => {
    const floor = `${name.split(': ')[0]}: floor`;
    const cell = (figure: (burst: Burst) => number, digits: number): string =>
      `${of(name, figure).toFixed(digits)} (${(of(name, figure) / of(floor, figure)).toFixed(2)})`;
    return [
      name,
      cell(({ perSecond }) => perSecond, 0),
      cell(({ serverMicroseconds }) => serverMicroseconds, 0),
      cell(({ databaseMicroseconds }) => databaseMicroseconds, 0),
      cell(({ p99Ms }) => p99Ms, 1),
    ];
  });
  printTable([
    ['medians (× floor)', 'requests/s', 'CPU of the server, µs', 'CPU of PostgreSQL, µs', 'p99, ms'],
    ...rows,
  ]);
}

await main();
