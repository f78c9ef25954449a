import { existsSync, globSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';

const repository = join(import.meta.dirname, '../..');

/** What runs and is checked, and what the checks need. */
const compiled = ['src', 'views', 'migrations', 'patches', 'package.json', 'tsconfig.json'] as const;
const checked = [
  ...['docs', 'monitoring', 'tests', 'examples/own-api', 'examples/third-party-app'],
  ...['biome.json', 'knip.json', '.gitignore', 'vitest.config.ts', 'build.ts', 'drizzle.config.ts'],
] as const;

/** The folders of tests that a part's absence leaves as they are: what in them needs a part has the tag `parts`. */
export const doorFolders = ['core', 'http', 'races', 'platform', 'mail'] as const;

export interface Copy {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Sources, views and tools in a folder of their own, without these parts' folders, views and lines. */
export async function copyWithout(parts: readonly string[], more: readonly string[] = []): Promise<Copy> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-parts-'));
  for (const name of [...compiled, ...more])
    await cp(join(repository, name), join(folder, name), { recursive: true });
  await mkdir(join(folder, 'node_modules'));
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '.cache')
      await symlink(join(repository, 'node_modules', name), join(folder, 'node_modules', name));
  for (const name of parts) {
    await rm(join(folder, 'src', name), { recursive: true });
    await rm(join(folder, 'views', name), { recursive: true, force: true });
  }
  const list = join(folder, 'src/parts.ts');
  const isGone = (line: string): boolean => parts.some((name) => line.includes(`'${name}'`));
  const lines = (await readFile(list, 'utf8')).split('\n');
  await writeFile(list, lines.filter((line) => !isGone(line)).join('\n'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The whole tree without these parts: with tests and documents, without the folders of tests that go with them. */
export async function copyTreeWithout(parts: readonly string[]): Promise<Copy> {
  const made = /^(?:node_modules|\.git|dist|data|screenshots|\.stryker-tmp)$/;
  const others = (await readdir(repository)).filter(
    (name) => !made.test(name) && !compiled.some((one) => one === name),
  );
  const copy = await copyWithout(parts, others);
  for (const name of parts) await rm(join(copy.folder, 'tests', name), { recursive: true, force: true });
  return copy;
}

/** The door with its own tests: those of the parts are gone, and what helps them. */
export async function copyDoor(parts: readonly string[]): Promise<Copy> {
  const copy = await copyWithout(parts, checked);
  const kept: readonly string[] = [...doorFolders, 'parts', 'support'];
  for (const name of await readdir(join(copy.folder, 'tests')))
    if (!kept.includes(name)) await rm(join(copy.folder, 'tests', name), { recursive: true });
  // The configuration of tests asks it which parts are gone.
  for (const name of await readdir(join(copy.folder, 'tests/parts')))
    if (name !== 'gone.ts') await rm(join(copy.folder, 'tests/parts', name));
  for (const file of filesWithoutImport(copy.folder))
    if (file.startsWith('tests/support/')) await rm(join(copy.folder, file));
  return copy;
}

/** What a source imports, relative to the folder. */
export function importsOf(folder: string, file: string): readonly string[] {
  const source = readFileSync(join(folder, file), 'utf8');
  return [...source.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    normalize(join(dirname(file), path)),
  );
}

/** The files of tests from which an import leads to a file that is gone. */
function filesWithoutImport(folder: string): readonly string[] {
  const files = globSync('tests/**/*.ts', { cwd: folder });
  const lost = new Set<string>();
  for (let count = -1; count < lost.size; ) {
    count = lost.size;
    for (const file of files)
      if (importsOf(folder, file).some((path) => lost.has(path) || !existsSync(join(folder, path))))
        lost.add(file);
  }
  return [...lost];
}
