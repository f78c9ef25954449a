import { inflateRawSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { bdi, type Sentence, strong, type Words } from '../../platform/words.ts';
import { type FormFaults, readForm } from '../../web/forms.ts';
import type { Page } from '../../web/pages.ts';
import { hasSentCookie, noCookie } from '../browsers.ts';
import { maxReturnTo, queryIn, returnQueryOf, withoutQuery, withReturnTo } from './addresses.ts';
import { keepForm } from './kept-form.ts';
import type { Guard } from './session.ts';

declare module '../../platform/platform.ts' {
  interface Platform {
    /** Returns the app that asks for authorization at this path; undefined for a faulty request. */
    readonly findAuthorizingApp: (app: Platform, path: string) => Promise<AuthorizingApp | undefined>;
  }
}

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/purpose': Pick<SignInPage, 'purpose' | 'app'>;
    'accounts/way': Pick<SignInPage, 'returnTo' | 'kept'>;
    'accounts/other-way': Pick<SignInPage, 'returnTo' | 'kept'> & {
      readonly address: string;
      readonly words: string;
    };
  }
}

export interface AuthorizingApp {
  readonly name: string;
  readonly logoId: string | null;
  readonly initial: string;
  /** The app guesses the person's email address. */
  readonly loginHint?: string | undefined;
}

const localPath = /^\/(?![/\\])[\x21-\x7e]*$/;
const base = 'http://localhost';

/** Accepts local paths alone: no open redirect (RFC 9700 §4.11). */
const returnTo = z
  .unknown()
  .optional()
  .transform((sent): string => {
    const value = typeof sent === 'string' && sent.startsWith('~') ? inflate(sent.slice(1)) : sent;
    if (typeof value !== 'string' || value.length > maxReturnTo || !localPath.test(value)) return '/';
    if (!URL.canParse(value, base)) return '/';
    const url = new URL(value, base);
    // `/.//host` resolves to `//host`, which a browser takes for a host, so the result is tested,
    // too.
    const path = `${url.pathname}${url.search}`;
    return url.origin === base && localPath.test(path) ? path : '/';
  });

function inflate(text: string): string | undefined {
  try {
    const bytes = Buffer.from(text, 'base64url');
    return inflateRawSync(bytes, { maxOutputLength: maxReturnTo }).toString();
  } catch {
    return undefined;
  }
}

export const returnToField = z.object({ return_to: returnTo });

/** With `again`, only a sign-in after this instant is enough. */
const again = z.coerce.number().optional().catch(Number.POSITIVE_INFINITY);
export const againQuery = returnToField.extend({ again });

const handedOver = returnToField.extend({ form: returnTo });

/** Runs where forms are handed over: keeps their fields, and leaves the page its own. */
export const takeForm: Guard = async (request, reply) => {
  const { query } = request;
  const { return_to, form } = handedOver.parse(query);
  if (form === '/') return undefined;
  const kept = request.keptForm ?? keepForm(request, form);
  if (kept === undefined) return reply.redirect(withReturnTo(withoutQuery(request.url), return_to), 303);
  if (request.keptForm !== undefined && !hasSentCookie(request)) request.warning = noCookie;
  request.keptForm = { ...kept, sent: [] };
  request.languageChoice = undefined;
  request.body = { return_to };
  return undefined;
};

/** Nobody has tried to answer the page that carries a form yet. */
export const isOpened = ({ keptForm }: FastifyRequest, field: string): boolean =>
  keptForm?.sent.includes(field) === false;

/** The return path is read even when the form is faulty. */
export const returningFormOf = <Schema extends z.ZodType>(schema: Schema, secretFields?: readonly string[]) =>
  z
    .unknown()
    .transform((sent) => ({ ...readForm(schema, sent, secretFields), ...returnToField.parse(sent) }));

export const isAuthorization = (path: string): boolean => /^\/auth\/oauth2\/authorize(?:\?|$)/.test(path);

/** Returns the app's request to which a page of ours leads; undefined for other pages. */
export function requestOnTheWay(page: string): string | undefined {
  const query = new URLSearchParams(queryIn(page));
  const { return_to: to } = returnToField.parse(Object.fromEntries(query));
  return [page, to].find(isAuthorization);
}

/** Says what the page is for: an app's access, a faulty request of an app, an invitation, or else. */
const purposes = {
  signIn: [
    'Sign in to continue to {app}',
    'Sign in to continue to the app.',
    'Sign in to answer your invitation.',
    'Sign in to continue.',
  ],
  signUp: [
    'Create an account to continue to {app}',
    'Create an account to continue to the app.',
    'Create an account to answer your invitation.',
    'Create an account to continue.',
  ],
  confirm: [
    'Enter your password to continue to {app}',
    'Enter your password to continue to the app.',
    'Enter your password to answer your invitation.',
    'Enter your password to continue.',
  ],
  reset: [
    'Reset your password to continue to {app}',
    'Reset your password to continue to the app.',
    'Reset your password to answer your invitation.',
    'Reset your password to continue.',
  ],
} as const satisfies Readonly<Record<string, readonly Sentence[]>>;

type Act = keyof typeof purposes;

function purposeOf(act: Act, path: string, { t, tHtml }: Words, app: AuthorizingApp | undefined) {
  const [toApp, toRequest, toInvitation, onward] = purposes[act];
  if (app !== undefined) return tHtml(toApp, { app: strong(bdi(app.name)) });
  if (path === '/') return undefined;
  if (isAuthorization(path)) return t(toRequest);
  return t(path.startsWith('/invitations/') ? toInvitation : onward);
}

export async function describeSignIn(request: FastifyRequest, act: Act, returnTo: string) {
  const { server, words, keptForm, session } = request;
  const kept = keptForm?.sealed;
  const app = await server.findAuthorizingApp(server, returnTo);
  const query = returnQueryOf(returnTo);
  return {
    /** The view shows it as HTML. */
    purpose: purposeOf(act, returnTo, words, app),
    app,
    typed: app?.loginHint === undefined ? {} : { email: app.loginHint },
    returnTo,
    kept,
    isSignUpOpen: server.config.signUp === 'open',
    signInAddress: `${kept === undefined || session === undefined ? '/signin' : '/signin/confirm'}${query}`,
    signUpAddress: `/signup${query}`,
    passkeyAddress: server.secondFactor && `${server.secondFactor.signInPath}${query}`,
    forgotAddress: `/forgot${query}`,
  };
}

export type SignInPage = Page & FormFaults & Awaited<ReturnType<typeof describeSignIn>>;
