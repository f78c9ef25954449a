import { createHash, createHmac, hkdfSync } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type MacPurpose, webCryptoHash, webCryptoMac } from '../../src/oauth/core/crypto.ts';
import { nodeHash } from '../../src/platform/runtime.ts';
import { createSecrets } from '../../src/platform/secrets.ts';

const newest = 'the newest root secret, 32 bytes or more';
const former = 'the former root secret, 32 bytes or more';
const purposes = ['code', 'refresh-token', 'decision'] as const satisfies readonly MacPurpose[];
const data = Uint8Array.of(1, 2, 3);

test('SHA-256 of "abc" is what FIPS 180-4 says, by either implementation', async () => {
  const abc = new TextEncoder().encode('abc');
  const digest = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

  expect(Buffer.from(await webCryptoHash.sha256(abc)).toString('hex')).toBe(digest);
  expect(Buffer.from(nodeHash.sha256(abc)).toString('hex')).toBe(digest);
});

test('both implementations hash alike, views into larger buffers too', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), fc.nat(10), async (bytes, from) => {
      const view = bytes.subarray(from);
      const expected = createHash('sha256').update(view).digest();

      expect(Buffer.from(await webCryptoHash.sha256(view))).toEqual(expected);
      expect(Buffer.from(nodeHash.sha256(view))).toEqual(expected);
    }),
  );
});

test.each(purposes)(
  'the MAC for %s is HMAC-SHA-256 under HKDF of the first secret (RFC 5869, contract §1)',
  async (purpose) => {
    const key = Buffer.from(hkdfSync('sha256', newest, '', `latchkey ${purpose}`, 32));
    const expected = createHmac('sha256', key).update(data).digest();

    expect(Buffer.from(await webCryptoMac([newest, former]).mac(purpose, data))).toEqual(expected);
  },
);

test('both implementations make and verify the same MACs, byte for byte (contract §1)', async () => {
  const secrets = fc.tuple(
    fc.string({ unit: 'binary', minLength: 32, maxLength: 100 }),
    fc.string({ minLength: 32, maxLength: 100 }),
  );
  await fc.assert(
    fc.asyncProperty(secrets, fc.constantFrom(...purposes), fc.uint8Array(), async (list, purpose, bytes) => {
      const web = webCryptoMac(list);
      const node = createSecrets(list);

      const byWeb = await web.mac(purpose, bytes);
      const byNode = node.mac(purpose, bytes);

      expect(Buffer.from(byWeb)).toEqual(Buffer.from(byNode));
      expect(byWeb).toHaveLength(32);
      expect(await web.isMac(purpose, bytes, byNode)).toBe(true);
      expect(node.isMac(purpose, bytes, byWeb)).toBe(true);
    }),
  );
});

const implementations = [
  ['Web Crypto', webCryptoMac],
  ['node:crypto', createSecrets],
] as const;

test.each(implementations)('by %s the first secret signs and all verify (contract §1)', async (_, create) => {
  const both = create([newest, former]);
  const byNewest = await create([newest]).mac('code', data);
  const byFormer = await create([former]).mac('code', data);

  expect(Buffer.from(await both.mac('code', data))).toEqual(Buffer.from(byNewest));
  expect(await both.isMac('code', data, byNewest)).toBe(true);
  expect(await both.isMac('code', data, byFormer)).toBe(true);
  expect(await create([newest]).isMac('code', data, byFormer)).toBe(false);
  expect(await create([former]).isMac('code', data, byNewest)).toBe(false);
});

test.each(implementations)('by %s each purpose has a key of its own (architecture §2)', async (_, create) => {
  const macs = create([newest]);
  const made = await Promise.all(purposes.map((purpose) => macs.mac(purpose, data)));

  const verified = await Promise.all(
    purposes.flatMap((purpose) => made.map((mac) => macs.isMac(purpose, data, mac))),
  );

  expect(verified).toEqual([true, false, false, false, true, false, false, false, true]);
});

test.each(implementations)(
  'by %s a MAC of other data, or of another length, is refused',
  async (_, create) => {
    const macs = create([newest, former]);
    const made = Uint8Array.from(await macs.mac('code', data));
    const wrong = [made.subarray(0, 31), new Uint8Array(0), new Uint8Array(32), Uint8Array.of(...made, 0)];

    const verified = await Promise.all(wrong.map((mac) => macs.isMac('code', data, mac)));

    expect(verified).toEqual(wrong.map(() => false));
    expect(await macs.isMac('code', Uint8Array.of(1, 2), made)).toBe(false);
  },
);
