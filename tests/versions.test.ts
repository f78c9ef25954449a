import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lastMigrations, migrationsFolder } from '../src/platform/migrations.ts';
import { version } from '../src/platform/package.ts';

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');
const [next, ...releases] = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map(([, name]) => name);

test('the program calls itself what the first section of the changelog is called', () => {
  expect(version).toBe(next);
});

test.for([
  ['package-lock.json', /^ {2}"version": "(.+)"/gm],
  ['package-lock.json', /"name": "latchkey-server",\n\s+"version": "(.+)"/g],
  ['Dockerfile', /^ARG VERSION=(.+)$/gm],
  ['deploy/kubernetes/latchkey.yaml', /image: latchkey:(.+)$/gm],
  ['library/package.json', /^ {2}"version": "(.+)"/gm],
  ['clients/typescript/package.json', /"version": "(.+)"/g],
] as const)('%s names that version: %s', ([path, pattern]) => {
  const named = new Set([...read(path).matchAll(pattern)].map(([, name]) => name));

  expect([...named]).toEqual([version]);
});

test('each release of the changelog says which migration was its last', () => {
  expect(Object.keys(lastMigrations)).toEqual(releases.toReversed());
  const missing = Object.values(lastMigrations).filter(
    (name) => !existsSync(join(migrationsFolder, `${name}.sql`)),
  );
  expect(missing).toEqual([]);
});
