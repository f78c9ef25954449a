import { isTokenRefusalReason, type TokenCause, type TokenRefusalReason } from '../core/refusal.ts';
import type { Scope } from '../core/scope.ts';
import { dpopFaults } from '../dpop.ts';
import { tokenAdvice } from '../token/advice.ts';

const fields = {
  code: 'the `code` parameter of the URL the user came back to, complete and decoded once',
  refresh_token: 'the `refresh_token` of the latest response, complete and unchanged',
} as const;

const shapes = {
  code: 'it looks like an authorization code',
  refresh_token: 'it looks like a refresh token',
  client_secret: 'it looks like a client secret',
  access_token: 'it looks like an access token',
  damaged: 'the value contains whitespace, quotation marks or percent-encoding',
  truncated: 'the value looks truncated',
  altered: 'the value was changed, or comes from another environment',
  foreign: 'the value isn’t one of ours',
} as const;

const statuses = {
  pending: 'This app is in review. It gets tokens once it’s approved.',
  rejected:
    'A reviewer rejected or suspended this app. Read the reason in the overview, correct the app under Edit and submit it again.',
  accepted: 'This app wasn’t approved yet. It is now: send the request again.',
} as const;

const revokers = {
  client: ' by your app, at the revocation endpoint',
  user: ' by the user, who disconnected your app',
  owner: ' by an owner of the app',
  admin: ' by an admin',
  code_replay: ', because its code was used a second time',
  refresh_token_theft: ', because an old refresh token was used again',
  leaked: ', because a code or token of it was reported as leaked',
  too_many:
    ', because the user connected your app more than 100 times, and this access was unused for longest',
} as const;

/** A code verifier and its challenge can have these faults (RFC 7636 §4). */
const verifierFaults = {
  is_challenge: 'is the `code_challenge` itself. Send the random text that you made the challenge from.',
  base64:
    'looks like padded or plain base64. Use base64url: `-` and `_` instead of `+` and `/`, and no `=` padding.',
  malformed:
    'must be 43 to 128 letters, digits, `-`, `.`, `_` or `~`. 32 random bytes as base64url are right.',
  another:
    'doesn’t belong to this authorization request, whose `code_challenge` has to be base64url(SHA-256(verifier)). Keep one verifier for each request, for example by `state`: a second tab or a reload often overwrites the first.',
} as const;

export type GrantToken = keyof typeof fields;
export type Shape = keyof typeof shapes;
export type VerifierFault = keyof typeof verifierFaults;

/** `before` and `expected` are of the registered URI: the presented one could hold a secret. */
export interface UriDifference {
  readonly position: number;
  readonly before: string;
  readonly expected: string;
}

type Examined =
  | ('secret_wrong' | 'token_unreadable' | 'grant_gone')
  | ('redirect_uri_differs' | 'verifier_wrong' | 'scope_too_wide');

/** Authorization and sign-out requests ask for what isn't given. */
export const notRegistered = ['openid_not_registered', 'post_logout_redirect_uri_not_registered'] as const;
export type NotRegistered = (typeof notRegistered)[number];
export type FailureReason = TokenRefusalReason | NotRegistered;

/** The stored diagnosis has facts, and no part of a secret (security C25). */
export type Diagnosis =
  | Exclude<TokenCause, { readonly kind: Examined }>
  /** Nothing is known but the reason. */
  | { readonly kind: 'unexamined' }
  | { readonly kind: 'grant_type_missing' }
  /** Unless it's refused, the request went on without. */
  | { readonly kind: 'openid_not_registered'; readonly isRefused: boolean; readonly isOffered: boolean }
  /** `uri` is without its query, which could hold a secret; an app couldn't register any other. */
  | { readonly kind: 'post_logout_redirect_uri_not_registered'; readonly uri?: string | undefined }
  | { readonly kind: 'secret_is_client_id' | 'secret_damaged' | 'secrets_rate_limited' }
  | { readonly kind: 'secret_is_token'; readonly shape: Shape }
  /** Hints are the last characters of stored secrets, never of the presented one. */
  | { readonly kind: 'secret_wrong'; readonly activeHints: readonly string[]; readonly length?: number }
  | { readonly kind: 'secret_deleted'; readonly hint: string; readonly secondsAgo: number }
  | {
      readonly kind: 'token_unreadable';
      readonly token: GrantToken;
      readonly shape: Shape;
      readonly length?: number;
    }
  | { readonly kind: 'grant_gone'; readonly token: GrantToken }
  | (UriDifference & { readonly kind: 'redirect_uri_differs'; readonly isRegistered: boolean })
  | { readonly kind: 'verifier_wrong'; readonly fault: VerifierFault; readonly length: number }
  | {
      readonly kind: 'scope_too_wide';
      readonly granted: readonly Scope[];
      readonly tooMuch: readonly Scope[];
    };

