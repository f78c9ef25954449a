import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { expect, test } from 'vitest';
import type { Part } from '../src/part.ts';
import { loadParts } from '../src/parts.ts';
import { emptyPatterns } from './rings.ts';
import { programs } from './support/programs.ts';

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
  expect(files.find(({ path }) => path === 'server.ts')?.imports).toContain('service.ts');
  expect(files.find(({ path }) => path === 'platform/open-database.ts')?.imports).toContain(
    'drizzle-orm/pglite',
  );
  expect(strayImports(files, (imported) => !isOwn(imported) || ownPaths.has(imported))).toEqual([]);
});

/** Each folder may look into those on its right. */
const folders = {
  platform: ['result.ts', 'config.ts', 'part.ts'],
  web: ['result.ts', 'part.ts', 'platform'],
  api: ['result.ts', 'part.ts', 'platform', 'web'],
  accounts: ['result.ts', 'part.ts', 'platform', 'web'],
  languages: ['result.ts', 'part.ts', 'platform', 'web', 'accounts'],
  passkeys: ['result.ts', 'part.ts', 'platform', 'web', 'accounts'],
  oauth: ['result.ts', 'part.ts', 'platform', 'web', 'api', 'accounts'],
  'client-documents': ['result.ts', 'part.ts', 'platform', 'web', 'accounts', 'oauth'],
  'personal-tokens': ['result.ts', 'part.ts', 'platform', 'web', 'api', 'accounts', 'oauth'],
  v2: ['result.ts', 'part.ts', 'platform', 'web', 'api', 'accounts', 'oauth'],
  openid: ['result.ts', 'part.ts', 'platform', 'web', 'api', 'accounts', 'oauth', 'v2'],
  webhooks: ['result.ts', 'part.ts', 'platform', 'web', 'api', 'accounts', 'oauth', 'v2'],
  scheduling: ['result.ts', 'part.ts', 'platform', 'web', 'api', 'accounts', 'oauth', 'v2'],
  'managed-users': ['result.ts', 'part.ts', 'platform', 'web', 'api', 'accounts', 'oauth', 'v2'],
  mcp: ['result.ts', 'part.ts', 'platform', 'web', 'api', 'accounts', 'oauth', 'v2'],
  cli: [
    ...['result.ts', 'config.ts', 'environment.ts', 'cleanup.ts', 'parts.ts', 'service.ts'],
    ...['platform', 'accounts', 'oauth'],
  ],
} as const;

test.each(Object.entries(folders))('the folder %s looks one way only (architecture §1)', (room, others) => {
  const inside = files.filter(({ path }) => path.startsWith(`${room}/`));
  const rooms = [room, ...others];

  expect(inside).not.toEqual([]);
  expect(strayImports(inside, (imported) => !isOwn(imported) || isIn(rooms, imported))).toEqual([]);
});

function isIn(rooms: readonly string[], path: string): boolean {
  return rooms.some((room) => path === room || path.startsWith(`${room}/`));
}

/** Each part here is a folder that may be deleted, with its line in parts.ts. */
const optionalParts = ['client-documents', 'languages', 'openid', 'passkeys', 'personal-tokens'];

test('a part that can be left out is imported by parts.ts alone (architecture §1)', () => {
  const others = files.filter(({ path }) => path !== 'parts.ts');
  const mayImport = (imported: string, importer: string): boolean =>
    optionalParts.every((part) => !isIn([part], imported) || isIn([part], importer));

  expect(strayImports(others, mayImport)).toEqual([]);
});

/** A room may look into those before it. */
const schedulingRooms = [
  ...['core', 'schedules', 'calendars', 'event-types'],
  ...['event-type-hosts', 'slots', 'bookings', 'teams', 'pages', 'settings'],
];

test('the rooms of scheduling stand in one order, and look only to the left (architecture §1)', () => {
  const roomOf = (path: string): string | undefined => /^scheduling\/([^/]+)\//.exec(path)?.[1];
  const inside = files.filter(({ path }) => roomOf(path) !== undefined);
  const rankOf = (path: string): number => schedulingRooms.indexOf(roomOf(path) ?? '');

  expect(new Set(inside.map(({ path }) => roomOf(path)))).toEqual(new Set(schedulingRooms));
  expect(strayImports(inside, (imported, importer) => rankOf(imported) <= rankOf(importer))).toEqual([]);
});

