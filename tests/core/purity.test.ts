import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const core = join(root, 'src/oauth/core');
const names = (await readdir(core)).filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'));

test('the core is there', () => {
  expect(names).toEqual(expect.arrayContaining(['access-token.ts', 'code.ts', 'crypto.ts', 'refresh.ts']));
});

const impurities = [
  /\bDate\.now\b/,
  /\bnew Date\(\s*\)/,
  /(?<!new )\bDate\(/,
  /\bMath\.random\b/,
  /\bglobalThis\b/,
  /\beval\(/,
  /\bimport\(/,
  /\bawait import\b/,
];

test.each(names)('core/%s takes time and random bytes as arguments (architecture §1)', async (name) => {
  const source = await readFile(join(core, name), 'utf8');

  expect(impurities.filter((impurity) => impurity.test(source))).toEqual([]);
});

/** One line each, of what the core must not be able to reach. */
const probes = {
  fetch: "export const probe = fetch('https://app.example');",
  process: "export const probe = process.env['SECRET'];",
  buffer: "export const probe = Buffer.from('a');",
  timeout: 'export const probe = setTimeout(() => {}, 1);',
  interval: 'export const probe = setInterval(() => {}, 1);',
  microtask: 'export const probe = queueMicrotask(() => {});',
  console: "export const probe = console.log('a');",
  performance: 'export const probe = performance.now();',
  random: 'export const probe = crypto.getRandomValues(new Uint8Array(1));',
  uuid: 'export const probe = crypto.randomUUID();',
  websocket: "export const probe = new WebSocket('wss://app.example');",
  require: "export const probe = require('node:fs');",
  files: "import { readFileSync } from 'node:fs';\nexport const probe = readFileSync('a');",
  bare: "import { createHash } from 'crypto';\nexport const probe = createHash('sha256');",
} as const;

const allowed = `
import { issueCode } from '${join(core, 'code.ts')}';
import { webCryptoMac } from '${join(core, 'crypto.ts')}';
import { verifyAccessToken } from '${join(core, 'access-token.ts')}';
export const digest = crypto.subtle.digest('SHA-256', new TextEncoder().encode('a'));
export const host = new URL('https://app.example').host;
export const code = issueCode('0f8fad5b-d9cb-469f-a165-70867728950e', webCryptoMac(['a']));
export const verify = verifyAccessToken;
`;

const nameInFinding = /([a-z]+)\.ts\(\d+,\d+\): error/;

describe("the core's tsconfig", () => {
  let folder = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-purity-'));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  });

  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  /**
   * Which of the probes do not compile under these settings, by name; then whatever else is wrong.
   */
  async function findRefused(project: string, extended: string, files: readonly string[]): Promise<string[]> {
    const home = join(folder, project);
    await mkdir(home);
    const sources = { ...probes, allowed };
    for (const [name, source] of Object.entries(sources)) await writeFile(join(home, `${name}.ts`), source);
    const settings = {
      extends: extended,
      compilerOptions: { incremental: false, tsBuildInfoFile: null, pretty: false },
      include: ['*.ts', ...files],
      exclude: [],
    };
    await writeFile(join(home, 'tsconfig.json'), JSON.stringify(settings));
    await writeFile(join(home, 'package.json'), JSON.stringify({ type: 'module' }));
    const lines = (await runTsc(['-p', home])).split('\n').filter((line) => /^\S/.test(line));
    const isRefused = (name: string): boolean => lines.some((line) => nameInFinding.exec(line)?.[1] === name);
    return [...Object.keys(sources).filter(isRefused), ...lines.filter((line) => !nameInFinding.test(line))];
  }

  test('compiles none of the ways to I/O, a clock or randomness, but what the core does (architecture §1)', async () => {
    const globals = join(core, 'edge-globals.edge.d.ts');

    const refused = await findRefused('core', join(core, 'tsconfig.json'), [globals]);

    expect(refused).toEqual(Object.keys(probes));
  });

  test('is what refuses them: they compile under the settings of the project around it', async () => {
    expect(await findRefused('project', join(root, 'tsconfig.json'), [])).toEqual([]);
  });

  test('covers every file of the core', async () => {
    const listed = await runTsc(['-p', core, '--listFilesOnly']);
    const files = listed.split('\n').map((path) => relative(core, path));

    expect(files).toEqual(expect.arrayContaining(names));
  });
});

/** What the type check says, one line a finding; empty when there is nothing to say. */
function runTsc(flags: readonly string[]): Promise<string> {
  const { promise, resolve: done } = Promise.withResolvers<string>();
  execFile(join(root, 'node_modules/.bin/tsc'), [...flags], { cwd: root }, (_, stdout, stderr) => {
    done(stdout + stderr);
  });
  return promise;
}
