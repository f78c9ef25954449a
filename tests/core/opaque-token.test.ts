import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesOfUuid, uuidOfBytes } from '../../src/oauth/core/bytes.ts';
import { webCryptoMac } from '../../src/oauth/core/crypto.ts';
import { issueOpaqueToken, readOpaqueToken } from '../../src/oauth/core/opaque-token.ts';
import { mac, otherMac } from '../support/core-builders.ts';

const kind = { prefix: 'lkr_', purpose: 'refresh-token' } as const;
const of = { grantId: '0f8fad5b-d9cb-469f-a165-70867728950e', generation: 5 } as const;
const uuids = fc.uint8Array({ minLength: 16, maxLength: 16 }).map(uuidOfBytes);
const generations = fc.nat(2 ** 32 - 1);

test('every grant and generation round-trips, in 70 base64url characters behind the prefix (architecture §2)', async () => {
  await fc.assert(
    fc.asyncProperty(uuids, generations, async (grantId, generation) => {
      const token = await issueOpaqueToken(kind, { grantId, generation }, mac);

      expect(token).toMatch(/^lkr_[A-Za-z0-9_-]{70}$/);
      expect(await readOpaqueToken(kind, token, mac)).toEqual({ grantId, generation });
    }),
  );
});

test('a token with any bit flipped is refused: grant, generation or MAC (architecture §2)', async () => {
  const bytes = Buffer.from((await issueOpaqueToken(kind, of, mac)).slice(4), 'base64url');
  const bits = Array.from({ length: bytes.length * 8 }, (_, bit) => bit);

  const read = await Promise.all(
    bits.map((bit) => {
      const flipped = bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      return readOpaqueToken(kind, `lkr_${Buffer.from(flipped).toString('base64url')}`, mac);
    }),
  );

  expect(bytes).toHaveLength(52);
  expect(read.filter((found) => found !== undefined)).toEqual([]);
});

test('a token with any character replaced is refused, stray last bits included (architecture §2)', async () => {
  const token = await issueOpaqueToken(kind, of, mac);
  const character = fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.nat(token.length - 1), character, async (at, replaced) => {
      const changed = `${token.slice(0, at)}${replaced}${token.slice(at + 1)}`;
      fc.pre(changed !== token);

      expect(await readOpaqueToken(kind, changed, mac)).toBeUndefined();
    }),
  );
});

test('nobody moves a token to another generation or grant without the root secret (architecture §2)', async () => {
  const token = await issueOpaqueToken(kind, of, mac);
  const forged = await issueOpaqueToken(kind, { ...of, generation: 6 }, otherMac);
  const bytes = Buffer.from(token.slice(4), 'base64url');
  const payload = Buffer.from(forged.slice(4), 'base64url').subarray(0, 20);
  const spliced = `lkr_${Buffer.concat([payload, bytes.subarray(20)]).toString('base64url')}`;

  expect(await readOpaqueToken(kind, forged, mac)).toBeUndefined();
  expect(await readOpaqueToken(kind, spliced, mac)).toBeUndefined();
});

test.each([
  ['of another purpose', { prefix: 'lkr_', purpose: 'code' }],
  ['of another prefix', { prefix: 'lkc_', purpose: 'refresh-token' }],
] as const)('a token %s is not one of this kind (architecture §2)', async (_, otherKind) => {
  expect(await readOpaqueToken(otherKind, await issueOpaqueToken(kind, of, mac), mac)).toBeUndefined();
  expect(await readOpaqueToken(kind, await issueOpaqueToken(otherKind, of, mac), mac)).toBeUndefined();
});

test('a token that is padded, cut, lengthened or wrapped is refused (RFC 4648 §3)', async () => {
  const token = await issueOpaqueToken(kind, of, mac);
  const cuts = Array.from({ length: token.length }, (_, length) => token.slice(0, length));
  const texts = [
    ...cuts,
    `${token}==`,
    `${token}=`,
    `${token}A`,
    `${token}AAAA`,
    `${token}\n`,
    ` ${token}`,
    `Bearer ${token}`,
    `lkr_${token}`,
    token.slice(4),
    token.toUpperCase(),
    `LKR_${token.slice(4)}`,
    `lkr_${'A'.repeat(70)}`,
    `lkr_${'A'.repeat(100_000)}`,
  ];

  const read = await Promise.all(texts.map((text) => readOpaqueToken(kind, text, mac)));

  expect(read.filter((found) => found !== undefined)).toEqual([]);
});

test('garbage is refused without a fault (architecture §2)', async () => {
  const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.base64String({ minLength: 60, maxLength: 80 }));
  await fc.assert(
    fc.asyncProperty(anyText, async (text) => {
      expect(await readOpaqueToken(kind, text, mac)).toBeUndefined();
      expect(await readOpaqueToken(kind, `lkr_${text}`, mac)).toBeUndefined();
    }),
  );
});

test('a token made under the former root secret is read while that is configured (contract §1)', async () => {
  const former = webCryptoMac(['the former root secret, long enough too']);
  const both = webCryptoMac([
    'the newest root secret, as long too',
    'the former root secret, long enough too',
  ]);
  const token = await issueOpaqueToken(kind, of, former);

  expect(await readOpaqueToken(kind, token, both)).toEqual(of);
  expect(await readOpaqueToken(kind, await issueOpaqueToken(kind, of, both), former)).toBeUndefined();
});

test.each([
  ['is ours', true, of],
  ['isn’t ours', false, undefined],
] as const)(
  'a host that answers later, by a promise of its own kind, that a MAC %s, is waited for (security C392)',
  async (_, isOurs, expected) => {
    const token = await issueOpaqueToken(kind, of, mac);
    const later = (value: unknown) => runInNewContext('Promise.resolve(value)', { value });

    expect(await readOpaqueToken(kind, token, { ...mac, isMac: () => later(isOurs) })).toEqual(expected);
    expect(await issueOpaqueToken(kind, of, { ...mac, mac: async (...given) => mac.mac(...given) })).toBe(
      token,
    );
  },
);

test('the 16 bytes of a grant id are the text of its UUID', () => {
  const bytes = Uint8Array.from({ length: 16 }, (_, index) => index * 17);

  expect(uuidOfBytes(bytes)).toBe('00112233-4455-6677-8899-aabbccddeeff');
  expect(bytesOfUuid('00112233-4455-6677-8899-aabbccddeeff')).toEqual(bytes);
  expect(bytesOfUuid('00112233-4455-6677-8899-AABBCCDDEEFF')).toEqual(bytes);
});

test('a grant whose id would be read as another is given no token', async () => {
  const wrong = ['00112233-4455-6677-8899-AABBCCDDEEFF', '00112233445566778899aabbccddeeff', '7', ''];

  for (const grantId of wrong)
    await expect(issueOpaqueToken(kind, { ...of, grantId }, mac)).rejects.toThrow('a UUID in lower case');
});

test('issuers that share a secret read none of each other’s tokens', async () => {
  const secret = 'the root secret of two issuers, long enough';
  const [first, second] = ['https://one.example', 'https://two.example'].map((issuer) =>
    webCryptoMac([secret], issuer),
  );
  if (first === undefined || second === undefined) throw new Error('there are two');
  const token = await issueOpaqueToken(kind, of, first);

  expect(await readOpaqueToken(kind, token, first)).toEqual(of);
  for (const other of [second, webCryptoMac([secret])])
    expect(await readOpaqueToken(kind, token, other)).toBeUndefined();
});
