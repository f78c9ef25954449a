import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isGone } from '../parts/gone.ts';
import { countFound, handWritten, harmless, nameOf, readMarks, readTests } from './marks.ts';

const root = join(import.meta.dirname, '../..');
const marks = readMarks();
const tests = readTests();

describe('the protections that are marked in the sources (docs/security.md)', () => {
  test('can be taken out', () => {
    expect(marks.length).toBeGreaterThan(0);
    expect(marks.filter(({ mutants }) => mutants.length === 0)).toEqual([]);
  });

  test('have mutants by hand that stand in their file once, below a mark of their check', () => {
    const marked = new Set(marks.map(({ file, check }) => `${file} ${check}`));

    expect(handWritten.filter((one) => countFound(one) !== 1)).toEqual([]);
    expect(handWritten.filter(({ file, check }) => !marked.has(`${file} ${check}`))).toEqual([]);
  });

  test('have the mutants that are known to be harmless', () => {
    const names = new Set(marks.flatMap(({ mutants }) => mutants).map(nameOf));

    expect(harmless.filter((name) => !names.has(name))).toEqual([]);
  });

  test('are checks that have tests', () => {
    expect(marks.filter(({ check }) => !tests.get(check)?.length)).toEqual([]);
  });

  test('have tests that are there', () => {
    const files = [...tests.values()].flat().filter((file) => !isGone(file));

    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});
