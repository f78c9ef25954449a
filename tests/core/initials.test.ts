import { expect, test } from 'vitest';
import { initialsOf } from '../../src/web/initials.ts';

test.each([
  ['Nina Østergård', 'NØ'],
  ['ann', 'A'],
  ['Maria Theresia von Hohenfels', 'MH'],
  ['山田 太郎', '山太'],
  ['  “Ann”  ', 'A'],
  ['🎉', '•'],
  ['', '•'],
  [`Z${'\u0301'.repeat(30)}oe`, 'Z\u0301\u0301'],
])('the initials of %s are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});
