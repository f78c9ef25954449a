import { createPrivateKey, generateKeyPair, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint } from 'jose';

export interface GeneratedKey {
  /** The id is the RFC 7638 thumbprint. */
  readonly id: string;
  readonly publicJwk: Readonly<Record<string, string>>;
  /** The key is PKCS #8 in DER. */
  readonly privateKey: Uint8Array;
}

type KeyPair = Readonly<Record<'publicKey' | 'privateKey', KeyObject>>;

async function describeKeys({ publicKey, privateKey }: KeyPair): Promise<GeneratedKey> {
  const jwk = publicKey.export({ format: 'jwk' });
  return {
    id: await calculateJwkThumbprint(jwk),
    publicJwk: Object.fromEntries(Object.entries(jwk).map(([name, value]) => [name, String(value)])),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }),
  };
}

export async function generateSigningKey(): Promise<GeneratedKey> {
  return describeKeys(generateKeyPairSync('ec', { namedCurve: 'P-256' }));
}

const generateInThread = promisify(generateKeyPair);
const signInThread = promisify(sign);

/** Takes a tenth of a second and more, but of another thread. */
export async function generateRsaKey(): Promise<GeneratedKey> {
  return describeKeys(await generateInThread('rsa', { modulusLength: 2048 }));
}

const readPrivateKey = (privateKey: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.from(privateKey), format: 'der', type: 'pkcs8' });

/**
 * Signs ES256 as `r ‖ s` (RFC 7518 §3.4). Node's own `ieee-p1363` costs three times its default,
 * DER.
 */
export function nodeSigner(
  keyId: string,
  privateKey: Uint8Array,
): { readonly keyId: string; readonly sign: (input: Uint8Array) => Uint8Array } {
  const key = readPrivateKey(privateKey);
  return { keyId, sign: (input) => joinIntegers(sign('sha256', input, key)) };
}

/** Signs RS256 (RFC 7518 §3.3) in another thread, because it takes much longer than ES256. */
export function nodeRsaSigner(keyId: string, privateKey: Uint8Array) {
  const key = readPrivateKey(privateKey);
  return {
    keyId,
    algorithm: 'RS256',
    sign: async (input: Uint8Array): Promise<Uint8Array> => signInThread('sha256', input, key),
  } as const;
}

const integerBytes = 32;

/**
 * DER is `SEQUENCE { r INTEGER, s INTEGER }`; each loses its sign byte, and is filled up to 32
 * bytes.
 */
function joinIntegers(der: Uint8Array): Uint8Array {
  const joined = new Uint8Array(2 * integerBytes);
  const rEnd = 4 + (der[3] ?? 0);
  const sEnd = rEnd + 2 + (der[rEnd + 1] ?? 0);
  for (let back = 1; back <= integerBytes; back += 1) {
    if (rEnd - back >= 4) joined[integerBytes - back] = der[rEnd - back] ?? 0;
    if (sEnd - back >= rEnd + 2) joined[2 * integerBytes - back] = der[sEnd - back] ?? 0;
  }
  return joined;
}
