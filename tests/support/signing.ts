import { createPrivateKey, type KeyObject } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { idTokenKeys, signingKeys } from '../../src/oauth/tables.ts';
import type { TestService } from './service.ts';

/**
 * The key that the service signs access tokens with, or ID tokens (RS256), to find out what it
 * checks besides the signature.
 */
export async function readServiceKey(
  { database, rootSecret }: TestService,
  of: 'access tokens' | 'ID tokens' = 'access tokens',
) {
  const [row] = await database.db.select().from(of === 'ID tokens' ? idTokenKeys : signingKeys);
  const opened = row === undefined ? undefined : rootSecret.decrypt('signing-key', row.encryptedPrivateKey);
  if (row === undefined || opened === undefined) throw new Error('the service has no key');
  const privateKey = createPrivateKey({ key: Buffer.from(opened), format: 'der', type: 'pkcs8' });
  return { id: row.id, publicJwk: row.publicJwk, privateKey };
}

/**
 * A genuine access token signed again after a change to its header and claims; undefined takes a
 * member out.
 */
export async function signAgain(
  accessToken: string,
  key: KeyObject | Uint8Array,
  change: {
    readonly header?: Readonly<Record<string, unknown>>;
    readonly claims?: Readonly<Record<string, unknown>>;
  },
): Promise<string> {
  const header: JWTHeaderParameters = {
    alg: 'ES256',
    ...decodeProtectedHeader(accessToken),
    ...change.header,
  };
  const claims: JWTPayload = { ...decodeJwt(accessToken), ...change.claims };
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}
