import { z } from 'zod';

/** Shown for a client without a logo: the first visible character of its name, or a dot. */
export function initialOf(name: string): string {
  const [first = '•'] = name.match(/[\p{L}\p{N}\p{S}]/gu) ?? [];
  return first.toUpperCase();
}

/** Its client_id is the address of its metadata document (contract §2); generated ones are hex. */
export function isDocumentId(clientId: string): boolean {
  return /^https:\/\/[\x21-\x7e]+$/.test(clientId);
}

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

/** In our paths: some proxies refuse an encoded slash, or decode it. */
export function segmentOf(clientId: string): string {
  return isDocumentId(clientId) ? `~${Buffer.from(clientId).toString('base64url')}` : clientId;
}

/** What isn't an address, such as a NUL, which PostgreSQL doesn't read, stays as it was: no id. */
export function clientIdOf(segment: string): string {
  const url = segment.startsWith('~') ? Buffer.from(segment.slice(1), 'base64url').toString() : '';
  return isDocumentId(url) ? url : segment;
}

/** Of a client's pages. */
export const clientParams = z.object({ clientId: z.string().transform(clientIdOf) });
export const ofClient = { schema: { params: clientParams } };

interface Hosted {
  readonly id: string;
  readonly websiteUrl: string | null;
}

/** Of its metadata document, which alone is proven, or of its website. */
export function hostOfWebsite({ id, websiteUrl }: Hosted): string | undefined {
  if (isDocumentId(id)) return new URL(id).host;
  return websiteUrl === null ? undefined : new URL(websiteUrl).host;
}

/** Or else of its redirect URI; undefined where that is on the device. */
export function hostOfApp(client: Hosted, redirectUri: string | undefined): string | undefined {
  const host = hostOfWebsite(client);
  if (host !== undefined) return host;
  return redirectUri === undefined || isOnDevice(redirectUri) ? undefined : new URL(redirectUri).host;
}

/** Loopback or a private-use scheme (contract §2). */
export function isOnDevice(redirectUri: string): boolean {
  return new URL(redirectUri).protocol !== 'https:';
}

declare module '../web/pages.ts' {
  interface Views {
    'oauth/app-logo': {
      readonly logoId: string | null;
      readonly initial?: string;
      readonly alt?: string;
      readonly isSmall?: boolean;
    };
  }
}
