import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { concat, fromBase64url, isEqual, toBase64url, utf8 } from '../../src/oauth/core/bytes.ts';

test('bytes round-trip through unpadded base64url (RFC 4648 §5)', () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const text = toBase64url(bytes);

      expect(text).toBe(Buffer.from(bytes).toString('base64url'));
      expect(fromBase64url(text)).toEqual(bytes);
    }),
  );
});

const notBase64url = [
  ['padding', 'AA=='],
  ['a lone character', 'AAAAA'],
  ['stray last bits of one byte', 'AB'],
  ['stray last bits of two bytes', 'AAB'],
  ['a plus sign', '++++'],
  ['a slash', '////'],
  ['a blank', 'AA AA'],
  ['a line feed at the end', 'AAAA\n'],
  ['NUL', 'AAA\0'],
  ['a full-width letter', 'ＡAAA'],
] as const;

test.each(notBase64url)(
  'text with %s is not base64url: no bytes have two spellings (RFC 4648 §3.5)',
  (_, text) => {
    expect(fromBase64url(text)).toBeUndefined();
  },
);

test('whatever text is base64url is the one spelling of its bytes (RFC 4648 §3.5)', () => {
  fc.assert(
    fc.property(fc.base64String(), fc.nat(3), (text, cut) => {
      const spelled = text
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .slice(0, -cut || undefined);
      const bytes = fromBase64url(spelled);

      expect(bytes === undefined ? spelled : toBase64url(bytes)).toBe(spelled);
    }),
  );
});

test('text is encoded as UTF-8', () => {
  expect([...utf8('aé€𝄞')]).toEqual([...Buffer.from('aé€𝄞')]);
});

test('arrays are put one behind the other, none is changed', () => {
  const parts = [Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)];

  expect(concat(...parts)).toEqual(Uint8Array.of(1, 2, 3));
  expect(parts).toEqual([Uint8Array.of(1, 2), new Uint8Array(0), Uint8Array.of(3)]);
  expect(concat()).toEqual(new Uint8Array(0));
});

test('bytes are equal to themselves alone', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (a, b) => {
      expect(isEqual(a, Uint8Array.from(a))).toBe(true);
      expect(isEqual(a, b)).toBe(Buffer.from(a).equals(b));
      expect(isEqual(a, concat(a, Uint8Array.of(0)))).toBe(false);
    }),
  );
});

test('bytes that differ in one bit, wherever it is, are not equal', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1 }), fc.nat(), (bytes, at) => {
      const other = bytes.map((byte, index) => (index === at % bytes.length ? byte ^ (1 << (at % 8)) : byte));

      expect(isEqual(bytes, other)).toBe(false);
    }),
  );
});

/** The module as a runtime loads it that isn't Node.js. */
async function importWithoutBuffer() {
  vi.stubGlobal('Buffer', undefined);
  vi.resetModules();
  try {
    return await import('../../src/oauth/core/bytes.ts');
  } finally {
    vi.unstubAllGlobals();
  }
}

describe('in workerd and browsers, which have no Buffer (RFC 4648 §5)', async () => {
  const elsewhere = await importWithoutBuffer();

  test('bytes and texts become what they become in Node.js', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ unit: 'binary' }), (bytes, text) => {
        expect(elsewhere.toBase64url(bytes)).toBe(toBase64url(bytes));
        expect(elsewhere.fromBase64url(toBase64url(bytes))).toEqual(bytes);
        expect([...elsewhere.utf8(text)]).toEqual([...utf8(text)]);
      }),
    );
  });

  test.each(notBase64url)('text with %s is not base64url either', (_, text) => {
    expect(elsewhere.fromBase64url(text)).toBeUndefined();
  });
});
