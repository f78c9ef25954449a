import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { tableOfLimits, tableOfOwned } from '../bench/limits.ts';
import { pageOfTables, wordless } from '../bench/tables.ts';
import { apiErrors } from '../src/api/errors.ts';
import { readConfig } from '../src/config.ts';
import { revocationReasons } from '../src/oauth/core/grant.ts';
import { checkRedirectUri } from '../src/oauth/core/redirect-uri.ts';
import { authorizationRefusals, tokenRefusals } from '../src/oauth/core/refusal.ts';
import { isGone } from './parts/gone.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every file that may cite: below the root, with `/` between. This file has wrong ones on purpose. */
const citing = globSync(['{src,tests,bench,examples,docs}/**/*.{ts,md}', '*.md', '.github/**/*.md'], {
  cwd: root,
})
  .map((name) => name.replaceAll(sep, '/'))
  .filter((path) => path !== 'tests/docs.test.ts' && !path.includes('node_modules/'));

/** The sections of each document: `contract §4`, `security C28`. */
const sections = new Set([
  ...headings('contract').map((number) => `contract §${number}`),
  ...headings('architecture').map((number) => `architecture §${number}`),
  ...checks().map((id) => `security ${id}`),
]);

function checks(): string[] {
  return [...read('docs/security.md').matchAll(/^\| (C\d+) \|/gm)].map(([, id = '']) => id);
}

function headings(name: string): string[] {
  return [...read(`docs/${name}.md`).matchAll(/^## (\d+)\. /gm)].map(([, number = '']) => number);
}

/**
 * What a text cites: `contract §4`, each one of a list, also across the lines of a comment. A check id without the
 * document's name counts as wrong.
 */
function citations(text: string): string[] {
  const flowing = text.replace(/\s+(?:\*|\/\/)?\s*/g, ' ');
  const bySection = /\b([a-z-]+) (§\d+(?:(?:, (?:and )?| and | to )§\d+)*)/gi;
  const byId = /(?:(?<!\.)\b([a-z-]+) |[(,] ?)(C\d{1,3}(?:, C\d{1,3})*)\b/gi;
  return [
    ...[...flowing.matchAll(bySection)]
      .filter(([, name = '']) => !standards.has(name))
      .flatMap(([, name = '', list = '']) =>
        (list.match(/\d+/g) ?? []).map((number) => `${name.toLowerCase()} §${number}`),
      ),
    ...[...flowing.matchAll(byId)].flatMap(([, name = '?', list = '']) =>
      list.split(', ').map((id) => `${name} ${id}`),
    ),
  ];
}

/** Words before a section of a standard; most end in a number, as RFC 6749 does. */
const standards = new Set(['Recommendation', 'and', 'to']);

/** The relative links of a Markdown text. */
function links(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function leadsSomewhere(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(root, file))) return false;
  return anchor === undefined || anchors(read(file)).includes(anchor);
}

/** GitHub makes anchors of headings in this way. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Tests that a document names in the last column of its tables, below `tests/`: `http/token-code`, `flows/*-pages`. */
function namedTests(text: string): string[] {
  const lastCells = [...text.matchAll(/^\|.*\|([^|\n]+)\|$/gm)].map(([, cell = '']) => cell);
  return lastCells.flatMap((cell) => cell.match(/(?<=`)[a-z-]+\/[\w*/-]+(?=`)/g) ?? []);
}

test('the page of the database’s tables is what bench/tables.ts writes, with a sentence each', {
  tags: 'parts',
}, () => {
  expect(read('docs/tables.md')).toContain(pageOfTables());
  expect(wordless).toEqual([]);
});

test('the tables of limits are those that bench/limits.ts writes', { tags: 'parts' }, () => {
  expect(read('docs/limits.md')).toContain(`${tableOfLimits()}\n`);
  expect(read('docs/limits.md')).toContain(`${tableOfOwned()}\n`);
});

test('every citation names a section that exists', () => {
  const found = citing.flatMap((path) => citations(read(path)).map((cited) => ({ path, cited })));

  expect(found.length).toBeGreaterThan(700);
  expect(found.filter(({ cited }) => !sections.has(cited))).toEqual([]);
});

test('every link between documents leads to a file and a heading', () => {
  const found = citing
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) => links(read(path)).map((target) => ({ path, target })));

  expect(found.length).toBeGreaterThan(10);
  expect(found.filter(({ path, target }) => !leadsSomewhere(path, target))).toEqual([]);
});

