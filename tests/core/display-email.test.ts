import { expect, test } from 'vitest';
import { displayEmailOf } from '../../src/accounts/display-email.ts';

test.each([
  [
    'a managed user’s suffix of 25 letters and digits',
    'ann+clx1a2b3c4d5e6f7g8h9i0j1k@example.com',
    'ann@example.com',
  ],
  ['a suffix in capitals', 'ann+CLX1A2B3C4D5E6F7G8H9I0J1K@example.com', 'ann@example.com'],
  ['a suffix behind another tag', 'ann+work+clx1a2b3c4d5e6f7g8h9i0j1k@example.com', 'ann+work@example.com'],
])('%s is left out (contract §8)', (_words, email, shown) => {
  expect(displayEmailOf(email)).toBe(shown);
});

test.each([
  ['no suffix', 'ann@example.com'],
  ['24 characters', 'ann+clx1a2b3c4d5e6f7g8h9i0j1@example.com'],
  ['26 characters', 'ann+clx1a2b3c4d5e6f7g8h9i0j1kx@example.com'],
  ['a dash among them', 'ann+clx1a2b3c4d5e6f7g8h9i0j-k@example.com'],
  ['letters of another script', 'ann+ёlx1a2b3c4d5e6f7g8h9i0j1k@example.com'],
  ['the suffix not directly before the @', 'ann+clx1a2b3c4d5e6f7g8h9i0j1k.b@example.com'],
  ['the suffix in the host', 'ann@x+clx1a2b3c4d5e6f7g8h9i0j1k'],
  ['no address at all', 'not an address'],
  ['nothing', ''],
])('with %s the address stays as it is (contract §8)', (_words, email) => {
  expect(displayEmailOf(email)).toBe(email);
});
