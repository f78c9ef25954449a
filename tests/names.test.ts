import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const exported = /^export (?:async )?(?:function|const|class|interface|type) (\w+)/gm;

/** Each part has its own, and all of them mean the same (architecture §1). */
const ofEachPart = ['auditSentences'];

test('no exported name occurs twice, so that one word is one thing (docs/glossary.md)', () => {
  const places = globSync('src/**/*.ts', { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(exported)].map(([, name = '']) => ({ name, path })),
  );
  const twice = [...Map.groupBy(places, ({ name }) => name)]
    .filter(([name, found]) => found.length > 1 && !ofEachPart.includes(name))
    .map(([name, found]) => `${name}: ${found.map(({ path }) => path).join(', ')}`);

  expect(twice).toEqual([]);
});
