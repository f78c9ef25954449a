import { type KeyLookup, type VerifiedAccessToken, verifyAccessToken } from '../core/access-token.ts';
import type { Hash, Mac } from '../core/crypto.ts';
import { dpopAlgorithms, issueDpopNonce, verifyDpopProof } from '../core/dpop.ts';
import { mayUse, type Scope, type ScopeMeaning } from '../core/scope.ts';
import { answerHeaders } from './answer.ts';

/** Who may do what a request asks for. */
export interface Access {
  readonly userId: string;
  /** The access is to what this team has, and not to what its user has. */
  readonly teamId: number | null;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date;
}

export interface AccessOptions {
  readonly issuer: string;
  /** A token for another resource opens nothing here. */
  readonly audience: string;
  keys(): KeyLookup;
  now(): Date;
  readonly hash: Hash;
  /** Knows the nonces of proofs again. */
  readonly mac: Mac;
  readonly rules: ScopeMeaning;
  /** The address of this request, as its client knows it. */
  urlOf(request: Request): string;
  /** Tells whether a proof of possession comes for the first time. */
  isNewProof?: ((id: string) => boolean | Promise<boolean>) | undefined;
  /** Returns what the token gives now, or undefined if its grant has ended. */
  scopesNow(token: VerifiedAccessToken, jwt: string): Promise<readonly Scope[] | undefined>;
  onFault(error: unknown, request: Request): void;
}

type Scheme = 'Bearer' | 'DPoP';

/**
 * Returns who may do what a request asks for, or the answer to who may not (RFC 6750 §3, RFC 9449
 * §7.1). Where that can't be said, it's 503 and a fault.
 */
export async function readAccess(
  options: AccessOptions,
  request: Request,
  scope: Scope,
): Promise<Access | Response> {
  try {
    return await checkAccess(options, request, scope);
  } catch (error) {
    options.onFault(error, request);
    return answer(503, 'temporarily_unavailable', { 'retry-after': '5' });
  }
}

async function checkAccess(options: AccessOptions, request: Request, scope: Scope) {
  const { issuer, audience, keys, hash, mac, now, rules } = options;
  const [, sent = '', jwt] = /^(bearer|dpop) +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (jwt === undefined) return challenge(401, ['Bearer', 'DPoP']);
  const scheme = sent.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer';
  const verified = await verifyAccessToken(jwt, { issuer, audience, keys: keys() }, now());
  if (!verified.ok) return challenge(401, [scheme], 'invalid_token');
  const { jkt } = verified.value;
  // A thief of the token mustn't choose the scheme (RFC 9449 §7.2).
  // protects: C422
  if ((jkt === null) === (scheme === 'DPoP'))
    return challenge(401, jkt === null ? ['Bearer'] : ['Bearer', 'DPoP'], 'invalid_token');
  if (jkt !== null) {
    const proven = { method: request.method, uri: options.urlOf(request), accessToken: jwt };
    const proof = await verifyDpopProof(request.headers.get('dpop') ?? '', proven, { mac, hash }, now());
    const isRight = proof.ok && proof.value.jkt === jkt;
    if (!isRight || (await options.isNewProof?.(`${jkt} ${proof.value.id}`)) === false) {
      const nonce = { 'dpop-nonce': await issueDpopNonce(mac, now()) };
      return challenge(401, ['DPoP'], proof.ok ? 'invalid_dpop_proof' : proof.reason, undefined, nonce);
    }
  }
  const held = await options.scopesNow(verified.value, jwt);
  if (held === undefined) return challenge(401, [scheme], 'invalid_token'); // protects: C423
  if (!mayUse(held, scope, rules)) return challenge(403, [scheme], 'insufficient_scope', scope);
  const { userId, teamId, clientId, grantId, expiresAt } = verified.value;
  return { userId, teamId, clientId, grantId, scopes: held, expiresAt };
}

/** The challenge has no error when no token was sent (RFC 6750 §3). */
function challenge(
  status: 401 | 403,
  schemes: readonly Scheme[],
  error?: string,
  scope?: Scope,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const said = [error && `error="${error}"`, scope && `scope="${scope}"`].filter(Boolean).join(', ');
  const algorithms = `algs="${dpopAlgorithms.join(' ')}"`;
  const parts = { Bearer: said, DPoP: said === '' ? algorithms : `${said}, ${algorithms}` };
  const value = schemes.map((scheme) => `${scheme} ${parts[scheme]}`.trim()).join(', ');
  return answer(status, error ?? 'unauthorized', { ...headers, 'www-authenticate': value });
}

function answer(status: number, error: string, headers: Readonly<Record<string, string>>): Response {
  return Response.json({ error }, { status, headers: { ...answerHeaders, ...headers } });
}
