import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';

export interface GeneratedKey {
  /** RFC 7638 thumbprint. */
  readonly id: string;
  readonly publicJwk: Readonly<Record<string, string>>;
  /** PKCS #8, DER. */
  readonly privateKey: Uint8Array;
}

export async function generateSigningKey(): Promise<GeneratedKey> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = publicKey.export({ format: 'jwk' });
  if (kty === undefined || crv === undefined || x === undefined || y === undefined)
    throw new Error('not an EC key');
  const publicJwk = { kty, crv, x, y };
  return {
    id: await calculateJwkThumbprint(publicJwk),
    publicJwk,
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

/**
 * ES256 by node:crypto, without Web Crypto's thread hop: the 64 bytes `r ‖ s` (RFC 7518 §3.4). Node
 * can return them itself (`ieee-p1363`), at three times the cost of its default, DER.
 */
export function nodeSigner(
  keyId: string,
  privateKey: Uint8Array,
): { readonly keyId: string; readonly sign: (input: Uint8Array) => Uint8Array } {
  const key: KeyObject = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  return { keyId, sign: (input) => joinIntegers(sign('sha256', input, key)) };
}

const integerBytes = 32;

/** Of `SEQUENCE { r INTEGER, s INTEGER }`: each without its sign byte, filled up to 32 bytes. */
function joinIntegers(der: Uint8Array): Uint8Array {
  const joined = new Uint8Array(2 * integerBytes);
  const rLength = der[3] ?? 0;
  const sLength = der[5 + rLength] ?? 0;
  place(der.subarray(4, 4 + rLength), integerBytes);
  place(der.subarray(6 + rLength, 6 + rLength + sLength), 2 * integerBytes);
  return joined;

  function place(integer: Uint8Array, end: number): void {
    const digits = integer.subarray(-integerBytes);
    joined.set(digits, end - digits.length);
  }
}
