import {
  issueDpopNonce,
  keysOfJwks,
  mayUse,
  type TokenIssuer,
  verifyAccessToken,
  verifyDpopProof,
  webCryptoHash,
} from 'latchkey/core';

type Jwks = Parameters<typeof keysOfJwks>[0];

/** Verifies without a look at the grant, as any resource server can (RFC 6750, RFC 9068 §4). */
export async function whoami(request: Request, issuer: TokenIssuer, jwks: Jwks): Promise<Response> {
  const authorization = request.headers.get('authorization');
  const [, scheme = '', presented] = /^(bearer|dpop) +(\S+)$/i.exec(authorization ?? '') ?? [];
  if (presented === undefined) return challenge(401, authorization === null ? '' : 'invalid_token');
  const now = new Date();
  const expected = { issuer: issuer.issuer, audience: issuer.resources[0], keys: keysOfJwks(jwks) };
  const verified = await verifyAccessToken(presented, expected, now);
  if (!verified.ok) return challenge(401, 'invalid_token');
  const { jkt } = verified.value;
  if ((jkt !== null) !== /dpop/i.test(scheme)) return challenge(401, 'invalid_token');
  if (jkt !== null) {
    // A proof can come again within two minutes (RFC 9449 §7): to prevent that, remember its `id`.
    const proven = { method: 'GET', uri: `${issuer.issuer}/whoami`, accessToken: presented };
    const checks = { mac: issuer.mac, hash: webCryptoHash };
    const proof = await verifyDpopProof(request.headers.get('dpop') ?? '', proven, checks, now);
    if (!proof.ok || proof.value.jkt !== jkt) {
      const error = proof.ok ? 'invalid_dpop_proof' : proof.reason;
      const nonce = await issueDpopNonce(issuer.mac, now);
      return send(401, { error }, { 'www-authenticate': `DPoP error="${error}"`, 'dpop-nonce': nonce });
    }
  }
  if (!mayUse(verified.value.scopes, 'PROFILE_READ')) return challenge(403, 'insufficient_scope');
  const { userId, clientId, grantId, scopes } = verified.value;
  return send(200, { userId, clientId, grantId, scopes });
}

/** The challenge has no error when no token was sent (RFC 6750 §3). */
function challenge(status: number, error: string): Response {
  return send(status, { error }, { 'www-authenticate': error === '' ? 'Bearer' : `Bearer error="${error}"` });
}

function send(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}
