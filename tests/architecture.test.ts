import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { expect, test } from 'vitest';
import { emptyPatterns } from './rings.ts';

interface SourceFile {
  /** Below src, with `/` between. */
  readonly path: string;
  readonly text: string;
  /**
   * Imports are listed as they are written, with type imports and dynamic ones; our own files are paths
   * below src.
   */
  readonly imports: readonly string[];
}

const repository = join(import.meta.dirname, '..');
const folder = join(repository, 'src');
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
  expect(files.find(({ path }) => path === 'server.ts')?.imports).toContain('open-service.ts');
  expect(files.find(({ path }) => path === 'platform/open-database.ts')?.imports).toContain(
    'drizzle-orm/pglite',
  );
  expect(strayImports(files, (imported) => !isOwn(imported) || ownPaths.has(imported))).toEqual([]);
});

const folderOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');

/** In their order, as `src/parts.ts` lists them. */
const listed = [
  ...(files.find(({ path }) => path === 'parts.ts')?.text ?? '').matchAll(
    /\{ name: '([a-z0-9-]+)',( isDoor: true)?[^\n]*load:/g,
  ),
].map(([, name = '', isDoor]) => ({ name, isDoor: isDoor !== undefined }));

/** What is known at a folder: of the parts, those of the door that stand before it. */
function knownAt(folder: string): readonly string[] {
  const place = listed.findIndex(({ name }) => name === folder);
  const before = listed.slice(0, Math.max(place, 0)).flatMap(({ name, isDoor }) => (isDoor ? [name] : []));
  if (folder === 'platform') return [];
  if (folder === 'web') return ['platform'];
  // Accounts, and what adds to them, have pages and no API.
  const accounts = ['accounts', 'languages', 'passkeys'];
  if (accounts.includes(folder)) return ['web', ...before.filter((name) => name !== 'api')];
  if (folder === 'cli') return ['platform', 'accounts', 'oauth'];
  return place < 0
    ? ['web', 'cli', ...listed.flatMap(({ name, isDoor }) => (isDoor ? [name] : []))]
    : ['web', ...before];
}

test('imports go one way, and parts.ts alone knows the optional parts (architecture §1, ADR 18)', () => {
  const mayImport = (imported: string, importer: string): boolean =>
    !isOwn(imported) || ['', folderOf(importer), ...knownAt(folderOf(importer))].includes(folderOf(imported));
  const among = files.filter(({ path }) => path !== 'parts.ts');

  expect(listed.length).toBeGreaterThan(4);
  expect(knownAt('v2')).toEqual(['web', 'platform', 'api', 'accounts', 'oauth']);
  expect(strayImports(among, mayImport)).toEqual([]);
});

/** Each folder stands above all that it imports: the rows of the picture, from the top. Throws where a circle has none. */
function drawHouse(): readonly string[] {
  const known = new Map<string, Set<string>>();
  for (const { path, imports } of files.filter(({ path }) => path.includes('/'))) {
    const among = known.get(folderOf(path)) ?? new Set<string>();
    known.set(folderOf(path), among);
    for (const imported of imports.filter(isOwn)) among.add(folderOf(imported));
    for (const none of ['', folderOf(path)]) among.delete(none);
  }
  const rows: string[][] = [];
  while (known.size > 0) {
    const row = [...known.keys()].filter((name) =>
      [...(known.get(name) ?? [])].every((on) => !known.has(on)),
    );
    if (row.length === 0) throw new Error(`a circle of ${[...known.keys()].join(', ')}`);
    for (const name of row) known.delete(name);
    rows.unshift(row.toSorted());
  }
  return rows.map((row) => row.join(' '));
}

test('the picture of the house is what the imports say, and no arrow leads up (architecture §1)', () => {
  const page = readFileSync(join(repository, 'docs/architecture.md'), 'utf8');
  const [, picture = ''] = /```house\n([^`]*)```/.exec(page) ?? [];
  const there = new Set(files.map(({ path }) => folderOf(path)));
  const rows = picture
    .trim()
    .split('\n')
    .map((row) =>
      row
        .trim()
        .split(/\s+/)
        .filter((name) => there.has(name))
        .join(' '),
    );

  expect(rows.filter((row) => row !== '')).toEqual(drawHouse());
});

test('the configuration knows no folder (architecture §1)', () => {
  const settings = files.filter(({ path }) => ['config.ts', 'environment.ts'].includes(path));

  expect(strayImports(settings, (imported) => !isOwn(imported) || folderOf(imported) === '')).toEqual([]);
});

function isIn(rooms: readonly string[], path: string): boolean {
  return rooms.some((room) => path === room || path.startsWith(`${room}/`));
}

/** A room may look into those before it. Files beside the rooms stand where the empty name is, and may be used by all without one. */
const rooms = {
  scheduling: [
    ...['core', 'ics', 'schedules', 'calendars', 'event-types'],
    ...['slots', 'bookings', 'teams', 'pages', 'settings'],
  ],
  accounts: [
    ...['', 'sessions', 'passwords', 'sign-in', 'verification', 'sign-up'],
    ...['profile', 'personal-data', 'admin', 'audit', 'groups', 'deletion'],
  ],
  oauth: [
    ...['core', 'http', '', 'token', 'revocation', 'connected-apps', 'failed-requests'],
    ...['clients', 'review', 'discovery', 'authorize'],
  ],
} as const;
/** These files tell other parts what the rooms have. */
const handingIn = ['part.ts', 'data.ts'];

test.each(Object.entries(rooms))(
  'the rooms of %s stand in one order, and look only to the left (architecture §1)',
  (part, order: readonly string[]) => {
    const roomOf = (path: string): string => path.split('/').slice(1, -1)[0] ?? '';
    const hasRank = (path: string): boolean => path.startsWith(`${part}/`) && order.includes(roomOf(path));
    const rankOf = (path: string): number => (hasRank(path) ? order.indexOf(roomOf(path)) : -1);
    const inside = files.filter(
      ({ path }) =>
        path.startsWith(`${part}/`) &&
        !handingIn.includes(basename(path)) &&
        (roomOf(path) !== '' || order.includes('')),
    );

    expect(new Set(inside.map(({ path }) => roomOf(path)))).toEqual(new Set(order));
    expect(strayImports(inside, (imported, importer) => rankOf(imported) <= rankOf(importer))).toEqual([]);
  },
);

test('a core imports itself, result.ts and one library, for signatures or for time zones; nothing else (architecture §1)', () => {
  const cores = files.filter(({ path }) => path.includes('/core/'));
  const mayImport = (imported: string, importer: string): boolean =>
    imported === 'result.ts' ||
    dirname(imported) === dirname(importer) ||
    (imported === 'jose' && importer.startsWith('oauth/')) ||
    (imported === 'temporal-polyfill' && importer.startsWith('scheduling/'));

  expect(cores).not.toEqual([]);
  expect(strayImports(cores, mayImport)).toEqual([]);
});

test('iCalendar files are read by a room that imports nothing of ours but the core (architecture §1)', () => {
  const room = files.filter(({ path }) => path.startsWith('scheduling/ics/'));
  const isKnown = (path: string): boolean => /^scheduling\/(?:core|ics)$/.test(dirname(path));

  expect(room.length).toBeGreaterThan(5);
  expect(strayImports(room, (imported) => !isOwn(imported) || isKnown(imported))).toEqual([]);
});

test('SQL stands in stores and tables, in the keyring, in what stores share of belongings, and where the database is opened (architecture §1)', () => {
  const rooms = ['store.ts', 'tables.ts', 'data.ts', 'standing.ts', 'shortcut.ts'];
  const speakers = files.filter(({ imports }) => imports.some((name) => name.startsWith('drizzle-orm')));
  const others = speakers.map(({ path }) => path).filter((path) => !rooms.includes(basename(path)));

  expect(others.toSorted()).toEqual([
    'oauth/keyring.ts',
    'platform/belongings.ts',
    'platform/database.ts',
    'platform/migrations.ts',
    'platform/open-database.ts',
  ]);
});

test('no file or folder has a name that says nothing (architecture §5)', () => {
  const empty =
    /(?:^|\/)(?:utils?|helpers?|common|shared|misc|lib|services|managers?|controllers?)(?:\.ts$|\/)/;

  expect(files.map(({ path }) => path).filter((path) => empty.test(path))).toEqual([]);
});

/** The public surfaces of the package: what `exports` of package.json leads to. */
const surfaces = ['oauth/core/index.ts', 'oauth/http/fetch.ts', 'oauth/http/plugin.ts'];

test('no source imports a public surface of the package (architecture §5)', () => {
  const users = files.filter(({ path }) => path !== 'oauth/index.ts');

  expect(users.flatMap(({ imports }) => imports).filter((name) => surfaces.includes(name))).toEqual([]);
});

test('what servers share of the OAuth endpoints needs the core and nothing of ours (architecture §1)', () => {
  const inside = files.filter(({ path }) => isIn(['oauth/http'], path));
  const mayImport = (imported: string): boolean =>
    isIn(['oauth/http', 'oauth/core', 'result.ts'], imported) || ['jose', 'fastify'].includes(imported);
  const runsFastify = inside.filter(({ text }) => /^import (?!type)[^;]*'fastify'/m.test(text));

  expect(inside).not.toEqual([]);
  expect(strayImports(inside, mayImport)).toEqual([]);
  expect(runsFastify).toEqual([]);
});

test('maintainers of the OAuth endpoints have 40 files and 4,600 lines to read, types included (architecture §1)', () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const road = new Set(['oauth/token/routes.ts', 'oauth/token/server.ts']);
  for (const path of road) for (const next of byPath.get(path)?.imports.filter(isOwn) ?? []) road.add(next);
  const lines = [...road].map((path) => (byPath.get(path)?.text.split('\n').length ?? 1) - 1);

  expect([...road].toSorted().slice(40)).toEqual([]);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(4600);
});

test('every pattern of the rings finds a test', () => {
  expect(emptyPatterns()).toEqual([]);
});
