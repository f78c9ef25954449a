import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { publint } from 'publint';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startWorkerd } from '../edge/edge-service.ts';
import { openTestDatabase } from '../support/database.ts';
import {
  bundleFor,
  environment,
  folder,
  home,
  installBeside,
  npm,
  patient,
  repository,
  run,
  tarballs,
} from './installed.ts';
import { programsOf, servers, settings, useEndpoints, useServer, writePrograms } from './pages.ts';

const bundled = join(folder, 'bundled');

test('the tarball has modules, their types and its documents, in at most 60 KB', patient, async () => {
  const tarball = tarballs.find((file) => !file.includes('client')) ?? '';
  const { stdout } = await run('tar', ['tzf', tarball]);
  const others = stdout
    .trim()
    .split('\n')
    .filter((file) => !/^package\/(?:(?:oauth\/.*|result)\.(?:js|d\.ts)|docs\/.*\.md)$/.test(file));

  expect(others.toSorted()).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'].map((file) => `package/${file}`),
  );
  expect((await stat(tarball)).size).toBeLessThanOrEqual(60_000);
});

test('an installation brings jose alone, and no program', patient, async () => {
  const place = join(folder, 'alone');
  await mkdir(place);
  await writeFile(
    join(place, 'package.json'),
    JSON.stringify({ scripts: { node: 'node -p process.execPath' } }),
  );
  const tarball = tarballs.find((file) => !file.includes('client')) ?? '';
  await npm(place, 'install', tarball);
  const lock = JSON.parse(await readFile(join(place, 'node_modules/.package-lock.json'), 'utf8'));
  const { stdout: ofScripts } = await npm(place, 'run', '--silent', 'node');
  const { stdout: ofShell } = await run('node', ['-p', 'process.execPath'], { env: environment });
  const { stdout: size } = await run('du', ['-sk', '--apparent-size', 'node_modules'], { cwd: place });

  expect(Object.keys(lock.packages)).toEqual(['node_modules/jose', 'node_modules/latchkey']);
  expect(JSON.stringify(lock)).not.toMatch(/hasInstallScript|"bin"/);
  expect(ofScripts).toBe(ofShell);
  expect(Number.parseInt(size)).toBeLessThan(700);
});

test('nothing in it cites a document that it doesn’t have', patient, async () => {
  const modules = join(home, 'node_modules/latchkey');
  const files = (await readdir(modules, { recursive: true })).filter((file) => /\.(?:js|ts|md)$/.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(modules, file), 'utf8')));

  expect(files.length).toBeGreaterThan(50);
  expect(
    texts.join('\n').match(/contract §.*|security C\d.*|architecture §.*|ADR \d.*|protects:.*/g),
  ).toBeNull();
});

test('its types are written out: hovering shows what to give, not how it was put together', async () => {
  const modules = join(home, 'node_modules/latchkey');
  const files = (await readdir(modules, { recursive: true })).filter((file) => file.endsWith('.d.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(modules, file), 'utf8')));

  expect(
    texts.join('\n').match(/\b(?:Omit|Pick|Partial|ReturnType|Parameters|Exclude|Extract)<.*/g),
  ).toBeNull();
});

test('publint finds nothing', patient, async () => {
  const { messages } = await publint({ pkgDir: join(home, 'node_modules/latchkey'), pack: false });

  expect(messages).toEqual([]);
});

/** Packages of programs, none of which runs a script when it is installed; npm has those of Linux. */
const versions = process.platform === 'linux' ? ['20.20.2', '22.23.3'] : [];
const modules = await installBeside(
  versions.map((version) => `node-${version}@npm:node-linux-${process.arch}@${version}`),
);

const nodes: readonly (readonly [version: string, program: string])[] = [
  [process.versions.node, process.execPath],
  ...versions.map((version) => [version, join(modules, `node-${version}/bin/node`)] as const),
];

describe.each(nodes)('on Node.js %s', (_version, node) => {
  test.each(['core', 'fetch-main', 'fastify', 'server', 'store-test', 'client'])(
    'the program %s.mjs of an app runs against the installed package',
    patient,
    async (name) => {
      await run(node, [`${name}.mjs`], { cwd: home, env: environment });
    },
  );
});

const withDatabase = nodes.filter(([version]) => !version.startsWith('20.'));

test.each(withDatabase)(
  'a table of SQLite on Node.js %s keeps what a store promises, and no race breaks it',
  patient,
  async (_version, node) => {
    await run(node, ['sqlite.mjs'], { cwd: home, env: environment });
  },
);

test('a table of PostgreSQL keeps what a store promises, and no race breaks it', patient, async () => {
  const { url, close } = await openTestDatabase();
  onTestFinished(close);

  await run(process.execPath, ['postgres.mjs'], { cwd: home, env: { ...environment, DATABASE_URL: url } });
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

describe('the programs of its pages', async () => {
  const programs = await programsOf(join(home, 'node_modules/latchkey'));
  const place = join(home, 'pages');
  const inPostgres = join(home, 'pages-postgres');
  await writePrograms(place, programs);
  await writePrograms(inPostgres, new Map([...programs, ['store.js', programs.get('postgres.js') ?? '']]));

  test('make a whole server of twenty lines beside the pages and clients of its host', () => {
    const lines = ['store.js', 'oauth.js', 'main.js'].flatMap(
      (name) => programs.get(name)?.split('\n') ?? [],
    );

    expect(lines.filter((line) => line.trim() !== '')).toHaveLength(20);
  });

  test('compile', patient, async () => {
    const types = { types: ['node'], typeRoots: [join(repository, 'node_modules/@types')] };
    const compilerOptions = {
      ...{ module: 'node16', target: 'es2022', lib: ['esnext', 'dom'], ...types },
      ...{ allowJs: true, checkJs: true, strict: false, noEmit: true, skipLibCheck: true },
    };
    const files = [...programs.keys()];
    await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));

    const compiler = join(repository, 'node_modules/.bin/tsc');
    const { stdout } = await run(compiler, ['-p', place]).catch(({ stdout }) => ({ stdout }));

    expect(files.length).toBeGreaterThan(8);
    expect(stdout).toBe('');
  });

  test.each(servers)(
    '%s is a whole server over SQLite, and notes.js another process that accepts its tokens',
    patient,
    (program) => useServer(place, program, environment),
  );

  test.each(servers)('%s is one over PostgreSQL', patient, async (program) => {
    const { url, close } = await openTestDatabase();
    onTestFinished(close);

    await useServer(inPostgres, program, { ...environment, DATABASE_URL: url });
  });

  test('store.test.js finds nothing wrong in SQLite', patient, async () => {
    const env = { ...environment, ...settings, ISSUER: 'https://id.example' };

    await run(process.execPath, ['--test', 'store.test.js'], { cwd: place, env });
  });

  test('endpoints.js and migrate.js issue codes and tokens that their server takes', patient, async () => {
    await useEndpoints(place, environment);
  });
});

test('the core has at most 12 KB compressed, without jose', patient, async () => {
  const core = await bundleFor("export * from 'latchkey/core';", ['jose']);

  expect(gzipSync(core, { level: 9 }).length).toBeLessThan(12 * 1024);
  expect(new Set([...core.matchAll(/from"([^"]+)"/g)].map(([, name]) => name))).toEqual(new Set(['jose']));
});

test('latchkey/fetch has at most 20 KB compressed, with jose', patient, async () => {
  const all = await bundleFor("export * from 'latchkey/fetch';");

  expect(gzipSync(all, { level: 9 }).length).toBeLessThan(20 * 1024);
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
