import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clearCookie, hasSentCookie, noCookie, readDevice } from '../accounts/browsers.ts';
import { accountLimits } from '../accounts/limits.ts';
import { limitsOfNetwork } from '../accounts/rate-limits/networks.ts';
import {
  againQuery,
  describeSignIn,
  returningFormOf,
  returnToField,
} from '../accounts/sessions/return-to.ts';
import type { SecondFactorPages } from '../accounts/sessions/second-factor.ts';
import {
  isRecentSignIn,
  leaveSignIn,
  redirectToSignIn,
  requireFormToken,
  signIn,
  withReturnTo,
} from '../accounts/sessions/session.ts';
import { sendSignInAgain, sendSuspended } from '../accounts/sign-in/routes.ts';
import { noticeOf } from '../accounts/sign-in/sign-in.ts';
import { consume, type LimitReached, refund, tooMany, tryAgain } from '../platform/rate-limits/attempts.ts';
import type { Words } from '../platform/words.ts';
import type { FormFaults } from '../web/forms.ts';
import { type Page, pagesPlugin, sendPage, translated } from '../web/pages.ts';
import { makeChallenge } from './challenge.ts';
import { passkeyLimits } from './limits.ts';
import {
  findPending,
  type Pending,
  type Proof,
  proveByCode,
  proveByPasskey,
  signInByPasskey,
} from './proof.ts';
import { securityHome } from './security.ts';
import { listPasskeys } from './store.ts';
import { assertedCredential, requestOptions } from './webauthn.ts';

declare module '../web/pages.ts' {
  interface Views {
    'passkeys/sign-in': Page & Awaited<ReturnType<typeof describePage>>;
  }
}

const firstPath = '/signin/passkey';
const secondPath = '/signin/second-factor';
const codePath = '/signin/recovery-code';
const passkeyForm = returningFormOf(z.object({ credential: assertedCredential }), ['credential']);
const code = z
  .string({ error: 'Enter a recovery code.' })
  .trim()
  .min(1, { error: 'Enter a recovery code.' })
  .max(100, { error: 'Use at most 100 characters.' });
const codeForm = returningFormOf(z.object({ code }), ['code']);

export const secondFactor: SecondFactorPages = {
  ask(reply, { id: userId, passwordHash: binding }, returnTo) {
    makeChallenge(reply, 'second_factor', { userId, binding });
    return reply.redirect(withReturnTo(secondPath, returnTo), 303);
  },
  signInPath: firstPath,
  settingsPath: securityHome,
};

/** Takes a passkey, or a password followed by a passkey or recovery code (contract §1). */
export const passkeySignInPlugin = pagesPlugin('passkey-sign-in', async (app) => {
  app.addHook('onRequest', translated);
  app.addHook('preValidation', requireFormToken);
  const opening = { schema: { querystring: returnToField } };

  app.get(firstPath, { schema: { querystring: againQuery } }, async (request, reply) => {
    const { return_to: to, again } = request.query;
    const { session } = request;
    return again === undefined && session !== undefined && isRecentSignIn(session, app.runtime.now())
      ? reply.redirect(to, 303)
      : sendFirst(reply, to);
  });

  app.post(firstPath, { schema: { body: passkeyForm } }, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    if (!form.ok) return sendFirst(reply.code(400), to, unreadable);
    const attempt = await consume(app, limitsOfNetwork(accountLimits.address, request));
    if (attempt.outcome === 'limited')
      return sendFirst(tooMany(reply, attempt), to, limitedBy(attempt, request.words));
    const signedIn = await signInByPasskey(reply, form.value.credential);
    switch (signedIn.outcome) {
      case 'signed_in':
        await refund(app, attempt.consumed);
        return leave(reply, to);
      case 'suspended':
        return sendSuspended(reply, signedIn.reason);
      case 'refused':
        return sendFirst(reply.code(401), to, hasSentCookie(request) ? refused : { form: noCookie });
      case 'limited':
        return sendFirst(tooMany(reply, signedIn), to, limitedBy(signedIn, request.words));
    }
  });

  app.get(secondPath, opening, async (request, reply) => {
    const { return_to: to } = request.query;
    const pending = await findPending(request);
    if (pending !== undefined) return sendSecond(reply, pending, to);
    // The browser's cookies say nothing where the page was opened by itself.
    const isAfterPassword = request.headers.referer?.startsWith(`${app.config.appUrl}/signin`) === true;
    return isAfterPassword ? sendSignInAgain(reply, to) : redirectToSignIn(reply, to);
  });

  app.post(secondPath, { schema: { body: passkeyForm } }, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    return answerSecond(reply, to, form.ok ? undefined : unreadable, refused, async (pending) =>
      form.ok ? proveByPasskey(request, pending, form.value.credential) : undefined,
    );
  });

  app.post(codePath, { schema: { body: codeForm } }, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    const wrong = { code: 'This recovery code is wrong, or was used before.' };
    return answerSecond(reply, to, form.ok ? undefined : form.faults, wrong, async ({ account }) =>
      form.ok ? proveByCode(request, account, form.value.code) : undefined,
    );
  });
});

