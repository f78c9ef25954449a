import { expect, test } from 'vitest';
import { addressesOf } from '../../src/scheduling/calendars/access.ts';

const managed = 'ann+cmb5k2x9n0000abcdefgh1234@example.com';

test('a managed user’s calendars know them without the suffix, too (RFC 5545 §3.8.4.4, contract §8)', () => {
  expect(addressesOf({ kind: 'ics_feed', urls: [] }, managed)).toEqual([managed, 'ann@example.com']);
});
