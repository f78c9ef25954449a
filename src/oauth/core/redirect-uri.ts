import { ok, type Result, refuse } from '../../result.ts';
import type { ClientType } from './client.ts';

declare const registered: unique symbol;

/** The URI was checked against the registration; only this file makes the type. */
export type RegisteredRedirectUri = string & { readonly [registered]: true };

export const redirectUriMaxLength = 2000;

/** The response adds these parameters (RFC 6749 §3.1.2). */
export const answerParameters = ['code', 'state', 'iss', 'error', 'error_description'] as const;
const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
/** A reversed domain name contains a dot (RFC 8252 §7.1). */
const reversedDomainScheme = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/;
/**
 * Editors and agents use such schemes (`cursor:`). A single letter is a drive. Reviewers are
 * warned.
 */
const shortScheme = /^[a-z][a-z0-9+-]+:$/;
const takenSchemes =
  /^(?:about|blob|cid|data|dav|dict|dns|feed|file(?:system)?|ftps?|geo|git|gopher|help|imap|intent|ircs?|jar|javascript|jdbc|ldaps?|localhost|magnet|mailto|market|mhtml|mid|news|nfs|nntp|pop|rdp|res(?:ource)?|rsync|rtsp|sftp|shell|sips?|smb|sms(?:to)?|ssh|steam|svn|tel(?:net)?|tftp|urn|vbscript|view-source|vnc|wss?|xmpp|(?:ms|search|chrome|moz|safari|x|web)-.*|chrome|edge|brave|opera):$/;
const loopbackWithPort = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):([1-9][0-9]{0,4})(?=[/?]|$)/;

export type RedirectUriFault =
  | 'empty'
  | 'too_long'
  | 'not_printable_ascii'
  | 'scheme_with_underscore'
  | 'not_absolute'
  | 'fragment'
  | 'user_info'
  | 'scheme_not_allowed'
  | 'http_not_loopback'
  | 'private_scheme_of_confidential_client'
  | 'not_canonical'
  | 'wildcard'
  | 'answer_parameter';

/**
 * Contract §2, RFC 6749 §3.1.2, RFC 8252 §7. The detail of `not_canonical` is the browser's
 * spelling. `added` are the parameters of the response that goes there.
 */
export function checkRedirectUri(
  uri: string,
  clientType: ClientType,
  added: readonly string[] = answerParameters,
): Result<string, RedirectUriFault> {
  if (uri === '') return refuse('empty');
  if (uri.length > redirectUriMaxLength) return refuse('too_long');
  if (!/^[\x21-\x7e]+$/.test(uri)) return refuse('not_printable_ascii');
  // An Android package may have an underscore, which no scheme may (RFC 3986 §3.1).
  if (/^[^:/?#]*_[^:/?#]*:(?!\d)/.test(uri)) return refuse('scheme_with_underscore');
  if (!URL.canParse(uri)) return refuse('not_absolute');
  if (uri.includes('#')) return refuse('fragment');
  // An asterisk is legal and never meant: URIs match character for character.
  if (uri.includes('*')) return refuse('wildcard');
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '' || /^[^/?]*\/\/[^/?]*@/.test(uri))
    return refuse('user_info');
  const fault = findSchemeFault(url, clientType);
  if (fault !== undefined) return refuse(fault);
  if (url.href !== withRootPath(uri)) return refuse('not_canonical', url.href);
  const taken = added.find((name) => url.searchParams.has(name));
  if (taken !== undefined) return refuse('answer_parameter', taken);
  return ok(uri);
}

function findSchemeFault(url: URL, clientType: ClientType): RedirectUriFault | undefined {
  if (url.protocol === 'https:') return undefined;
  // protects: C1
  if (url.protocol === 'http:') return loopbackHosts.includes(url.hostname) ? undefined : 'http_not_loopback';
  // `app.example:3000/callback` parses as a private-use scheme; its https:// was forgotten.
  if (!isPrivateUse(url.protocol) || /^[0-9]/.test(url.pathname)) return 'scheme_not_allowed';
  return clientType === 'public' ? undefined : 'private_scheme_of_confidential_client';
}

function isPrivateUse(scheme: string): boolean {
  return reversedDomainScheme.test(scheme) || isShortScheme(scheme);
}

/** Unlike a reversed domain, a short scheme is nobody's name, so several apps may use it. */
export function isShortScheme(scheme: string): boolean {
  return shortScheme.test(scheme) && !takenSchemes.test(scheme);
}

function withRootPath(uri: string): string {
  return uri.replace(/^(https?:\/\/[^/?]+)(?=\?|$)/, '$1/');
}

/**
 * Matches exactly, but a public client's loopback URI may have any port (contract §3, RFC 8252
 * §7.3).
 */
export function matchRedirectUri(
  requested: string,
  client: { readonly type: ClientType; readonly redirectUris: readonly string[] },
): RegisteredRedirectUri | undefined {
  if (client.redirectUris.includes(requested)) return brand(requested);
  if (client.type !== 'public') return undefined; // protects: C1
  const [, origin, port] = loopbackWithPort.exec(requested) ?? [];
  if (origin === undefined || Number(port) > 65535) return undefined;
  const portless = requested.replace(loopbackWithPort, '$1');
  return client.redirectUris.includes(portless) ? brand(requested) : undefined;
}

function brand(uri: string): RegisteredRedirectUri {
  return uri as RegisteredRedirectUri;
}

/** Leaves out undefined parameters (RFC 6749 §4.1.2). No registered URI has a fragment. */
export function addToRedirectUri(
  uri: RegisteredRedirectUri,
  parameters: Readonly<Record<string, string | undefined>>,
  isInFragment = false,
): string {
  const added = Object.entries(parameters)
    // protects: C3
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
  if (isInFragment) return `${uri}#${added}`;
  if (!uri.includes('?')) return `${uri}?${added}`;
  const isOpen = uri.indexOf('?') === uri.length - 1 || uri.endsWith('&');
  return isOpen ? `${uri}${added}` : `${uri}&${added}`;
}

export function hostOfRedirectUri(uri: RegisteredRedirectUri): string {
  const url = new URL(uri);
  return /^https?:$/.test(url.protocol) ? url.host : url.protocol.slice(0, -1);
}