test.each([
  ['docs/security.md', 50],
  ['tests/README.md', 50],
  ['docs/oauth-guide.md', 30],
])('%s names tests that exist', (path, atLeast) => {
  const named = namedTests(read(path));

  expect(named.length).toBeGreaterThan(atLeast);
  const isThere = (name: string): boolean => globSync(`tests/${name}.test.ts`, { cwd: root }).length > 0;
  expect(named.filter((name) => !isGone(name) && !isThere(name))).toEqual([]);
});

/** The settings whose line in .env.example shows the default; the others have none, or one that depends on others. */
const withDefault = [
  'HOST',
  'PORT',
  'DATABASE_GROUPING',
  'DATA_DIR',
  'ADMIN_PASSKEYS',
  'APP_NAME',
  'SIGNUP',
  'CODE_TTL_SECONDS',
  'REFRESH_IDLE_DAYS',
  'REFRESH_MAX_DAYS',
  'LOG_LEVEL',
];

test('the examples are started by the Node.js that npm brings along: older ones read no TypeScript', () => {
  const starts = globSync('examples/*/README.md', { cwd: root }).flatMap((path) =>
    [...read(path).matchAll(/^ {4}.*\bnode \S+\.ts$/gm)].map(([line]) => line),
  );

  expect(starts).toHaveLength(3);
  for (const line of starts) expect(line).toContain('npx node ');
});

test.each(['2025-11-25', '2026-07-28'])('the guide counts the scenarios of %s that fail', (version) => {
  const failing = read(`tests/conformance/mcp-${version}-not-here.yml`).match(/^ +- /gm)?.length;

  expect(read('docs/oauth-guide.md')).toMatch(
    new RegExp(`^\\| server, ${version} .*\\| ${failing}[:,] `, 'm'),
  );
});

