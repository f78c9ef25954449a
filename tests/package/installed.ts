import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { assembleLibrary } from '../../build.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { hostPath } from '../support/host-path.ts';

export const repository = join(import.meta.dirname, '../..');
export const run = promisify(execFile);
export const patient = { timeout: 300_000 } as const;
export const folder = await mkdtemp(join(tmpdir(), 'latchkey-package-'));
atTheEnd(() => rm(folder, { recursive: true, force: true }));

/** What npm needs to find its registry and cache, and nothing of the repository. */
export const environment = { PATH: hostPath, HOME: process.env['HOME'] ?? folder };
export const npm = (cwd: string, ...args: readonly string[]) =>
  run('npm', [...args, '--no-audit', '--no-fund', '--prefer-offline'], { cwd, env: environment });

/** The library, and the client, of which a copy is packed, because other tests build in the repository. */
async function pack(): Promise<readonly string[]> {
  const library = join(folder, 'library');
  await assembleLibrary(library);
  const copy = join(folder, 'repository');
  const client = join(copy, 'clients/typescript');
  await cp(join(repository, 'clients/typescript'), client, { recursive: true });
  await cp(join(repository, 'tsconfig.json'), join(copy, 'tsconfig.json'));
  await symlink(join(repository, 'node_modules'), join(copy, 'node_modules'));
  await npm(client, 'pack', library, '.', '--pack-destination', folder);
  const tarballs = (await readdir(folder)).filter((file) => file.endsWith('.tgz'));
  return tarballs.toSorted().map((file) => join(folder, file));
}

/** An empty folder, with the tarballs, Fastify and the programs beside this file. */
async function install(tarballs: readonly string[]): Promise<string> {
  const home = join(folder, 'app');
  await cp(join(import.meta.dirname, 'programs'), home, { recursive: true });
  await writeFile(join(home, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  const { packages } = JSON.parse(await readFile(join(repository, 'package-lock.json'), 'utf8'));
  const others = ['fastify', 'postgres', 'hono', '@hono/node-server'].map(
    (name) => `${name}@${packages[`node_modules/${name}`].version}`,
  );
  await npm(home, 'install', ...tarballs, ...others);
  return home;
}

export const tarballs = await pack();
export const home = await install(tarballs);

/** Installs programs of npm in a folder of their own, without running scripts; where they are. */
export async function installBeside(packages: readonly string[]): Promise<string> {
  const place = join(folder, 'others');
  await mkdir(place);
  await npm(place, 'install', '--ignore-scripts', ...packages);
  return join(place, 'node_modules');
}

/** Bundlers for browsers and workers do this, minified. */
export async function bundleFor(entry: string, external: readonly string[] = []): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: home },
    ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser', target: 'es2022' },
    external: [...external],
  });
  return outputFiles[0]?.text ?? '';
}
