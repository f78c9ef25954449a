import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import postgres from 'postgres';
import { Pool } from 'undici';
import { bundle } from '../build.ts';
import { issueRefreshToken } from '../src/oauth/core/refresh.ts';
import { openPostgres } from '../src/platform/database.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { startCluster } from '../tests/support/cluster.ts';
import { createDatabase } from '../tests/support/create-database.ts';
import { addConnectedClient } from './connected-grants.ts';
import { median, printTable, quantile } from './figures.ts';
import { bundleFlags, repository, secret, startMeasured } from './measured-process.ts';

const few = 10_000;
const many = Number(process.argv[2] ?? 1_000_000);
const rounds = 5;
const requests = 4000;
const concurrency = 8;
const tokenPath = '/v2/auth/oauth2/token';
const bundleFolder = join(repository, 'node_modules/.cache/latchkey-bench-many');

/** A service on a table of so many grants; each burst refreshes others, from all over the table. */
async function startWith(clusterAddress: string, grantCount: number) {
  const created = await createDatabase(clusterAddress, undefined);
  const { db, close } = await openPostgres(created.url, { maxConnections: 1 });
  const client = await addConnectedClient(db, 1, 0);
  await close();
  const sql = postgres(created.url, { max: 1, onnotice: () => {} });
  await sql`
    insert into users (email, name, password_hash, created_at)
    select n || '@example.com', 'User', 'none', now() from generate_series(1, ${few}) n`;
  await sql`
    insert into grants (id, client_id, user_id, redirect_uri, generation, issued_at, redeemed_at, rotated_at)
    select gen_random_uuid(), ${client.id}, 2 + n % ${few}, ${client.redirectUri}, 1, now(), now(), now()
    from generate_series(1, ${grantCount}) n`;
  await sql`vacuum analyze grants`;
  await sql`checkpoint`;
  const share = Math.min(1, (2 * rounds * requests) / grantCount);
  const ids = (
    await sql<{ id: string }[]>`select id from grants where random() < ${share} order by random()`
  ).map(({ id }) => id);
  await sql.end();
  const secrets = createSecrets([secret]);
  const spent = new Map<string, number>();
  let turn = 0;
  const environment = { DATABASE_URL: created.url, SECRET: secret };
  const server = await startMeasured(
    [...bundleFlags, join(bundleFolder, 'server.js')],
    '/readyz',
    environment,
  );
  return {
    async nextBody(): Promise<string> {
      const grantId = ids[turn++ % ids.length] ?? '';
      const generation = (spent.get(grantId) ?? 0) + 1;
      spent.set(grantId, generation);
      const refreshToken = await issueRefreshToken({ grantId, generation }, secrets);
      const fields = { grant_type: 'refresh_token', refresh_token: refreshToken };
      return new URLSearchParams({
        client_id: client.id,
        client_secret: client.secret,
        ...fields,
      }).toString();
    },
    server,
    async close() {
      await server.stop();
      await created.drop();
    },
  };
}

type Contender = Awaited<ReturnType<typeof startWith>>;

async function burst({ server, nextBody }: Contender, calls: number): Promise<readonly number[]> {
  const pool = new Pool(server.address, { connections: concurrency });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const bodies: string[] = [];
  for (let call = 0; call < calls; call += 1) bodies.push(await nextBody());
  const durationsMs: number[] = [];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) {
        const startedAt = performance.now();
        const answer = await pool.request({ method: 'POST', path: tokenPath, headers, body });
        const text = await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`a refresh answered ${answer.statusCode}: ${text}`);
        durationsMs.push(performance.now() - startedAt);
      }
    }),
  );
  await pool.close();
  return durationsMs;
}

await bundle(bundleFolder);
const cluster = await startCluster();
try {
  const contenders = [
    { grantCount: few, contender: await startWith(cluster.address, few), p50: [0], p99: [0] },
    { grantCount: many, contender: await startWith(cluster.address, many), p50: [0], p99: [0] },
  ];
  // The bursts alternate, so that a busy moment of the machine hits both.
  for (let round = 0; round <= rounds; round += 1)
    for (const { contender, p50, p99 } of contenders) {
      const durationsMs = await burst(contender, round === 0 ? requests / 2 : requests);
      p50[round] = quantile(durationsMs, 0.5);
      p99[round] = quantile(durationsMs, 0.99);
    }
  const rows = contenders.map(({ grantCount, p50, p99 }) => ({
    grantCount,
    p50: median(p50.slice(1)),
    p99: median(p99.slice(1)),
  }));
  const [base] = rows;
  const cell = (figure: number, of = Number.NaN): string =>
    `${figure.toFixed(2)} (${(figure / of).toFixed(2)})`;
  printTable([
    ['grants', 'p50, ms (× few)', 'p99, ms (× few)'],
    ...rows.map(({ grantCount, p50, p99 }) => [
      grantCount.toLocaleString('en'),
      cell(p50, base?.p50),
      cell(p99, base?.p99),
    ]),
  ]);
  for (const { contender } of contenders) await contender.close();
} finally {
  await cluster.stop();
  await rm(bundleFolder, { recursive: true });
}
