import { type Ok, ok, refuse } from '../../result.ts';
import type { PresentedClient } from '../core/client.ts';
import type { TokenRefusal } from '../core/refusal.ts';
import type { Fields } from './body.ts';

export type PresentedBasic = PresentedClient | 'unreadable' | undefined;

export function readPresentedBasic(authorization: string | undefined): PresentedBasic {
  return isBasic(authorization) ? (readBasic(authorization) ?? 'unreadable') : undefined;
}

/** Reads the body or HTTP Basic, not both (RFC 6749 §2.3.1), but the body may repeat the id. */
export function readPresentedClient(
  fields: Fields,
  basic: PresentedBasic,
): Ok<PresentedClient> | TokenRefusal {
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
