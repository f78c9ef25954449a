import type { MovedGrant, TokenEndpoint, TokenRequest } from './endpoint.ts';
import type { GrantGeneration } from './opaque-token.ts';
import { challengeOf } from './pkce.ts';
import { narrowResources } from './resource.ts';
import { intersectScopes } from './scope.ts';
import { hashClientSecret } from './secret.ts';

/** Undefined for everything but a request that is right in every point. */
export async function moveUsual(
  { shortcut, grantLimit, issuer, hash, now: clock, noteSecretUse }: TokenEndpoint,
  request: TokenRequest,
  { grantId, generation }: GrantGeneration,
  jkt: string | null,
) {
  if (shortcut === undefined || grantLimit?.isReached(grantId)) return undefined;
  // Only grants for our API alone are moved here.
  if (!narrowResources(request.resource, null, issuer.resources).ok) return undefined;
  const { clientId, clientSecret = '' } = request.client;
  const usual = { clientId, grantId, jkt, secretHash: await hashClientSecret(clientSecret, hash) };
  // Without a key nothing could be issued: better before the grant moves.
  issuer.signer();
  const now = clock();
  let moved: MovedGrant | undefined;
  if (request.grantType === 'refresh_token') {
    if (request.scope !== undefined) return undefined;
    moved = await shortcut.rotate({ ...usual, generation }, now);
  } else {
    const { redirectUri, codeVerifier } = request;
    const codeChallenge = codeVerifier === undefined ? null : await challengeOf(codeVerifier, hash);
    if (codeChallenge === undefined) return undefined;
    moved = await shortcut.redeem({ ...usual, redirectUri, codeChallenge }, now);
  }
  if (moved === undefined) return undefined;
  grantLimit?.allows(grantId);
  if (moved.secretId !== undefined) noteSecretUse?.(moved.secretId);
  const scopes = intersectScopes(moved.grant.scopes, moved.registered);
  return { grant: moved.grant, generation: generation + 1, scopes, now };
}
