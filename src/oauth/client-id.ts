import { z } from 'zod';
import { isDocumentId } from './document-id.ts';

/**
 * The draft recommends short addresses (section 3), because every grant and token has the
 * client_id.
 */
const maxUrlLength = 300;

/** Accepts what browsers write as `https` with a path (metadata document draft, section 3). */
export function isDocumentUrl(text: string): boolean {
  if (text.length > maxUrlLength || !/^https:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text))
    return false;
  const { href, username, password } = new URL(text);
  return href === text && !text.includes('#') && username === '' && password === '';
}

/** Paths have the id encoded, because some proxies refuse an encoded slash or decode it. */
export function segmentOf(clientId: string): string {
  return isDocumentId(clientId) ? `~${Buffer.from(clientId).toString('base64url')}` : clientId;
}

/** A segment that isn't an address, such as a NUL, stays as it is: no client has it. */
export function clientIdOfSegment(segment: string): string {
  const url = segment.startsWith('~') ? Buffer.from(segment.slice(1), 'base64url').toString() : '';
  return isDocumentId(url) ? url : segment;
}

export const clientParams = z.object({ clientId: z.string().transform(clientIdOfSegment) });
export const ofClient = { schema: { params: clientParams } };
