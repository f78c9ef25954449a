import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type AuditContext, keptUserAgent, requestContext } from '../../platform/audit/context.ts';
import { chargeAnswer, spend } from '../../platform/limits/buckets.ts';
import { around, type Whose, whoseNetwork } from '../../platform/limits/whose.ts';
import { readerLocaleOf } from '../../platform/locale.ts';
import { clientAddressOf } from '../../platform/networks.ts';
import { furtherLimitOf, type ScopedPlugin } from '../../platform/scoped-plugin.ts';
import { goOnInTurn } from '../../platform/turns.ts';
import type { Sentence } from '../../platform/words.ts';
import { pagesPlugin } from '../../web/page-scope.ts';
import { isRead, type Page, sendPage } from '../../web/pages.ts';
import {
  clearCookie,
  deviceOf,
  hasSentCookie,
  newId,
  readCookie,
  readDevice,
  readId,
  setCookie,
  setDeviceCookie,
} from '../browsers.ts';
import { needsVerification, type Person, type SignInMeans } from '../person.ts';
import { formPageOf, parameterOf, refererOf, returnQueryOf, withReturnTo } from './addresses.ts';
import {
  formTokenOf,
  hasFormToken,
  type KeptForm,
  keepForm,
  mayBeKept,
  openFor,
  readKeptForm,
} from './kept-form.ts';
import { beginSession, endSession, findSessionPerson, type SignInProof, touchSession } from './store.ts';

/** The hash names the session, and can't open it. */
export interface Session {
  readonly idHash: string;
  readonly person: Person;
  /** Each sign-in begins a new session, so this is the person's last proof. */
  readonly authenticatedAt: Date;
  readonly means: SignInMeans;
  /** The password alone isn't enough where the account has passkeys. */
  readonly hasAllFactors: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why an old session may post here. Without a reason, it may not (security C320). */
    readonly oldSignInBecause?: string;
  }
  interface FastifyRequest {
    session: Session | undefined;
  }
}

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/verify-first': Page & {
      readonly returnTo: string;
      readonly changeAddress: string;
      readonly kept: Pick<KeptForm, 'address' | 'sealed'> | undefined;
    };
    'accounts/out-of-date': Page & Pick<KeptForm, 'address' | 'sealed'>;
  }
}

const sessionSeconds = 30 * 24 * 3600;
const touchEverySeconds = 15 * 60;
/** Sensitive actions need a sign-in that is no older (contract §1). */
const recentSeconds = 10 * 60;
const isUnsaved = /[?&]unsaved(?:[=&]|$)/;
const unsavedWarning: Sentence = 'You were signed out, so this form wasn’t saved. Fill it in again.';
const isConfirmed = /[?&]confirmed(?:[=&]|$)/;
const confirmedWarning: Sentence =
  'You confirmed it’s you. Nothing was changed yet, so send this form again.';

export const sessionsPlugin = fp(
  async (app) => {
    app.decorateRequest('session', undefined);
    app.decorateRequest('keptForm', undefined);
    app.addHook('onRoute', (route) => {
      const isChange = [route.method].flat().some((method) => !isRead({ method }));
      if (!isChange || route.config?.oldSignInBecause !== undefined) return;
      // Behind the scope's own guards, which know whose page it is.
      route.preValidation = [route.preValidation ?? [], requireRecentIfSignedIn].flat(); // protects: C320
    });
    const readSession = async (request: FastifyRequest): Promise<void> => {
      request.session = undefined;
      request.viewer = undefined;
      const idHash = idHashOf(request);
      if (idHash === undefined) return;
      const now = app.runtime.now();
      const found = await findSessionPerson(app.db, idHash, now);
      if (found === undefined) return;
      const { lastSeenAt, authenticatedAt, means, hasAllFactors, ...person } = found;
      const touchBefore = new Date(now.getTime() - touchEverySeconds * 1000);
      if (lastSeenAt <= touchBefore) await touchSession(app.db, idHash, touchBefore, now);
      request.session = { idHash, person, authenticatedAt, means, hasAllFactors };
      const { id, name, email, isAdmin, timeZone, timeFormat, language } = person;
      const formToken = formTokenOf(app.secrets, idHash, id);
      request.viewer = { name, email, isAdmin, timeZone, timeFormat, formToken, language };
      if (isUnsaved.test(request.url)) request.warning = unsavedWarning;
      else if (isConfirmed.test(request.url)) request.warning = confirmedWarning;
    };
    app.addHook('onRequest', async (request) => {
      await readSession(request);
      request.whose = whosePage(request);
      spend(request, 'requests'); // protects: C217
    });
    app.addHook('preValidation', (request, _reply, done) =>
      request.session === undefined ? done() : goOnInTurn(app.takePageTurn(request), done),
    );
    app.addHook('preHandler', async (request) => {
      const limit = furtherLimitOf(request);
      if (limit !== undefined) spend(request, limit); // protects: C58
    });
    // A body can take half a minute to arrive; the session may have ended meanwhile (security C57).
    app.addHook('preValidation', async (request, reply) => {
      if (request.method !== 'POST') return undefined;
      if (request.session !== undefined) await readSession(request); // protects: C57
      const answered = await receiveKeptForm(request, reply);
      const { body, server, url } = request;
      if (mayBeKept(request)) request.keepSent = () => keepForm({ body, server }, url);
      return answered;
    });
    app.addHook('onSend', async (request, _reply, payload) => {
      chargeAnswer(request, typeof payload === 'string' ? Buffer.byteLength(payload) : 0);
      request.turn?.end();
      return payload;
    });
  },
  { name: 'sessions', dependencies: ['platform', 'page-scope'] },
);

