import {
  createHash,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { issueDpopNonce } from '../../src/oauth/core/dpop.ts';
import type { TestService } from './service.ts';

/** A client's key, made and used without our own code. */
export interface DpopKey {
  readonly alg: string;
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey;
  /** RFC 7638 §3: of the required members, in the order of their names. */
  readonly jkt: string;
}

export function createDpopKey(alg: 'ES256' | 'Ed25519' | 'EdDSA' = 'ES256'): DpopKey {
  const { publicKey, privateKey } =
    alg === 'ES256' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519');
  const jwk = publicKey.export({ format: 'jwk' });
  const { crv, kty, x, y } = jwk;
  const jkt = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  return { alg, privateKey, jwk, jkt };
}

type Members = Readonly<Record<string, unknown>>;

/** Whatever header and claims; undefined takes a member out. */
export function signProof({ alg, privateKey, jwk }: DpopKey, claims: Members, header: Members = {}): string {
  const parts = [{ typ: 'dpop+jwt', alg, jwk, ...header }, claims];
  const input = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
  const hash = alg === 'ES256' ? 'sha256' : null;
  const signature = sign(hash, Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}

export const hashOf = (accessToken: string): string =>
  createHash('sha256').update(accessToken).digest('base64url');

/** A right proof for a request to this service; `changes` of its claims. */
export async function proofFor(
  { app, clock, rootSecret }: Pick<TestService, 'app' | 'clock' | 'rootSecret'>,
  key: DpopKey,
  request: { readonly method?: string; readonly path?: string; readonly accessToken?: string },
  changes: Members = {},
): Promise<string> {
  const { method = 'POST', path = '/v2/auth/oauth2/token', accessToken } = request;
  const now = clock.now();
  return signProof(key, {
    jti: randomUUID(),
    htm: method,
    htu: `${app.config.apiUrl}${path}`,
    iat: Math.floor(now.getTime() / 1000),
    nonce: await issueDpopNonce(rootSecret, now),
    ath: accessToken === undefined ? undefined : hashOf(accessToken),
    ...changes,
  });
}
