import { errors, jwtVerify } from 'jose';
import { ok, type Result, refuse } from '../../result.ts';
import { accessTokenSeconds, type KeyLookup, type RsaSigner, type Signer, signJwt } from './access-token.ts';
import { toBase64url, utf8 } from './bytes.ts';
import { idTokenAlgorithms } from './client.ts';
import type { Hash } from './crypto.ts';

/** Says who signed in for a grant, when, and what its scopes let the client see of the user. */
export interface Identity {
  readonly authenticatedAt: Date;
  /** The client's authorization request had this value, which binds the ID token to it. */
  readonly nonce: string | null;
  /** Claims of the user, such as `name` (OpenID Connect Core, section 5.1). */
  readonly claims: Readonly<Record<string, string | number | boolean | null | undefined>>;
}

export interface IdToken extends Identity {
  readonly issuer: string;
  readonly clientId: string;
  readonly userId: string;
  /** The ID token comes with this access token, and names it by its hash. */
  readonly accessToken: string;
}

/**
 * OpenID Connect Core, sections 2 and 3.1.3.6 define it. The user's claims are in it, too, because
 * many clients read nothing else; §5.4 has them in userinfo, and forbids neither.
 */
export async function issueIdToken(
  { issuer, clientId, userId, accessToken, authenticatedAt, nonce, claims }: IdToken,
  signer: Signer | RsaSigner,
  hash: Hash,
  now: Date,
): Promise<string> {
  const issuedAt = secondsOf(now);
  const accessTokenHash = await hash.sha256(utf8(accessToken));
  const own = {
    iss: issuer,
    sub: userId,
    aud: clientId,
    iat: issuedAt,
    exp: issuedAt + accessTokenSeconds,
    auth_time: secondsOf(authenticatedAt),
    nonce: nonce ?? undefined,
    at_hash: toBase64url(accessTokenHash.subarray(0, accessTokenHash.length / 2)),
  };
  return signJwt('JWT', { ...claims, ...own }, signer); // protects: C288
}

const secondsOf = (instant: Date): number => Math.floor(instant.getTime() / 1000);

/** `email` is what the token says, so that nobody learns more than its holder knows. */
export interface IdTokenHint {
  readonly clientId: string;
  readonly userId: string;
  readonly email: string | undefined;
}

/**
 * Reads an ID token of ours that comes back as a hint, however old it is (OpenID Connect Core,
 * section 3.1.2.1, RP-Initiated Logout, section 2). An access token is none, and with `clientId`
 * neither is the ID token of another client.
 */
export async function readIdTokenHint(
  jwt: string,
  expected: { readonly issuer: string; readonly keys: KeyLookup; readonly clientId?: string },
): Promise<Result<IdTokenHint, 'invalid_token'>> {
  const { issuer, keys, clientId } = expected;
  try {
    // At that time none had expired.
    const currentDate = new Date(0);
    const { payload } = await jwtVerify(jwt, keys, {
      algorithms: [...idTokenAlgorithms],
      typ: 'JWT', // protects: C288
      issuer,
      currentDate,
      ...(clientId === undefined ? {} : { audience: clientId }), // protects: C340
    });
    const { aud, email, sub: userId } = payload;
    if (typeof aud !== 'string' || userId === undefined) return refuse('invalid_token');
    return ok({ clientId: aud, userId, email: typeof email === 'string' ? email : undefined });
  } catch (error) {
    if (error instanceof errors.JOSEError) return refuse('invalid_token', error.code);
    throw error;
  }
}