/** No others of a network shut out a browser that has signed in before (security C41). */
function whosePage(request: FastifyRequest): Whose {
  const { session } = request;
  if (session !== undefined)
    return [
      [`session ${session.idHash}`, 1],
      [`person ${session.person.id}`, around],
    ];
  const network = whoseNetwork(clientAddressOf(request));
  const device = readDevice(request);
  if (device === undefined) return network;
  return [[`browser ${device.idHash}`, 1], ...network.map(([key]) => [`browsers ${key}`, around] as const)];
}

function idHashOf(request: FastifyRequest): string | undefined {
  return readId(readCookie(request, 'session'))?.idHash;
}

export type Guard = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>;

/** A form whose session has ended does nothing, and its page says so after sign-in. */
export function requireSignIn(home: string): Guard {
  return async (request, reply) => {
    if (request.session !== undefined) return undefined;
    if (isRead(request)) return redirectToSignIn(reply, request.url);
    if (request.onTheWay !== undefined) return redirectToSignIn(reply, request.onTheWay.address);
    const page = `${formPageOf(request) ?? home}?unsaved`;
    return mayBeKept(request) ? handOver(reply, '/signin', page) : redirectToSignIn(reply, page);
  };
}

/** A browser sends the same body again after 307 (RFC 9110 §15.4.8), for the page to keep. */
function handOver(reply: FastifyReply, path: string, returnTo: string): FastifyReply {
  const { keptForm, url } = reply.request;
  const form = parameterOf(keptForm?.address ?? url);
  return reply.redirect(`${path}?form=${form}&return_to=${parameterOf(returnTo)}`, 307);
}

/** Gives a form that comes back its fields, where the session is of the person who typed them. */
async function receiveKeptForm(
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const { session, server } = request;
  const kept = readKeptForm(request);
  request.keptForm = kept;
  if (kept === undefined) return undefined;
  // A choice of the language would lead away from the form.
  request.languageChoice = undefined;
  if (kept.address !== request.url || session === undefined) return undefined;
  const { id } = session.person;
  const fields = openFor(request, kept, id);
  if (fields === undefined) return reply.redirect(`${formPageOf(request) ?? '/'}?unsaved`, 303);
  request.body = { ...fields, form_token: formTokenOf(server.secrets, session.idHash, id) };
  request.keptForm = undefined;
  return undefined;
}

export function redirectToSignIn(reply: FastifyReply, returnTo: string): FastifyReply {
  if (reply.request.keptForm !== undefined) return handOver(reply, '/signin', returnTo);
  return reply.redirect(withReturnTo('/signin', returnTo), 303);
}

/** Chromium would apply the form's `form-action` to an app's redirect, so a page comes between. */
export function leaveSignIn(reply: FastifyReply, returnTo: string): FastifyReply {
  const { keptForm } = reply.request;
  if (keptForm !== undefined) return reply.redirect(keptForm.address, 307);
  // That page finds out whether the browser keeps cookies.
  if (returnTo === '/' && hasSentCookie(reply.request)) return reply.redirect('/', 303);
  return reply.redirect(withReturnTo('/signin/continue', returnTo), 303);
}

/** Guards a page, behind `requireSignIn`. Forms are guarded without it (security C320). */
export const requireRecentSignIn: Guard = async (request, reply) => {
  if (isRecentSignIn(sessionOf(request), request.server.runtime.now())) return undefined;
  return confirmFirst(reply);
};

const requireRecentIfSignedIn: Guard = async (request, reply) =>
  request.session === undefined ? undefined : requireRecentSignIn(request, reply);

/** A form that comes too late does nothing until then. Where it can't be kept, its page says so. */
export function confirmFirst(reply: FastifyReply): FastifyReply {
  const { request } = reply;
  if (isRead(request)) return redirectToConfirm(reply, request.url);
  const page = `${formPageOf(request) ?? '/'}?confirmed`;
  return mayBeKept(request) ? handOver(reply, '/signin/confirm', page) : redirectToConfirm(reply, page);
}

export function isRecentSignIn({ authenticatedAt, hasAllFactors }: Session, now: Date): boolean {
  // protects: C74
  return hasAllFactors && now.getTime() - authenticatedAt.getTime() < recentSeconds * 1000; // protects: C219
}

/** With `isAgain`, a recent sign-in isn't enough. */
export function redirectToConfirm(reply: FastifyReply, returnTo: string, isAgain = false): FastifyReply {
  const query = isAgain ? againQueryOf(reply.request, returnTo) : returnQueryOf(returnTo);
  return reply.redirect(`/signin/confirm${query}`, 303);
}