/** A room may look into those before it. Files beside the rooms are for all of them, and use none. */
const accountRooms = [
  'rate-limits',
  'sessions',
  'passwords',
  'sign-in',
  'verification',
  'sign-up',
  'profile',
  'personal-data',
  'admin',
  'audit',
  'groups',
  'deletion',
];

test('the rooms of accounts stand in one order, and look only to the left (architecture §1)', () => {
  const roomOf = (path: string): string | undefined => /^accounts\/([^/]+)\//.exec(path)?.[1];
  const rankOf = (path: string): number => accountRooms.indexOf(roomOf(path) ?? '');
  const inside = files.filter(({ path }) => path.startsWith('accounts/') && path !== 'accounts/part.ts');

  const rooms = inside.flatMap(({ path }) => roomOf(path) ?? []);

  expect(new Set(rooms)).toEqual(new Set(accountRooms));
  expect(strayImports(inside, (imported, importer) => rankOf(imported) <= rankOf(importer))).toEqual([]);
});

/** A room may look into those before it; the files beside the rooms stand where the empty name is. */
const oauthRooms = [
  ...['core', 'http', '', 'token', 'revocation', 'introspection', 'connected-apps', 'failed-requests'],
  ...['clients', 'review', 'discovery', 'authorize'],
];
/** These files tell other parts what the rooms have. */
const handingIn = ['part.ts', 'belongings.ts', 'leaving.ts', 'grant-endings.ts'];

test('the rooms of oauth stand in one order, and look only to the left (architecture §1)', () => {
  const inside = files.filter(({ path }) => path.startsWith('oauth/') && !handingIn.includes(basename(path)));
  const roomOf = (path: string): string => /^oauth\/([^/]+)\//.exec(path)?.[1] ?? '';
  const rankOf = (path: string): number =>
    path.startsWith('oauth/') ? oauthRooms.indexOf(roomOf(path)) : -1;

  expect(new Set(inside.map(({ path }) => roomOf(path)))).toEqual(new Set(oauthRooms));
  expect(strayImports(inside, (imported, importer) => rankOf(imported) <= rankOf(importer))).toEqual([]);
});

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

test('the environment is read in server.ts alone (architecture §1)', () => {
  const readers = files.filter(({ text }) => /process\.env\b|'(?:node:)?process'/.test(text));

  expect(readers.map(({ path }) => path)).toEqual(['server.ts']);
});

test('SQL stands in stores and tables, in the keyring, and where the database is opened (architecture §1)', () => {
  const rooms = [
    'store.ts',
    'tables.ts',
    'belongings.ts',
    'data.ts',
    'leaving.ts',
    'standing.ts',
    'shortcut.ts',
  ];
  const speakers = files.filter(({ imports }) => imports.some((name) => name.startsWith('drizzle-orm')));
  const others = speakers.map(({ path }) => path).filter((path) => !rooms.includes(basename(path)));

  expect(others.toSorted()).toEqual([
    'oauth/keyring.ts',
    'platform/database.ts',
    'platform/migrations.ts',
    'platform/open-database.ts',
  ]);
});

