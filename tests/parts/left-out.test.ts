import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { loadParts, optionalParts } from '../../src/parts.ts';
import { follow, onPostgres, repository, type ServerProcess } from '../start/server-process.ts';
import { requestOf } from '../support/authorization.ts';
import { createTestClock, openTestService } from '../support/service.ts';
import { addClient, addUser, authorizePath, connect, signIn } from '../support/world.ts';

const run = promisify(execFile);
const patient = { timeout: 120_000 } as const;
const folder = await mkdtemp(join(tmpdir(), 'latchkey-parts-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Sources, views and tools in a folder of their own, without these parts' folders, views and lines. */
async function copyWithout(names: readonly string[]): Promise<string> {
  const copy = await mkdtemp(join(folder, 'copy-'));
  for (const name of ['src', 'views', 'migrations', 'patches', 'package.json', 'tsconfig.json'])
    await cp(join(repository, name), join(copy, name), { recursive: true });
  await mkdir(join(copy, 'node_modules'));
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '.cache')
      await symlink(join(repository, 'node_modules', name), join(copy, 'node_modules', name));
  for (const name of names) {
    await rm(join(copy, 'src', name), { recursive: true });
    await rm(join(copy, 'views', name), { recursive: true, force: true });
  }
  const list = join(copy, 'src/parts.ts');
  const isGone = (line: string): boolean => names.some((name) => line.includes(`'${name}'`));
  const lines = (await readFile(list, 'utf8')).split('\n');
  await writeFile(list, lines.filter((line) => !isGone(line)).join('\n'));
  return copy;
}

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

describe.each<readonly [string, readonly string[]]>([
  ...optionalParts.map((name) => [name, [name]] as const),
  ['all but the door', optionalParts] as const,
])('without the folder and line of %s (architecture §1, ADR 18)', (_name, names) => {
  test('what is left compiles, starts, answers /v2/me and asks for consent', patient, async () => {
    // What needs it goes with it.
    const left = names.includes('scheduling') ? [...names, 'mcp'] : names;
    const copy = await copyWithout([...new Set(left)]);

    expect(await compile(copy)).toBe('');
    const { me, page } = await use(start(copy));

    expect(me).toMatchObject({ status: 'success', data: { email: person.email } });
    expect(page).toContain('value="allow"');
  });
});

describe('PARTS (contract §1)', () => {
  test.each([
    ['door', 5],
    ['all', 5 + optionalParts.length],
    ['-mcp', 4 + optionalParts.length],
    ['scheduling, mcp', 7],
    ['door,passkeys', 6],
  ])('%s is so many parts', async (text, count) => {
    expect(await loadParts(text)).toHaveLength(count);
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
