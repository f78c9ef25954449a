import { z } from 'zod';

const localPath = /^\/(?![/\\])[\x21-\x7e]*$/;
/** Only to resolve dots. */
const base = 'http://localhost';

/** A path of ours, or else the home page: no open redirect (RFC 9700 §4.11). */
const returnTo = z
  .unknown()
  .optional()
  .transform((value): string => {
    if (typeof value !== 'string' || !localPath.test(value) || !URL.canParse(value, base)) return '/';
    const url = new URL(value, base);
    // Again without the dots: `/.//host` becomes `//host`, which a browser takes for a host.
    const path = `${url.pathname}${url.search}`;
    return url.origin === base && localPath.test(path) ? path : '/';
  });

export const returnToField = z.object({ return_to: returnTo });

/** What signing in leads to; undefined for the home page. */
export function purposeOf(path: string): string | undefined {
  if (path === '/') return undefined;
  if (/^\/auth\/oauth2\/authorize(?:\?|$)/.test(path)) return 'continue to the app';
  return path.startsWith('/invitations/') ? 'answer your invitation' : 'continue';
}
