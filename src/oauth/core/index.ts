// The public surface of `latchkey/core`, and the one file that re-exports.

export { type Ok, ok, type Refusal, type Result, refuse } from '../../result.ts';
export {
  type AccessToken,
  accessTokenSeconds,
  type KeyLookup,
  keysOfJwks,
  type Signer,
  verifyAccessToken,
  webCryptoSigner,
} from './access-token.ts';
export type { Client, ClientType, ClientWithSecrets, PresentedClient } from './client.ts';
export { formatClientSecret, hashClientSecret } from './client.ts';
export { issueCode } from './code.ts';
export { fromBase64url, type Hash, type Mac, toBase64url, webCryptoHash, webCryptoMac } from './crypto.ts';
export { issueDpopNonce, verifyDpopProof } from './dpop.ts';
export type { TokenEndpoint, TokenIssuer, TokenRequest, TokenStore } from './endpoint.ts';
export type { Grant, Lifetimes, RevocationReason } from './grant.ts';
export { answerTokenRequest, type IssuedTokens, issueTokens, tokenResponse } from './issue.ts';
export { type TokenRefusal, type TokenRefusalReason, tokenRefusals } from './refusal.ts';
export { type GrantedScopes, mayUse, narrowScopes, type Scope, scopeNames } from './scope.ts';