/** A page with this asks who has signed in up to now, and nobody who does meanwhile. */
export function againQueryOf({ server }: FastifyRequest, returnTo: string): string {
  const query = returnQueryOf(returnTo);
  return query === '' ? query : `${query}&again=${server.runtime.now().getTime()}`;
}

/** Tells whether the page that asks for a sign-in needn't. */
export function isSignedInAnew({ server, session }: FastifyRequest, again: number | undefined): boolean {
  if (session === undefined) return false;
  if (again !== undefined && !(session.authenticatedAt.getTime() > again)) return false; // protects: C284
  return isRecentSignIn(session, server.runtime.now());
}

export function sessionOf(request: FastifyRequest): Session {
  if (request.session === undefined) throw new Error('this route is not behind requireSignIn');
  return request.session;
}

export function auditContextOf(request: FastifyRequest): AuditContext {
  return requestContext(request, { actorId: request.session?.person.id ?? null });
}

/** Returns the form that was carried here, or else the one that was sent. */
const keptFormOf = (request: FastifyRequest): KeptForm | undefined =>
  request.keptForm ?? (mayBeKept(request) ? keepForm(request, request.url) : undefined);

/**
 * Runs in `preValidation`, since a body schema drops the token. On the way of an app's request, the
 * form does nothing, either, and the way goes on with the person who is signed in by now.
 */
export const requireFormToken: Guard = async (request, reply) => {
  const { body, method, onTheWay, server, session } = request;
  if (method !== 'POST' || session === undefined) return undefined;
  const { idHash, person } = session;
  if (hasFormToken(body, server.secrets, idHash, person.id)) return undefined;
  if (onTheWay !== undefined) return reply.redirect(onTheWay.shownAddress, 303); // protects: C351
  const { t } = request.words;
  const title = t('This page is out of date');
  const kept = keptFormOf(request);
  // Sent by hand, since nothing but the mark shows that the form is the person's own.
  if (kept !== undefined && openFor(request, kept, person.id) !== undefined)
    return sendPage(reply.code(403), 'accounts/out-of-date', { title, ...kept });
  const page = refererOf(request);
  return sendPage(reply.code(403), 'error', {
    title,
    text: t(
      'You’ve signed in again since you opened it, so nothing was saved. Open the page again and retry.',
    ),
    next: page === undefined ? undefined : { address: page, words: t('Open the page again') },
  });
};

/** A form whose session has ended leads to `home`. */
export function settingsPlugin(name: string, home: string, plugin: ScopedPlugin): ScopedPlugin {
  return pagesPlugin(name, async (app, options) => {
    app.addHook('preValidation', requireSignIn(home));
    app.addHook('preValidation', requireFormToken);
    await plugin(app, options);
  });
}

/**
 * Begins a session under a new id (contract §1, ASVS 7.2.4). Returns false where `beginSession`
 * does.
 */
export async function signIn(reply: FastifyReply, userId: number, proof: SignInProof = {}): Promise<boolean> {
  const { request } = reply;
  const { db, runtime } = request.server;
  const now = runtime.now();
  const { id, idHash } = newId(runtime);
  const device = deviceOf(request);
  const session = {
    idHash,
    userId,
    userAgent: keptUserAgent(request.headers['user-agent']),
    address: clientAddressOf(request),
    expiresAt: new Date(now.getTime() + sessionSeconds * 1000),
  };
  const action = request.session?.person.id === userId ? 'session.confirmed' : 'user.signed_in';
  const { dateLocale } = readerLocaleOf(request.headers['accept-language']);
  const ids = { formerIdHash: idHashOf(request), deviceIdHash: device.idHash }; // protects: C29
  const lastLanguage = request.languageChoice && request.server.languages?.ownTagOf(request);
  const start = { session, ...ids, action, dateLocale, lastLanguage } as const;
  const by = { ...auditContextOf(request), actorId: userId };
  if (!(await beginSession(db, start, by, proof))) return false;
  setCookie(reply, 'session', id, sessionSeconds);
  setDeviceCookie(reply, device);
  return true;
}

export async function signOut(reply: FastifyReply): Promise<void> {
  const { request } = reply;
  const idHash = idHashOf(request);
  if (idHash !== undefined) await endSession(request.server.db, idHash, auditContextOf(request));
  clearCookie(reply, 'session');
}

/** Runs behind `requireSignIn`. After verification, people come back to the form's page. */
export const requireVerifiedEmail: Guard = async (request, reply) => {
  // protects: C57
  if (!needsVerification(request.server.config, sessionOf(request).person)) return undefined;
  const page = isRead(request) ? request.url : formPageOf(request);
  return sendVerifyFirst(reply, page ?? '/');
};

/** Nothing that was typed is lost: the page has the form, to be sent once the address is verified. */
export async function sendVerifyFirst(reply: FastifyReply, returnTo: string): Promise<FastifyReply> {
  const { request } = reply;
  return sendPage(reply.code(403), 'accounts/verify-first', {
    title: request.words.t('Verify your email to continue'),
    returnTo,
    kept: keptFormOf(request),
    changeAddress: withReturnTo('/settings/profile/email', returnTo),
  });
}
