import { dpopAlgorithms } from '../core/dpop.ts';
import type { KnownScopes } from '../core/scope.ts';

/** Keys are published for longer than this before and after their use. */
export const jwksCacheSeconds = 3600;

const withSecret = ['client_secret_basic', 'client_secret_post'];
const authenticationMethods = { withSecret, all: [...withSecret, 'none'] } as const;

/** A host without a consent page promises nothing of one (RFC 8414 §2, RFC 9207 §3). */
const ofConsentPage = (page: string) => ({
  authorization_endpoint: page,
  response_modes_supported: ['query'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
});

/** Builds the metadata of RFC 8414 §2. */
export function describeServer(
  { issuer, scopes }: { readonly issuer: string; readonly scopes: KnownScopes },
  address: string,
  {
    jwksUri,
    authorizationEndpoint: page,
  }: { readonly jwksUri: string; readonly authorizationEndpoint: string | undefined },
) {
  return {
    issuer,
    ...(page !== undefined && ofConsentPage(page)),
    token_endpoint: `${address}/token`,
    token_endpoint_auth_methods_supported: authenticationMethods.all,
    revocation_endpoint: `${address}/revoke`,
    revocation_endpoint_auth_methods_supported: authenticationMethods.all,
    introspection_endpoint: `${address}/introspect`,
    introspection_endpoint_auth_methods_supported: authenticationMethods.withSecret,
    jwks_uri: jwksUri,
    scopes_supported: scopes,
    response_types_supported: page === undefined ? [] : ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    dpop_signing_alg_values_supported: dpopAlgorithms,
  };
}
