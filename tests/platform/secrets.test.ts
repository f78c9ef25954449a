import { describe, expect, test } from 'vitest';
import { utf8 } from '../../src/oauth/core/bytes.ts';
import { webCryptoMac } from '../../src/oauth/core/crypto.ts';
import { createSecrets } from '../../src/platform/secrets.ts';

const oldSecret = 'the-old-secret-0123456789-0123456789';
const newSecret = 'the-new-secret-0123456789-0123456789';
const old = createSecrets([oldSecret]);
const both = createSecrets([newSecret, oldSecret]);
const onlyNew = createSecrets([newSecret]);
const plain = utf8('a private key');

describe('MACs', () => {
  test('equal the Web Crypto MACs of the core, so that a token made by one is good for the other (architecture §2)', async () => {
    const webCrypto = webCryptoMac([newSecret, oldSecret]);

    expect(both.mac('code', plain)).toEqual(Buffer.from(await webCrypto.mac('code', plain)));
    expect(await webCrypto.isMac('refresh-token', plain, old.mac('refresh-token', plain))).toBe(true);
  });

  test('the first secret signs, all verify (contract §1, SECRET)', () => {
    expect(both.mac('code', plain)).toEqual(onlyNew.mac('code', plain));
    expect(both.isMac('code', plain, old.mac('code', plain))).toBe(true);
    expect(both.isMac('code', plain, onlyNew.mac('code', plain))).toBe(true);
    expect(onlyNew.isMac('code', plain, old.mac('code', plain))).toBe(false);
  });

  test('the MAC of one purpose is none of another', () => {
    expect(old.isMac('refresh-token', plain, old.mac('code', plain))).toBe(false);
  });

  test('the MAC of other data, an altered MAC, a shortened and a lengthened one are refused', () => {
    const mac = old.mac('code', plain);
    const altered = Uint8Array.from(mac, (byte, index) => (index === 31 ? byte ^ 1 : byte));

    expect(mac).toHaveLength(32);
    expect(old.isMac('code', utf8('other data'), mac)).toBe(false);
    for (const wrong of [altered, mac.subarray(0, 31), Uint8Array.of(...mac, 0), new Uint8Array(0)])
      expect(old.isMac('code', plain, wrong)).toBe(false);
  });
});

describe('sealed bytes', () => {
  test('open again under the same secret and purpose', () => {
    expect(old.decrypt('signing-key', old.encrypt('signing-key', plain))).toEqual(Buffer.from(plain));
  });

  test('say nothing of what they hold, and never look the same twice', () => {
    const sealed = Buffer.from(old.encrypt('signing-key', plain));

    expect(sealed.includes(Buffer.from(plain))).toBe(false);
    expect(sealed).not.toEqual(Buffer.from(old.encrypt('signing-key', plain)));
  });

  test('under an older secret open, and are to be encrypted again (contract §1, SECRET)', () => {
    const sealed = old.encrypt('signing-key', plain);

    expect(both.decrypt('signing-key', sealed)).toEqual(Buffer.from(plain));
    expect(both.isOutdated('signing-key', sealed)).toBe(true);
    expect(both.isOutdated('signing-key', both.encrypt('signing-key', plain))).toBe(false);
    expect(onlyNew.decrypt('signing-key', sealed)).toBeUndefined();
  });

  test('do not open for another purpose', () => {
    expect(old.decrypt('another', old.encrypt('signing-key', plain))).toBeUndefined();
  });

  test('do not open when any byte was altered, or when they were cut', () => {
    const sealed = old.encrypt('signing-key', plain);
    const opened = Array.from(sealed, (_, place) => {
      const altered = Uint8Array.from(sealed, (byte, index) => (index === place ? byte ^ 1 : byte));
      return [old.decrypt('signing-key', altered), old.decrypt('signing-key', sealed.subarray(0, place))];
    });

    expect(opened.flat()).toEqual(Array.from({ length: 2 * sealed.length }, () => undefined));
  });
});
