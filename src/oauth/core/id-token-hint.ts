import { errors, jwtVerify } from 'jose';
import { ok, type Result, refuse } from '../../result.ts';
import type { KeyLookup } from './access-token.ts';
import { idTokenAlgorithms } from './client.ts';

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
