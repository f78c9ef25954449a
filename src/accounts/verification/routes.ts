import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type RenderedEmail, renderEmail } from '../../platform/mail/email.ts';
import { addToOutbox } from '../../platform/mail/store.ts';
import type { Platform } from '../../platform/platform.ts';
import { type Page, pagesPlugin, sendPage } from '../../web/pages.ts';
import { clearCookie } from '../cookies.ts';
import { hasPasskey } from '../passkeys/store.ts';
import type { Person } from '../person.ts';
import { consume, type LimitReached, tooMany, tryAgain } from '../rate-limits/limits.ts';
import { returnToField } from '../sessions/return-to.ts';
import {
  auditContextOf,
  redirectToSignIn,
  requireFormToken,
  requireSignIn,
  sessionOf,
  signIn,
  withReturnTo,
} from '../sessions/session.ts';
import { leaveSignIn } from '../sign-in/routes.ts';
import { lockUser } from '../store.ts';
import { addressChangedEmail, verificationEmail } from './emails.ts';
import { newLink, readSignUpCookie, readToken } from './link.ts';
import { findVerification, putVerification, type Verification, verifyEmail } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/verify': Page & ReturnType<typeof describeLink>;
    /** Signed out, nobody learns whether the address has an account. */
    'accounts/verify-sent': Page & {
      readonly returnTo: string;
      readonly signInAddress: string;
    };
  }
}

const home = '/settings/profile';
const params = z.object({ token: z.string() });

type FoundLink = Verification & { readonly tokenHash: string };

export const verificationPlugin = pagesPlugin('verification', async (app) => {
  app.get('/verify/sent', { schema: { querystring: returnToField } }, async (request, reply) => {
    const { return_to: returnTo } = request.query;
    return sendPage(reply, 'accounts/verify-sent', {
      title: 'Check your email',
      returnTo,
      signInAddress: signInAddressOf(returnTo),
    });
  });

  const resending = {
    preValidation: [requireSignIn(home), requireFormToken],
    schema: { body: returnToField },
  };
  app.post('/verify/resend', resending, async (request, reply) => {
    const { return_to: returnTo } = request.body;
    const { person } = sessionOf(request);
    if (person.emailVerifiedAt !== null) return leaveSignIn(reply, returnTo);
    const limited = await resend(app, person, returnTo);
    if (limited === undefined) return reply.redirect(sentPage(returnTo), 303);
    return sendPage(tooMany(reply, limited), 'error', {
      title: 'Too many emails',
      text: `We’ve sent you several links already: use the newest one. ${tryAgain(limited)}`,
    });
  });

  // The address is a secret. Not `no-referrer`: the form's Origin would be null then.
  const hidden = {
    onRequest: async (_request: FastifyRequest, reply: FastifyReply) => {
      reply.header('referrer-policy', 'strict-origin');
    },
    schema: { params },
  };

  app.get('/verify/:token', hidden, async (request, reply) => {
    const link = await findLink(app, request.params.token);
    return link === undefined
      ? sendDeadLink(reply)
      : sendPage(reply, 'accounts/verify', describeLink(request, link));
  });

  // Mail scanners open links, so that opening one does nothing.
  const verifying = { ...hidden, preValidation: requireFormToken };
  app.post('/verify/:token', verifying, async (request, reply) => {
    const link = await findLink(app, request.params.token);
    if (link === undefined) return sendDeadLink(reply);
    if (!mayVerify(request, link)) return reply.redirect(request.url, 303);
    const { userId, returnTo } = link;
    const by = { ...auditContextOf(request), actorId: userId };
    const verified = await verifyEmail(app.db, link, noticesOf(app, link), by);
    if (!verified.ok || !verified.value) return sendDeadLink(reply);
    app.mail.nudge();
    clearCookie(reply, 'signup');
    if (request.session?.person.id !== userId) {
      // The cookie stands for the password alone.
      if (await hasPasskey(app.db, userId)) return redirectToSignIn(reply, returnTo);
      await signIn(reply, userId);
    }
    if (returnTo !== '/') return leaveSignIn(reply, returnTo);
    return reply.redirect(`${home}?done=${isChange(link) ? 'changed' : 'verified'}`, 303);
  });
});

export const sentPage = (returnTo: string): string => withReturnTo('/verify/sent', returnTo);

const signInAddressOf = (returnTo: string): string => withReturnTo('/signin', returnTo);

async function findLink(app: Pick<Platform, 'db' | 'runtime' | 'secrets'>, text: string) {
  const tokenHash = readToken(text, app);
  const found = tokenHash === undefined ? undefined : await findVerification(app.db, tokenHash);
  return found && tokenHash !== undefined ? { ...found, tokenHash } : undefined;
}

/**
 * Who has the link has the mailbox, and must have the account, too: else a stranger could sign
 * up with someone's address, and keep the account that its owner has verified (security C57).
 */
function mayVerify(request: FastifyRequest, link: FoundLink): boolean {
  const { userId, browserHash } = link;
  if (request.session?.person.id === userId) return true;
  return !isChange(link) && browserHash !== null && readSignUpCookie(request)?.idHash === browserHash;
}

const isChange = ({ email, formerEmail }: Verification): boolean => email !== formerEmail;

/** Of a change, to both addresses. */
function noticesOf(app: Platform, link: Verification): readonly RenderedEmail[] {
  if (!isChange(link)) return [];
  const { email, formerEmail } = link;
  const message = addressChangedEmail(formerEmail, email, app.config.appUrl);
  return [formerEmail, email].map((recipient) => renderEmail(message, recipient, app));
}

function describeLink(request: FastifyRequest, link: FoundLink) {
  return {
    title: isChange(link) ? 'Change your email address' : 'Verify your email address',
    email: link.email,
    /** From the account's address to this one. */
    isChange: isChange(link),
    /** Whether this browser may press the button. */
    mayVerify: mayVerify(request, link),
    signInAddress: signInAddressOf(request.url),
  };
}

async function sendDeadLink(reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(reply.code(404), 'error', {
    title: 'This link doesn’t work',
    text: 'This link has expired, was already used, or was replaced by a newer one.',
    next: { address: home, words: 'Go to your profile' },
  });
}

/** A new link for the account's own address; the former one ends. */
async function resend(
  app: Platform,
  { id: userId, email }: Person,
  returnTo: string,
): Promise<LimitReached | undefined> {
  const { db, mail, runtime } = app;
  const attempt = await consume(app, [{ kind: 'verification_request', parts: [String(userId)] }]);
  if (attempt.outcome === 'limited') return attempt;
  const now = runtime.now();
  const { address, tokenHash } = newLink(app);
  const message = renderEmail(verificationEmail(address), email, app);
  await db.transaction(async (tx) => {
    await lockUser(tx, userId);
    await putVerification(tx, { userId, tokenHash, email, returnTo }, now);
    await addToOutbox(tx, [message], now);
  });
  mail.nudge();
  return undefined;
}
