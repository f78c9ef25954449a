import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { startPooler } from '../platform/pooler.ts';
import { openEmptyDatabase, openTestDatabase } from '../support/database.ts';
import { queryRows } from '../support/query-rows.ts';
import { makeFolder, onPostgres, startServer } from './server-process.ts';

const patient = { timeout: 90_000 } as const;
const empty = await openEmptyDatabase();
afterAll(empty.close);

test('a faulty configuration ends the start with one message that has every fault (contract §1)', async () => {
  const values = {
    PORT: '70000',
    APP_URL: 'https://app.example/path-of-mine',
    DATABASE_URL: 'mysql://user:password-of-mine@host/database',
    SECRET: 'too-short-of-mine',
    SIGNUP: 'sometimes',
    ADMIN_EMAIL: 'ann@example.com',
  };

  const server = startServer({ folder: await makeFolder(), environment: values });

  expect(await server.ended).toBe(1);
  const [title, ...faults] = server.errors().trimEnd().split('\n');
  expect(title).toBe('The configuration has 6 faults:');
  expect(faults.map((fault) => fault.trim().split(' ')[0]).toSorted()).toEqual([
    'ADMIN_PASSWORD',
    'APP_URL',
    'DATABASE_URL',
    'PORT',
    'SECRET',
    'SIGNUP',
  ]);
  expect(server.errors()).not.toMatch(/70000|of-mine|sometimes|ann@/);
  expect(server.output()).toBe('');
});

test('an absent value starts nothing, and makes no other service (contract §1)', async () => {
  const folder = await makeFolder();

  const server = startServer({ folder, environment: { APP_URL: 'https://cal.example' } });

  expect(await server.ended).toBe(1);
  expect(server.errors()).toMatch(/\n +DATABASE_URL /);
  expect(existsSync(join(folder, 'data'))).toBe(false);
});

test(
  'the embedded database serves other machines only where it is asked for (contract §1)',
  patient,
  async () => {
    const folder = await makeFolder();
    const environment = { DATABASE: 'embedded', APP_URL: 'https://cal.example' };

    const server = startServer({ folder, environment });
    await server.listening();

    expect(server.output()).toContain('"msg":"the database is the embedded one in DATA_DIR"');
  },
);

test('the start says once which server it waits for, and why', patient, async () => {
  const url = 'postgres://latchkey:password-of-mine@127.0.0.1:1/latchkey';
  const server = startServer({ folder: await makeFolder(), environment: onPostgres(url) });

  await expect.poll(server.output, { timeout: 60_000 }).toContain('is away');
  // Another attempt comes each second.
  await sleep(2500);
  server.signal('SIGTERM');
  await server.ended;

  const waits = server.output().match(/.*is away.*/g) ?? [];
  expect(waits).toHaveLength(1);
  expect(JSON.parse(waits[0] ?? '')).toMatchObject({
    hosts: '127.0.0.1:1',
    cause: expect.stringContaining('ECONNREFUSED'),
  });
  expect(server.output()).not.toContain('of-mine');
});

test('a port that takes connections and is no PostgreSQL server is waited for with a line, and ends with SIGTERM', {
  timeout: 90_000,
}, async () => {
  const other = createServer((socket) => void socket.on('error', () => {}).end()).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = Object(other.address());
  const url = `postgres://latchkey:password-of-mine@127.0.0.1:${port}/latchkey`;
  const server = startServer({ folder: await makeFolder(), environment: onPostgres(url) });

  await expect.poll(server.output, { timeout: 60_000 }).toMatch(/no PostgreSQL server answered.*is away/);
  const stoppedAt = performance.now();
  server.signal('SIGTERM');

  expect(await server.ended).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(5000);
});

