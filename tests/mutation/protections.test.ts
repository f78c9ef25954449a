import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mutations } from './protections.ts';

const root = join(import.meta.dirname, '../..');

const files = Object.groupBy(mutations, ({ file }) => file);

describe('the protections that can be taken out (docs/security.md)', () => {
  test.each(Object.entries(files))('occur once in %s', (file, those = []) => {
    const source = readFileSync(join(root, file), 'utf8');

    for (const { check, original } of those)
      expect.soft(source.split(original), `${check}: ${original}`).toHaveLength(2);
  });
});
