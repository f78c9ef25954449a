import type { ReviewStatus } from './client.ts';
import type { CodeCause } from './code.ts';
import type { RedirectUriDifference } from './redirect-uri-difference.ts';
import type { RefreshCause } from './refresh.ts';
import type { Scope } from './scope.ts';
import type { TokenShape } from './token-shape.ts';
import type { VerifierFault } from './verifier-fault.ts';

/** What should have been presented. */
export type TokenKind = 'code' | 'refresh_token';

/** Fields of a token request by their names on the wire. */
export const tokenFields = [
  'client_id',
  'client_secret',
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
] as const;
export type TokenField = (typeof tokenFields)[number];

/** What was wrong with the request itself. `isInQuery`: the field stood in the address instead of in the body. */
type RequestExplanation =
  | { readonly kind: 'field_missing'; readonly field: TokenField; readonly isInQuery: boolean }
  | { readonly kind: 'body_missing' }
  | { readonly kind: 'body_refused' }
  | {
      readonly kind: 'grant_type_unknown';
      /** Undefined where the value could be anything but a word. */
      readonly value: string | undefined;
      readonly meant: 'authorization_code' | 'refresh_token' | undefined;
    }
  | { readonly kind: 'two_authentications' }
  | { readonly kind: 'two_clients' }
  | { readonly kind: 'secrets_flooded' }
  | { readonly kind: 'grant_flooded' }
  | { readonly kind: 'our_fault'; readonly isPassing: boolean };

/** What was wrong with the client or its authentication. Hints are the last characters of stored secrets, never of a presented one. */
type ClientExplanation =
  | { readonly kind: 'basic_unreadable' }
  | { readonly kind: 'secret_is_client_id' }
  | { readonly kind: 'secret_is_token'; readonly shape: TokenShape }
  | { readonly kind: 'secret_spoilt'; readonly by: 'blanks' | 'quotes' | 'percent_encoded' }
  | { readonly kind: 'secret_deleted'; readonly hint: string; readonly secondsAgo: number }
  | { readonly kind: 'secret_wrong'; readonly liveHints: readonly string[] }
  | { readonly kind: 'client_not_accepted'; readonly status: ReviewStatus };

/** What was wrong with the code or the refresh token as such. */
type TokenExplanation =
  | { readonly kind: 'token_unreadable'; readonly token: TokenKind; readonly shape: TokenShape }
  /** It was ours; the grant is there no more. */
  | { readonly kind: 'grant_gone'; readonly token: TokenKind }
  | { readonly kind: 'team_left'; readonly token: TokenKind }
  | {
      readonly kind: 'redirect_uri_differs';
      readonly how: RedirectUriDifference;
      readonly asked: string;
      /** Redacted. */
      readonly sent: string;
      readonly isRegistered: boolean;
    }
  | { readonly kind: 'verifier_wrong'; readonly fault: VerifierFault; readonly length: number }
  | {
      readonly kind: 'scope_too_wide';
      readonly granted: readonly Scope[];
      readonly tooMuch: readonly Scope[];
      readonly hasUnknown: boolean;
    };

/** The causes that say all there is to say. */
type PlainCause = Exclude<
  CodeCause | RefreshCause,
  {
    readonly kind:
      | 'code_unknown'
      | 'refresh_token_unknown'
      | 'redirect_uri_differs'
      | 'verifier_wrong'
      | 'scope_too_wide';
  }
>;

/**
 * Why a token request failed, for the one who wrote the client: what the wire may not tell (contract §4). None holds a secret, a code or a
 * token, nor anything that another client's owner may not know.
 */
export type Explanation = RequestExplanation | ClientExplanation | TokenExplanation | PlainCause;
