import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { openPostgres } from '../src/platform/open-database.ts';
import { createDatabase } from '../tests/support/create-database.ts';
import { bundleFlags, type MeasuredProcess, type PostgresMeter, startMeasured } from './measured-process.ts';
import {
  addClient,
  addConnectedClient,
  addHosts,
  addPersonalTokens,
  redirectUri,
  secret,
  sessionIdOf,
} from './world.ts';

export interface Contender {
  readonly name: string;
  /** Undefined means that `run` makes the calls without a service and returns how many a second. */
  readonly server?: MeasuredProcess;
  readonly run?: (calls: number) => number;
  readonly next: (caller: number) => Call;
  readonly learn?: (caller: number, answer: string) => void;
  /** Ends the contender, and returns what each call has cost since the start. */
  readonly end: (calls: number) => Promise<{ readonly transactions: number; readonly rows: number }>;
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Setting {
  readonly clusterAddress: string;
  readonly meter: PostgresMeter;
  readonly stack: AsyncDisposableStack;
  readonly bundleFolder: string;
  readonly feedUrl: string;
  readonly calls: number;
}

export const workloadNames = [
  'refresh',
  'exchange',
  '/v2/me',
  '/v2/me, personal token',
  'consent',
  'allow',
  'slots',
  'booking',
] as const;
export type WorkloadName = (typeof workloadNames)[number];

export const concurrency = 32;
/** So many grants keep five rounds below each rate limit, however fast the machine is. */
const grantCount = 2000;
const newClientId = 'a'.repeat(32);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const get = (path: string, headers: Call['headers']): Call => ({ method: 'GET', path, headers });
const post = (path: string, fields: Call['headers']): Call =>
  ({ method: 'POST', path, headers: form, body: new URLSearchParams(fields).toString() }) as const;

async function start(
  { clusterAddress, meter, stack }: Setting,
  program: string,
  fill: (url: string) => Promise<void>,
  parts = 'all',
) {
  const { name, url, drop } = await createDatabase(clusterAddress, undefined);
  stack.defer(drop);
  await fill(url);
  const before = await meter.countsOf(name);
  const limits = {
    CODE_TTL_SECONDS: '600',
    TRUSTED_PROXIES: '127.0.0.1',
    CALENDAR_ALLOW_PRIVATE: '127.0.0.1',
  };
  const environment = { DATABASE_URL: url, SECRET: secret, PARTS: parts, ...limits };
  const server = await startMeasured([...bundleFlags, program], '/readyz', environment);
  stack.defer(server.stop);
  const end = async (calls: number) => {
    await server.stop();
    const { transactions, rows } = await meter.countsOf(name);
    return { transactions: (transactions - before.transactions) / calls, rows: (rows - before.rows) / calls };
  };
  return { server, url, end };
}

/** floor.ts is what no token server can do without; pgbench runs its statement without a server. */
export async function startFloors(setting: Setting, workload: WorkloadName, hasPgbench: boolean) {
  const floor = await start(setting, 'bench/floor.ts', async (url) => {
    const sql = postgres(url, { max: 1 });
    await sql`create table floor (id text primary key, name text, generation int) with (fillfactor = 70)`;
    await sql`insert into floor select i::text, 'Ann', 0 from generate_series(1, ${grantCount}) i`;
    await sql.end();
  });
  const writes = ['refresh', 'exchange', 'booking'].includes(workload);
  let turn = 0;
  const idOf = (): string => String(1 + (turn++ % grantCount));
  const next = () => (writes ? post('/token', { id: idOf() }) : get('/me', { authorization: idOf() }));
  const [program] = globSync([`${process.env['PG_BIN']}/pgbench`, '/usr/lib/postgresql/*/bin/pgbench']);
  if (!hasPgbench || program === undefined) return [{ name: 'floor', ...floor, next }];
  const statement = writes
    ? 'update floor set generation = generation + 1 where id = :id returning generation'
    : 'select id, name from floor where id = :id';
  const input = `\\set id random(1, ${grantCount})\n${statement};\n`;
  const run = (calls: number): number => {
    const options = ['-n', '-M', 'prepared', '-c', '10', '-t', String(calls / 10), '-f', '-', floor.url];
    return Number(/tps = ([\d.]+)/.exec(execFileSync(program, options, { input, encoding: 'utf8' }))?.[1]);
  };
  // Floor and pgbench share a database, and have as many calls each.
  const end = (calls: number) => floor.end(2 * calls);
  const pgbench = { name: 'pgbench', run, next, end: async () => ({ transactions: 1, rows: 0 }) };
  return [{ name: 'floor', ...floor, next, end }, pgbench];
}

export async function startPeer(setting: Setting, workload: WorkloadName): Promise<Contender> {
  const client = { client_id: 'bench', client_secret: 'a secret of 32 characters or more' };
  const codeCount = workload === 'exchange' ? setting.calls : 0;
  const peer = await start(setting, 'bench/peer.ts', async (url) => {
    const sql = postgres(url, { max: 1 });
    await sql`create table clients (id text primary key, secret_hash text, grants text[], redirect_uris text[])`;
    await sql`create table users (id int primary key, name text, email text)`;
    await sql`create table codes (code_hash text primary key, client_id text references clients,
      user_id int references users, redirect_uri text, expires_at timestamptz)`;
    await sql`create table refresh_tokens (token_hash text primary key, client_id text references clients,
      user_id int references users, expires_at timestamptz)`;
    await sql`insert into clients values ('bench', ${hash('sha256', client.client_secret)},
      '{authorization_code,refresh_token}', ${[redirectUri]})`;
    await sql`insert into users select i, 'Ann', 'ann@example.com' from generate_series(0, ${grantCount - 1}::int) i`;
    await sql`insert into refresh_tokens select encode(sha256(('refresh' || id)::bytea), 'hex'), 'bench', id,
      now() + interval '1 day' from users`;
    await sql`insert into codes select encode(sha256(('code' || i)::bytea), 'hex'), 'bench', i % ${grantCount}::int,
      ${redirectUri}, now() + interval '1 day' from generate_series(0, ${codeCount - 1}::int) i`;
    await sql`vacuum analyze`;
    await sql.end();
  });
  const refreshTokens = Array.from({ length: grantCount }, (_, index) => `refresh${index}`);
  const codes = Array.from({ length: codeCount }, (_, index) => `code${index}`);
  const tokens = { client, refreshTokens, codes, paths: { token: '/token', me: '/me' } };
  return { name: 'node-oauth', ...peer, ...(await oauthCalls(workload, peer.server, tokens)) };
}

export async function startLatchkey(
  setting: Setting,
  workload: WorkloadName,
  { grants = grantCount, parts = 'all' } = {},
) {
  const isPersonal = workload === '/v2/me, personal token';
  const connected = Promise.withResolvers<Awaited<ReturnType<typeof addConnectedClient>>>();
  let personalTokens: readonly string[] = [];
  const fill = async (url: string): Promise<void> => {
    // Millions of grants take longer than any statement of the service may.
    const { db, close } = await openPostgres(url, { maxConnections: 1, limitMs: 3_600_000 });
    connected.resolve(await addConnectedClient(db, grants, workload === 'exchange' ? setting.calls : 0));
    if (isPersonal) personalTokens = await addPersonalTokens(db);
    await addHosts(db, setting.feedUrl);
    await addClient(db, newClientId);
    await db.execute('vacuum analyze');
    await close();
  };
  const latchkey = await start(setting, join(setting.bundleFolder, 'server.js'), fill, parts);
  const { refreshTokens, codes, ...client } = await connected.promise;
  const tokens = { client, refreshTokens, codes, paths: { token: '/v2/auth/oauth2/token', me: '/v2/me' } };
  const next =
    workload === 'allow'
      ? await allowCalls(setting.calls, latchkey.server)
      : isPersonal
        ? callsWith(personalTokens)
        : otherCalls(workload, client.client_id);
  if (workload === 'slots') await fetch(`${latchkey.server.address}${next?.().path}`);
  const calls = next === undefined ? await oauthCalls(workload, latchkey.server, tokens) : { next };
  const size = grants === grantCount ? '' : `, ${grants.toLocaleString('en')} grants`;
  return { name: `Latchkey${parts === 'all' ? size : `, ${parts}`}`, ...latchkey, ...calls };
}

interface Tokens {
  readonly client: Readonly<Record<string, string>>;
  readonly refreshTokens: readonly string[];
  readonly codes: readonly string[];
  readonly paths: { readonly token: string; readonly me: string };
}

async function oauthCalls(
  workload: WorkloadName,
  { address }: MeasuredProcess,
  { client, refreshTokens, codes, paths }: Tokens,
): Promise<Pick<Contender, 'next' | 'learn'>> {
  const current = [...refreshTokens];
  const refresh = (grant: number): Call =>
    post(paths.token, { ...client, grant_type: 'refresh_token', refresh_token: current[grant] ?? '' });
  let turn = 0;
  if (workload === 'exchange') {
    const fields = { ...client, grant_type: 'authorization_code', redirect_uri: redirectUri };
    return { next: () => post(paths.token, { ...fields, code: codes[turn++] ?? '' }) };
  }
  if (workload === '/v2/me') {
    const accessTokens: string[] = [];
    for (const grant of current.keys()) {
      const { path, ...request } = refresh(grant);
      accessTokens.push(JSON.parse(await (await fetch(`${address}${path}`, request)).text()).access_token);
    }
    return { next: callsWith(accessTokens, paths.me) };
  }
  const turns = Array.from({ length: concurrency }, () => -1);
  const grantOf = (caller: number): number => {
    const own = Math.floor((current.length - 1 - caller) / concurrency) + 1;
    return caller + ((turns[caller] ?? 0) % own) * concurrency;
  };
  return {
    next(caller) {
      turns[caller] = (turns[caller] ?? 0) + 1;
      return refresh(grantOf(caller));
    },
    learn(caller, answer) {
      current[grantOf(caller)] = JSON.parse(answer).refresh_token;
    },
  };
}

function callsWith(tokens: readonly string[], path = '/v2/me'): () => Call {
  let turn = 0;
  return () => get(path, { authorization: `Bearer ${tokens[turn++ % tokens.length]}` });
}

/** The app is new to each person, so that an email says so. Each opens the page of the commit first. */
async function allowCalls(calls: number, { address }: MeasuredProcess): Promise<() => Call> {
  const query = new URLSearchParams({ client_id: newClientId, redirect_uri: redirectUri, state: 'x' });
  const path = `/auth/oauth2/authorize?${query.toString()}`;
  const made: Call[] = [];
  const open = async (turn: number): Promise<void> => {
    const headers = { cookie: `latchkey_session=${sessionIdOf(1 + (turn % grantCount))}` };
    const page = await (await fetch(`${address}${path}`, { headers })).text();
    const hidden = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
    const fields = Object.fromEntries(Array.from(hidden, ([, name, value]) => [name, value]));
    const call = post('/auth/oauth2/authorize', { ...fields, action: 'allow' });
    made[turn] = { ...call, headers: { ...call.headers, ...headers } };
  };
  for (let turn = 0; turn < calls; turn += concurrency)
    await Promise.all(Array.from({ length: concurrency }, (_, caller) => open(turn + caller)));
  return () => {
    const call = made.pop();
    if (call === undefined) throw new Error('no decision is left');
    return call;
  };
}

/** Each call has an address of its own, because one address may not make so many. */
function otherCalls(workload: WorkloadName, clientId: string): (() => Call) | undefined {
  let turn = 0;
  const from = () => ({ 'x-forwarded-for': `10.${turn >> 16}.${(turn >> 8) & 255}.${turn & 255}` });
  const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri, state: 'x' });
  const page = `/auth/oauth2/authorize?${query.toString()}`;
  if (workload === 'consent')
    return () => get(page, { cookie: `latchkey_session=${sessionIdOf(1 + (turn++ % grantCount))}` });
  if (workload === 'slots')
    return () => {
      turn += 1; // The minute makes it a question that nobody asked before; nobody works that day.
      const start = new Date(Date.parse('2031-05-31T00:00Z') + turn * 60_000).toISOString();
      const end = '2031-06-30T22:00:00Z&timeZone=Europe/Berlin&format=range';
      return get(`/v2/slots?eventTypeId=1&start=${start}&end=${end}`, from());
    };
  if (workload === 'booking')
    return () => {
      const [day, inDay] = [Math.floor(turn / 70), Math.floor(turn / 10) % 7];
      const startMs = Date.parse('2031-07-07T11:30Z') + (day + 2 * Math.floor(day / 5)) * 86_400_000;
      const start = new Date(startMs + inDay * 1_800_000).toISOString();
      const attendee = { name: 'Dana', email: `dana${turn}@example.com`, timeZone: 'America/New_York' };
      const body = JSON.stringify({ eventTypeId: 2 + (turn % 10), start, attendee });
      turn += 1;
      const headers = { ...from(), 'content-type': 'application/json' };
      return { method: 'POST', path: '/v2/bookings', headers, body };
    };
  return undefined;
}