test.each<readonly [Readonly<Record<string, string>>, RegExp]>([
  [{ DATA_DIR: '/proc/latchkey' }, /^DATA_DIR \/proc\/latchkey can't be used: .*\. Choose a folder/],
  [{ DATA_DIR: '/etc/hostname' }, /^DATA_DIR \/etc\/hostname can't be used: .*\. Choose a folder/],
  [{ HOST: '192.0.2.1', ...onPostgres(empty.url) }, /^HOST is no address of this machine \(EADDRNOTAVAIL\)/],
  [
    { HOST: 'no-such-host.invalid', ...onPostgres(empty.url) },
    /^HOST is no address of this machine \(E\w+\)/,
  ],
  [
    { METRICS_HOST: '192.0.2.1', METRICS_PORT: '0', ...onPostgres(empty.url) },
    /^METRICS_HOST is no address of this machine \(EADDRNOTAVAIL\)/,
  ],
  [
    onPostgres('postgres://db.invalid/cal?sslrootcert=/no/such/file'),
    /^Latchkey cannot start: sslrootcert of DATABASE_URL names a file that can't be read \(ENOENT\)/,
  ],
  [onPostgres('postgres://db.invalid/cal?sslrootcert=~/ca.pem'), /\(ENOENT\): only a shell expands ~/],
])('%o ends the start with the name of the setting, and with what to do', patient, async (values, says) => {
  const server = startServer({ folder: await makeFolder(), environment: values });

  expect(await server.ended).toBe(1);
  expect(server.errors()).toMatch(says);
  expect(server.errors().trimEnd().split('\n')).toHaveLength(1);
});

test('a port in use ends the start with a message, before anything is made', patient, async () => {
  const holder = startServer({ folder: await makeFolder(), environment: onPostgres(empty.url) });
  const { port } = new URL(await holder.listening());
  const folder = await makeFolder();

  const server = startServer({ folder, environment: { PORT: port } });

  expect(await server.ended).toBe(1);
  expect(server.errors()).toBe(`Another program uses 127.0.0.1:${port}. Set PORT.\n`);
  expect(existsSync(join(folder, 'data'))).toBe(false);

  const measured = startServer({ folder, environment: { PORT: '0', METRICS_PORT: port } });
  expect(await measured.ended).toBe(1);
  expect(measured.errors()).toBe(`Another program uses 127.0.0.1:${port}. Set METRICS_PORT.\n`);
});

test('a database that refuses us ends the start with a message without address or password', async () => {
  const url = new URL(empty.url);
  url.pathname = '/no_such_database';
  url.password = 'password-of-mine';

  const server = startServer({ folder: await makeFolder(), environment: onPostgres(url.href) });

  expect(await server.ended).toBe(1);
  expect(server.errors()).toMatch(
    /^Latchkey cannot start: .*\(3D000\)\. Check the database, .* in DATABASE_URL\.\n$/,
  );
  expect(server.errors()).not.toMatch(/of-mine|127\.0\.0\.1|postgres:/);
});

test('the secret that the database was used with before is needed again', patient, async () => {
  const used = await openEmptyDatabase();
  onTestFinished(used.close);
  const first = startServer({ folder: await makeFolder(), environment: onPostgres(used.url) });
  await first.listening();
  first.signal('SIGTERM');
  await first.ended;
  const other = 'another-root-secret-for-tests-0123456789';

  const second = startServer({
    folder: await makeFolder(),
    environment: { ...onPostgres(used.url), SECRET: other },
  });

  expect(await second.ended).toBe(1);
  expect(second.errors()).toMatch(
    /^Latchkey cannot start: SECRET can't decrypt the stored signing keys\..*\n$/,
  );
  expect(second.errors()).not.toContain(other);
});

test.each([
  [
    'a role that may make nothing',
    'create role nobody_here login',
    'nobody_here',
    /GRANT CREATE ON DATABASE/,
  ],
  ['another program’s tables', 'create table users (name text)', undefined, /tables of another program/],
])('%s ends the start with what to do', patient, async (_words, statement, role, advice) => {
  const own = await openEmptyDatabase();
  onTestFinished(own.close);
  await queryRows(own.url, statement);
  const url = new URL(own.url);
  if (role !== undefined) {
    onTestFinished(() => queryRows(own.url, `drop role ${role}`).then(() => {}));
    url.username = role;
  }

  const server = startServer({ folder: await makeFolder(), environment: onPostgres(url.href) });

  expect(await server.ended).toBe(1);
  expect(server.errors()).toMatch(/^Latchkey cannot start: .*DATABASE_URL/);
  expect(server.errors()).toMatch(advice);
});

test('a pooler whose connections end with each statement ends the start, also where nothing is to be migrated', {
  timeout: 90_000,
}, async () => {
  const url = await startPooler(empty.url, 'statement');
  const migrated = await openTestDatabase();
  onTestFinished(migrated.close);

  for (const address of [url, await startPooler(migrated.url, 'statement')]) {
    const environment = { ...onPostgres(address), DATABASE_POOLER: 'transaction' };
    const server = startServer({ folder: await makeFolder(), environment });

    expect(await server.ended).toBe(1);
    expect(server.errors()).toMatch(/statement pooling mode.*pool_mode of session or transaction/);
  }
});

test.each([
  ['there was none', 'the admin of ADMIN_EMAIL was created, with ADMIN_PASSWORD'],
  ['there is one', 'ADMIN_EMAIL is an admin already and keeps their own password'],
])('what ADMIN_PASSWORD did is said where %s', patient, async (_words, says) => {
  const environment = {
    ...onPostgres(empty.url),
    ADMIN_EMAIL: 'admin@cal.example',
    ADMIN_PASSWORD: 'seven unrelated words of mine',
  };
  const server = startServer({ folder: await makeFolder(), environment });
  await server.listening();

  expect(server.output()).toContain(says);
  expect(server.output()).not.toContain('of mine');
});
