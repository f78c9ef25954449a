import { describe, expect, test } from 'vitest';
import { utf8 } from '../../src/oauth/core/bytes.ts';
import { createSecrets } from '../../src/platform/secrets.ts';

const oldSecret = 'the-old-secret-0123456789-0123456789';
const newSecret = 'the-new-secret-0123456789-0123456789';
const old = createSecrets([oldSecret]);
const both = createSecrets([newSecret, oldSecret]);
const onlyNew = createSecrets([newSecret]);
const plain = utf8('a private key');

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
