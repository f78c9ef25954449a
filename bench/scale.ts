import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import postgres from 'postgres';
import { readConfig } from '../src/config.ts';
import { uuidOfBytes } from '../src/oauth/core/bytes.ts';
import { issueRefreshToken } from '../src/oauth/core/refresh.ts';
import { openService } from '../src/open-service.ts';
import { openPostgres } from '../src/platform/open-database.ts';
import { createSecrets } from '../src/platform/secrets.ts';
import { startCluster } from '../tests/support/cluster.ts';
import { createDatabase } from '../tests/support/create-database.ts';
import { fillLargeWorld, heaviest, largeSessionOf, sizesOf } from './large-world.ts';
import { quantile, table } from './report.ts';
import { secret } from './world.ts';

const { values: options } = parseArgs({
  options: {
    people: { type: 'string', default: '200000' },
    /** A restored database is like this, and takes much longer. */
    'never-analyzed': { type: 'boolean', default: false },
  },
});
const people = Number(options.people);
const size = sizesOf(people);
const runs = 3;
/** What takes longer is cut off, and shown as this. */
const limitMs = 20_000;

interface Statement {
  readonly text: string;
  readonly params: unknown[];
}

interface Step {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Step[];
}

interface Plan {
  readonly Plan: Step & { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
  readonly 'Execution Time': number;
}

const tooLong: Plan = {
  Plan: {
    ...{ 'Node Type': 'cut off', 'Actual Rows': 0, 'Actual Loops': 0 },
    ...{ 'Shared Hit Blocks': Number.NaN, 'Shared Read Blocks': Number.NaN },
  },
  'Execution Time': limitMs,
};

const stepsOf = (step: Step): readonly Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];

/** Reads what a request asks of PostgreSQL: each statement again, with its plan, once its pages are in memory. */
async function explain(client: postgres.Sql, { text, params }: Statement): Promise<Plan | undefined> {
  if (!/^(select|with)/.test(text) || / for (no key )?(update|share)|queue_|pg_advisory/.test(text))
    return undefined;
  const values = params.map((value) => (value instanceof Date ? value.toISOString() : value));
  const plans: Plan[] = [];
  for (let run = 0; run < runs; run += 1) {
    const [row] = await client.unsafe(`explain (analyze, buffers, format json) ${text}`, values as never[]);
    const plan: Plan = row?.['QUERY PLAN'][0];
    if (plan['Execution Time'] > 1000) return plan;
    plans.push(plan);
  }
  return plans.toSorted((a, b) => a['Execution Time'] - b['Execution Time'])[1];
}