const sendUser = 'send the user to the authorization page again.';
const authorizeAgain = `S${sendUser.slice(1)}`;
const storeNewest =
  'Always replace the stored refresh token with the latest one, and let one process refresh at a time.';
const newSecret = 'If you don’t have it any more, add a new one under Secrets.';

/** Secrets, and codes and refresh tokens, have so many characters. */
const secretLength = 47;
export const tokenLength = 74;

const isShort = (length: number | undefined, whole: number): length is number =>
  length !== undefined && length < whole;

/** Says what was wrong and what to do. Names between backticks are code. */
export function explain(it: Diagnosis, reason: FailureReason): string {
  switch (it.kind) {
    case 'grant_type_missing':
      return 'The body had no `grant_type`. Send `authorization_code` to exchange a code, or `refresh_token` to refresh, in the body and not in the URL.';
    case 'openid_not_registered': {
      const outcome = it.isRefused ? 'it was refused' : 'it went on without, and there is no `id_token`';
      const advice = it.isOffered
        ? 'Register the app for `openid` under Sign-in, with `profile` and `email` if it reads them. Or leave `openid` out of `scope`.'
        : 'This installation doesn’t sign people in with OpenID Connect: leave `openid` out of `scope`.';
      return `An authorization request asked for \`openid\`, which the app isn’t registered for, so ${outcome}. ${advice}`;
    }
    case 'post_logout_redirect_uri_not_registered': {
      const advice = 'match character for character.';
      if (it.uri === undefined)
        return `After a sign-out, \`post_logout_redirect_uri\` was no address that can be registered, so the user stayed on our page. Send one of the app’s sign-out URIs; they ${advice}`;
      return `After a sign-out, \`post_logout_redirect_uri\` wasn’t registered, so the user stayed on our page. It began with \`${it.uri}\`. If that’s an address of your app, add it to the app’s sign-out URIs, which ${advice} Anyone can make such a request: never add someone else’s address.`;
    }
    case 'secret_missing':
      return 'The body had no `client_secret`. Send your app’s secret, in the body and not in the URL. Or authenticate with HTTP Basic. Field names are lowercase snake_case.';
    case 'basic_unreadable':
      return 'The `Authorization: Basic` header couldn’t be read. Percent-encode client ID and secret, join them with a colon, and encode that as base64 with padding.';
    case 'secret_is_client_id':
      return `The client secret that was sent is this app’s client ID. Send the secret instead. ${newSecret}`;
    case 'secret_is_token':
      return `That isn’t a client secret; ${shapes[it.shape]}. A client secret starts with \`lks_\`. ${newSecret}`;
    case 'secret_damaged':
      return `In the client secret that was sent, ${shapes.damaged}. Trim it where you read it: files and environment variables often end in a line break.`;
    case 'secret_wrong': {
      const hints = codes(it.activeHints) || 'nothing: the app has none';
      if (isShort(it.length, secretLength))
        return `The client secret that was sent is truncated: it has ${it.length} of ${secretLength} characters. The active secret ends in ${hints}. Is the place you store it in wide enough?`;
      return `That client secret doesn’t belong to this app. The active secret ends in ${hints}. ${newSecret}`;
    }
    case 'secret_deleted':
      return `Your app uses the secret that ends in \`${it.hint}\`, deleted ${durationOf(it.secondsAgo)} earlier. Give it an active secret and restart it: some instance still uses the old one.`;
    case 'secrets_rate_limited':
      return 'Too many requests with a wrong secret within a minute. Earlier failed requests say what is wrong with it. Requests with the right secret still succeed.';
    case 'client_not_accepted':
      return statuses[it.status];
    case 'token_unreadable':
      return `This isn’t a valid ${it.token.replace('_', ' ')}; ${shapes[it.shape]}${isShort(it.length, tokenLength) ? ` (${it.length} of ${tokenLength} characters)` : ''}. Send ${fields[it.token]}. It starts with \`${it.token === 'code' ? 'lkc_' : 'lkr_'}\`. Is the column you store it in wide enough?`;
    case 'grant_gone':
      return `The access this ${it.token.replace('_', ' ')} stood for is gone: it ended more than 30 days ago, the user has connected your app more than 100 times since, the account was deleted, or the user no longer manages the team. ${authorizeAgain}`;
    case 'grant_revoked': {
      const isReuse = it.by === 'code_replay' || it.by === 'refresh_token_theft';
      const advice = isReuse ? ` To prevent this: ${storeNewest}` : '';
      return `Access was revoked ${durationOf(it.secondsAgo)} earlier${it.by === null ? '' : revokers[it.by]}. ${authorizeAgain}${advice}`;
    }
    case 'grant_rate_limited':
      return 'Too many requests for the same user within a minute. Use an access token until it expires (30 minutes), then refresh: a loop that refreshes on every call is the usual reason.';
    case 'code_of_another_client':
      return 'The code was issued to another client. Exchange it with the client ID of the authorization request: two environments that share settings are the usual reason.';
    case 'code_used': {
      const replay = it.revokes
        ? ' This looked like a replay, so we revoked its tokens. With a `code_challenge`, a double submit within 10 seconds doesn’t.'
        : '';
      return `The code was already used ${durationOf(it.secondsAgo)} earlier.${replay} Find what sends it twice: a handler that runs twice, a retry, or a page reload. ${authorizeAgain}`;
    }
    case 'code_expired':
      return `The code expired ${durationOf(it.secondsAgo)} earlier; codes last ${durationOf(it.lifetimeSeconds)}. Exchange it as soon as the user comes back, before anything slow. ${authorizeAgain}`;
    case 'redirect_uri_differs': {
      const after = it.before === '' ? '' : ` after \`${it.before}\``;
      const expected = it.expected === '' ? 'nothing more' : `\`${it.expected}\``;
      const other = it.isRegistered ? ' It’s registered, but not the one of this authorization request.' : '';
      return `\`redirect_uri\` differs: at character ${it.position}, we expected ${expected}${after}.${other} Send exactly the \`redirect_uri\` of the authorization request. The code wasn’t used up: you can exchange it until it expires.`;
    }
    case 'verifier_not_asked_for':
      return 'The request had a `code_verifier`, but its authorization request had no `code_challenge`. Send both or neither.';
    case 'verifier_wrong':
      return `\`code_verifier\` (${it.length} characters) ${verifierFaults[it.fault]}`;
    case 'dpop_proof_invalid':
      return `The DPoP proof is invalid: ${dpopFaults[it.fault]}.`;
    case 'dpop_key_mismatch': {
      const sent = it.isPresented ? 'a DPoP proof of another key' : 'no DPoP proof';
      return `The code or refresh token is bound to a key, and the request had ${sent}. Keep one key for as long as you keep the refresh token, and send a proof with every request. Nothing was used up. If the key is gone, ${sendUser}`;
    }
    case 'refresh_token_of_another_client':
      return 'The refresh token was issued to another client. Refresh with the client ID that exchanged the code: two environments that share a database are the usual reason.';
    case 'refresh_token_overtaken':
      return `Another request used this refresh token or revoked access at the same moment. ${storeNewest}`;
    case 'refresh_token_too_old':
      return `The user approved your app more than ${durationOf(it.lifetimeSeconds)} ago and has to approve it again. ${authorizeAgain}`;
    case 'refresh_token_unused':
      return `The refresh token expired: it wasn’t used for ${durationOf(it.lifetimeSeconds)}. ${authorizeAgain} To keep access that you rarely need, refresh from time to time.`;
    case 'refresh_token_spent': {
      const outcome = it.revokes
        ? `This looked like theft, so we revoked access. ${storeNewest} ${authorizeAgain}`
        : `The latest token still works. ${storeNewest} If you no longer have it, ${sendUser}`;
      return `This refresh token was replaced: ${it.generationsAgo} newer, the latest ${durationOf(it.rotatedSecondsAgo)} earlier. ${outcome}`;
    }
    case 'scope_too_wide': {
      const tooMuch = it.tooMuch.length === 0 ? '' : ` Not approved: ${codes(it.tooMuch)}.`;
      return `The user approved none of the scopes in \`scope\`, or the app isn’t registered for them.${tooMuch} Leave it out, or ask for ${codes(it.granted)} or less. The token wasn’t used up.`;
    }
    case 'registration_narrowed':
      return `Nothing is left to give of what this user approved: an edit of your app removed it, or it isn’t offered here at the moment. ${authorizeAgain}`;
    case 'resource_not_granted':
      return it.granted.length === 0
        ? `The user approved this access for a resource that isn’t available here any more. ${authorizeAgain}`
        : `\`resource\` names something that the user didn’t approve. Leave it out, or send ${codes(it.granted)}. Nothing was used up.`;
    default:
      // Rows of the version before have kinds that are no more.
      it satisfies { readonly kind: 'unexamined' | 'verifier_missing' };
      return isTokenRefusalReason(reason) ? tokenAdvice[reason] : '';
  }
}

function codes(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

export function durationOf(seconds: number): string {
  if (seconds < 1) return 'a moment';
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} seconds`;
  if (seconds < 120) return `${Math.round(seconds)} seconds`;
  if (seconds < 2 * 3600) return `${Math.round(seconds / 60)} minutes`;
  return seconds < 2 * 86_400
    ? `${Math.round(seconds / 3600)} hours`
    : `${Math.round(seconds / 86_400)} days`;
}
