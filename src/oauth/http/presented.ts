import { type Ok, ok, type Result, refuse } from '../../result.ts';
import type { PresentedClient } from '../core/client.ts';
import type { TokenRefusal, TokenRefusalReason } from '../core/refusal.ts';
import { type Fields, formType, isUtf8 } from './body.ts';
import type { Read } from './request.ts';

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
  read: Read<Known>,
  fields: Result<Fields, TokenRefusalReason> | undefined,
  basic: PresentedBasic,
  serves: (clientId: string) => boolean,
): Ok<Presented<Known>> | TokenRefusal {
  if (fields === undefined) return refuse('unsupported_content_type');
  if (!fields.ok) return fields;
  const client = readPresentedClient(fields.value, basic);
  if (!client.ok && client.reason !== 'invalid_client_credentials') return client;
  const known = read(fields.value);
  if (!known.ok) return known;
  if (!client.ok) return client;
  // No client has an empty id.
  const served = serves(client.value.clientId) ? client.value : { ...client.value, clientId: '' };
  return ok({ client: served, fields: known.value });
}

/** Returns the client that a request only claims to be from: it isn't authenticated. */
export function claimedClientOf(
  call: { readonly basic?: PresentedBasic; readonly fields?: Result<Fields, string> | undefined } = {},
): string | undefined {
  const { basic, fields } = call;
  if (typeof basic === 'object') return basic.clientId;
  return fields?.ok === true ? fields.value['client_id'] : undefined;
}

export type PresentedBasic = PresentedClient | 'unreadable' | undefined;

export function readPresentedBasic(authorization: string | undefined): PresentedBasic {
  return isBasic(authorization) ? (readBasic(authorization) ?? 'unreadable') : undefined;
}

/** Reads the body or HTTP Basic, not both (RFC 6749 §2.3.1), but the body may repeat the id. */
function readPresentedClient(fields: Fields, basic: PresentedBasic): Ok<PresentedClient> | TokenRefusal {
  const { client_id: clientId, client_secret: clientSecret } = fields;
  if (basic === undefined) {
    return clientId === undefined ? refuse('client_id_required') : ok({ clientId, clientSecret });
  }
  if (clientSecret !== undefined) return refuse('two_authentications'); // protects: C23
  if (basic === 'unreadable')
    return { ...refuse('invalid_client_credentials'), cause: { kind: 'basic_unreadable' } };
  if (clientId !== undefined && clientId !== basic.clientId) return refuse('two_clients');
  return ok(basic);
}

/** The scheme ignores case (RFC 6749 §5.2, RFC 9110 §11.1). */
export function isBasic(authorization: string | undefined): authorization is string {
  return authorization !== undefined && /^basic(?: |$)/i.test(authorization); // protects: C24
}

export function readBasic(authorization: string): PresentedClient | undefined {
  const encoded = authorization.slice('basic'.length).trim();
  const pair = decodeBase64(encoded) ?? '';
  const colon = pair.indexOf(':');
  if (colon < 1) return undefined;
  const clientId = decodeFormText(pair.slice(0, colon));
  const clientSecret = decodeFormText(pair.slice(colon + 1));
  if (!clientId || clientSecret === undefined || /\0/.test(clientId + clientSecret)) return undefined;
  return { clientId, clientSecret: clientSecret === '' ? undefined : clientSecret };
}

const utf8Text = new TextDecoder('utf-8', { ignoreBOM: true });

function decodeBase64(encoded: string): string | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return undefined;
  try {
    return utf8Text.decode(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    // No base64 has this length.
    return undefined;
  }
}

/** Id and secret are form-encoded before they are joined (RFC 6749 §2.3.1). */
function decodeFormText(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
