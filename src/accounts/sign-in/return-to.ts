import { z } from 'zod';

const localPath = /^\/(?![/\\])[\x21-\x7e]*$/;
/** Only to resolve dots: a path of ours leads to no host. */
const base = 'http://localhost';

/**
 * Where to go after sign-in: a path of ours, or the home page for anything else, so that the
 * address cannot be used to send people elsewhere (RFC 9700 §4.11).
 */
const returnTo = z
  .unknown()
  .optional()
  .transform((value): string => {
    if (typeof value !== 'string' || !localPath.test(value) || !URL.canParse(value, base)) return '/';
    const url = new URL(value, base);
    // Checked again without the dots: `/.//host` becomes `//host`, which a browser takes for a
    // host.
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
