import { execFile, spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { loadParts, optionalParts } from '../../src/parts.ts';
import { follow, onPostgres, repository, type ServerProcess } from '../start/server-process.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { requestOf } from '../support/authorization.ts';
import { createTestClock, openTestService } from '../support/service.ts';
import { addClient, addUser, authorizePath, connect, signIn } from '../support/world.ts';
import { copyDoor, copyTreeWithout, copyWithout, importsOf } from './copy.ts';

const run = promisify(execFile);
const patient = { timeout: 120_000 } as const;
/** Compiles what is left, with its views; what is wrong. */
async function compile(copy: string): Promise<string> {
  return run(process.execPath, ['views/check.ts'], { cwd: copy }).then(
    () => '',
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}

const service = await openTestService({}, createTestClock(new Date()));
const person = await addUser(service);
const cookie = await signIn(service, person);
const client = await addClient(service);
const { access_token: token } = await connect(service, client, cookie);

/** From when there were webhooks. */
await service.database.db.execute(sql`
  insert into webhooks (id, user_id, subscriber_url, triggers, encrypted_secret, created_at)
  values (gen_random_uuid(), ${person.id}, 'https://hooks.example', '{}', 'secret', now())`);

function start(copy: string): ServerProcess {
  const child = spawn(process.execPath, ['--import=./patches/register.ts', 'src/server.ts'], {
    cwd: copy,
    env: { PORT: '0', APP_URL: service.appUrl, ...onPostgres(service.database.url) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return follow(child, (name) => child.kill(name));
}

/** What an app and a person get: the user, and the page that asks. */
async function use(server: ServerProcess) {
  const address = await server.listening();
  const query = new URLSearchParams(requestOf(await addClient(service))).toString();
  const [me, page] = await Promise.all([
    fetch(`${address}/v2/me`, { headers: { authorization: `Bearer ${token}` } }),
    fetch(`${address}${authorizePath}?${query}`, { headers: { cookie } }),
  ]);
  return { me: await me.json(), page: await page.text() };
}

/** Compiling takes long, so that each day has another part; `LEFT_OUT=openid` names one. */
const ofToday = (names: readonly string[]): string =>
  names[Math.floor(Date.now() / 86_400_000) % names.length] ?? '';
const compiledPart = process.env['LEFT_OUT'] ?? ofToday(optionalParts);
/** These can leave with all their tests. */
const leaving = process.env['LEFT_OUT'] ?? ofToday(['openid', 'languages', 'webhooks', 'logos']);

test.each(optionalParts)('parts.ts alone imports %s, which can go with what needs it (ADR 18)', (name) => {
  const sources = globSync('src/**/*.ts', { cwd: repository });
  const isInside = (path: string): boolean => path.startsWith(`src/${name}/`);
  const users = sources.filter(
    (file) => !isInside(file) && importsOf(repository, file).some((path) => isInside(path)),
  );

  expect(users).toEqual(['src/parts.ts']);
});

describe.each<readonly [string, readonly string[]]>([
  [compiledPart, [compiledPart]],
  ['all but the door', optionalParts],
])('without the folder and line of %s (architecture §1, ADR 18)', (_name, names) => {
  test('what is left compiles, starts, answers /v2/me and asks for consent', patient, async () => {
    // What needs it goes with it.
    const left = names.includes('scheduling') ? [...names, 'mcp'] : names;
    const { folder, remove } = await copyWithout([...new Set(left)]);
    onTestFinished(remove);

    expect(await compile(folder)).toBe('');
    const server = start(folder);
    const { me, page } = await use(server);

    expect(me).toMatchObject({ status: 'success', data: { email: person.email } });
    expect(page).toContain('value="allow"');
    // What it can't reach is named by the start (security C311).
    expect(server.output().includes('"tables":["webhooks"]')).toBe(names.includes('webhooks'));
  });
});

test(
  'without the folder of webhooks, commands name the rows that they can’t reach (security C311)',
  patient,
  async () => {
    const { folder, remove } = await copyWithout(['webhooks']);
    onTestFinished(remove);
    const environment = onPostgres(service.database.url);
    const command = async (words: readonly string[]) =>
      run(process.execPath, ['--import=./patches/register.ts', 'src/server.ts', ...words], {
        cwd: folder,
        env: environment,
      }).then(
        ({ stdout }) => ({ isFine: true, said: stdout }),
        ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => ({
          isFine: false,
          said: stdout + stderr,
        }),
      );

    const doctor = await command(['doctor']);
    const download = await command(['export', '--user', person.email]);

    expect(doctor.said).toMatch(/parts +warning +This build lacks the parts of webhooks, whose rows/);
    expect(JSON.parse(download.said).incomplete).toEqual(['webhooks']);
  },
);

/** In a folder, with the tools of this one, as a person would. */
async function runIn(cwd: string, program: string, args: readonly string[]) {
  const isOurs = ([name]: readonly [string, unknown]): boolean => !/^(?:VITEST|NODE_OPTIONS$)/.test(name);
  const env = Object.fromEntries(Object.entries(process.env).filter(isOurs));
  const file = join(cwd, 'node_modules/.bin', program);
  return run(file, args, { cwd, env, maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => ({ isFine: true, stdout }),
    ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => ({
      isFine: false,
      stdout: stdout + stderr,
    }),
  );
}

const named = z.object({ name: z.string() });
const knipReport = z.object({
  issues: z.array(
    z.object({
      file: z.string(),
      files: z.array(named),
      unresolved: z.array(named),
      unlisted: z.array(named),
      exports: z.array(named),
    }),
  ),
});

/** Whether an optional part imports this from a file of the door, or a test of the whole; without a name, anything. */
function isForOthers(file: string, name = '', kit: readonly string[] = []): boolean {
  const users = [`src/{${optionalParts.join()}}/**/*.ts`, 'tests/**/*.ts', ...kit];
  return globSync(users, { cwd: repository }).some(
    (user) =>
      importsOf(repository, user).includes(file) &&
      new RegExp(`\\b${name}\\b`).test(readFileSync(join(repository, user), 'utf8')),
  );
}

/** What knip finds in a copy, but for what a part that is gone uses, or its tests. */
async function faultsOfKnip(folder: string): Promise<readonly string[]> {
  const only = 'files,unresolved,unlisted,exports';
  const { stdout } = await runIn(folder, 'knip', ['--include', only, '--reporter', 'json']);
  // What the configuration of the tests says comes behind it.
  const { issues } = knipReport.parse(JSON.parse(stdout.split('\n')[0] ?? ''));
  // Whole files of the door that only parts use.
  const kit = issues.flatMap(({ file, files }) => (files.length > 0 ? [file] : []));
  return issues.flatMap(({ file, files, unresolved, unlisted, exports }) => [
    ...[...unresolved, ...unlisted].map(({ name }) => `${file}: ${name}`),
    ...(files.length > 0 && !isForOthers(file) ? [file] : []),
    ...exports.flatMap(({ name }) => (isForOthers(file, name, kit) ? [] : [`${file}: ${name}`])),
  ]);
}

test(`without ${leaving} and its tests, the checks and the tests at every save pass (ADR 18)`, {
  timeout: 1_800_000,
}, async () => {
  const { folder, remove } = await copyTreeWithout([leaving]);
  onTestFinished(remove);

  expect(await faultsOfKnip(folder)).toEqual([]);
  for (const [program, ...args] of [
    ['tsc', '-p', '.'],
    ['biome', 'ci', '--diagnostic-level=error', '.'],
    ['vitest', 'run', '--config', 'tests/inner.config.ts'],
  ] as const) {
    const { isFine, stdout } = await runIn(folder, program, args);
    expect(isFine, `${program}: ${stdout.slice(-10_000)}`).toBe(true);
  }
});

/** The core and the way from consent to `/v2/me`; `tests/parts/door.ts` runs all of the door's. */
const ownTests = [
  ...['tests/core/', 'tests/http/authorize-', 'tests/http/bearer', 'tests/http/token-code', 'tests/http/me.'],
  ...['tests/http/accounts-sign', 'tests/http/clients-registration', 'tests/http/connected-apps.'],
  ...['tests/http/metadata', 'tests/http/plugins', 'tests/http/revocation.', 'tests/whole/belongings'],
] as const;

describe('the door alone (architecture §1, ADR 18)', { timeout: 300_000 }, async () => {
  const { folder, remove } = await copyDoor(optionalParts);
  atTheEnd(remove);

  test('has no fault for the lint', async () => {
    const { isFine, stdout } = await runIn(folder, 'biome', ['ci', '--diagnostic-level=error', '.']);

    expect(isFine, stdout).toBe(true);
  });

  test('imports nothing that is gone; what it has and does not use, an optional part or another test does', async () => {
    expect(await faultsOfKnip(folder)).toEqual([]);
  });

  test('passes its own tests', async () => {
    const args = ['run', '--exclude', 'tests/core/grant-model.test.ts', ...ownTests];
    const { isFine, stdout } = await runIn(folder, 'vitest', args);

    expect(isFine, stdout.slice(-10_000)).toBe(true);
    expect(stdout).toMatch(/Tests\s+.*\d{4} passed/);
  });
});

describe('PARTS (contract §1)', () => {
  test.each([
    ['door', 5],
    ['all', 5 + optionalParts.length],
    ['-mcp', 4 + optionalParts.length],
    ['scheduling, mcp', 7],
    ['door,passkeys', 6],
  ])('%s is so many parts that serve', async (text, count) => {
    const parts = await loadParts(text);

    expect(parts.filter(({ isOff }) => !isOff)).toHaveLength(count);
  });

  test.each([
    ['mcp', 'PARTS has mcp, which needs scheduling'],
    ['all,-scheduling', 'PARTS has mcp, which needs scheduling'],
    ['schedulling', 'PARTS must name parts'],
    ['', 'PARTS must name parts'],
    ['-accounts', 'PARTS must name parts'],
  ])('%s stops the start and says why', async (text, words) => {
    await expect(loadParts(text)).rejects.toThrow(words);
  });
});
