import { getDomain } from 'tldts';
import { z } from 'zod';
import type { TypedValues } from '../oauth/clients/edits/change.ts';
import { describeUriFault, isLogoutUri, isWebsite, maxRedirectUris } from '../oauth/clients/form.ts';
import { type IdTokenAlgorithm, idTokenAlgorithms } from '../oauth/core/client.ts';
import { checkRedirectUri } from '../oauth/core/redirect-uri.ts';
import { type KnownScopes, nameScopes } from '../oauth/core/scope.ts';
import { parseJsonObject } from '../oauth/http/body.ts';
import { type Outbound, OutboundError, type OutboundFailure } from '../platform/outbound.ts';
import type { Runtime } from '../platform/runtime.ts';
import { ok, type Result, refuse } from '../result.ts';
import { lineOf } from '../web/forms.ts';

/** The owner of one host of a domain may have them all. */
export function domainOfDocument(url: string): string {
  const { hostname } = new URL(url);
  return getDomain(hostname, { allowPrivateDomains: true, validateHostname: false }) ?? hostname;
}

export type DocumentFault = 'not_json' | 'another_client_id' | 'not_public' | 'faulty_value';

const listWith = (wanted: string) => z.array(z.string()).refine((values) => values.includes(wanted));

/** Accepts PKCE alone, and never a shared secret (draft, section 4.1). */
const isPublicClient = z
  .object({
    grant_types: listWith('authorization_code').optional(),
    response_types: listWith('code').optional(),
    client_secret: z.undefined().optional(),
    client_secret_expires_at: z.undefined().optional(),
  })
  .and(
    z.union([
      z.object({ token_endpoint_auth_method: z.literal('none') }),
      // A client that prefers its key may offer to do without.
      z.object({
        token_endpoint_auth_method: z.literal('private_key_jwt').optional(),
        token_endpoint_auth_methods_supported: listWith('none'), // protects: C208
      }),
      z.object({
        token_endpoint_auth_method: z.undefined().optional(),
        token_endpoint_auth_methods_supported: z.undefined().optional(),
      }),
    ]),
  );

const metadataFields = (known: KnownScopes) =>
  z.object({
    client_name: lineOf(80, 'is missing'),
    redirect_uris: z.array(z.string()).min(1).max(maxRedirectUris),
    client_uri: z.string().max(500).refine(isWebsite).nullable().catch(null),
    /** A scope whose names are all unknown must not become full access (contract §2). */
    scope: z
      .string()
      .transform((names) => [...new Set(names.split(/[ ,]+/).filter((name) => known.includes(name)))])
      .refine((scopes) => nameScopes(scopes, scopes).length > 0) // protects: C207
      .optional(),
    /** One document is for all servers, so what only another one knows is no fault. */
    post_logout_redirect_uris: z
      .array(z.string())
      .max(maxRedirectUris)
      .catch([])
      .transform((uris) => uris.filter((uri) => isLogoutUri(uri, 'public'))),
    id_token_signed_response_alg: z.enum(idTokenAlgorithms).optional().catch(undefined),
  });

export interface DocumentValues extends TypedValues {
  /** Undefined leaves an app as it is; a new one gets the default. */
  readonly idTokenAlgorithm: IdTokenAlgorithm | undefined;
}

/**
 * Reads a document (draft, section 4.1; RFC 7591 §2). Nothing is fetched for it, so logos are
 * ignored.
 */
export function readDocument(
  url: string,
  text: string,
  known: KnownScopes,
): Result<DocumentValues, DocumentFault> {
  const json = parseJsonObject(text);
  if (json === undefined) return refuse('not_json');
  if (!('client_id' in json) || json.client_id !== url) return refuse('another_client_id');
  if (!isPublicClient.safeParse(json).success) return refuse('not_public');
  const read = metadataFields(known).safeParse(json);
  if (!read.success) return refuse('faulty_value', read.error.issues[0]?.path.join('.'));
  const { client_name: name, redirect_uris: uris, client_uri: websiteUrl, scope: scopes = null } = read.data;
  for (const uri of uris) {
    const checked = checkRedirectUri(uri, 'public');
    if (!checked.ok) return refuse('faulty_value', describeUriFault(uri, checked, 'public'));
  }
  return ok({
    name,
    purpose: '',
    redirectUris: [...new Set(uris)],
    postLogoutRedirectUris: [...new Set(read.data.post_logout_redirect_uris)],
    websiteUrl,
    scopes,
    requiresPkce: false,
    idTokenAlgorithm: read.data.id_token_signed_response_alg,
  });
}

export type ReadingFault = DocumentFault | OutboundFailure | 'not_found';

export type ReadClientDocument = (
  url: string,
  known: KnownScopes,
) => Promise<Result<{ readonly values: DocumentValues; readonly expiresAt: Date }, ReadingFault>>;

declare module '../platform/platform.ts' {
  interface Platform {
    readonly readClientDocument: ReadClientDocument;
  }
}

/** The draft recommends no more (section 6.6). */
const maxBytes = 5 * 1024;
const usualDeadlineMs = 5000;
/** More are refused, so that nobody waits behind hosts that answer slowly. */
export const maxAtOnce = 8;

const minute = 60;
/** A server's answer counts within these bounds; without one, an hour (draft, section 4.3). */
const cacheSeconds = { min: 5 * minute, usual: 60 * minute, max: 24 * 60 * minute } as const;

/** Errors aren't cached, and redirects aren't followed (draft, section 4). */
export function createDocumentReader(
  outbound: Outbound,
  runtime: Pick<Runtime, 'now'>,
  deadlineMs = usualDeadlineMs,
): ReadClientDocument {
  const underWay = new Map<string, ReturnType<ReadClientDocument>>();
  const read: ReadClientDocument = async (url, scopes) => {
    try {
      const { status, headers, text } = await outbound.fetch(url, {
        headers: { accept: 'application/json' },
        redirect: 'manual',
        maxBytes,
        signal: AbortSignal.timeout(deadlineMs),
      });
      if (status !== 200) return refuse('not_found', String(status));
      if (!isJson(headers.get('content-type') ?? '')) return refuse('not_json', 'another content type');
      const document = readDocument(url, text, scopes);
      if (!document.ok) return document;
      const now = runtime.now();
      const expiresAt = new Date(now.getTime() + freshSeconds(headers, now) * 1000);
      return ok({ values: document.value, expiresAt });
    } catch (error) {
      if (error instanceof OutboundError) return refuse(error.reason);
      throw error;
    }
  };
  return async (url, scopes) => {
    const known = underWay.get(url);
    if (known !== undefined) return known;
    if (underWay.size >= maxAtOnce) return refuse('busy'); // protects: C98
    const reading = read(url, scopes).finally(() => underWay.delete(url));
    underWay.set(url, reading);
    return reading;
  };
}

const isJson = (type: string): boolean => /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);

/** Returns seconds by RFC 9111 §5.2.2 and §5.3. */
function freshSeconds(headers: Headers, now: Date): number {
  const control = headers.get('cache-control') ?? '';
  const [, maxAge] = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(control) ?? [];
  const expires = Date.parse(headers.get('expires') ?? '');
  const until = Number.isNaN(expires) ? cacheSeconds.usual : (expires - now.getTime()) / 1000;
  const said = /no-(?:store|cache)/i.test(control) ? 0 : maxAge === undefined ? until : Number(maxAge);
  return Math.min(Math.max(said, cacheSeconds.min), cacheSeconds.max);
}