test('what is sent to accounts, passkeys and oauth is parsed and typed by the schemas of routes alone (ADR 10)', () => {
  const byHand =
    /(?:readForm|[pP]arse\w*)\((?:[^()]|\([^()]*\))*\brequest\.(?:body|query|params)\b|\bapp\.(?:get|post)</;
  const inside = files.filter(({ path }) => isIn(['accounts', 'passkeys', 'oauth'], path));

  expect(inside.filter(({ text }) => byHand.test(text)).map(({ path }) => path)).toEqual([]);
});

test('no file or folder has a name that says nothing (architecture §5)', () => {
  const empty =
    /(?:^|\/)(?:utils?|helpers?|common|shared|misc|lib|services|managers?|controllers?)(?:\.ts$|\/)/;

  expect(files.map(({ path }) => path).filter((path) => empty.test(path))).toEqual([]);
});

/** The public surfaces of the package: what `exports` of package.json leads to. */
const surfaces = ['oauth/core/index.ts', 'oauth/http/fetch.ts', 'oauth/http/plugin.ts'];

test('no file re-exports what another one defines, but the public surfaces (architecture §5)', () => {
  const others = files.filter(({ path }) => !surfaces.includes(path));
  const barrels = others.filter(
    ({ path, text }) => basename(path) === 'index.ts' || /^export\b[^;'"]*\bfrom\s*'/m.test(text),
  );

  expect(barrels.map(({ path }) => path)).toEqual([]);
  expect(files.flatMap(({ imports }) => imports).filter((name) => surfaces.includes(name))).toEqual([]);
});

test('what servers share of the OAuth endpoints needs the core, zod and nothing of ours (architecture §1)', () => {
  const inside = files.filter(({ path }) => isIn(['oauth/http'], path));
  const mayImport = (imported: string): boolean =>
    isIn(['oauth/http', 'oauth/core', 'result.ts'], imported) ||
    ['zod', 'jose', 'fastify'].includes(imported);
  const runsFastify = inside.filter(({ text }) => /^import (?!type)[^;]*'fastify'/m.test(text));

  expect(inside).not.toEqual([]);
  expect(strayImports(inside, mayImport)).toEqual([]);
  expect(runsFastify).toEqual([]);
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

test('whoever maintains the token endpoint has 45 files and 5,500 lines to read, types included (architecture §1)', () => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const road = new Set(['oauth/token/routes.ts']);
  for (const path of road) for (const next of byPath.get(path)?.imports.filter(isOwn) ?? []) road.add(next);
  const lines = [...road].map((path) => (byPath.get(path)?.text.split('\n').length ?? 1) - 1);

  expect([...road].toSorted().slice(45)).toEqual([]);
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5500);
});

test('no comment is wider than 100 columns (architecture §5)', () => {
  const isWide = (line: string): boolean => /^\s*(?:\/\/|\/?\*)/.test(line) && line.length > 100;
  const wide = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter(isWide)
      .map((line) => `${path}: ${line.trim()}`),
  );

  expect(wide).toEqual([]);
});

test('tests of programs that npm does not have are left out where these are missing', () => {
  const outside =
    /support\/(?:radicale|pooler|compose|debian-proxy)\.ts'|run\('go'|findDebianServer|\/usr\/bin\//;
  const taken = globSync('tests/**/*.test.ts', { cwd: repository })
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => outside.test(readFileSync(join(repository, name), 'utf8')))
    .filter((name) => name !== 'tests/architecture.test.ts');

  expect(taken).toHaveLength(8);
  expect(taken.filter((name) => !Object.hasOwn(programs, name))).toEqual([]);
});

test('every pattern of the rings finds a test', () => {
  expect(emptyPatterns()).toEqual([]);
});

/** The door, from below: each may name what those before it have, and nothing of those after it. */
const floors = ['platform', 'web', 'api', 'accounts', 'oauth', 'v2'];

/** Words for what is a part's own, beside those that it hands in. */
const ownWords: Readonly<Record<string, RegExp>> = {
  oauth: /\boauth/i,
  v2: /\/v2\/me\b/,
  passkeys: /passkey|recovery.?code/i,
  'client-documents': /metadata document/i,
  'personal-tokens': /personal.?token/i,
  webhooks: /webhook/i,
  scheduling: /booking|event.?type|\bcalendars\b|\bslots\b|\bschedul(?:e|es|ing)\b/i,
  'managed-users': /managed.?user/i,
  mcp: /\bmcp\b/i,
};

/** What a part hands in and has by a name: tables, scopes, limits, counters, families, actions, addresses. */
function namesOf(name: string, part: Part): string[] {
  const tables = files
    .filter(({ path }) => path.startsWith(`${name}/`) && basename(path) === 'tables.ts')
    .flatMap(({ text }) => [...text.matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, table = '']) => table));
  const limits = (part.limits ?? []).flatMap((table) => Object.values(table).map((limit) => limit.name));
  const scopes = (part.scopes ?? []).flatMap(({ read, write }) => [read.name, write.name]);
  const addresses = [
    ...(part.navigation ?? []).map(({ address }) => address),
    ...Object.keys(part.usualAddresses ?? {}),
    ...(part.unlisted ?? []),
  ].filter((address) => address.length > 1);
  const named = [part.data?.auditSentences, part.counters, part.securitySchemes, part.enumerations];
  return [
    ...tables,
    ...limits,
    ...scopes,
    ...addresses,
    ...named.flatMap((table) => Object.keys(table ?? {})),
    ...(part.families ?? []).map((family) => family.name),
  ];
}

/** Quoted, or with a table's or a scope's underscore: so no word of plain English is meant. */
function isNamedIn(text: string, name: string): boolean {
  return text.includes(`'${name}'`) || (name.includes('_') && new RegExp(`\\b${name}\\b`).test(text));
}

