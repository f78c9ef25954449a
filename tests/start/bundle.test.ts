import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { bundleService, type Modules } from '../../build.ts';
import { optionalParts } from '../../src/parts.ts';
import { signUpFields } from '../support/accounts.ts';
import { createAuthenticator, optionsOn } from '../support/authenticator.ts';
import { openEmptyDatabase } from '../support/database.ts';
import { icsOf } from '../support/feed-server.ts';
import { hiddenFieldsOf } from '../support/world.ts';
import {
  bundleFolder,
  follow,
  makeFolder,
  onPostgres,
  openPages,
  type ServerProcess,
  startServer,
} from './server-process.ts';

const database = await openEmptyDatabase();
afterAll(database.close);

/** Opens pages of a new server as one browser; fields are posted. */
async function openBrowser() {
  const server = startServer({ folder: await makeFolder(), environment: onPostgres(database.url) });
  const address = await server.listening();
  const cookies = new Map<string, string>();
  return async (path: string, fields?: Readonly<Record<string, string>>): Promise<string> => {
    const sent = fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) };
    const headers = { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
    const answer = await fetch(`${address}${path}`, { ...sent, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return answer.text();
  };
}

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
  const open = await openBrowser();
  const path = '/settings/security/passkeys/new';
  await open('/signup', signUpFields());
  const page = await open(path);

  const credential = createAuthenticator({ appUrl }).create(optionsOn(page));
  const added = await open(path, { ...hiddenFieldsOf(page), name: 'Key', credential });

  expect(added).toContain('Your 10 recovery codes');
});

test('the bundle reads letters beyond ASCII as the sources do, which esbuild leaves in regular expressions', async () => {
  const open = await openBrowser();
  for (const name of ['Jürgen Groß', 'Łódź Straße', 'Þór']) {
    await open('/signup', { ...signUpFields(), name });
    await open('/signout', {});
  }

  const pages = await Promise.all(['jurgen-gross', 'lodz-strasse', 'thor'].map((path) => open(`/${path}`)));

  expect(pages.map((page) => /<h1[^>]*>(.*?)<\/h1>/s.exec(page)?.[1])).toEqual([
    '<bdi>Jürgen Groß</bdi>',
    '<bdi>Łódź Straße</bdi>',
    '<bdi>Þór</bdi>',
  ]);
  const program = await readFile(join(bundleFolder, 'service.cjs'), 'latin1');
  expect(program.match(/[^\p{ASCII}]/gu)).toBeNull();
});

test('what a process asks for later is beside the program, and not in its text', async () => {
  const server = startServer({ folder: await makeFolder(), environment: onPostgres(database.url) });
  const headers = { 'accept-language': 'de' };
  const page = await (await fetch(`${await server.listening()}/signin`, { headers })).text();
  const program = await readFile(join(bundleFolder, 'service.cjs'), 'latin1');
  const asked = [...program.matchAll(/require\("(\.\/later\/[^"]+)"\)/g)].map(([, path = '']) => path);
  const load = `for (const path of ${JSON.stringify(asked)})
    if (Object.keys(require(path)).length === 0) console.log(path)`;
  const loaded = spawnSync(process.execPath, ['-e', load], { cwd: bundleFolder, encoding: 'utf8' });

  expect(page).toContain('<html lang="de"');
  expect(new Set(asked).size).toBeGreaterThan(12);
  expect([loaded.status, loaded.stdout, loaded.stderr]).toEqual([0, '', '']);
  expect(program.length).toBeLessThan(4_200_000);
  expect(program).not.toMatch(/createTransport\(transporter,|llhttp_init/);
});

test('the bundle has the thread that reads calendars beside it', async () => {
  const thread = new Worker(join(bundleFolder, 'ics-worker.js'));
  const [start, end] = [Date.UTC(2031, 5, 2, 7), Date.UTC(2031, 5, 2, 8)];
  const range = { start: start - 3_600_000, end: end + 3_600_000 };
  const texts = [icsOf(['DTSTART;TZID=Europe/Berlin:20310602T090000', 'DURATION:PT1H'])];
  const [ready] = await once(thread, 'message');

  thread.postMessage({ texts, range, timeZone: 'UTC' });

  expect([ready, ...(await once(thread, 'message'))]).toEqual([
    'ready',
    { busy: [{ start, end }], unknownZones: [] },
  ]);
  await thread.terminate();
});

test('what ships is listed with its version and licence, for people and for scanners (operations)', async () => {
  const bill = JSON.parse(await readFile(join(bundleFolder, 'sbom.cdx.json'), 'utf8'));
  const notices = await readFile(join(bundleFolder, 'NOTICES.txt'), 'utf8');
  const modules: Modules = JSON.parse(await readFile(join(bundleFolder, 'modules.json'), 'utf8'));

  const listed: readonly string[] = bill.components.map(({ name }: { readonly name: string }) => name);
  const bundled = Object.keys(modules).flatMap(
    (path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'latchkey' } } });
  expect(listed).toEqual(
    expect.arrayContaining([...bundled, '@electric-sql/pglite', '@fontsource-variable/geist']),
  );
  for (const { name, version, purl, licenses } of bill.components) {
    expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    expect(licenses).toEqual([{ license: { id: expect.stringMatching(/^[\w.-]+$/) } }]);
    expect(notices).toContain(`${name} ${version} (`);
  }
});

