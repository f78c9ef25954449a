import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  clientSecretBytes,
  formatClientSecret,
  hashClientSecret,
  matchClientSecret,
} from '../../src/oauth/core/client.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';

test('a client_secret is lks_ and 43 base64url characters, of 32 bytes (contract §2)', () => {
  const random = randomBytes(clientSecretBytes);

  const secret = formatClientSecret(random);

  expect(secret).toMatch(/^lks_[A-Za-z0-9_-]{43}$/);
  expect(Buffer.from(secret.slice(4), 'base64url')).toEqual(random);
});

test('what is stored of a client_secret is its SHA-256 (contract §2)', async () => {
  const stored = await hashClientSecret('lks_a secret', webCryptoHash);

  expect(Buffer.from(stored)).toEqual(createHash('sha256').update('lks_a secret').digest());
});

test('a client without secrets cannot be entered with a text whose hash is all zeros (contract §4)', async () => {
  expect(matchClientSecret(new Uint8Array(32), [])).toBeUndefined();
});

test('a stored hash of another length fits nothing (contract §2)', async () => {
  const stored = await hashClientSecret('a', webCryptoHash);
  const shortened = [stored.subarray(0, 16), new Uint8Array(0)].map((hash) => ({ id: 'short', hash }));

  expect(matchClientSecret(stored, shortened)).toBeUndefined();
});
