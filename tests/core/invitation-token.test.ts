import { expect, test } from 'vitest';
import { invitationTokenOf, readInvitationToken } from '../../src/accounts/groups/invitations/invitations.ts';
import { createSecrets } from '../../src/platform/secrets.ts';

const secret = createSecrets(['a-root-secret-for-tests-only-0123456789abcdef']);
const id = '0b7e4a86-5c1d-4f0e-9a53-2d8f6c7b1e90';
const token = invitationTokenOf(id, secret);

test('a token names its invitation, and stands in an address as it is', () => {
  expect(readInvitationToken(token, secret)).toBe(id);
  expect(token).toMatch(/^[\w-]{64}$/);
});

test('a token outlives the exchange of the secret as long as the old one verifies (contract §1, SECRET)', () => {
  const newer = 'another-root-secret-for-tests-0123456789abcdef';
  const both = createSecrets([newer, 'a-root-secret-for-tests-only-0123456789abcdef']);

  expect(readInvitationToken(token, both)).toBe(id);
  expect(readInvitationToken(token, createSecrets([newer]))).toBeUndefined();
});

test.each([
  ['nothing', ''],
  ['the id', id],
  ['the id without its MAC', Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')],
  ['a cut token', token.slice(0, -1)],
  ['a longer token', `${token}AAAA`],
  ['another id', `AAAA${token.slice(4)}`],
  ['another MAC', `${token.slice(0, -4)}AAAA`],
  ['a MAC for another purpose', spoilPurpose()],
  ['letters beyond ASCII', 'é'.repeat(64)],
] as const)('%s is no token', (_name, text) => {
  expect(readInvitationToken(text, secret)).toBeUndefined();
});

function spoilPurpose(): string {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, secret.mac('form', bytes)]).toString('base64url');
}