type Faults = FormFaults['faults'];
const unreadable: Faults = { form: 'Your browser didn’t send a passkey. Try again.' };
const refused: Faults = { form: 'This passkey didn’t work. Try again, or use another one.' };

function limitedBy(limit: LimitReached, words: Words): Faults {
  return { form: `${words.t('Too many failed sign-ins.')} ${tryAgain(limit, words)}` };
}

async function answerSecond(
  reply: FastifyReply,
  to: string,
  faults: Faults | undefined,
  wrong: Faults,
  prove: (pending: Pending) => Promise<Proof | undefined>,
): Promise<FastifyReply> {
  const { request } = reply;
  const app = request.server;
  const pending = await findPending(request);
  if (pending === undefined) return redirectToSignIn(reply, to);
  if (faults !== undefined) return sendSecond(reply.code(400), pending, to, faults);
  const { id, passwordHash, isKnownDevice } = pending.account;
  const browser = isKnownDevice ? readDevice(request)?.idHash : undefined;
  const attempt = await consume(app, [
    { limit: passkeyLimits.second_factor, parts: [String(id), browser ?? 'strange'] },
  ]);
  if (attempt.outcome === 'limited')
    return sendSecond(tooMany(reply, attempt), pending, to, limitedBy(attempt, request.words));
  const proof = await prove(pending);
  const notice = await noticeOf(request, pending.account);
  if (proof === undefined || !(await signIn(reply, id, { passwordHash, notice, ...proof })))
    return sendSecond(reply.code(401), pending, to, wrong);
  await refund(app, attempt.consumed);
  return leave(reply, to);
}

function leave(reply: FastifyReply, to: string): FastifyReply {
  clearCookie(reply, 'challenge');
  return leaveSignIn(reply, to);
}

async function sendFirst(reply: FastifyReply, returnTo: string, faults?: Faults): Promise<FastifyReply> {
  const { session } = reply.request;
  const challenge = makeChallenge(reply, 'sign_in', { binding: session?.idHash ?? '' });
  const asked = { challenge, userId: session?.person.id, isSecond: false };
  const page = await describePage(reply.request, returnTo, asked, faults);
  return sendPage(reply, 'passkeys/sign-in', page);
}

async function sendSecond(reply: FastifyReply, pending: Pending, returnTo: string, faults?: Faults) {
  const { challenge, account } = pending;
  const asked = { challenge: challenge.challenge, userId: account.id, isSecond: true };
  const page = await describePage(reply.request, returnTo, asked, faults);
  return sendPage(reply, 'passkeys/sign-in', page);
}

interface Asked {
  readonly challenge: string;
  readonly userId: number | undefined;
  readonly isSecond: boolean;
}

async function describePage(
  request: FastifyRequest,
  returnTo: string,
  { challenge, userId, isSecond }: Asked,
  faults: Faults = {},
) {
  const { config, db } = request.server;
  const allowed = userId === undefined ? [] : await listPasskeys(db, userId);
  const verification = isSecond ? 'preferred' : 'required';
  return {
    ...(await describeSignIn(request, 'Sign in', returnTo)),
    title: isSecond ? request.words.t('Use your passkey') : request.words.t('Sign in with a passkey'),
    scripts: ['passkey.js'],
    address: isSecond ? secondPath : firstPath,
    options: JSON.stringify(requestOptions(config, challenge, verification, allowed)),
    isSecond,
    typed: {},
    faults,
  };
}
