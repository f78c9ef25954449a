import { isDocumentUrl } from '../client-id.ts';
import type { TokenRefusal } from '../core/refusal.ts';
import type { KnownScopes } from '../core/scope.ts';
import type { Fields } from '../http/body.ts';
import type { PresentedBasic } from '../http/presented.ts';
import { mayUse } from '../own-scopes.ts';
import {
  type Diagnosis,
  type GrantToken,
  type Shape,
  tokenLength,
  type UriDifference,
  type VerifierFault,
} from './causes.ts';

export interface FailedRequest {
  readonly requestId: string;
  readonly at: Date;
  readonly refusal: TokenRefusal;
  readonly fields: Fields;
  readonly basic: PresentedBasic;
  /** No field belongs in the URL, but some send `client_id` there. */
  readonly query: unknown;
}

/** Nothing longer could have been registered (contract §2), so nothing beyond is read. */
const maxValueLength = 2000;

export function clientIdIn({ fields, basic, query }: FailedRequest): string | undefined {
  const id = fields['client_id'] ?? (basic === 'unreadable' ? undefined : basic?.clientId);
  const named = id ?? new Map(Object.entries(query ?? {})).get('client_id');
  if (typeof named !== 'string') return undefined;
  return /^[\w-]{1,64}$/.test(named) || isDocumentUrl(named) ? named : undefined;
}

export function diagnose(failed: FailedRequest, known: KnownScopes): Diagnosis {
  const { basic, fields, refusal } = failed;
  const { reason, cause } = refusal;
  const presented = (name: string): string => (fields[name] ?? '').slice(0, maxValueLength);
  const token = reason === 'invalid_refresh_token' ? 'refresh_token' : 'code';
  if (reason === 'grant_type_unsupported' && fields['grant_type'] === undefined)
    return { kind: 'grant_type_missing' };
  if (cause === undefined)
    return { kind: reason === 'too_many_requests' ? 'secrets_rate_limited' : 'unexamined' };
  switch (cause.kind) {
    case 'secret_wrong': {
      const fromBasic = basic === 'unreadable' ? undefined : basic?.clientSecret;
      const secret = presented('client_secret') || (fromBasic ?? '').slice(0, maxValueLength);
      return diagnoseSecret(secret, clientIdIn(failed));
    }
    case 'token_unreadable': {
      const shape = shapeOf(presented(token), token);
      const length = shape === 'truncated' ? presented(token).length : undefined;
      return { kind: 'token_unreadable', token, shape, ...(length === undefined ? {} : { length }) };
    }
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
    case 'scope_too_wide': {
      const { kind, granted } = cause;
      const names = presented('scope').split(/[ ,]+/);
      // Unknown names aren't kept: they could be anything.
      const tooMuch = known.filter((scope) => names.includes(scope) && !mayUse(granted, scope));
      return { kind, granted, tooMuch };
    }
    default:
      return cause;
  }
}

function diagnoseSecret(secret: string, clientId: string | undefined): Diagnosis {
  if (secret.trim() === clientId) return { kind: 'secret_is_client_id' };
  const shape = kindOf(secret);
  if (shape !== undefined && shape !== 'client_secret') return { kind: 'secret_is_token', shape };
  if (isDamaged(secret)) return { kind: 'secret_damaged' };
  const length = shape === undefined ? {} : { length: secret.length };
  return { kind: 'secret_wrong', activeHints: [], ...length };
}

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

/** No code, token or secret contains these characters. */
function isDamaged(text: string): boolean {
  return /[\s"'%]/.test(text);
}

function faultOf(verifier: string, challenge: string): VerifierFault {
  if (verifier === challenge) return 'is_challenge';
  // A form makes a space of a `+` that wasn't encoded.
  if (/^[\w+/ -]+={0,2}$/.test(verifier) && /[+/=]|\w \w/.test(verifier)) return 'base64';
  return /^[\w.~-]{43,128}$/.test(verifier) ? 'another' : 'malformed';
}

const contextLength = 24;

/** The two aren't equal as strings (contract §4). */
function findDifference(sent: string, asked: string): UriDifference {
  let at = 0;
  while (at < asked.length && sent[at] === asked[at]) at += 1;
  const cut = Math.max(0, at - contextLength);
  const before = `${cut === 0 ? '' : '…'}${asked.slice(cut, at)}`;
  const expected = asked.slice(at, at + contextLength);
  return { position: at + 1, before, expected };
}
