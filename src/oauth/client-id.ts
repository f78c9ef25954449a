import { z } from 'zod';
import type { Platform } from '../platform/platform.ts';

/** Its client_id is the address of its metadata document (contract §2); generated ones are hex. */
export function isDocumentId(clientId: string): boolean {
  return /^https:\/\/[\x21-\x7e]+$/.test(clientId);
}

/** What a document said counts only where documents are read. */
export function isUnreadDocument(
  { clientDocuments }: Pick<Platform, 'clientDocuments'>,
  clientId: string,
): boolean {
  return clientDocuments === undefined && isDocumentId(clientId);
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
export function clientIdOfSegment(segment: string): string {
  const url = segment.startsWith('~') ? Buffer.from(segment.slice(1), 'base64url').toString() : '';
  return isDocumentId(url) ? url : segment;
}

/** Of a client's pages. */
export const clientParams = z.object({ clientId: z.string().transform(clientIdOfSegment) });
export const ofClient = { schema: { params: clientParams } };
