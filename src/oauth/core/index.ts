// Only this file re-exports: it is the public surface of `latchkey/core`.

export type { Ok, Refusal, Result } from '../../result.ts';
export {
  type AccessToken,
  accessTokenSeconds,
  type KeyLookup,
  keysOfJwks,
  type RsaSigner,
  type Signer,
  verifyAccessToken,
  webCryptoRsaSigner,
  webCryptoSigner,
} from './access-token.ts';
export { fromBase64url } from './bytes.ts';
export type { Client, ClientType, ClientWithSecrets, IdTokenAlgorithm, PresentedClient } from './client.ts';
export { formatClientSecret, hashClientSecret } from './client.ts';
export { issueCode } from './code.ts';
export { type Hash, type Mac, webCryptoHash, webCryptoMac } from './crypto.ts';
export { issueDpopNonce, verifyDpopProof } from './dpop.ts';
export type { Grant, Lifetimes, RevocationReason } from './grant.ts';
export { type Identity, type IdToken, issueIdToken } from './id-token.ts';
export type { Identities, TokenEndpoint, TokenIssuer, TokenRequest, TokenStore } from './ports.ts';
export { type TokenRefusal, type TokenRefusalReason, tokenRefusals } from './refusal.ts';
export {
  type GrantedScopes,
  type KnownScopes,
  mayUse,
  narrowScopes,
  type Scope,
  type ScopeMeaning,
  type ScopeRules,
} from './scope.ts';
export { answerTokenRequest, type IssuedTokens, issueTokens, tokenResponse } from './token-request.ts';
