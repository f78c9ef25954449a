import { hash } from 'node:crypto';
import type { TokenCause, TokenRefusal, TokenRefusalReason } from '../core/refusal.ts';
import { mayUse, type Scope, scopeNames } from '../core/scope.ts';
import type { Fields } from '../token/body.ts';
import type { PresentedBasic } from '../token/client-authentication.ts';
import { type Difference, findDifference } from './redirect-uri.ts';
import type { fields as fieldWords, shapes, verifierFaults } from './words.ts';

/** A token request that was refused, as the endpoint has it once its answer is out. */
export interface FailedRequest {
  readonly requestId: string;
  readonly at: Date;
  readonly refusal: TokenRefusal;
  /** Of the body; empty when it couldn't be read. */
  readonly fields: Fields;
  readonly basic: PresentedBasic;
  /** Of the URL, where no field belongs; some send `client_id` there. */
  readonly query: unknown;
}

type TokenField = keyof typeof fieldWords;
type GrantToken = 'code' | 'refresh_token';
type Shape = keyof typeof shapes;
type VerifierFault = keyof typeof verifierFaults;

/** The causes that need no look at the request. */
type PlainCause = Exclude<
  TokenCause,
  {
    readonly kind:
      | 'secret_missing'
      | 'secret_wrong'
      | 'token_unreadable'
      | 'grant_gone'
      | 'redirect_uri_differs'
      | 'verifier_wrong'
      | 'scope_too_wide';
  }
>;

/**
 * Why a token request failed, as it is stored for the client's owner: facts only, and none of them
 * a secret, code, token or verifier, or a part of one (security C25).
 */
export type Diagnosis =
  | PlainCause
  | { readonly kind: 'body_unreadable' | 'grant_type_unknown' | 'two_authentications' | 'two_clients' }
  | { readonly kind: 'secret_is_client_id' | 'secret_damaged' | 'secrets_rate_limited' | 'our_fault' }
  | { readonly kind: 'field_missing'; readonly field: TokenField }
  | { readonly kind: 'secret_is_token'; readonly shape: Shape }
  /** Hints are the last characters of stored secrets, never of the presented one. */
  | { readonly kind: 'secret_wrong'; readonly activeHints: readonly string[] }
  | { readonly kind: 'secret_deleted'; readonly hint: string; readonly secondsAgo: number }
  | { readonly kind: 'token_unreadable'; readonly token: GrantToken; readonly shape: Shape }
  | { readonly kind: 'grant_gone'; readonly token: GrantToken }
  | (Difference & { readonly kind: 'redirect_uri_differs'; readonly isRegistered: boolean })
  | { readonly kind: 'verifier_wrong'; readonly fault: VerifierFault; readonly length: number }
  | {
      readonly kind: 'scope_too_wide';
      readonly granted: readonly Scope[];
      readonly tooMuch: readonly Scope[];
    };

/** No value is looked at beyond the longest that could have been registered (contract §2). */
const maxValueLength = 2000;

/**
 * The client that a request names, wherever it does; undefined when that can't be a client's id.
 */
export function clientIdOf({ fields, basic, query }: FailedRequest): string | undefined {
  const id = fields['client_id'] ?? (basic === 'unreadable' ? undefined : basic?.clientId);
  const named = id ?? new Map(Object.entries(query ?? {})).get('client_id');
  return typeof named === 'string' && /^[\w-]{1,64}$/.test(named) ? named : undefined;
}