test('the redirect URIs that the guide names for AI agents can be registered (contract §2)', () => {
  const [table = ''] = /^\| Client \| Redirect URIs[\s\S]*?\n\n/m.exec(read('docs/oauth-guide.md')) ?? [];
  const named = [...table.matchAll(/`([a-z]+:\/\/[^`\s]+)`/g)].map(([, uri = '']) => uri);

  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((uri) => !checkRedirectUri(uri, 'public').ok)).toEqual([]);
});

describe('settings', () => {
  const inCode = new Set(read('src/config.ts').match(/(?<=\benv\.|\bset\[')[A-Z_]+\b/g));
  const example = parseEnv(read('.env.example').replace(/^#(?=[A-Z_]+=)/gm, ''));

  test('.env.example names exactly those that are read', () => {
    expect(inCode).toContain('DATABASE_URL');
    expect(new Set(Object.keys(example))).toEqual(inCode);
  });

  test('a shell reads .env.example, with nothing commented out, as Node.js does', () => {
    const text = read('.env.example').replace(/^#(?=[A-Z_]+=)/gm, '');
    const variables = execFileSync('sh', ['-ec', `set -a\n${text}\nenv -0`], { env: {}, encoding: 'utf8' });

    for (const [name, value] of Object.entries(example))
      expect(variables.split('\0')).toContain(`${name}=${value}`);
  });

  test('compose.yaml hands on all but those that it decides itself', () => {
    const names = read('compose.yaml')
      .match(/(?<=^ {6})[A-Z_]+(?=:)/gm)
      ?.filter((name) => !name.startsWith('POSTGRES'));

    expect(new Set([...(names ?? []), 'HOST', 'PORT', 'DATA_DIR', 'DATABASE'])).toEqual(inCode);
  });

  test('contract §1 names exactly those that are read', () => {
    const [table = ''] = /^\| Variable [\s\S]*?\n\n/m.exec(read('docs/contract.md')) ?? [];
    const named = [...table.matchAll(/^\| ([A-Z_, ]+) \|/gm)].flatMap(([, names = '']) => names.split(', '));

    expect(new Set(named)).toEqual(inCode);
  });

  test('every example is valid', () => {
    const password = 'long enough to be one';
    const secret = 'long enough to be a secret as well';
    const given = readConfig({ ...example, DATABASE: undefined, SECRET: secret, ADMIN_PASSWORD: password });

    expect(given.mail?.from).toBe('Latchkey <no-reply@cal.example>');
  });

  test.each(withDefault)('the example of %s is its default', (name) => {
    expect(example[name]).toBeDefined();
    const asked = { DATABASE: 'embedded', [name]: example[name] };

    expect(readConfig(asked)).toEqual(readConfig({}));
  });
});

describe('the contract has every answer that says no', () => {
  const contract = read('docs/contract.md');
  /** The text of one section. */
  const section = (number: number): string => contract.split(/^## \d+\. /m)[number] ?? '';

  test.each(Object.values(tokenRefusals))('contract §4: %i %s, %s', (status, error, description) => {
    const row = section(4)
      .split('\n')
      .find((line) => line.startsWith('|') && line.includes(String(status)) && line.includes(error));

    expect(row).toBeDefined();
    // Sentences are for people, and may be worded again; words for programs may not.
    if (!description.includes(' ')) expect(section(4)).toContain(`\`${description}\``);
  });

  test.each(Object.values(authorizationRefusals))('contract §3: %s, %s', (error, description) => {
    expect(section(3)).toContain(`\`${error}\``);
    if (!description.includes(' ')) expect(section(3)).toContain(`\`${description}\``);
  });

  // An app isn't told what it ended itself; no owner has ended grants since clients end by one row.
  test.each(revocationReasons.filter((reason) => reason !== 'client' && reason !== 'owner'))(
    'contract §8: %s',
    (reason) => {
      expect(section(8)).toContain(`\`${reason}\``);
    },
  );

  test.each(Object.entries(apiErrors))('contract §5: %s %i', (code, status) => {
    expect(section(5).replaceAll('\n', ' ')).toContain(`\`${code}\` ${status}`);
  });
});

test('each check has a number of its own', () => {
  const ids = checks();

  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('the log messages that docs/operations.md explains are those of the code', () => {
  const [, after = ''] = read('docs/operations.md').split('| Message | What to do |');
  const messages = [...(after.split('\n\n')[0] ?? '').matchAll(/^\| `([^`…]+)/gm)].map(
    ([, said = '']) => said,
  );
  const code = globSync('src/**/*.ts', { cwd: root }).map(read).join();

  expect(messages.length).toBeGreaterThan(10);
  expect(messages.filter((said) => !code.includes(said.trim()))).toEqual([]);
});

test('the capacity in docs/operations.md is what bench/README.md has measured, rounded to two digits', () => {
  const rounded = (value: number): string => Number(value.toPrecision(2)).toLocaleString('en');
  const measured = [
    ...read('bench/README.md').matchAll(
      /^\| .+: Latchkey \| [\d.]+ \([\d.]+\) \| (\d+) \(([\d.]+)\) \| (\d+) /gm,
    ),
  ].map(([, cpu, ratio, database]) =>
    [Number(ratio), 1e6 / Number(cpu), 1e6 / Number(database)].map(rounded).join(' | '),
  );
  const [, table = ''] = read('docs/operations.md').split('| Request | CPU of the service');

  expect(measured).toHaveLength(6);
  expect(
    [...table.matchAll(/^\| [^|]+ \| ([\d.]+ \| [\d.,]+ \| [\d.,]+) \|$/gm)].map(([, row]) => row),
  ).toEqual(measured);
});
