import { inflateRawSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type FormFaults, readForm } from '../../web/forms.ts';
import type { Page } from '../../web/pages.ts';
import { maxReturnTo, returnQueryOf } from './session.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    /** The app whose authorization request the path is; undefined for a faulty one. */
    readonly findAuthorizingApp: (app: Platform, path: string) => Promise<AuthorizingApp | undefined>;
  }
}

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/purpose': Pick<SignInPage, 'purpose' | 'app'>;
  }
}

export interface AuthorizingApp {
  readonly name: string;
  readonly logoId: string | null;
  readonly initial: string;
  readonly isFullAccess: boolean;
}

const localPath = /^\/(?![/\\])[\x21-\x7e]*$/;
/** Only to resolve dots. */
const base = 'http://localhost';

/** A path of ours, or else the home page: no open redirect (RFC 9700 §4.11). */
const returnTo = z
  .unknown()
  .optional()
  .transform((sent): string => {
    const value = typeof sent === 'string' && sent.startsWith('~') ? inflate(sent.slice(1)) : sent;
    if (typeof value !== 'string' || value.length > maxReturnTo || !localPath.test(value)) return '/';
    if (!URL.canParse(value, base)) return '/';
    const url = new URL(value, base);
    // Again without the dots: `/.//host` becomes `//host`, which a browser takes for a host.
    const path = `${url.pathname}${url.search}`;
    return url.origin === base && localPath.test(path) ? path : '/';
  });

/** Undefined for what isn't ours, or would be longer than any way back. */
function inflate(text: string): string | undefined {
  try {
    const bytes = Buffer.from(text, 'base64url');
    return inflateRawSync(bytes, { maxOutputLength: maxReturnTo }).toString();
  } catch {
    return undefined;
  }
}

export const returnToField = z.object({ return_to: returnTo });

/** A form, and where its page leads to, whatever else is wrong. */
export const returningFormOf = <Schema extends z.ZodType>(schema: Schema, secretFields?: readonly string[]) =>
  z
    .unknown()
    .transform((sent) => ({ ...readForm(schema, sent, secretFields), ...returnToField.parse(sent) }));

export const isAuthorization = (path: string): boolean => /^\/auth\/oauth2\/authorize(?:\?|$)/.test(path);

/** What signing in leads to; undefined for the home page. */
function purposeOf(path: string): string | undefined {
  if (path === '/') return undefined;
  if (isAuthorization(path)) return 'continue to the app';
  return path.startsWith('/invitations/') ? 'answer your invitation' : 'continue';
}

/** For the pages before one is signed in: what it's for, and where their links lead. */
export async function describeSignIn({ server }: FastifyRequest, act: string, returnTo: string) {
  const app = await server.findAuthorizingApp(server, returnTo);
  const purpose = purposeOf(returnTo);
  const query = returnQueryOf(returnTo);
  return {
    /** `Sign in to continue to`, with the app's name behind it; or a whole sentence. */
    purpose: app === undefined ? purpose && `${act} to ${purpose}.` : `${act} to continue to`,
    app,
    returnTo,
    isSignUpOpen: server.config.signUp === 'open',
    signInAddress: `/signin${query}`,
    signUpAddress: `/signup${query}`,
    /** Undefined where passkeys are off. */
    passkeyAddress: server.secondFactor && `${server.secondFactor.signInPath}${query}`,
    forgotAddress: `/forgot${query}`,
  };
}

export type SignInPage = Page & FormFaults & Awaited<ReturnType<typeof describeSignIn>>;
