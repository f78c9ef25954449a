import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mutations } from './protections.ts';

const root = join(import.meta.dirname, '../..');

describe('a protection that can be taken out (docs/security.md)', () => {
  test.each(mutations)('$check: $original occurs once in $file', ({ file, original }) => {
    expect(readFileSync(join(root, file), 'utf8').split(original)).toHaveLength(2);
  });
});
