import type { ReviewStatus } from './client.ts';
import { readCode } from './code.ts';
import type { Hash, Mac } from './crypto.ts';
import type { Explanation, TokenField, TokenKind } from './explanation.ts';
import { redactRedirectUri } from './redaction.ts';
import { differenceOfRedirectUris } from './redirect-uri-difference.ts';
import { readRefreshToken } from './refresh.ts';
import type { TokenRefusal } from './refusal.ts';
import { isScope, mayUse, type Scope } from './scope.ts';
import { examineSecret, type SecretQuestion, type StoredSecret, settleSecret } from './secret-fault.ts';
import { shapeOfToken } from './token-shape.ts';
import { examineVerifier } from './verifier-fault.ts';

/** A token request as it came: with its secrets, and so for as short a time as can be. */
export interface PresentedRequest {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly isBasicUnreadable: boolean;
  readonly fields: Readonly<Partial<Record<TokenField, string>>>;
  /** Names of token fields that stood in the address. */
  readonly queryFields: readonly TokenField[];
}

/** What an examination leaves open until the database was asked; harmless, so that it may wait. */
export type OpenQuestion =
  | SecretQuestion
  | { readonly kind: 'which_status' }
  | { readonly kind: 'which_grant'; readonly grantId: string; readonly token: TokenKind };

/** What the database knows of the client and the grant. */
export interface Findings {
  readonly status: ReviewStatus;
  readonly secrets: readonly StoredSecret[];
  /** The grant that was asked for, if it is this client's. */
  readonly grant: { readonly teamId: number | null } | undefined;
}

/** The primitives that an examination needs. */
export interface ExaminationTools {
  readonly hash: Hash;
  readonly mac: Mac;
}

/**
 * Why the request was refused, as far as it and the refusal tell. The decision stays the authority: here it is only put in words that help,
 * and every secret, code and token is left behind.
 */
export async function examineFailure(
  refusal: TokenRefusal,
  presented: PresentedRequest,
  tools: ExaminationTools,
): Promise<Explanation | OpenQuestion> {
  return refusal.cause === undefined
    ? examineRequest(refusal, presented, tools.hash)
    : examineCause(refusal.cause, presented, tools);
}

/** The explanation, now that the database was asked. */
export function settle(question: OpenQuestion, { status, secrets, grant }: Findings, now: Date): Explanation {
  switch (question.kind) {
    case 'which_secret':
      return settleSecret(question, secrets, now);
    case 'which_status':
      return { kind: 'client_not_accepted', status };
    case 'which_grant':
      // A grant is left out of a decision only when its team is no longer the person's to act for (contract §5).
      if (grant === undefined) return { kind: 'grant_gone', token: question.token };
      return grant.teamId === null
        ? { kind: 'token_unreadable', token: question.token, shape: 'altered' }
        : { kind: 'team_left', token: question.token };
  }
}

/** Whether the examination has left something open. */
export function isOpen(examined: Explanation | OpenQuestion): examined is OpenQuestion {
  const { kind } = examined;
  return kind === 'which_secret' || kind === 'which_status' || kind === 'which_grant';
}

async function examineRequest(
  { reason }: TokenRefusal,
  presented: PresentedRequest,
  hash: Hash,
): Promise<Explanation | OpenQuestion> {
  const missing = (field: TokenField): Explanation => ({
    kind: 'field_missing',
    field,
    isInQuery: presented.queryFields.includes(field),
  });
  switch (reason) {
    case 'client_id_required':
      return missing('client_id');
    case 'code_required':
      return missing('code');
    case 'redirect_uri_required':
      return missing('redirect_uri');
    case 'refresh_token_required':
      return missing('refresh_token');
    case 'grant_type_unsupported':
      return presented.fields.grant_type === undefined
        ? missing('grant_type')
        : examineGrantType(presented.fields.grant_type);
    case 'two_authentications':
    case 'two_clients':
      return { kind: reason };
    case 'invalid_client_credentials':
      if (presented.isBasicUnreadable) return { kind: 'basic_unreadable' };
      return presented.clientSecret === undefined
        ? missing('client_secret')
        : examineSecret(presented.clientSecret, presented.clientId, hash);
    case 'client_not_accepted':
      return { kind: 'which_status' };
    case 'too_many_requests':
      return { kind: 'secrets_flooded' };
    case 'internal_error':
    case 'try_again':
      return { kind: 'our_fault', isPassing: reason === 'try_again' };
    case 'unsupported_content_type':
      return presented.queryFields.length > 0 ? { kind: 'body_missing' } : { kind: 'body_refused' };
    default:
      return { kind: 'body_refused' };
  }
}

/** The value is kept only if it is a word: nobody's secret consists of small letters, `_`, `-` and blanks alone. */
function examineGrantType(value: string): Explanation {
  const isWord = /^[A-Za-z_ -]{1,30}$/.test(value);
  const letters = value.toLowerCase().replaceAll(/[^a-z]/g, '');
  const meant = letters.startsWith('auth') || letters === 'code' ? 'authorization_code' : undefined;
  return {
    kind: 'grant_type_unknown',
    value: isWord ? value : undefined,
    meant: letters.startsWith('refresh') ? 'refresh_token' : meant,
  };
}

async function examineCause(
  cause: NonNullable<TokenRefusal['cause']>,
  presented: PresentedRequest,
  { hash, mac }: ExaminationTools,
): Promise<Explanation | OpenQuestion> {
  const { code = '', refresh_token: refreshToken = '', code_verifier: verifier = '' } = presented.fields;
  switch (cause.kind) {
    case 'code_unknown':
      return examineToken('code', code, (await readCode(code, mac))?.grantId);
    case 'refresh_token_unknown':
      return examineToken(
        'refresh_token',
        refreshToken,
        (await readRefreshToken(refreshToken, mac))?.grantId,
      );
    case 'redirect_uri_differs':
      return examineRedirectUri(cause.asked, cause.isRegistered, presented);
    case 'verifier_wrong': {
      const fault = await examineVerifier(verifier, cause.challenge, hash);
      return { kind: 'verifier_wrong', fault, length: verifier.length };
    }
    case 'scope_too_wide':
      return examineScope(presented.fields.scope ?? '', cause.granted);
    default:
      return cause;
  }
}

function examineToken(
  token: TokenKind,
  text: string,
  grantId: string | undefined,
): Explanation | OpenQuestion {
  return grantId === undefined
    ? { kind: 'token_unreadable', token, shape: shapeOfToken(text, token) }
    : { kind: 'which_grant', grantId, token };
}

function examineRedirectUri(
  asked: string,
  isRegistered: boolean,
  { fields, clientSecret }: PresentedRequest,
): Explanation {
  const { redirect_uri: sent = '', code, code_verifier: verifier } = fields;
  const own = [code, verifier, clientSecret].filter((value) => value !== undefined);
  return {
    kind: 'redirect_uri_differs',
    how: differenceOfRedirectUris(sent, asked),
    asked,
    sent: redactRedirectUri(sent, asked, own),
    isRegistered,
  };
}

/** Unknown names are counted, not kept: they could be anything. */
function examineScope(requested: string, granted: readonly Scope[]): Explanation {
  const names = requested.split(/[ ,]+/).filter((name) => name !== '');
  const tooMuch = names.filter(isScope).filter((scope) => !mayUse(granted, scope));
  const hasUnknown = !names.every(isScope);
  return { kind: 'scope_too_wide', granted, tooMuch: [...new Set(tooMuch)], hasUnknown };
}