async function main(): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const cluster = await startCluster({
    settings: { shared_buffers: '1GB', work_mem: '4MB', max_wal_size: '4GB', jit: 'off' },
  });
  stack.defer(cluster.stop);
  const { url } = await createDatabase(cluster.address, undefined);
  const filling = await openPostgres(url, { maxConnections: 1, limitMs: 3_600_000 });
  const startedAt = performance.now();
  await fillLargeWorld(filling.db, people);
  const [{ megabytes } = { megabytes: 0 }] = await filling.db
    .select({ megabytes: sql<number>`(pg_database_size(current_database()) / 1048576)::int` })
    .from(sql`(select) as one`);
  const seconds = (performance.now() - startedAt) / 1000;
  process.stderr.write(`${people} people, ${megabytes} MB, ${seconds.toFixed(0)} s\n`);

  let statements: Statement[] = [];
  const service = await openService(readConfig({ DATABASE_URL: url, SECRET: secret }), {
    log: pino({ level: 'silent' }),
    database: {
      limitMs,
      queryLogger: { logQuery: (text, params) => void statements.push({ text, params }) },
    },
  });
  stack.defer(() => service.close());
  const client = postgres(url, { max: 1, prepare: false, connection: { statement_timeout: limitMs } });
  stack.defer(() => client.end());
  const { app } = service;
  await app.ready();

  const tokenOf = async (grant: string): Promise<string> => {
    const grantId = uuidOfBytes(createHash('md5').update(grant).digest());
    const refresh_token = await issueRefreshToken({ grantId, generation: 1 }, createSecrets([secret]));
    const fields = { grant_type: 'refresh_token', client_id: heaviest.app, refresh_token };
    const answer = await app.inject({
      ...{ method: 'POST', url: '/v2/auth/oauth2/token' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    });
    return answer.json().access_token;
  };
  const asPerson = (id: number) => ({ cookie: `latchkey_session=${largeSessionOf(id)}` });
  const host = asPerson(heaviest.host);
  const admin = asPerson(heaviest.admin);
  const grantee = asPerson(heaviest.grantee);
  const withToken = { authorization: `Bearer ${await tokenOf(`grant${people}`)}` };
  const forTeam = { authorization: `Bearer ${await tokenOf('team')}` };
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const [half, all] = [Math.floor(size.bookingsOfOneHost / 2), size.bookingsOfOneTeam - 200];
  const consent = new URLSearchParams({
    ...{ client_id: 'app4', redirect_uri: 'https://app.example/callback', response_type: 'code', state: 'x' },
    ...{ code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
  });
  const visits: readonly (readonly [
    row: string,
    name: string,
    url: string,
    headers: Readonly<Record<string, string>>,
  ])[] = [
    ['1', 'a host’s bookings', '/bookings', host],
    ['1', 'a host’s past bookings, page 50', '/bookings?status=past&page=50', host],
    ['1', 'a host’s bookings in the API', '/v2/bookings?take=100', withToken],
    ['1', 'the same, upcoming by start', '/v2/bookings?take=100&status=upcoming&sortStart=asc', withToken],
    ['12', 'the same, past by end', '/v2/bookings?take=100&status=past&sortEnd=desc', withToken],
    ['12', 'the same, by creation', '/v2/bookings?take=100&sortCreated=desc', withToken],
    ['12', 'the same, by update', '/v2/bookings?take=100&sortUpdatedAt=desc', withToken],
    ['12', 'the same, unconfirmed', '/v2/bookings?take=100&status=unconfirmed', withToken],
    ['12', 'the same, of an attendee’s name', '/v2/bookings?take=100&attendeeName=zzz', withToken],
    ['12', 'a host’s calendars with 3,000 entries', '/settings/calendars', host],
    ['2', 'a deep page of them', `/v2/bookings?take=100&skip=${half}`, withToken],
    ['2', 'a deep page of a team’s', `/v2/bookings?take=100&skip=${all}`, forTeam],
    ['2', 'the same, by start', `/v2/teams/1/bookings?take=100&skip=${all}&sortStart=asc`, withToken],
    ['3', 'an admin’s outbox', '/settings/admin/outbox', admin],
    ['3', 'its failing emails', '/settings/admin/outbox?show=failing', admin],
    ['4', 'an app', '/settings/developer/oauth/app1', host],
    ['4', 'its deletion', '/settings/developer/oauth/app1/delete', host],
    ['4', 'its review', '/settings/admin/oauth/app1', admin],
    ['5', 'a busy person’s activity', '/settings/activity', grantee],
    ['5', 'the same, for an admin', `/settings/admin/audit?person=${heaviest.grantee}`, admin],
    ['6', 'an organization', '/settings/organization', host],
    ['6', 'a team’s memberships', '/v2/teams/1/memberships?take=20', withToken],
    ['6', 'a team’s schedules', '/v2/teams/1/schedules?take=20', withToken],
    ['7', 'a team’s slots', `/v2/slots?eventTypeId=1&start=${day(1)}&end=${day(8)}`, {}],
    ['7', 'a team’s booking page', '/team/large1/round', {}],
    ['13', 'a team’s page', '/team/large1', {}],
    ['8', 'consent, with many grants', `/auth/oauth2/authorize?${consent}`, grantee],
    ['8', 'connected apps, with many grants', '/settings/apps', grantee],
    ['9', 'the deletion of a big host’s account', '/settings/data/delete', host],
  ];

  const networks = Array.from({ length: 250 }, (_, index) => `10.0.0.${index + 1}`)[Symbol.iterator]();
  const ask = (path: string, headers: Readonly<Record<string, string>>) =>
    app.inject({ url: path, headers, remoteAddress: networks.next().value ?? '127.0.0.1' });
  const measure = async (): Promise<void> => {
    const rows: string[][] = [];
    for (const [row, name, path, headers] of visits) {
      statements = [];
      const first = await ask(path, headers);
      const sent = statements;
      statements = [];
      const times: number[] = [];
      for (let run = 0; run < runs; run += 1) {
        const before = performance.now();
        await ask(path, headers);
        times.push(performance.now() - before);
      }
      const plans = (await Promise.all(sent.map((one) => explain(client, one).catch(() => tooLong)))).filter(
        (plan) => plan !== undefined,
      );
      const ms = plans.reduce((sum, plan) => sum + plan['Execution Time'], 0);
      const buffers = plans.reduce(
        (sum, { Plan }) => sum + Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'],
        0,
      );
      const scans = plans
        .flatMap((plan) => stepsOf(plan.Plan))
        .filter(
          (step) => step['Node Type'] === 'Seq Scan' && step['Actual Rows'] * step['Actual Loops'] > 1000,
        )
        .map((step) => step['Relation Name'] ?? '');
      rows.push([
        row,
        name,
        String(first.statusCode),
        quantile(times).toFixed(1),
        (first.body.length / 1024).toFixed(0),
        String(plans.length),
        ms.toFixed(2),
        buffers.toLocaleString('en'),
        [...new Set(scans)].join(', '),
      ]);
    }
    process.stdout.write(
      `${table(['row', 'request', 'status', 'answer, ms', 'KB', 'statements', 'PostgreSQL, ms', 'buffers', 'read whole'], rows)}\n\n`,
    );
  };
  const isAnalyzed = !options['never-analyzed'];
  if (isAnalyzed) await filling.db.execute(sql`vacuum analyze`);
  await filling.close();
  const figures = `${people.toLocaleString('en')} people, ${megabytes.toLocaleString('en')} MB, ${availableParallelism()} cores`;
  process.stdout.write(`${figures}, ${isAnalyzed ? 'analyzed' : 'never analyzed'}\n\n`);
  await measure();
}

await main();
