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

/** ES256 by node:crypto, without Web Crypto's thread hop: the 64 bytes `r ‖ s` (RFC 7518 §3.4). */
export function nodeSigner(
  keyId: string,
  privateKey: Uint8Array,
): { readonly keyId: string; readonly sign: (input: Uint8Array) => Uint8Array } {
  const key: KeyObject = createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });
  return { keyId, sign: (input) => sign('sha256', input, { key, dsaEncoding: 'ieee-p1363' }) };
}
