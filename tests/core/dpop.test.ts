import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import { type DpopRefusal, issueDpopNonce, verifyDpopProof } from '../../src/oauth/core/dpop.ts';
import type { Result } from '../../src/result.ts';
import { mac, noon, otherMac, secondsAfter } from '../support/core-builders.ts';
import { createDpopKey, hashOf, signProof } from '../support/dpop.ts';

const key = createDpopKey();
const stranger = createDpopKey();
const accessToken = 'eyJ.an-access.token';
const request = { method: 'POST', uri: 'https://api.example/v2/bookings', accessToken };
const nonce = await issueDpopNonce(mac, noon);
const claims = {
  jti: 'e1j3V_bKic8-LAEB',
  htm: 'POST',
  htu: 'https://api.example/v2/bookings',
  iat: noon.getTime() / 1000,
  ath: hashOf(accessToken),
  nonce,
};

const verify = (proof: string, now = noon, of = request) =>
  verifyDpopProof(proof, of, { mac, hash: webCryptoHash }, now);

/** In the words of a table. */
function wordsOf(answer: Result<unknown, string> | DpopRefusal): string {
  if (answer.ok) return 'right';
  return 'cause' in answer && answer.cause !== undefined ? answer.cause.fault : answer.reason;
}

test.each(['ES256', 'Ed25519', 'EdDSA'] as const)(
  'a proof signed with %s gives the thumbprint of its key and the window of its nonce (RFC 9449 §4.3, RFC 7638 §3)',
  async (alg) => {
    const own = createDpopKey(alg);

    expect(await verify(signProof(own, claims))).toEqual({
      ok: true,
      value: { jkt: own.jkt, id: claims.jti, window: noon.getTime() / 60_000 },
    });
  },
);

const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const privateJwk = key.privateKey.export({ format: 'jwk' });

describe('a proof is refused (RFC 9449 §4.3)', () => {
  test.each<readonly [string, object, string]>([
    ['3, without jti', { jti: undefined }, 'jti'],
    ['3, with an empty jti', { jti: '' }, 'jti'],
    ['3, with a jti that is no text', { jti: 7 }, 'jti'],
    ['3, with a jti that would fill memory (§11.1)', { jti: 'x'.repeat(257) }, 'jti'],
    ['3, without htm', { htm: undefined }, 'htm'],
    ['3, without htu', { htu: undefined }, 'htu'],
    ['3, without iat', { iat: undefined }, 'iat'],
    ['8, for another method', { htm: 'GET' }, 'htm'],
    ['8, for the method in other letters', { htm: 'post' }, 'htm'],
    ['9, for another path', { htu: 'https://api.example/v2/me' }, 'htu'],
    ['9, for a path in other letters', { htu: 'https://api.example/v2/Bookings' }, 'htu'],
    ['9, for a path with a slash more', { htu: 'https://api.example/v2/bookings/' }, 'htu'],
    ['9, for another host', { htu: 'https://evil.example/v2/bookings' }, 'htu'],
    ['9, for another port', { htu: 'https://api.example:8443/v2/bookings' }, 'htu'],
    ['9, for http', { htu: 'http://api.example/v2/bookings' }, 'htu'],
    ['9, with user info', { htu: 'https://api.example@evil.example/v2/bookings' }, 'htu'],
    ['9, for an address that is none', { htu: '/v2/bookings' }, 'htu'],
    ['9, for a list', { htu: ['https://api.example/v2/bookings'] }, 'htu'],
    ['10, without a nonce', { nonce: undefined }, 'use_dpop_nonce'],
    ['10, with a nonce that is none', { nonce: 'none' }, 'use_dpop_nonce'],
    ['10, with a nonce that is no text', { nonce: { nonce } }, 'use_dpop_nonce'],
    ['11, from too long ago', { iat: claims.iat - 301 }, 'iat'],
    ['11, from the future', { iat: claims.iat + 301 }, 'iat'],
    ['11, with an iat that is no number', { iat: String(claims.iat) }, 'iat'],
    ['12, without ath', { ath: undefined }, 'ath'],
    ['12, for another access token', { ath: hashOf('another') }, 'ath'],
    ['when it says itself that it is over (RFC 7519 §4.1.4)', { exp: claims.iat - 1 }, 'signature'],
  ])('%s', async (_name, changes, words) => {
    expect(wordsOf(await verify(signProof(key, { ...claims, ...changes })))).toBe(words);
  });

  test.each<readonly [string, Readonly<Record<string, unknown>>, string]>([
    ['4, of no typ', { typ: undefined }, 'typ'],
    ['4, of another typ: an access token is no proof', { typ: 'at+jwt' }, 'typ'],
    ['5, with alg none', { alg: 'none' }, 'alg'],
    ['5, with a symmetric alg', { alg: 'HS256' }, 'alg'],
    ['5, with an alg that isn’t supported', { alg: 'RS256' }, 'alg'],
    ['5, without alg', { alg: undefined }, 'alg'],
    ['6, with a key that is another’s', { jwk: stranger.jwk }, 'signature'],
    ['6, with a key of another curve', { jwk: p384.publicKey.export({ format: 'jwk' }) }, 'signature'],
    [
      '6, with an RSA key',
      { jwk: { kty: 'RSA', n: rsa.export({ format: 'jwk' }).n, e: 'AQAB' } },
      'signature',
    ],
    ['6, with a point beside its curve', { jwk: { ...key.jwk, y: stranger.jwk.y } }, 'signature'],
    ['6, with an extension that nobody knows', { crit: ['b64'], b64: false }, 'signature'],
    ['7, with the private key', { jwk: privateJwk }, 'jwk'],
    ['7, with an empty private member', { jwk: { ...key.jwk, d: '' } }, 'jwk'],
    ['7, with a symmetric key', { jwk: { kty: 'oct', k: 'c2VjcmV0' } }, 'jwk'],
    ['without a key', { jwk: undefined }, 'jwk'],
    ['with a key that is none', { jwk: 'key' }, 'jwk'],
    ['with a key that is null', { jwk: null }, 'jwk'],
  ])('%s', async (_name, header, words) => {
    expect(wordsOf(await verify(signProof(key, claims, header)))).toBe(words);
  });

  const right = signProof(key, claims);
  test.each([
    ['1, sent twice', `${right}, ${right}`],
    ['2, that is empty', ''],
    ['2, that is no JWT', 'none'],
    ['2, of two parts', right.split('.').slice(0, 2).join('.')],
    ['2, of five parts', `${right}.x.y`],
    ['2, whose claims are no object', right.replace(/\.[^.]*\./, '.W10.')],
    ['that is longer than 4,096 characters', signProof(key, { ...claims, more: 'x'.repeat(3000) })],
  ])('%s', async (_name, proof) => {
    expect(wordsOf(await verify(proof))).toBe('unreadable');
  });

  test('6, when anything was changed after it was signed', async () => {
    const [header, , signature] = right.split('.');
    const changed = Buffer.from(JSON.stringify({ ...claims, jti: 'another' })).toString('base64url');

    expect(wordsOf(await verify(`${header}.${changed}.${signature}`))).toBe('signature');
  });
});

