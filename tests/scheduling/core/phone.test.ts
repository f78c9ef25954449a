import { expect, test } from 'vitest';
import { readPhoneNumber } from '../../../src/scheduling/core/locations.ts';

test.each([
  ['+14155552671', '+14155552671'],
  ['+1 (415) 555-2671', '+14155552671'],
  ['+1-415-555-2671', '+14155552671'],
  ['+1.415.555.2671', '+14155552671'],
  ['+49 (0)30/123456', '+4930123456'],
  ['+49 30 123456', '+4930123456'],
  ['+49\u00a030\u2011123456', '+4930123456'],
])('%j is read as %s (E.164)', (text, number) => {
  expect(readPhoneNumber(text)).toBe(number);
});

test.each([
  '030 123456',
  '+',
  '+1',
  '+1 (2)',
  '+(-)-.-',
  `+${'1'.repeat(16)}`,
  '+1 415 CALL',
  '+1\n',
  `+1${' '.repeat(60)}2345`,
  '',
])('%j is no phone number (E.164)', (text) => {
  expect(readPhoneNumber(text)).toBeUndefined();
});
