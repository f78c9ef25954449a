import { expect, test } from 'vitest';
import { isTypedName } from '../../src/web/forms.ts';

test.each([
  ['Garden Club', 'Garden Club', true],
  [' Garden  Club\n', 'Garden Club', true],
  ['Cafe\u0301', 'Caf\u00e9', true],
  ['\uff27arden\u00a0Club', 'Garden Club', true],
  ['file', '\ufb01le', true],
  ['Garden', '\u202eGar\u200bden\u2069', true],
  ['garden club', 'Garden Club', false],
  ['Garden', 'Garden Club', false],
  ['', 'Garden Club', false],
])('%j confirms the name %j: %s', (typed, name, isSame) => {
  expect(isTypedName({ name, typed })).toBe(isSame);
});
