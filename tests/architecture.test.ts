import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { expect, test } from 'vitest';

interface SourceFile {
  /** Below src, with `/` between. */
  readonly path: string;
  readonly text: string;
  /** As they are written, type imports and dynamic ones too; our own files as paths below src. */
  readonly imports: readonly string[];
}

const folder = join(import.meta.dirname, '../src');
const files: readonly SourceFile[] = globSync('**/*.ts', { cwd: folder }).map((name) => {
  const path = name.replaceAll(sep, '/');
  const text = readFileSync(join(folder, name), 'utf8');
  return { path, text, imports: readImports(path, text) };
});

function readImports(path: string, text: string): string[] {
  const statements = /^(?:import|export)\b(?:[^;'"]*?\bfrom)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm;
  return [...text.matchAll(statements)].map(([, plain = '', dynamic = plain]) => resolve(path, dynamic));
}

function resolve(path: string, specifier: string): string {
  return specifier.startsWith('.') ? join(dirname(path), specifier).replaceAll(sep, '/') : specifier;
}

/** `file → import` for every import that the file may not have. */
function strayImports(
  among: readonly SourceFile[],
  mayImport: (imported: string, importer: string) => boolean,
): string[] {
  return among.flatMap(({ path, imports }) =>
    imports.filter((imported) => !mayImport(imported, path)).map((imported) => `${path} → ${imported}`),
  );
}

const ownPaths = new Set(files.map(({ path }) => path));
const isOwn = (specifier: string): boolean => specifier.endsWith('.ts');

test('every import line is read, and leads to a file', () => {
  expect(files.find(({ path }) => path === 'server.ts')?.imports).toContain('latchkey.ts');
  expect(files.find(({ path }) => path === 'io/database.ts')?.imports).toContain('drizzle-orm/pglite');
  expect(strayImports(files, (imported) => !isOwn(imported) || ownPaths.has(imported))).toEqual([]);
});

/** What all surfaces stand on; these know no feature. */
const ground = [
  'result.ts',
  'plain-text.ts',
  'moments.ts',
  'habits.ts',
  'input-faults.ts',
  'http.ts',
  'pages.ts',
  'forms.ts',
];

test.each([
  ['io', ['result.ts']],
  ['outbox', ['result.ts', 'plain-text.ts', 'io']],
  ['accounts', [...ground, 'io', 'outbox']],
  ['admin', [...ground, 'io', 'outbox', 'accounts']],
  ['openapi', ['http.ts']],
  ['docs', [...ground, 'openapi']],
  ['oauth', [...ground, 'io', 'outbox', 'accounts']],
  ['scheduling', [...ground, 'io', 'outbox', 'accounts', 'oauth']],
])('the folder %s only looks to the left (design §1)', (room, leftOfIt) => {
  const inside = files.filter(({ path }) => path.startsWith(`${room}/`));
  const rooms = [room, ...leftOfIt];

  expect(inside).not.toEqual([]);
  expect(strayImports(inside, (imported) => !isOwn(imported) || isIn(rooms, imported))).toEqual([]);
});

function isIn(rooms: readonly string[], path: string): boolean {
  return rooms.some((room) => path === room || path.startsWith(`${room}/`));
}

/** Each may look into those before it. */
const schedulingRooms = [
  ...['core', 'callers', 'me', 'schedules', 'calendars', 'event-types'],
  ...['bookable', 'slots', 'bookings', 'managed-users', 'pages'],
];

test('the rooms of scheduling stand in one order, and look only to the left (design §1)', () => {
  const roomOf = (path: string): string | undefined => /^scheduling\/([^/]+)\//.exec(path)?.[1];
  const inside = files.filter(({ path }) => roomOf(path) !== undefined);
  const rankOf = (path: string): number => schedulingRooms.indexOf(roomOf(path) ?? '');

  expect(new Set(inside.map(({ path }) => roomOf(path)))).toEqual(new Set(schedulingRooms));
  expect(strayImports(inside, (imported, importer) => rankOf(imported) <= rankOf(importer))).toEqual([]);
});

test('what all surfaces stand on knows no feature (design §1)', () => {
  const standing = files.filter(({ path }) => ground.includes(path));

  expect(standing).toHaveLength(ground.length);
  expect(strayImports(standing, (imported) => !isOwn(imported) || isIn([...ground, 'io'], imported))).toEqual(
    [],
  );
});

test('a core imports itself, result.ts and one library, for signatures or for time zones; nothing else (design §1)', () => {
  const cores = files.filter(({ path }) => path.includes('/core/'));
  const mayImport = (imported: string, importer: string): boolean =>
    imported === 'result.ts' ||
    dirname(imported) === dirname(importer) ||
    (imported === 'jose' && importer.startsWith('oauth/')) ||
    (imported === 'temporal-polyfill' && importer.startsWith('scheduling/'));

  expect(cores).not.toEqual([]);
  expect(strayImports(cores, mayImport)).toEqual([]);
});

test('the environment is read in server.ts alone (design §1)', () => {
  const readers = files.filter(({ text }) => /process\.env\b|'(?:node:)?process'/.test(text));

  expect(readers.map(({ path }) => path)).toEqual(['server.ts']);
});

test('SQL stands in stores and tables, in the keyring, and where the database is opened (style)', () => {
  const speakers = files.filter(({ imports }) => imports.some((name) => name.startsWith('drizzle-orm')));
  const others = speakers
    .map(({ path }) => path)
    .filter((path) => !['store.ts', 'tables.ts'].includes(basename(path)));

  expect(others.toSorted()).toEqual(['io/database.ts', 'oauth/keyring.ts']);
});

test('no file or folder has a name that says nothing (style)', () => {
  const empty =
    /(?:^|\/)(?:utils?|helpers?|common|shared|misc|lib|services|managers?|controllers?)(?:\.ts$|\/)/;

  expect(files.map(({ path }) => path).filter((path) => empty.test(path))).toEqual([]);
});

test('no file hands on what another one defines (style)', () => {
  const barrels = files.filter(
    ({ path, text }) => basename(path) === 'index.ts' || /^export\b[^;'"]*\bfrom\s*'/m.test(text),
  );

  expect(barrels.map(({ path }) => path)).toEqual([]);
});

test('no imports go round in a circle, not even for types', () => {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports.filter(isOwn)]));
  const reaches = (from: string, goal: string, seen: Set<string>): boolean =>
    (importsOf.get(from) ?? []).some((next) => {
      if (next === goal) return true;
      if (seen.has(next)) return false;
      seen.add(next);
      return reaches(next, goal, seen);
    });

  expect([...ownPaths].filter((path) => reaches(path, path, new Set()))).toEqual([]);
});
