import { type KeyLookup, type VerifiedAccessToken, verifyAccessToken } from '../core/access-token.ts';
import type { Hash, Mac } from '../core/crypto.ts';
import { issueDpopNonce, verifyDpopProof } from '../core/dpop.ts';
import { type GrantedScopes, mayUse, nameScopes, type Scope, type ScopeRules } from '../core/scope.ts';
import { answerHeaders } from './answer.ts';

export type Access = Pick<VerifiedAccessToken, 'userId' | 'clientId' | 'grantId' | 'scopes' | 'expiresAt'>;

export interface AccessOptions {
  readonly issuer: string;
  readonly audience: string | readonly string[];
  keys(): KeyLookup;
  now(): Date;
  readonly hash: Hash;
  readonly rules: ScopeRules;
  /** Without it, tokens that are bound to a key are refused: their proofs take nonces. */
  readonly mac: Mac | undefined;
  /** The address of this request, as its client knows it. */
  urlOf(request: Request): string;
  /** Returns what the token gives now, or undefined if its grant has ended. */
  scopesNow(token: VerifiedAccessToken, jwt: string): Promise<GrantedScopes | undefined>;
}

/** Returns who may do what a request asks for, or the answer to who may not (RFC 6750 §3, RFC 9449 §7.1). */
export async function readAccess(
  options: AccessOptions,
  request: Request,
  scope: Scope,
): Promise<Access | Response> {
  const { issuer, audience, keys, hash, mac, now, rules } = options;
  const [, scheme = '', jwt] =
    /^(bearer|dpop) +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (jwt === undefined) return challenge(request, mac, 401);
  const verified = await verifyAccessToken(jwt, { issuer, audience, keys: keys() }, now());
  if (!verified.ok) return challenge(request, mac, 401, 'invalid_token');
  const { jkt } = verified.value;
  // A thief of the token mustn't choose the scheme (RFC 9449 §7.2).
  if ((jkt !== null) !== (scheme.toLowerCase() === 'dpop'))
    return challenge(request, mac, 401, 'invalid_token'); // protects: C422
  if (jkt !== null) {
    if (mac === undefined) return challenge(request, mac, 401, 'invalid_token');
    const proven = { method: request.method, uri: options.urlOf(request), accessToken: jwt };
    const proof = await verifyDpopProof(request.headers.get('dpop') ?? '', proven, { mac, hash }, now());
    const error = proof.ok ? 'invalid_dpop_proof' : proof.reason;
    if (!proof.ok || proof.value.jkt !== jkt) {
      const answer = challenge(request, mac, 401, error);
      answer.headers.set('dpop-nonce', await issueDpopNonce(mac, now()));
      return answer;
    }
  }
  const held = await options.scopesNow(verified.value, jwt);
  if (held === undefined) return challenge(request, mac, 401, 'invalid_token'); // protects: C423
  if (!mayUse(held, scope, rules)) return challenge(request, mac, 403, 'insufficient_scope', scope);
  const { userId, clientId, grantId, expiresAt } = verified.value;
  return { userId, clientId, grantId, scopes: nameScopes(held, rules), expiresAt };
}

/** The challenge has no error when no token was sent (RFC 6750 §3). */
function challenge(
  { headers }: Request,
  mac: Mac | undefined,
  status: 401 | 403,
  error?: string,
  scope?: Scope,
): Response {
  const said = [error && `error="${error}"`, scope && `scope="${scope}"`].filter(Boolean).join(', ');
  const isProof = /^dpop /i.test(headers.get('authorization') ?? '');
  const schemes = isProof && mac !== undefined ? ['DPoP algs="ES256 Ed25519 EdDSA"'] : ['Bearer'];
  const value = schemes.map((one) => (said === '' ? one : `${one}${isProof ? ',' : ''} ${said}`)).join();
  return Response.json(
    { error: error ?? 'unauthorized' },
    { status, headers: { ...answerHeaders, 'www-authenticate': value } },
  );
}
