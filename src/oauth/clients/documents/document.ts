import { getDomain } from 'tldts';
import { z } from 'zod';
import { ok, type Result, refuse } from '../../../result.ts';
import { lineOf } from '../../../web/forms.ts';
import { checkRedirectUri } from '../../core/redirect-uri.ts';
import { isScope } from '../../core/scope.ts';
import { parseJsonObject } from '../../token/body.ts';
import type { TypedValues } from '../edits/change.ts';
import { describeFault, isWebsite, maxRedirectUris } from '../form.ts';

/** Short ones are recommended (draft, section 3): it is the client_id, in every grant and token. */
const maxUrlLength = 300;

/**
 * `https`, a path, as browsers write it (so without dot segments), no fragment or user
 * (draft-ietf-oauth-client-id-metadata-document, section 3).
 */
export function isDocumentUrl(text: string): boolean {
  if (text.length > maxUrlLength || !/^https:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text))
    return false;
  const { href, username, password } = new URL(text);
  return href === text && !text.includes('#') && username === '' && password === '';
}

/** Who has one host of it may have them all. */
export function domainOfDocument(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true, validateHostname: false }) ?? hostname;
}

export type DocumentFault = 'not_json' | 'another_client_id' | 'not_public' | 'faulty_value';

/** PKCE alone: no key, and never a shared secret (draft, section 4.1). */
const isPublicClient = z.object({
  token_endpoint_auth_method: z.literal('none').optional(),
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes('authorization_code'))
    .optional(),
  response_types: z
    .array(z.string())
    .refine((types) => types.includes('code'))
    .optional(),
  client_secret: z.undefined().optional(),
  client_secret_expires_at: z.undefined().optional(),
});

const values = z.object({
  client_name: lineOf(80, 'is missing'),
  redirect_uris: z.array(z.string()).min(1).max(maxRedirectUris),
  client_uri: z.string().max(500).refine(isWebsite).nullable().catch(null),
  scope: z.string().catch(''),
});

/**
 * Draft, section 4.1, RFC 7591 §2; the redirect URIs by the rules of registration. What we don't
 * know is ignored, `logo_uri` too: nothing is fetched for it. Detail of `faulty_value`: which, why.
 */
export function readDocument(url: string, text: string): Result<TypedValues, DocumentFault> {
  const json = parseJsonObject(text);
  if (json === undefined) return refuse('not_json');
  if (!('client_id' in json) || json.client_id !== url) return refuse('another_client_id');
  if (!isPublicClient.safeParse(json).success) return refuse('not_public');
  const read = values.safeParse(json);
  if (!read.success) return refuse('faulty_value', read.error.issues[0]?.path.join('.'));
  const { client_name: name, redirect_uris: uris, client_uri: websiteUrl, scope } = read.data;
  for (const uri of uris) {
    const checked = checkRedirectUri(uri, 'public');
    if (!checked.ok) return refuse('faulty_value', describeFault(uri, checked, 'public'));
  }
  const scopes = [...new Set(scope.split(' ').filter(isScope))];
  return ok({
    name,
    purpose: '',
    redirectUris: [...new Set(uris)],
    websiteUrl,
    scopes: scopes.length === 0 ? null : scopes,
    requiresPkce: false,
  });
}
