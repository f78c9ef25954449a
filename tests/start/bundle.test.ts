import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { signUpFields } from '../support/accounts.ts';
import { createAuthenticator, optionsOn } from '../support/authenticator.ts';
import { openEmptyDatabase } from '../support/database.ts';
import { icsOf } from '../support/feed-server.ts';
import { hiddenFieldsOf } from '../support/world.ts';
import { bundleFolder, makeFolder, onPostgres, openPages, startServer } from './server-process.ts';

const database = await openEmptyDatabase();
afterAll(database.close);

test('the bundle runs on PostgreSQL, migrated, with pages, styles, API documentation and metrics', {
  timeout: 90_000,
}, async () => {
  const environment = { ...onPostgres(database.url), METRICS_PORT: '0' };
  const server = startServer({ folder: await makeFolder(), environment });

  const statuses = await openPages(await server.listening());
  const [, port] = /"port":(\d+)\},"msg":"metrics are served"/.exec(server.output()) ?? [];
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  server.signal('SIGTERM');

  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  expect(metrics).toContain('route="/readyz"');
  expect(await server.ended).toBe(0);
});

test('the bundle checks passkeys, with a library that is loaded when it is needed', async () => {
  const appUrl = 'http://localhost:3000';
  const server = startServer({ folder: await makeFolder(), environment: onPostgres(database.url) });
  const address = await server.listening();
  const cookies: string[] = [];
  async function open(path: string, fields?: Readonly<Record<string, string>>): Promise<string> {
    const sent = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) };
    const headers = { cookie: cookies.join('; ') };
    const answer = await fetch(`${address}${path}`, { ...sent, headers, redirect: 'manual' });
    cookies.push(...answer.headers.getSetCookie().map((line) => line.split(';', 1)[0] ?? ''));
    return answer.text();
  }
  const path = '/settings/security/passkeys/new';
  await open('/signup', signUpFields());
  const page = await open(path);

  const credential = createAuthenticator({ appUrl }).create(optionsOn(page));
  const added = await open(path, { ...hiddenFieldsOf(page), name: 'Key', credential });

  expect(added).toContain('Your 10 recovery codes');
});

test('the bundle has the thread that reads calendars beside it', async () => {
  const thread = new Worker(join(bundleFolder, 'ics-worker.js'));
  const [start, end] = [Date.UTC(2031, 5, 2, 7), Date.UTC(2031, 5, 2, 8)];
  const range = { start: start - 3_600_000, end: end + 3_600_000 };
  const texts = [icsOf(['DTSTART;TZID=Europe/Berlin:20310602T090000', 'DURATION:PT1H'])];
  const [ready] = await once(thread, 'message');

  thread.postMessage({ texts, range, timeZone: 'UTC' });

  expect([ready, ...(await once(thread, 'message'))]).toEqual(['ready', { busy: [{ start, end }] }]);
  await thread.terminate();
});

/** The packages in a file of the bundle and in those that it imports at the start. */
function packagesAtStart(file: string): string[] {
  const text = readFileSync(join(bundleFolder, file), 'utf8');
  const packages = [...text.matchAll(/^\s*\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(
    ([, name = '']) => name,
  );
  return [...packages, ...importedBy(file).flatMap(packagesAtStart)];
}

function importedBy(file: string): string[] {
  const text = readFileSync(join(bundleFolder, file), 'utf8');
  return [...text.matchAll(/^(?:import|\} from) "\.\/([^"]+)"/gm)].map(([, name = '']) => name);
}

test('a start loads none of the large packages that few requests need', () => {
  const packages = packagesAtStart('service.js');

  expect(packages).toContain('fastify');
  const late = ['undici', 'nodemailer', '@simplewebauthn/server', '@zxcvbn-ts/core'];
  for (const name of [...late, '@modelcontextprotocol/server']) expect(packages).not.toContain(name);
});

test('a start compiles nothing, whoever starts it', () => {
  const compiled = globSync(join(bundleFolder, 'compiled/*/*'));
  const env = { ...process.env, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' };

  const started = spawnSync(process.execPath, [join(bundleFolder, 'server.js'), 'help'], { env });
  const said = String(started.stdout) + String(started.stderr);

  const accepted = [...said.matchAll(/ESM file:\S*\/(\S+\.js) was accepted/g)].map(([, name]) => name);
  expect(accepted).toEqual(expect.arrayContaining(['service.js', ...importedBy('service.js')]));
  expect(said).not.toContain('was rejected');
  const readable = compiled.filter((file) => (statSync(file).mode & 0o444) === 0o444);
  expect(readable.length).toBeGreaterThanOrEqual(accepted.length);
});

test('what is loaded when it is needed has the names that are taken from it', async () => {
  const files = globSync(join(bundleFolder, '*.js'));
  const taken = files
    .flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/\{([^{}]+)\} = await import\("(\.\/[^"]+)"\)/g),
    ])
    .map(([, names = '', file = '']) => ({
      file,
      names: names.split(',').map((name) => name.split(':')[0]?.trim()),
    }));

  expect(taken.map(({ file }) => file.split('-')[0])).toContain('./undici');
  for (const { file, names } of taken)
    expect(Object.keys(await import(join(bundleFolder, file)))).toEqual(expect.arrayContaining(names));
});
