import { type Ok, ok, type Result, refuse } from '../../result.ts';
import type { PresentedClient } from '../core/client.ts';
import type { TokenRefusal, TokenRefusalReason } from '../core/refusal.ts';
import { type Fields, formType, isUtf8 } from './body.ts';
import { type PresentedBasic, readPresentedClient } from './client.ts';

export interface EndpointHeaders {
  readonly authorizations: number;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** Checks the headers before a body is read. Returns undefined if nothing is wrong. */
export function findHeaderFault({
  authorizations,
  contentType = '',
  contentEncoding = 'identity',
}: EndpointHeaders): TokenRefusalReason | undefined {
  if (authorizations > 1) return 'two_authentications';
  // Compression and other charsets are refused (security C22); a form's charset is checked with its
  // text.
  const isPlain = contentEncoding.toLowerCase() === 'identity';
  const mayBeRead = isUtf8(contentType) || contentType.toLowerCase().startsWith(formType);
  return isPlain && mayBeRead ? undefined : 'unsupported_content_type';
}

export interface Presented<Known> {
  readonly client: PresentedClient;
  readonly fields: Known;
}

/**
 * Refuses body and client before other fields, and an unreadable Basic header last (contract §4).
 */
export function readPresented<Known>(
  read: (fields: Fields) => Result<Known, TokenRefusalReason>,
  fields: Result<Fields, TokenRefusalReason> | undefined,
  basic: PresentedBasic,
): Ok<Presented<Known>> | TokenRefusal {
  if (fields === undefined) return refuse('unsupported_content_type');
  if (!fields.ok) return fields;
  const client = readPresentedClient(fields.value, basic);
  if (!client.ok && client.reason !== 'invalid_client_credentials') return client;
  const known = read(fields.value);
  if (!known.ok) return known;
  return client.ok ? ok({ client: client.value, fields: known.value }) : client;
}

/** Returns the client that a request only claims to be from: it isn't authenticated. */
export function claimedClientOf(
  call: { readonly basic?: PresentedBasic; readonly fields?: Result<Fields, string> | undefined } = {},
): string | undefined {
  const { basic, fields } = call;
  if (typeof basic === 'object') return basic.clientId;
  return fields?.ok === true ? fields.value['client_id'] : undefined;
}
