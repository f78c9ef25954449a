import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';

export interface GeneratedKey {
  /** The id is the RFC 7638 thumbprint. */
  readonly id: string;
  readonly publicJwk: Readonly<Record<string, string>>;
  /** The key is PKCS #8 in DER. */
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
 * Signs ES256 as `r ‖ s` (RFC 7518 §3.4). Node's own `ieee-p1363` costs three times its default,
 * DER.
 */
export function nodeSigner(
  keyId: string,
  privateKey: Uint8Array,
): { readonly keyId: string; readonly sign: (input: Uint8Array) => Uint8Array } {
  const key: KeyObject = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  return { keyId, sign: (input) => joinIntegers(sign('sha256', input, key)) };
}

const integerBytes = 32;

/**
 * DER is `SEQUENCE { r INTEGER, s INTEGER }`; each loses its sign byte, and is filled up to 32
 * bytes.
 */
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