/** Pages of the door are templates, which name features as easily as code does. */
const templates = globSync('views/{accounts,settings,admin,oauth}/**/*.eta', { cwd: repository }).map(
  (name) => ({
    path: name.replace(/^views\/(?:settings|admin)\//, 'accounts/').replace(/^views\//, ''),
    text: readFileSync(join(repository, name), 'utf8'),
  }),
);

const withoutComments = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

/** What names an upper part all the same, and why it must. */
const knowing: readonly (readonly [part: string, file: RegExp, why: string])[] = [
  ['accounts', /^web\/pages\.ts$/, "it's the name of a plugin that pages come after"],
  ['accounts', /^platform\/mail\//, 'a priority of email has the name that a limit has, too'],
  ['oauth', /^api\/(?:openapi\/plugin|docs\/routes)\.ts$/, 'OpenAPI calls a way to authenticate oauth2'],
  ['oauth', /^accounts\/fields\.ts$/, 'nobody can take a name that people would trust'],
  [
    'oauth',
    /^accounts\/sessions\/return-to\.ts$/,
    'who was on the way to an app signs in without leaving it',
  ],
  [
    'oauth',
    /^accounts\/(?:groups\/changes|admin\/store)\.ts$/,
    'the port through which access ends is called so',
  ],
  [
    'oauth',
    /^accounts\/(?:audit|purpose)\.eta$/,
    'they lead to apps and show their logos, which are in every service',
  ],
  [
    'passkeys',
    /^accounts\//,
    'an account with a passkey stays closed where passkeys are off (security C250)',
  ],
  ['client-documents', /^oauth\//, 'developers are told of the other way; a document is a kind of client'],
  ['webhooks', /^platform\/queue\/tables\.ts$/, "a queue's rows have its name"],
  ['scheduling', /^platform\/queue\/tables\.ts$/, "a queue's rows have its name"],
  ['scheduling', /^accounts\/fields\.ts$/, 'addresses stay reserved where the part is off'],
  [
    'scheduling',
    /^accounts\/(?:part|groups\/.*)\.ts$/,
    'teams are of accounts, operations about them of the part',
  ],
  ['webhooks', /^oauth\/tables\.ts$/, 'what full access meant in the rows of earlier versions'],
  ['scheduling', /^oauth\/tables\.ts$/, 'what full access meant in the rows of earlier versions'],
  [
    'scheduling',
    /^v2\/booking-events\.ts$/,
    'the port between scheduling and webhooks, which know each other through it',
  ],
  [
    'scheduling',
    /^v2\/(?:scopes|me\/routes)\.ts$/,
    'Cal.com has the default schedule in the profile (contract §8)',
  ],
  [
    'managed-users',
    /^accounts\//,
    "an account's client is in its row, and ends with its organization where the part is off",
  ],
  ['managed-users', /^oauth\/clients\/routes\.ts$/, 'who deletes an app is told whom it takes along'],
  ['mcp', /^api\/docs\/routes\.ts$/, "it's a setting of the reader's"],
  ['mcp', /^accounts\/fields\.ts$/, 'addresses stay reserved where the part is off'],
];

test('no floor has a name or a word of a part above it (architecture §1)', async () => {
  const parts = await loadParts();
  const found = [
    ...readFileSync(join(folder, 'parts.ts'), 'utf8').matchAll(/name: '([\w-]+)'(?!, data)/g),
  ].flatMap(([, name = ''], index) => {
    const names = namesOf(name, parts[index] ?? {});
    const rank = floors.includes(name) ? floors.indexOf(name) : floors.length;
    const below = [...files, ...templates].filter(({ path }) => isIn(floors.slice(0, rank), path));
    return below.flatMap(({ path, text }) => {
      const code = withoutComments(text);
      const words = [
        ...names.filter((one) => isNamedIn(code, one)),
        ...(ownWords[name]?.exec(code)?.slice(0, 1) ?? []),
      ];
      return words.map((word) => ({ name, path, word }));
    });
  });
  const isKnown = (one: (typeof found)[number]): boolean =>
    knowing.some(([part, file]) => part === one.name && file.test(one.path));
  const needed = knowing.filter(([part, file]) =>
    found.some(({ name, path }) => part === name && file.test(path)),
  );

  expect(found.filter((one) => !isKnown(one))).toEqual([]);
  expect(needed).toEqual(knowing);
});