/** Why the request failed: the refusal's facts, and what the presented values look like. */
export function diagnose(failed: FailedRequest): Diagnosis {
  const { basic, fields, refusal } = failed;
  const { reason, cause } = refusal;
  const presented = (name: string): string => (fields[name] ?? '').slice(0, maxValueLength);
  const token = reason === 'invalid_refresh_token' ? 'refresh_token' : 'code';
  if (cause === undefined) return diagnoseReason(reason, fields);
  switch (cause.kind) {
    case 'secret_missing':
      return { kind: 'field_missing', field: 'client_secret' };
    case 'secret_wrong': {
      const fromBasic = basic === 'unreadable' ? undefined : basic?.clientSecret;
      const secret = presented('client_secret') || (fromBasic ?? '').slice(0, maxValueLength);
      return diagnoseSecret(secret, clientIdOf(failed));
    }
    case 'token_unreadable':
      return { kind: 'token_unreadable', token, shape: shapeOf(presented(token), token) };
    case 'grant_gone':
      return { kind: 'grant_gone', token };
    case 'redirect_uri_differs': {
      const { kind, isRegistered, asked } = cause;
      return { kind, isRegistered, ...findDifference(presented('redirect_uri'), asked) };
    }
    case 'verifier_wrong': {
      const verifier = presented('code_verifier');
      return { kind: cause.kind, fault: faultOf(verifier, cause.challenge), length: verifier.length };
    }
    case 'scope_too_wide':
      return diagnoseScope(presented('scope'), cause.granted);
    default:
      return cause;
  }
}

const reasonsOfMissing: Partial<Record<TokenRefusalReason, TokenField>> = {
  client_id_required: 'client_id',
  code_required: 'code',
  redirect_uri_required: 'redirect_uri',
  refresh_token_required: 'refresh_token',
};

function diagnoseReason(reason: TokenRefusalReason, fields: Fields): Diagnosis {
  const field = reasonsOfMissing[reason];
  if (field !== undefined) return { kind: 'field_missing', field };
  switch (reason) {
    case 'grant_type_unsupported':
      return fields['grant_type'] === undefined
        ? { kind: 'field_missing', field: 'grant_type' }
        : { kind: 'grant_type_unknown' };
    case 'two_authentications':
    case 'two_clients':
      return { kind: reason };
    case 'too_many_requests':
      return { kind: 'secrets_rate_limited' };
    case 'internal_error':
    case 'try_again':
      return { kind: 'our_fault' };
    default:
      return { kind: 'body_unreadable' };
  }
}

function diagnoseSecret(secret: string, clientId: string | undefined): Diagnosis {
  if (secret.trim() === clientId) return { kind: 'secret_is_client_id' };
  const shape = kindOf(secret);
  if (shape !== undefined && shape !== 'client_secret') return { kind: 'secret_is_token', shape };
  return isDamaged(secret) ? { kind: 'secret_damaged' } : { kind: 'secret_wrong', activeHints: [] };
}

/** Characters of a code or refresh token, prefix included. */
const tokenLength = 74;

function shapeOf(text: string, expected: GrantToken): Shape {
  if (isDamaged(text)) return 'damaged';
  const kind = kindOf(text);
  if (kind !== expected) return kind ?? 'foreign';
  return text.length < tokenLength ? 'truncated' : 'altered';
}

function kindOf(text: string) {
  const prefixes = {
    lkc_: 'code',
    lkr_: 'refresh_token',
    lks_: 'client_secret',
    eyJ: 'access_token',
  } as const;
  return Object.entries(prefixes).find(([prefix]) => text.startsWith(prefix))?.[1];
}

/** What none of our values contains: whitespace, quotation marks, percent-encoding. */
function isDamaged(text: string): boolean {
  return /[\s"'%]/.test(text);
}

function faultOf(verifier: string, challenge: string): VerifierFault {
  if (verifier === challenge) return 'is_challenge';
  // A form makes a space of a `+` that wasn't encoded.
  if (/^[\w+/ -]+={0,2}$/.test(verifier) && /[+/=]|\w \w/.test(verifier)) return 'base64';
  if (!/^[\w.~-]{43,128}$/.test(verifier)) return 'malformed';
  const challengeOf = (text: string): string => hash('sha256', text, 'base64url');
  const wrongly = [challengeOf(challengeOf(verifier)), challengeOf(`${verifier}\n`)];
  return wrongly.includes(challenge) ? 'hashed_wrongly' : 'another';
}

/** Unknown names aren't kept: they could be anything. */
function diagnoseScope(requested: string, granted: readonly Scope[]): Diagnosis {
  const names = requested.split(/[ ,]+/);
  const tooMuch = scopeNames.filter((scope) => names.includes(scope) && !mayUse(granted, scope));
  return { kind: 'scope_too_wide', granted, tooMuch };
}
