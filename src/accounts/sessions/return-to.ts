import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

declare module '../../platform/platform.ts' {
  interface Platform {
    /** The app whose authorization request the path is; undefined for a faulty one. */
    readonly findAuthorizingApp: (path: string) => Promise<AuthorizingApp | undefined>;
  }
}

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/purpose': Purpose;
  }
}

export interface AuthorizingApp {
  readonly name: string;
  readonly logoId: string | null;
  readonly initial: string;
}

/** What signing in is for. */
export interface Purpose {
  readonly purpose: string | undefined;
  /** Completes the purpose. */
  readonly app: AuthorizingApp | undefined;
}

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
function purposeOf(path: string): string | undefined {
  if (path === '/') return undefined;
  if (/^\/auth\/oauth2\/authorize(?:\?|$)/.test(path)) return 'continue to the app';
  return path.startsWith('/invitations/') ? 'answer your invitation' : 'continue';
}

/** `Sign in to continue to`, with the app's name behind it; or a whole sentence. */
export async function describePurpose(
  { server }: FastifyRequest,
  act: string,
  returnTo: string,
): Promise<Purpose> {
  const app = await server.findAuthorizingApp(returnTo);
  if (app !== undefined) return { purpose: `${act} to continue to`, app };
  const purpose = purposeOf(returnTo);
  return { purpose: purpose && `${act} to ${purpose}.`, app };
}
