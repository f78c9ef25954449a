import { expect, test } from 'vitest';
import { mintCode } from '../../src/oauth/core/code.ts';
import { mintRefreshToken } from '../../src/oauth/core/refresh.ts';
import { formatClientSecret } from '../../src/oauth/core/secret.ts';
import { kindOf, shapeOfToken } from '../../src/oauth/core/token-shape.ts';
import { otherMac } from '../support/core-builders.ts';

const grantId = '0f8fad5b-d9cb-469f-a165-70867728950e';
const code = await mintCode(grantId, otherMac);
const refreshToken = await mintRefreshToken({ grantId, generation: 1 }, otherMac);

test('what we make is known by its form', () => {
  expect(kindOf(code)).toBe('code');
  expect(kindOf(refreshToken)).toBe('refresh_token');
  expect(kindOf(formatClientSecret(new Uint8Array(32)))).toBe('client_secret');
});

test.each([
  ['the code of another environment', code, 'code', 'altered'],
  ['the refresh token of another environment', refreshToken, 'refresh_token', 'altered'],
  ['a code without its end', code.slice(0, -1), 'code', 'cut_off'],
  ['a refresh token with more behind it', `${refreshToken}.`, 'refresh_token', 'too_long'],
  ['a code instead of a refresh token', code, 'refresh_token', 'code'],
  ['a refresh token instead of a code', refreshToken, 'code', 'refresh_token'],
] as const)('%s', (_name, text, expected, shape) => {
  expect(shapeOfToken(text, expected)).toBe(shape);
});
