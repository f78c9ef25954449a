import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { counted, spendAll } from '../../platform/limits/store.ts';
import { type RenderedEmail, readSentToken, renderEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Sentence, Words } from '../../platform/words.ts';
import { type FormFaults, untouched } from '../../web/forms.ts';
import { hideAddress } from '../../web/headers.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { pagesPlugin } from '../../web/page-scope.ts';
import { isRead, type Page, sendPage } from '../../web/pages.ts';
import { clearCookie, deviceOf, newId, readId, readSentAddress } from '../browsers.ts';
import {
  addressChangedEmail,
  addressInUseEmail,
  newAddressEmail,
  verificationEmail,
  wordsFor,
} from '../emails.ts';
import { newEmail, tokenParams } from '../fields.ts';
import type { Person } from '../person.ts';
import { withReturnTo } from '../sessions/addresses.ts';
import { isAuthorization, returningFormOf, returnToField } from '../sessions/return-to.ts';
import {
  auditContextOf,
  leaveSignIn,
  redirectToSignIn,
  requireFormToken,
  requireRecentSignIn,
  requireSignIn,
  sendVerifyFirst,
  sessionOf,
  settingsPlugin,
  signIn,
} from '../sessions/session.ts';
import { readStartCookie, recallWay, rememberWay } from '../sessions/way-back.ts';
import { hasPasskey, lockUser } from '../store.ts';
import {
  askToChangeEmail,
  findVerification,
  putVerification,
  type Verification,
  verifyEmail,
} from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/verify': Page & ReturnType<typeof describeLink>;
    /** Signed out, nobody learns whether the address has an account. */
    'accounts/verify-sent': Page & {
      readonly returnTo: string;
      readonly signInAddress: string;
      readonly sentTo: string | undefined;
    };
    'accounts/email': Page & FormFaults & { readonly returnTo: string };
  }
}

const home = '/settings/profile';

export const verificationPlugin = pagesPlugin('verification', async (app) => {
  app.get('/verify/sent', { schema: { querystring: returnToField } }, async (request, reply) => {
    const { return_to: returnTo } = request.query;
    const signInAddress = withReturnTo('/signin', returnTo);
    const title = request.words.t('Check your email');
    const sentTo = readSentAddress(request);
    return sendPage(reply, 'accounts/verify-sent', { title, returnTo, signInAddress, sentTo });
  });

  const resending = {
    config: { oldSignInBecause: 'its link goes to the owner of the address' },
    preValidation: [requireSignIn(home), requireFormToken],
    schema: { body: returnToField },
  };
  app.post('/verify/resend', resending, async (request, reply) => {
    const { return_to: returnTo } = request.body;
    const { person } = sessionOf(request);
    if (person.emailVerifiedAt !== null) return leaveSignIn(reply, returnTo);
    await resend(app, person, returnTo);
    await rememberWay(reply, person.email, returnTo);
    // A form that waits for the link stays where it is.
    if (request.keptForm !== undefined) return sendVerifyFirst(reply, returnTo);
    return reply.redirect(sentPage(returnTo), 303);
  });

  const hidden = { onRequest: hideAddress, schema: { params: tokenParams } };

  app.get('/verify/:token', hidden, async (request, reply) => {
    const link = await findLink(app, request.params.token);
    return link === undefined
      ? sendDeadLink(reply)
      : sendPage(reply, 'accounts/verify', describeLink(request, link));
  });

  // Mail scanners open links, so opening one does nothing.
  const verifying = {
    ...hidden,
    config: { oldSignInBecause: 'the emailed link is the proof' },
    preValidation: requireFormToken,
  };
  app.post('/verify/:token', verifying, async (request, reply) => {
    const link = await findLink(app, request.params.token);
    if (link === undefined) return sendDeadLink(reply);
    if (!mayVerify(request, link)) return reply.redirect(request.url, 303); // protects: C57
    const { userId } = link;
    const returnTo = await wayOnward(request, link);
    const by = { ...auditContextOf(request), actorId: userId };
    const isSignedIn = request.session?.person.id === userId;
    const kept = {
      sessionIdHash: isSignedIn ? request.session?.idHash : undefined,
      deviceIdHash: deviceOf(request).idHash,
    };
    const proof = { parts: app.parts, notices: noticesOf(app, link, request.words), kept };
    const verified = await verifyEmail(app.db, link, proof, by);
    if (!verified.ok || !verified.value) return sendDeadLink(reply);
    clearCookie(reply, 'signup');
    clearCookie(reply, 'sent');
    if (!isSignedIn) {
      // The cookie stands for the password alone.
      if (await hasPasskey(app.db, userId)) return redirectToSignIn(reply, returnTo);
      await signIn(reply, userId);
    }
    if (returnTo !== '/') return leaveSignIn(reply, returnTo);
    if (isChange(link)) return reply.redirect(`${home}?done=changed`, 303);
    return reply.redirect(`/?done=${link.returnTo === '/' ? 'verified' : 'verified_go_back'}`, 303);
  });
});

export const sentPage = (returnTo: string): string => withReturnTo('/verify/sent', returnTo);

const linkSeconds = 24 * 3600;

export function newLink({ runtime, config }: Pick<Platform, 'runtime' | 'config'>) {
  const { id, idHash: tokenHash } = newId(runtime);
  return { address: `${config.appUrl}/verify/${id}`, tokenHash };
}

