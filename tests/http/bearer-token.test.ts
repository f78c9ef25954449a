import { createPublicKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { deleteKeys } from '../../src/oauth/keyring.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestService, sharedService } from '../support/service.ts';
import { readServiceKey, signAgain, unknownExtension } from '../support/signing.ts';
import { grantIdOf, issueCode, issueTokens } from '../support/tokens.ts';
import { addClient, callMe } from '../support/world.ts';

const service = await sharedService();
const serviceKey = await readServiceKey(service);
const client = await addClient(service);
const tokens = await issueTokens(service, client);
const genuine = tokens.access_token;
const [genuineHeader = '', genuineClaims = '', genuineSignature = ''] = genuine.split('.');

const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const foreignJwk = foreign.publicKey.export({ format: 'jwk' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const servicePublicKey = createPublicKey({ key: { ...serviceKey.publicJwk }, format: 'jwk' });

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const claimsWith = (changes: object): string => encode({ ...decodeJwt(genuine), ...changes });

describe('an access token (RFC 9068, contract §5)', () => {
  test('is typed at+jwt and signed with ES256 by a key that the JWKS names', async () => {
    const jwks = await service.app.inject('/.well-known/jwks.json');

    expect(decodeProtectedHeader(genuine)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: serviceKey.id });
    expect(jwks.json().keys).toContainEqual(expect.objectContaining({ kid: serviceKey.id }));
  });

  test('says exactly what the contract lists, for 1800 seconds', { tags: 'parts' }, () => {
    const now = Math.floor(service.clock.now().getTime() / 1000);

    expect(decodeJwt(genuine)).toEqual({
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000',
      sub: expect.stringMatching(/^[1-9]\d*$/),
      client_id: client.id,
      gid: grantIdOf(tokens),
      iat: now,
      exp: now + 1800,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      scope: scopeNames.join(' '),
    });
  });

  test('works when the test signs it again unchanged, so that the changes below are what is refused', async () => {
    const again = await signAgain(genuine, serviceKey.privateKey, {});

    expect((await callMe(service, again)).statusCode).toBe(200);
  });
});

const forgeries: readonly (readonly [name: string, forge: () => string | Promise<string>])[] = [
  ['alg none', () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${genuineClaims}.`],
  [
    'alg none with our kid',
    () => `${encode({ alg: 'none', typ: 'at+jwt', kid: serviceKey.id })}.${genuineClaims}.`,
  ],
  [
    'alg NONE with a signature',
    () => `${encode({ alg: 'NONE', typ: 'at+jwt' })}.${genuineClaims}.${genuineSignature}`,
  ],
  ['no alg', () => `${encode({ typ: 'at+jwt', kid: serviceKey.id })}.${genuineClaims}.${genuineSignature}`],
  ['no signature', () => `${genuineHeader}.${genuineClaims}.`],
  [
    'a signature of zeros',
    () => `${genuineHeader}.${genuineClaims}.${Buffer.alloc(64).toString('base64url')}`,
  ],
  [
    'a signature in DER',
    () => {
      const input = `${genuineHeader}.${genuineClaims}`;
      const der = sign('sha256', Buffer.from(input), serviceKey.privateKey);
      return `${input}.${der.toString('base64url')}`;
    },
  ],
  [
    'claims changed behind the signature',
    () => `${genuineHeader}.${claimsWith({ sub: '1' })}.${genuineSignature}`,
  ],
  [
    'the header changed behind the signature',
    () => {
      const header = { ...decodeProtectedHeader(genuine), cty: 'JWT' };
      return `${encode(header)}.${genuineClaims}.${genuineSignature}`;
    },
  ],
  ['HS256 with our public key as JWK', () => hs256(Buffer.from(JSON.stringify(serviceKey.publicJwk)))],
  ['HS256 with our public key as PEM', () => hs256(servicePublicKey.export({ format: 'pem', type: 'spki' }))],
  ['HS256 with our public key as DER', () => hs256(servicePublicKey.export({ format: 'der', type: 'spki' }))],
  [
    'HS256 with our key’s coordinate',
    () => hs256(Buffer.from(String(serviceKey.publicJwk['x']), 'base64url')),
  ],
  ['another key under our kid', () => signAgain(genuine, foreign.privateKey, {})],
  [
    'another key under its own kid',
    () => signAgain(genuine, foreign.privateKey, { header: { kid: 'foreign' } }),
  ],
  ['another key without a kid', () => signAgain(genuine, foreign.privateKey, { header: { kid: undefined } })],
  [
    'another key, its JWK in the header',
    () => signAgain(genuine, foreign.privateKey, { header: { jwk: foreignJwk } }),
  ],
  [
    'another key, its JWK in the header instead of a kid',
    () => signAgain(genuine, foreign.privateKey, { header: { jwk: foreignJwk, kid: undefined } }),
  ],
  [
    'another key at a URL',
    () => signAgain(genuine, foreign.privateKey, { header: { jku: 'https://evil.example/jwks.json' } }),
  ],
  ['an RSA key', () => signAgain(genuine, rsa.privateKey, { header: { alg: 'RS256' } })],
  [
    'a kid that is a path',
    () => signAgain(genuine, foreign.privateKey, { header: { kid: '../../etc/passwd' } }),
  ],
  ['a kid that is SQL', () => signAgain(genuine, foreign.privateKey, { header: { kid: "' or 1=1 --" } })],
  ['the refresh token', () => tokens.refresh_token],
  ['a code', async () => String((await issueCode(service, client))['code'])],
  ['one part', () => genuineClaims],
  ['two parts', () => `${genuineHeader}.${genuineClaims}`],
  ['four parts', () => `${genuine}.${genuineSignature}`],
  ['five parts', () => `${genuine}.x.x`],
  ['padding', () => `${genuine}=`],
  ['a header that is no JSON', () => `AAAA.${genuineClaims}.${genuineSignature}`],
  ['dots', () => '..'],
  ['10 KB', () => 'x'.repeat(10_000)],
];

async function hs256(secret: string | Buffer): Promise<string> {
  return signAgain(genuine, new Uint8Array(Buffer.from(secret)), { header: { alg: 'HS256' } });
}

describe('a token that we did not sign is refused (RFC 8725 §3, security C37)', () => {
  test.each(forgeries)('%s', async (_name, forge) => {
    const answer = await callMe(service, await forge());

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'Unauthorized' } });
  });
});

describe('a token of ours that was made for something else is refused (RFC 9068 §4, security C37)', () => {
  const now = Math.floor(service.clock.now().getTime() / 1000);

  test.each([
    ['typ JWT', { header: { typ: 'JWT' } }],
    ['no typ', { header: { typ: undefined } }],
    ['a typ of another kind', { header: { typ: 'logout+jwt' } }],
    [
      'a critical header that we do not know',
      { header: { crit: [unknownExtension], [unknownExtension]: 1 } },
    ],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['our issuer with a slash', { claims: { iss: 'http://localhost:3000/' } }],
    ['no issuer', { claims: { iss: undefined } }],
    ['another audience', { claims: { aud: 'https://api.other.example' } }],
    ['the client as audience', { claims: { aud: client.id } }],
    ['no audience', { claims: { aud: undefined } }],
    ['a time that has passed', { claims: { exp: now - 1 } }],
    ['no time', { claims: { exp: undefined } }],
    ['no sub', { claims: { sub: undefined } }],
    ['a sub that is no user', { claims: { sub: 'someone' } }],
    ['no client_id', { claims: { client_id: undefined } }],
    ['no gid', { claims: { gid: undefined } }],
    ['a gid that is no grant', { claims: { gid: randomUUID() } }],
    ['no iat', { claims: { iat: undefined } }],
    ['no jti', { claims: { jti: undefined } }],
  ])('%s', async (_name, change) => {
    const answer = await callMe(service, await signAgain(genuine, serviceKey.privateKey, change));

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
  });
});

test('an access token works for 1800 seconds and no longer (contract §4)', async () => {
  const fresh = await issueTokens(service, client);

  service.clock.advance(1799);
  const inTime = await callMe(service, fresh.access_token);
  service.clock.advance(1);
  const tooLate = await callMe(service, fresh.access_token);

  expect(inTime.statusCode).toBe(200);
  expect(tooLate.statusCode).toBe(401);
  expect(tooLate.headers['www-authenticate']).toContain('error="invalid_token"');
});

test('a token that was taken before ends with its key, at once where the keys are read again (security C37)', async () => {
  const own = await openTestService();
  const { access_token: token } = await issueTokens(own, await addClient(own));
  const before = await callMe(own, token);

  await deleteKeys({ db: own.database.db, runtime: own.app.runtime }, undefined);
  await own.app.keys.renew();
  const after = await callMe(own, token);

  expect([before.statusCode, after.statusCode]).toEqual([200, 401]);
});
