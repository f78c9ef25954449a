import { accessTokenSeconds, type RsaSigner, type Signer, signJwt } from './access-token.ts';
import { toBase64url, utf8 } from './bytes.ts';
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
