import type { TokenRefusalReason } from '../core/refusal.ts';

const sendAgain = 'Fix the request and send it again: the code or refresh token still works.';
const askAgain = 'Send the user to the authorization page again.';

/**
 * What to do about each refusal; where the diagnosis knows no more, the owner reads it, too. Names
 * between backticks are code.
 */
export const tokenAdvice = {
  method_not_allowed: 'Send a POST request. Many HTTP clients turn a POST into a GET at a redirect.',
  unsupported_content_type:
    'Send one form or one JSON object, and nothing in the URL. Set `Content-Type` to its type, without compression or another charset. For a JSON body, send `Content-Type: application/json`: curl’s `-d` sends the form type.',
  body_too_large: 'Send the listed fields only.',
  unreadable_body: 'Send one form or one JSON object in UTF-8, in the body and not in the URL.',
  repeated_field: 'Send each field once. Only `resource` can be repeated.',
  field_not_a_string: 'Put every value in quotation marks. Only `resource` can be an array.',
  field_with_nul: 'Check how the value is read: it may be padded or cut from a fixed-size buffer.',
  two_authentications:
    'Your app authenticated twice: with an `Authorization: Basic` header and in the body. Many OAuth libraries send the header themselves; then leave `client_secret` out of the body.',
  two_clients:
    'The `Authorization: Basic` header has a different client ID than the body. Send the same one in both, or leave it out of the body.',
  client_id_required:
    'The body had no `client_id`. Send your app’s client ID, in the body and not in the URL, or authenticate with HTTP Basic. Field names are lowercase snake_case.',
  grant_type_unsupported:
    '`grant_type` isn’t supported. Send `authorization_code` to exchange a code, or `refresh_token` to refresh.',
  code_required:
    'The body had no `code`. Send the `code` parameter of the URL the user came back to, complete and decoded once, in the body and not in the URL.',
  redirect_uri_required:
    'The body had no `redirect_uri`. Send exactly the `redirect_uri` of the authorization request, in the body and not in the URL.',
  refresh_token_required:
    'The body had no `refresh_token`. Send the one of the latest response, complete and unchanged, in the body and not in the URL.',
  token_required: 'Send the access token or refresh token in `token`.',
  invalid_dpop_proof:
    'The app’s failed requests say what is wrong with the proof. Make a new one for each request, for the address in our metadata.',
  use_dpop_nonce:
    'No failure: put the value of the `DPoP-Nonce` header into a new proof, and send the request again. Every response has the next one.',
  client_not_found: 'Check the client ID, and that it belongs to this installation.',
  invalid_client_credentials:
    'The secret is missing, wrong or deleted. A line break at its end is a usual reason. Public clients have no secret, so they can’t use endpoints that ask for one.',
  client_not_accepted:
    'The app is in review, or was rejected or suspended. Its overview says which, and why.',
  code_verifier_required:
    'The request had no `code_verifier`. Public apps always need one, and so does every authorization request with a `code_challenge`. Keep it in the session until the user comes back.',
  code_invalid_or_expired: `A code works once, for a minute. A reloaded callback page or a handler that runs twice sends it again. ${askAgain}`,
  redirect_uri_mismatch: `Send exactly the \`redirect_uri\` of the authorization request; compare trailing slash, scheme, port and encoding. ${sendAgain}`,
  pkce_verification_failed: `Send the verifier of this authorization request, without padding. Keep one for each request: a second tab may have overwritten it. ${sendAgain}`,
  dpop_key_mismatch: `The code or refresh token is bound to a key. Keep one key for as long as the refresh token, and send a proof with every request. ${askAgain}`,
  invalid_refresh_token: `The user removed access, the token expired, or an older token was stored over a newer one. Keep one token store for all workers, and always replace the stored token. ${askAgain}`,
  scope_exceeds_grant:
    'Leave `scope` out, or ask for scopes that the user approved and the app is registered for.',
  resource_not_granted: 'Leave `resource` out, or send one that the authorization request had.',
  too_many_requests:
    'Wait for the seconds in `Retry-After`. Use an access token until it expires instead of refreshing for every call, and check the secret.',
  internal_error:
    'Something went wrong on our side. Send the same request again: the code or refresh token still works.',
  try_again:
    'Something went wrong on our side. Wait for the seconds in `Retry-After`, then send the same request again.',
} as const satisfies Record<TokenRefusalReason, string>;

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/advice': { readonly sentence: ReturnType<typeof piecesOf> };
  }
}

/** Splits a sentence at its names in code. */
export function piecesOf(sentence: string) {
  return sentence.split('`').map((text, index) => ({ text, isCode: index % 2 === 1 }));
}
