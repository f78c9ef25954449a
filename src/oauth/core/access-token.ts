import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { ok, type Result, refuse } from '../../result.ts';
import { concat, textToBase64url, toBase64url, utf8 } from './bytes.ts';
import { after, type Eventual } from './crypto.ts';
import type { Scope } from './scope.ts';

/** Contract §4 and §5 set the lifetime of an access token, in seconds. */
export const accessTokenSeconds = 1800;
export const tokenIdBytes = 16;

/** RFC 9068 §2.2 defines these claims. */
export interface AccessToken {
  readonly issuer: string;
  /** A token may have several audiences (RFC 8707 §2). */
  readonly audience: string | readonly string[];
  readonly userId: string;
  readonly clientId: string;
  readonly grantId: string;
  readonly teamId: number | null;
  /**
   * A token with full access lists all scopes, so that other APIs understand it (RFC 9068 §2.2.3).
   */
  readonly scopes: readonly Scope[];
  /**
   * The token is bound to the key with this thumbprint (RFC 9449 §6.1); with null, any holder may
   * use it.
   */
  readonly jkt: string | null;
}

export interface VerifiedAccessToken extends AccessToken {
  readonly expiresAt: Date;
}

/** A signer returns the 64 bytes `r ‖ s` of ES256 (RFC 7518 §3.4). */
export interface Signer {
  readonly keyId: string;
  readonly algorithm?: 'ES256';
  sign(input: Uint8Array): Eventual<Uint8Array>;
}

/** Signs RS256 (RFC 7518 §3.3), for ID tokens alone: no access token can be issued with it. */
export interface RsaSigner {
  readonly keyId: string;
  readonly algorithm: 'RS256';
  sign(input: Uint8Array): Eventual<Uint8Array>;
}

export function webCryptoSigner(keyId: string, privateKey: CryptoKey): Signer {
  return { keyId, sign: signWith({ name: 'ECDSA', hash: 'SHA-256' }, privateKey) };
}

/** The key was imported for RSASSA-PKCS1-v1_5 with SHA-256. */
export function webCryptoRsaSigner(keyId: string, privateKey: CryptoKey): RsaSigner {
  return { keyId, algorithm: 'RS256', sign: signWith({ name: 'RSASSA-PKCS1-v1_5' }, privateKey) };
}

function signWith(algorithm: { readonly name: string; readonly hash?: string }, privateKey: CryptoKey) {
  return async (input: Uint8Array): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.sign(algorithm, privateKey, concat(input)));
}

export function issueAccessToken(
  token: AccessToken,
  signer: Signer,
  tokenId: Uint8Array,
  now: Date,
): Eventual<string> {
  const { audience, teamId, jkt } = token;
  const issuedAt = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: token.issuer,
    aud: typeof audience !== 'string' && audience.length === 1 ? audience[0] : audience,
    sub: token.userId,
    client_id: token.clientId,
    gid: token.grantId,
    iat: issuedAt,
    exp: issuedAt + accessTokenSeconds,
    jti: toBase64url(tokenId),
    scope: token.scopes.join(' '),
    team_id: teamId ?? undefined,
    cnf: jkt === null ? undefined : { jkt },
  };
  return signJwt('at+jwt', claims, signer);
}

/** Signs claims in the compact form (RFC 7515 §3.1), but for those that are undefined. */
export function signJwt(typ: string, claims: object, signer: Signer | RsaSigner): Eventual<string> {
  const { algorithm: alg = 'ES256', keyId: kid } = signer;
  const header = { alg, typ, kid };
  const input = `${textToBase64url(JSON.stringify(header))}.${textToBase64url(JSON.stringify(claims))}`;
  return after(signer.sign(utf8(input)), (signature) => `${input}.${toBase64url(signature)}`);
}

export type KeyLookup = JWTVerifyGetKey;

export function keysOfJwks(jwks: JSONWebKeySet): KeyLookup {
  return createLocalJWKSet(jwks);
}

export interface ExpectedToken {
  readonly issuer: string;
  readonly audience: string | readonly string[];
  readonly keys: KeyLookup;
}

/**
 * Verifies offline (RFC 9068 §4) that the token is for one of the expected audiences. The state of
 * the grant and a proof for `jkt` aren't checked: see {@link verifyDpopProof}. `detail` never has
 * the token.
 */
export async function verifyAccessToken(
  jwt: string,
  expected: ExpectedToken,
  now: Date,
): Promise<Result<VerifiedAccessToken, 'invalid_token'>> {
  try {
    const { payload } = await jwtVerify(jwt, expected.keys, {
      algorithms: ['ES256'], // protects: C37
      typ: 'at+jwt', // protects: C37
      issuer: expected.issuer,
      audience: [expected.audience].flat(),
      currentDate: now,
      requiredClaims: ['sub', 'client_id', 'gid', 'iat', 'exp', 'jti'],
    });
    return readClaims(payload, expected);
  } catch (error) {
    if (error instanceof errors.JOSEError) return refuse('invalid_token', error.code);
    throw error;
  }
}

function readClaims(
  claims: Record<string, unknown>,
  expected: ExpectedToken,
): Result<VerifiedAccessToken, 'invalid_token'> {
  const { sub: userId, client_id: clientId, gid: grantId, scope, team_id: teamId, cnf, exp } = claims;
  if (typeof userId !== 'string' || typeof clientId !== 'string' || typeof grantId !== 'string') {
    return refuse('invalid_token', 'a claim has the wrong type');
  }
  if (typeof scope !== 'string') return refuse('invalid_token', 'scope has the wrong type');
  const jkt = readThumbprint(cnf);
  if (jkt === undefined) return refuse('invalid_token', 'cnf has the wrong type');
  return ok({
    issuer: expected.issuer,
    audience: expected.audience,
    userId,
    clientId,
    grantId,
    teamId: typeof teamId === 'number' ? teamId : null,
    scopes: scope.split(' ').filter((name) => name !== ''),
    jkt,
    expiresAt: new Date(Number(exp) * 1000),
  });
}

/**
 * Returns undefined if the token is bound to something else than a key, which can't be checked
 * here.
 */
function readThumbprint(cnf: unknown): string | null | undefined {
  if (cnf === undefined) return null;
  const jkt: unknown = typeof cnf === 'object' && cnf !== null && 'jkt' in cnf ? cnf.jkt : undefined;
  return typeof jkt === 'string' ? jkt : undefined;
}