test('a start loads none of the large packages that few requests need, and compiles little', {
  timeout: 90_000,
}, async () => {
  const modules: Modules = JSON.parse(await readFile(join(bundleFolder, 'modules.json'), 'utf8'));
  // Below the repository, where the bundle finds the packages that are not in it.
  const spoilt = join(inject('runFolder'), `spoilt-${process.pid}`);
  onTestFinished(() => rm(spoilt, { recursive: true, force: true }));
  await mkdir(spoilt);
  for (const file of ['server.js', 'service.cjs'])
    await copyFile(join(bundleFolder, file), join(spoilt, file));

  const packages = packagesAtStart(modules, 'src/server.ts');
  const program = `
    const cachedData = fs.readFileSync('service.compiled');
    const script = new vm.Script(fs.readFileSync('service.cjs', 'latin1'), { cachedData });
    console.log(script.cachedDataRejected, cachedData.length > 3_000_000);`;
  const read = spawnSync(process.execPath, ['-e', program], { cwd: bundleFolder, encoding: 'utf8' });
  const { mode } = statSync(join(bundleFolder, 'service.compiled'));
  await writeFile(join(spoilt, 'service.compiled'), 'of another version of Node.js');
  const helped = spawnSync(process.execPath, [join(spoilt, 'server.js'), 'help'], { encoding: 'utf8' });

  expect(packages).toContain('fastify');
  const late = ['undici', 'nodemailer', '@simplewebauthn/server', '@zxcvbn-ts/core'];
  for (const name of [...late, '@modelcontextprotocol/server']) expect(packages).not.toContain(name);
  expect(read.stdout).toBe('false true\n');
  expect(mode & 0o777).toBe(0o644);
  expect([helped.status, helped.stderr]).toEqual([0, '']);
});

test('a bundle that is made with PARTS=door has the door alone, and is a quarter smaller', {
  timeout: 90_000,
}, async () => {
  const folder = join(inject('runFolder'), `door-${process.pid}`);
  onTestFinished(() => rm(folder, { recursive: true, force: true }));

  const rooms = new Set(Object.keys(await bundleService(folder, 'door')).map((path) => path.split('/')[1]));
  function start(more: Readonly<Record<string, string>>): ServerProcess {
    const child = spawn(process.execPath, [join(folder, 'server.js')], {
      env: { PORT: '0', APP_URL: 'http://localhost:3000', ...onPostgres(database.url), ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return follow(child, (name) => child.kill(name));
  }
  const address = await start({}).listening();
  const statuses = ['/readyz', '/v2/me', '/settings/webhooks'].map(async (path) =>
    fetch(`${address}${path}`, { redirect: 'manual' }).then(({ status }) => status),
  );
  const faulty = start({ PARTS: 'all,-mcp' });

  for (const name of optionalParts) expect(rooms).not.toContain(name);
  expect(rooms).toContain('oauth');
  expect(statSync(join(folder, 'service.cjs')).size).toBeLessThan(3_000_000);
  expect(await Promise.all(statuses)).toEqual([200, 401, 404]);
  expect(await faulty.ended).toBe(1);
  expect(faulty.errors()).toContain('PARTS must name parts, separated by commas: all, door\n');
});

/** The packages of a module and of those that it imports at the start. */
function packagesAtStart(modules: Modules, first: string): readonly string[] {
  const reached = new Set([first]);
  for (const name of reached)
    for (const { path, kind } of modules[name]?.imports ?? [])
      if (kind !== 'dynamic-import') reached.add(path);
  return [...reached].flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []);
}
