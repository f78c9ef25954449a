import { base64url, type CryptoKey } from 'jose';

/** Web Crypto's run everywhere; the server passes faster ones (platform/secrets.ts). */
export interface Hash {
  /** 32 bytes. */
  sha256(data: Uint8Array): Promise<Uint8Array> | Uint8Array;
}

/** Each purpose has a key of its own. */
export type MacPurpose = 'code' | 'refresh-token' | 'decision' | 'dpop-nonce';

export interface Mac {
  /** HMAC-SHA-256 with the newest key, 32 bytes. */
  mac(purpose: MacPurpose, data: Uint8Array): Promise<Uint8Array> | Uint8Array;
  /** Under any of the keys, in constant time. */
  isMac(purpose: MacPurpose, data: Uint8Array, mac: Uint8Array): Promise<boolean> | boolean;
}

export const webCryptoHash: Hash = {
  async sha256(data) {
    return new Uint8Array(await crypto.subtle.digest('SHA-256', concat(data)));
  },
};

/**
 * HKDF-SHA-256 (RFC 5869; no salt, info `latchkey <purpose>`). The first secret signs, all verify.
 */
export function webCryptoMac(secrets: readonly [string, ...string[]]): Mac {
  const keys = new Map<MacPurpose, Promise<readonly CryptoKey[]>>();
  const keysOf = (purpose: MacPurpose): Promise<readonly CryptoKey[]> => {
    const known = keys.get(purpose) ?? Promise.all(secrets.map((secret) => deriveMacKey(secret, purpose)));
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

async function deriveMacKey(secret: string, purpose: MacPurpose): Promise<CryptoKey> {
  const root = await crypto.subtle.importKey('raw', utf8(secret), 'HKDF', false, ['deriveBits']);
  const algorithm = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(0),
    info: utf8(`latchkey ${purpose}`),
  };
  const bits = new Uint8Array(await crypto.subtle.deriveBits(algorithm, root, 256));
  return crypto.subtle.importKey('raw', bits, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

const encoder = new TextEncoder();
/** In Node.js alone, and up to 14 times as fast there as what every runtime has. */
declare const Buffer: undefined | NodeBuffer;

interface NodeBuffer {
  from(data: string | Uint8Array, encoding?: 'base64url'): NodeBytes;
}

type NodeBytes = Uint8Array<ArrayBuffer> & { toString(encoding: 'base64url'): string };

const node = typeof Buffer === 'undefined' ? undefined : Buffer;

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return node?.from(text) ?? encoder.encode(text);
}

/** Without padding, RFC 4648 §5. Node copies: to read small bytes where they are, V8 moves them. */
export function toBase64url(bytes: Uint8Array): string {
  return node?.from(bytes).toString('base64url') ?? base64url.encode(bytes);
}

/** Of its UTF-8. */
export function textToBase64url(text: string): string {
  return node?.from(text).toString('base64url') ?? base64url.encode(text);
}

/** Strict: undefined even for padding or stray last bits. */
export function fromBase64url(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = node === undefined ? base64url.decode(text) : new Uint8Array(node.from(text, 'base64url'));
  return toBase64url(bytes) === text ? bytes : undefined;
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Takes time that depends on the lengths alone. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (const [index, byte] of a.entries()) difference |= byte ^ (b[index] ?? 0);
  return difference === 0;
}
