import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * HKDF-SHA-256 derives keys without salt, with info `latchkey <purpose>`. The first secret signs
 * and encrypts, all verify and decrypt, so that SECRET can be rotated (contract §1).
 */
export interface Secrets {
  /** Returns 32 bytes of HMAC-SHA-256. */
  mac(purpose: string, data: Uint8Array): Uint8Array;
  /** Compares in constant time, under every key. */
  isMac(purpose: string, data: Uint8Array, mac: Uint8Array): boolean;
  sign(purpose: string, text: string): string;
  /** Accepts one spelling: lenient decoding must not open anything. */
  isSigned(purpose: string, text: string, signature: string): boolean;
  /** Returns nonce ‖ tag ‖ ciphertext (AES-256-GCM). */
  encrypt(purpose: string, plain: Uint8Array): Uint8Array;
  /** Returns undefined for anything that none of the secrets has encrypted. */
  decrypt(purpose: string, encrypted: Uint8Array): Uint8Array | undefined;
  /** A text under an older secret is encrypted again before that secret goes. */
  isOutdated(purpose: string, encrypted: Uint8Array): boolean;
}

const nonceBytes = 12;
const tagBytes = 16;

export function createSecrets(secrets: readonly [string, ...string[]]): Secrets {
  const derived = new Map<string, readonly KeyObject[]>();
  const keysOf = (purpose: string): readonly KeyObject[] => {
    const keys = derived.get(purpose) ?? secrets.map((secret) => deriveKey(secret, purpose));
    derived.set(purpose, keys);
    return keys;
  };
  const newestOf = (purpose: string): KeyObject => keysOf(purpose)[0] ?? deriveKey(secrets[0], purpose);
  const mac: Secrets['mac'] = (purpose, data) => hmac(newestOf(purpose), data);
  const isMac: Secrets['isMac'] = (purpose, data, presented) =>
    keysOf(purpose)
      .map((key) => hmac(key, data))
      .some((expected) => expected.length === presented.length && timingSafeEqual(expected, presented));
  return {
    mac,
    isMac,
    sign: (purpose, text) => Buffer.from(mac(purpose, Buffer.from(text))).toString('base64url'),
    isSigned(purpose, text, signature) {
      const presented = Buffer.from(signature, 'base64url');
      return presented.toString('base64url') === signature && isMac(purpose, Buffer.from(text), presented);
    },
    encrypt(purpose, plain) {
      const nonce = randomBytes(nonceBytes);
      const cipher = createCipheriv('aes-256-gcm', newestOf(purpose), nonce);
      const body = Buffer.concat([cipher.update(plain), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    decrypt(purpose, encrypted) {
      for (const key of keysOf(purpose)) {
        const plain = decrypt(key, encrypted);
        if (plain !== undefined) return plain;
      }
      return undefined;
    },
    isOutdated: (purpose, encrypted) => decrypt(newestOf(purpose), encrypted) === undefined,
  };
}

/** Encrypts texts of one kind with a key of their own, so that no column can stand for another. */
export function encryptedTexts(purpose: string) {
  return {
    purpose,
    encrypt: (secrets: Secrets, text: string): Uint8Array =>
      secrets.encrypt(purpose, new TextEncoder().encode(text)),
    /** Returns undefined if the secret of the encryption is gone. */
    decrypt: (secrets: Secrets, encrypted: Uint8Array): string | undefined => {
      const plain = secrets.decrypt(purpose, encrypted);
      return plain && new TextDecoder().decode(plain);
    },
  };
}

function deriveKey(secret: string, purpose: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `latchkey ${purpose}`, 32)));
}

function hmac(key: KeyObject, data: Uint8Array): Uint8Array {
  return fromBase64url(createHmac('sha256', key).update(data).digest('base64url'));
}

/** A digest of bytes gets memory of its own, which costs more than a text's. */
function fromBase64url(digest: string): Uint8Array {
  return Buffer.from(digest, 'base64url');
}

function decrypt(key: KeyObject, encrypted: Uint8Array): Uint8Array | undefined {
  if (encrypted.length < nonceBytes + tagBytes) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(encrypted.subarray(nonceBytes, nonceBytes + tagBytes));
  try {
    return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes + tagBytes)), decipher.final()]);
  } catch {
    return undefined;
  }
}
