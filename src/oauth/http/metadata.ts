import { dpopAlgorithms } from '../core/dpop.ts';
import type { KnownScopes } from '../core/scope.ts';

export interface ServerAddresses {
  readonly issuer: string;
  readonly authorization: string | undefined;
  readonly token: string;
  readonly revocation: string;
  readonly jwks: string;
}

const withSecret = ['client_secret_basic', 'client_secret_post'];
export const authenticationMethods = { withSecret, all: [...withSecret, 'none'] } as const;

/** Builds the metadata of RFC 8414 §2. */
export function describeServer(
  { issuer, authorization, token, revocation, jwks }: ServerAddresses,
  scopes: KnownScopes,
) {
  return {
    issuer,
    ...(authorization === undefined ? {} : { authorization_endpoint: authorization }),
    token_endpoint: token,
    token_endpoint_auth_methods_supported: authenticationMethods.all,
    revocation_endpoint: revocation,
    revocation_endpoint_auth_methods_supported: authenticationMethods.all,
    jwks_uri: jwks,
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    dpop_signing_alg_values_supported: dpopAlgorithms,
    authorization_response_iss_parameter_supported: true,
  };
}
