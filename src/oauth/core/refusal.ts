import type { Refusal } from '../../result.ts';
import type { ClientCause } from './client.ts';
import type { CodeCause } from './code.ts';
import type { DpopCause } from './dpop.ts';
import type { RefreshCause } from './refresh.ts';

/**
 * The order is that of the checks (contract §4, RFC 6749 §5.2). A missing reason doesn't compile.
 */
export const tokenRefusals = {
  method_not_allowed: [405, 'invalid_request', 'use POST'],
  unsupported_content_type: [
    415,
    'invalid_request',
    'send the body as application/json or application/x-www-form-urlencoded, in UTF-8',
  ],
  body_too_large: [413, 'invalid_request', 'the body must not be larger than 64 KB'],
  unreadable_body: [400, 'invalid_request', 'the body cannot be read'],
  repeated_field: [400, 'invalid_request', 'a field must not be sent more than once'],
  field_not_a_string: [400, 'invalid_request', 'the value of every field must be a string'],
  field_with_nul: [400, 'invalid_request', 'a value must not contain the NUL character'],
  two_authentications: [
    400,
    'invalid_request',
    'authenticate the client in one way only: HTTP Basic or the body',
  ],
  two_clients: [400, 'invalid_request', 'the body names another client_id than HTTP Basic does'],
  client_id_required: [400, 'invalid_request', 'client_id is required'],
  grant_type_unsupported: [
    400,
    'invalid_request',
    "grant_type must be 'authorization_code' or 'refresh_token'",
  ],
  code_required: [400, 'invalid_request', 'code is required'],
  redirect_uri_required: [400, 'invalid_request', 'redirect_uri is required'],
  refresh_token_required: [400, 'invalid_request', 'refresh_token is required'],
  token_required: [400, 'invalid_request', 'token is required'],
  invalid_dpop_proof: [400, 'invalid_dpop_proof', 'invalid_dpop_proof'],
  use_dpop_nonce: [400, 'use_dpop_nonce', 'put the value of the DPoP-Nonce header into the proof'],
  client_not_found: [401, 'invalid_client', 'client_not_found'],
  invalid_client_credentials: [401, 'invalid_client', 'invalid_client_credentials'],
  client_not_accepted: [401, 'invalid_client', 'client_not_accepted'],
  code_verifier_required: [400, 'invalid_request', 'code_verifier is required'],
  code_invalid_or_expired: [400, 'invalid_grant', 'code_invalid_or_expired'],
  redirect_uri_mismatch: [400, 'invalid_grant', 'redirect_uri_mismatch'],
  pkce_verification_failed: [400, 'invalid_grant', 'pkce_verification_failed'],
  dpop_key_mismatch: [400, 'invalid_grant', 'dpop_key_mismatch'],
  invalid_refresh_token: [400, 'invalid_grant', 'invalid_refresh_token'],
  scope_exceeds_grant: [400, 'invalid_scope', 'scope_exceeds_grant'],
  resource_not_granted: [400, 'invalid_target', 'resource_not_granted'],
  too_many_requests: [429, 'temporarily_unavailable', 'too many requests; wait a little and try again'],
  internal_error: [500, 'server_error', 'internal_error'],
  try_again: [503, 'temporarily_unavailable', 'try_again'],
} satisfies Record<string, TokenErrorAnswer>;

export type TokenErrorAnswer = readonly [status: number, error: string, description: string];

export type TokenRefusalReason = keyof typeof tokenRefusals;

export function isTokenRefusalReason(text: string): text is TokenRefusalReason {
  return Object.hasOwn(tokenRefusals, text);
}

/** The wire doesn't tell the cause (contract §4). */
export type TokenCause =
  | ClientCause
  | CodeCause
  | RefreshCause
  | DpopCause
  | { readonly kind: 'basic_unreadable' }
  | { readonly kind: 'resource_not_granted'; readonly granted: readonly string[] }
  | { readonly kind: 'grant_rate_limited' };

export interface TokenRefusal extends Refusal<TokenRefusalReason> {
  readonly cause?: TokenCause;
}

/** The client is sent these errors (contract §3, RFC 6749 §4.1.2.1). */
export const authorizationRefusals = {
  unsupported_response_type: ['unsupported_response_type', "response_type must be 'code'"],
  parameter_malformed: ['invalid_request', 'a_parameter_is_repeated_too_long_or_damaged'],
  response_mode_not_supported: ['invalid_request', 'response_mode_must_be_query_fragment_or_form_post'],
  form_post_not_possible: ['invalid_request', 'form_post_needs_a_web_address_and_a_state_of_one_line'],
  response_type_missing: ['invalid_request', 'response_type_required_with_openid'],
  code_challenge_required: ['invalid_request', 'code_challenge_required'],
  code_challenge_method_must_be_S256: ['invalid_request', 'code_challenge_method_must_be_S256'],
  code_challenge_malformed: ['invalid_request', 'code_challenge_must_be_43_base64url_characters'],
  dpop_jkt_malformed: ['invalid_request', 'dpop_jkt_must_be_43_base64url_characters'],
  scope_not_registered: ['invalid_scope', 'scope_unknown_or_not_registered'],
  openid_not_registered: ['invalid_scope', 'openid_not_registered'],
  resource_not_known: ['invalid_target', 'resource_not_known_here'],
  team_not_found_or_no_access: ['access_denied', 'team_not_found_or_no_access'],
  user_denied: ['access_denied', 'user_denied'],
  request_not_supported: ['request_not_supported', 'request_not_supported'],
  request_uri_not_supported: ['request_uri_not_supported', 'request_uri_not_supported'],
  login_required: ['login_required', 'prompt_none_but_not_signed_in'],
  consent_required: ['consent_required', 'prompt_none_but_not_approved'],
  interaction_required: ['interaction_required', 'prompt_none_but_a_page_is_needed'],
  server_error: ['server_error', 'internal_error'],
  try_again: ['temporarily_unavailable', 'try_again'],
} satisfies Record<string, readonly [error: string, description: string]>;

export type AuthorizationRefusalReason = keyof typeof authorizationRefusals;

/** The page shows these refusals (contract §3, RFC 6749 §3.1.2.4). */
export const pageRefusals = [
  'request_malformed',
  'client_unknown',
  'client_not_accepted',
  'redirect_uri_missing',
  'redirect_uri_not_registered',
] as const;

export type PageRefusalReason = (typeof pageRefusals)[number];
