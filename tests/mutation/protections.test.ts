import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readMarks, readTests } from './marks.ts';

const root = join(import.meta.dirname, '../..');
const marks = readMarks();
const tests = readTests();

describe('the protections that are marked in the sources (docs/security.md)', () => {
  test('can be taken out', () => {
    expect(marks.length).toBeGreaterThan(0);
    expect(marks.filter(({ mutated }) => mutated === undefined)).toEqual([]);
  });

  test('are checks that have tests', () => {
    expect(marks.filter(({ check }) => !tests.get(check)?.length)).toEqual([]);
  });

  test('have tests that are there', () => {
    expect([...tests.values()].flat().filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
