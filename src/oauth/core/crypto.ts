import type { CryptoKey } from 'jose';
import { concat, isEqual, utf8 } from './bytes.ts';

/** Node.js has it at once, and Web Crypto later. */
export type Eventual<Value> = Value | Promise<Value>;

export interface Hash {
  sha256(data: Uint8Array): Eventual<Uint8Array>;
}

/** Asked before an `await`, which costs a promise, too. A host's may be of another realm. */
export function isPending<Value>(value: Eventual<Value>): value is Promise<Value> {
  // protects: C392
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** Goes on at once if nothing has to be waited for, since a promise costs as much as a MAC. */
export function after<Value, Next>(value: Eventual<Value>, next: (value: Value) => Next): Eventual<Next> {
  return isPending(value) ? value.then(next) : next(value);
}

/** A root secret has at least this many bytes. */
export const secretMinBytes = 32;

export type MacPurpose = 'code' | 'refresh-token' | 'decision' | 'dpop-nonce';

export interface Mac {
  /** Returns the 32 bytes of HMAC-SHA-256 with the newest key. */
  mac(purpose: MacPurpose, data: Uint8Array): Eventual<Uint8Array>;
  /** Compares under all keys, in constant time. */
  isMac(purpose: MacPurpose, data: Uint8Array, mac: Uint8Array): Eventual<boolean>;
}

export const webCryptoHash: Hash = {
  async sha256(data) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', concat(data)));
  },
};

/**
 * Derives keys with HKDF-SHA-256 (RFC 5869; no salt, info `latchkey <purpose>`). The first signs.
 * With an issuer, which is part of the info, no other issuer's codes and tokens are its own.
 */
export function webCryptoMac(secrets: readonly [string, ...string[]], issuer?: string): Mac {
  const infoOf = (purpose: MacPurpose) =>
    issuer === undefined ? `latchkey ${purpose}` : `latchkey ${purpose} ${issuer}`;
  const keys = new Map<MacPurpose, Promise<readonly CryptoKey[]>>();
  const keysOf = (purpose: MacPurpose): Promise<readonly CryptoKey[]> => {
    const known =
      keys.get(purpose) ?? Promise.all(secrets.map((secret) => deriveMacKey(secret, infoOf(purpose))));
    keys.set(purpose, known);
    return known;
  };
  const sign = async (key: CryptoKey, data: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign('HMAC', key, concat(data)));
  return {
    async mac(purpose, data) {
      const [newest] = await keysOf(purpose);
      if (newest === undefined) throw new Error('a root secret is required');
      return sign(newest, data);
    },
    async isMac(purpose, data, mac) {
      const expected = await Promise.all((await keysOf(purpose)).map((key) => sign(key, data)));
      return expected.some((candidate) => isEqual(candidate, mac));
    },
  };
}

async function deriveMacKey(secret: string, info: string): Promise<CryptoKey> {
  const root = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveBits']);
  const algorithm = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: utf8(info),
  };
  const bits = new Uint8Array(await crypto.subtle.deriveBits(algorithm, root, 256));
  return crypto.subtle.importKey('raw', bits, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}