/** A link works for a day after its email was sent. */
async function findLink(app: Pick<Platform, 'db' | 'runtime' | 'secrets'>, text: string) {
  const tokenHash = readId(readSentToken('/verify/', text, linkSeconds, app))?.idHash;
  return tokenHash === undefined ? undefined : findVerification(app.db, tokenHash);
}

/**
 * Someone who has only the link could verify a stranger's account at their own address (security
 * C57).
 */
function mayVerify(request: FastifyRequest, link: Verification): boolean {
  const { userId, browserHash } = link;
  if (request.session?.person.id === userId) return true;
  // A link that changes an address has none, which no cookie is.
  return readStartCookie(request)?.idHash === browserHash; // protects: C57
}

/** An app knows of its request only in the browser where it began. */
async function wayOnward(request: FastifyRequest, { email, returnTo }: Verification): Promise<string> {
  return isAuthorization(returnTo) ? recallWay(request, email) : returnTo; // protects: C227
}

const isChange = ({ email, formerEmail }: Verification): boolean => email !== formerEmail;

function noticesOf(app: Platform, link: Verification, words: Words): readonly RenderedEmail[] {
  if (!isChange(link)) return [];
  const { email, formerEmail } = link;
  const message = addressChangedEmail(formerEmail, email, app.config.appUrl, words);
  return [formerEmail, email].map((recipient) => renderEmail(message, recipient, app));
}

function describeLink(request: FastifyRequest, link: Verification) {
  return {
    title: isChange(link)
      ? request.words.t('Change your email address')
      : request.words.t('Verify your email address'),
    email: link.email,
    isChange: isChange(link),
    mayVerify: mayVerify(request, link),
    signInAddress: withReturnTo('/signin', request.url),
  };
}

async function sendDeadLink(reply: FastifyReply): Promise<FastifyReply> {
  const { session, words } = reply.request;
  const { t } = words;
  const text = t('This link has expired, was already used, or was replaced by a newer one.');
  // People who open the link again want to know whether it has worked.
  if (isRead(reply.request) && session !== undefined && session.person.emailVerifiedAt !== null)
    return sendPage(reply.code(404), 'error', {
      title: t('Your address is verified'),
      text: `${t('You use {email} for your account.', { email: session.person.email })} ${text}`,
    });
  return sendPage(reply.code(404), 'error', {
    title: t('This link doesn’t work'),
    text,
    next: { address: home, words: t('Go to your profile') },
  });
}

/** The former link ends. */
async function resend(app: Platform, person: Person, returnTo: string) {
  const { id: userId, email } = person;
  const { db, runtime } = app;
  const now = runtime.now();
  const { address, tokenHash } = newLink(app);
  const message = renderEmail(verificationEmail(address, await wordsFor(app, person)), email, app);
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await spendAll(tx, [counted('letters', ['resend', userId])], now);
    await putVerification(tx, { userId, tokenHash, email, returnTo }, now);
    await addToOutbox(tx, [message], now);
  });
}

const changeHome = '/settings/profile/email';
const changeForm = returningFormOf(z.object({ email: newEmail })); // protects: C147
const outcomes = {
  link_sent:
    'We sent a link to the new address. Open it in this browser, and you come back to where you were.',
} as const satisfies Readonly<Record<string, Sentence>>;

/** The old address stays in force until the new one is verified (contract §1). */
export const emailChangePlugin = settingsPlugin('email-change', changeHome, async (app) => {
  tellOutcomes(app, outcomes);
  const opening = { preValidation: requireRecentSignIn, schema: { querystring: returnToField } };
  app.get(changeHome, opening, async (request, reply) => sendChangeForm(reply, request.query.return_to));

  app.post(changeHome, { schema: { body: changeForm } }, async (request, reply) => {
    const { return_to: returnTo, ...form } = request.body;
    if (!form.ok) return sendChangeForm(reply.code(400), returnTo, form);
    const { person } = sessionOf(request);
    const { email } = form.value;
    const again = (fault: Sentence): FormFaults => ({ typed: form.typed, faults: { email: fault } });
    if (email === person.email)
      return sendChangeForm(reply.code(400), returnTo, again('This is your email address already.'));
    await sendLink(request, email, returnTo);
    if (returnTo === '/') return reply.redirect(`${home}?done=link_sent`, 303);
    await rememberWay(reply, email, returnTo);
    return reply.redirect(`${withReturnTo(changeHome, returnTo)}&done=link_sent`, 303);
  });
});

/** The answer doesn't tell whether the address has an account. */
async function sendLink(request: FastifyRequest, email: string, returnTo: string): Promise<void> {
  const app = request.server;
  const { address, tokenHash } = newLink(app);
  const words = await wordsFor(app, sessionOf(request).person);
  const emails = {
    free: renderEmail(newAddressEmail(address, words), email, app),
    taken: renderEmail(addressInUseEmail(words), email, app),
  };
  const change = { userId: sessionOf(request).person.id, email, tokenHash, returnTo };
  await askToChangeEmail(app.db, change, emails, auditContextOf(request));
}

async function sendChangeForm(reply: FastifyReply, returnTo: string, form = untouched) {
  return sendPage(reply, 'accounts/email', {
    title: reply.request.words.t('Email address'),
    returnTo,
    ...form,
  });
}
