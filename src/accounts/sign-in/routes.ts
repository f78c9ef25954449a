import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Sentence } from '../../platform/words.ts';
import { tooMany } from '../../web/error-pages.ts';
import type { FormFaults } from '../../web/forms.ts';
import { pagesPlugin } from '../../web/page-scope.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { hasSentCookie, noCookie } from '../browsers.ts';
import { email, existingPassword } from '../fields.ts';
import { goOn } from '../sessions/on-the-way.ts';
import {
  againQuery,
  describeSignIn,
  isOpened,
  returningFormOf,
  returnToField,
  type SignInPage,
  takeForm,
} from '../sessions/return-to.ts';
import { askSecondFactor } from '../sessions/second-factor.ts';
import {
  againQueryOf,
  isRecentSignIn,
  isSignedInAnew,
  leaveSignIn,
  redirectToSignIn,
  requireFormToken,
  sessionOf,
  signOut,
} from '../sessions/session.ts';
import { hasPasskey } from '../store.ts';
import { type SignInOutcome, signInByPassword } from './sign-in.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/sign-in': SignInPage;
    'accounts/suspended': Page & { readonly reason: string };
    'accounts/continue': Page & { readonly returnTo: string };
    'accounts/confirm': Page & Awaited<ReturnType<typeof describeConfirm>>;
  }
}

const signInForm = returningFormOf(z.object({ email, password: existingPassword }), ['password']);

export const signInPlugin = pagesPlugin('sign-in', async (app) => {
  const returning = { schema: { querystring: returnToField } };

  app.get('/signin', returning, async (request, reply) => {
    const { return_to: to } = request.query;
    return request.session === undefined ? sendSignIn(reply, to) : goOn(reply, to);
  });

  const signingIn = {
    config: { oldSignInBecause: 'it is a sign-in' },
    preValidation: takeForm,
    schema: { body: signInForm },
  };
  app.post('/signin', signingIn, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    if (isOpened(request, 'email')) return sendSignIn(reply, to);
    if (!form.ok) return sendSignIn(reply.code(400), to, form);
    const attempt = await signInByPassword(reply, form.value);
    return answerAttempt(reply, attempt, to, failedSignIn, (words) =>
      sendSignIn(reply, to, { typed: form.typed, faults: { form: words } }),
    );
  });

  app.get('/signin/continue', returning, async (request, reply) => {
    const { return_to: returnTo } = request.query;
    if (request.session === undefined) return sendSignInAgain(reply, returnTo);
    if (returnTo === '/') return reply.redirect('/', 303);
    return sendPage(reply, 'accounts/continue', { title: request.words.t('You’re signed in'), returnTo });
  });

  const leaving = {
    config: { oldSignInBecause: 'it ends a session' },
    preValidation: requireFormToken,
    schema: { body: returnToField },
  };
  app.post('/signout', leaving, async (request, reply) => {
    await signOut(reply);
    return reply.redirect(request.body.return_to, 303);
  });
});

const failedSignIn = {
  wrong: 'Incorrect email or password.',
  advice: 'If you can’t wait, reset your password.',
} as const satisfies Readonly<Record<string, Sentence>>;
const failedConfirmation = { wrong: 'Incorrect password.', advice: '' } as const satisfies Readonly<
  Record<string, Sentence>
>;

async function answerAttempt(
  reply: FastifyReply,
  attempt: SignInOutcome,
  to: string,
  { wrong, advice }: typeof failedSignIn | typeof failedConfirmation,
  showAgain: (words: string) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  switch (attempt.outcome) {
    case 'signed_in':
      return leaveSignIn(reply, to);
    case 'second_factor':
      return askSecondFactor(reply, attempt.account, to);
    case 'suspended':
      return sendSuspended(reply, attempt.reason);
    case 'refused':
      reply.code(401);
      return showAgain(wrong);
    case 'limited': {
      const { words } = reply.request;
      tooMany(reply, attempt.reached);
      return showAgain(`${attempt.reached.tell(words)} ${words.say(advice)}`.trim());
    }
  }
}

/** Handles a browser that doesn't send back what a sign-in has set. */
export async function sendSignInAgain(reply: FastifyReply, returnTo: string): Promise<FastifyReply> {
  if (hasSentCookie(reply.request)) return redirectToSignIn(reply, returnTo);
  return sendSignIn(reply.code(400), returnTo, { typed: {}, faults: { form: noCookie } });
}

async function sendSignIn(reply: FastifyReply, returnTo: string, form?: FormFaults) {
  return sendPage(reply, 'accounts/sign-in', {
    title: reply.request.words.t('Sign in'),
    faults: {},
    ...(await describeSignIn(reply.request, 'signIn', returnTo)),
    ...form,
  });
}

/** Only the right password leads here, so nobody else learns of it. */
export async function sendSuspended(reply: FastifyReply, reason: string): Promise<FastifyReply> {
  return sendPage(reply.code(403), 'accounts/suspended', {
    title: reply.request.words.t('Your account is suspended'),
    reason,
  });
}

const confirmPath = '/signin/confirm';
const confirmForm = returningFormOf(z.object({ password: existingPassword }), ['password']);

/** Confirming is a new sign-in, so a stolen former session ends (contract §1, ASVS 7.2.4). */
export const confirmPlugin = pagesPlugin('confirm', async (app) => {
  app.addHook('preValidation', requireFormToken);

  app.get(confirmPath, { schema: { querystring: againQuery } }, async (request, reply) => {
    const { session } = request;
    const { return_to: to, again } = request.query;
    if (session === undefined) return redirectToSignIn(reply, to);
    return isSignedInAnew(request, again) ? goOn(reply, to) : sendConfirm(reply, to);
  });

  const confirming = {
    config: { oldSignInBecause: 'it is a sign-in' },
    preValidation: takeForm,
    schema: { body: confirmForm },
  };
  app.post(confirmPath, confirming, async (request, reply) => {
    const { session } = request;
    const { return_to: to, ...form } = request.body;
    if (session === undefined) return redirectToSignIn(reply, to);
    if (isOpened(request, 'password')) return sendConfirm(reply, to);
    if (!form.ok) return sendConfirm(reply.code(400), to, form.faults);
    const { email } = session.person;
    const attempt = await signInByPassword(reply, { email, password: form.value.password });
    return answerAttempt(reply, attempt, to, failedConfirmation, (words) =>
      sendConfirm(reply, to, { password: words }),
    );
  });
});

async function sendConfirm(reply: FastifyReply, returnTo: string, faults: FormFaults['faults'] = {}) {
  return sendPage(reply, 'accounts/confirm', await describeConfirm(reply.request, returnTo, faults));
}

async function describeConfirm(request: FastifyRequest, returnTo: string, faults: FormFaults['faults']) {
  const session = sessionOf(request);
  const mayUsePasskey = await hasPasskey(request.server.db, session.person.id);
  const signInPath = request.server.secondFactor?.signInPath;
  return {
    title: request.words.t('Confirm it’s you'),
    ...(await describeSignIn(request, 'confirm', returnTo)),
    isRecent: isRecentSignIn(session, request.server.runtime.now()),
    passkeyAddress: mayUsePasskey && signInPath && `${signInPath}${againQueryOf(request, returnTo)}`,
    typed: {},
    faults,
  };
}