describe('a proof is right', () => {
  test.each([
    ['with a query and a fragment, which do not count (§4.3)', `${claims.htu}?take=1#top`],
    ['with scheme and host in capital letters (RFC 3986 §6.2.2.1)', 'HTTPS://API.example/v2/bookings'],
    ['with the port of its scheme (RFC 3986 §6.2.3)', 'https://api.example:443/v2/bookings'],
    ['with dots in its path (RFC 3986 §6.2.2.3)', 'https://api.example/v2/me/../bookings'],
  ])('%s', async (_name, htu) => {
    expect(wordsOf(await verify(signProof(key, { ...claims, htu })))).toBe('right');
  });

  test('for a request with a query (§4.3)', async () => {
    const proven = { ...request, uri: `${request.uri}?take=1` };

    expect(wordsOf(await verify(signProof(key, claims), noon, proven))).toBe('right');
  });

  test('from a clock that is five minutes off, in either direction (§11.1)', async () => {
    const answers = [-300, 300].map((seconds) =>
      verify(signProof(key, { ...claims, iat: claims.iat + seconds })),
    );

    expect((await Promise.all(answers)).map(wordsOf)).toEqual(['right', 'right']);
  });

  test('without ath, where no access token goes with it (§5)', async () => {
    const { accessToken: _, ...exchange } = request;

    const answer = verifyDpopProof(
      signProof(key, { ...claims, ath: undefined }),
      exchange,
      { mac, hash: webCryptoHash },
      noon,
    );

    expect(wordsOf(await answer)).toBe('right');
  });
});

describe('a nonce (RFC 9449 §8)', () => {
  test.each([
    [0, 'right'],
    [59, 'right'],
    [119, 'right'],
    [120, 'use_dpop_nonce'],
    [-1, 'use_dpop_nonce'],
  ])('of a window that began %i seconds ago: %s', async (seconds, words) => {
    expect(wordsOf(await verify(signProof(key, claims), secondsAfter(noon, seconds)))).toBe(words);
  });

  test('that somebody else made is refused', async () => {
    const forged = await issueDpopNonce(otherMac, noon);

    expect(wordsOf(await verify(signProof(key, { ...claims, nonce: forged })))).toBe('use_dpop_nonce');
  });

  test('is asked for before a signature costs anything', async () => {
    const proof = signProof(key, { ...claims, nonce: undefined }, { jwk: stranger.jwk });

    expect(wordsOf(await verify(proof))).toBe('use_dpop_nonce');
  });
});
