import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clearCookie, hasSentCookie, noCookie, readDevice } from '../accounts/browsers.ts';
import { noticesTo, wordsFor } from '../accounts/emails.ts';
import { guessWithin } from '../accounts/guesses.ts';
import { resetDone } from '../accounts/passwords/reset.ts';
import { withReturnTo } from '../accounts/sessions/addresses.ts';
import { goOn } from '../accounts/sessions/on-the-way.ts';
import {
  againQuery,
  describeSignIn,
  isOpened,
  returningFormOf,
  returnToField,
} from '../accounts/sessions/return-to.ts';
import type { SecondFactorPages } from '../accounts/sessions/second-factor.ts';
import {
  isSignedInAnew,
  leaveSignIn,
  redirectToSignIn,
  requireFormToken,
  signIn,
} from '../accounts/sessions/session.ts';
import type { SecondFactor } from '../accounts/sessions/store.ts';
import { sendSignInAgain, sendSuspended } from '../accounts/sign-in/routes.ts';
import { noticeOf, type SignInOutcome } from '../accounts/sign-in/sign-in.ts';
import { findSignInAccount, type SignInAccount } from '../accounts/store.ts';
import { counted, countedOfNetwork } from '../platform/limits/store.ts';
import { clientAddressOf } from '../platform/networks.ts';
import type { Sentence } from '../platform/words.ts';
import { tooMany } from '../web/error-pages.ts';
import type { FormFaults } from '../web/forms.ts';
import { pagesPlugin } from '../web/page-scope.ts';
import { type Page, sendPage } from '../web/pages.ts';
import { type Challenge, makeChallenge, readChallenge } from './challenge.ts';
import { passkeyEmail, passkeyMeans } from './emails.ts';
import { securityHome } from './security.ts';
import { findPasskey, hashRecoveryCode, listPasskeys, usePasskey, useRecoveryCode } from './store.ts';
import {
  type AssertedCredential,
  assertedCredential,
  readCounter,
  requestOptions,
  userHandleOf,
} from './webauthn.ts';

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
  .string({ error: 'Enter a recovery code.' satisfies Sentence })
  .trim()
  .min(1, { error: 'Enter a recovery code.' satisfies Sentence })
  .max(100, { error: 'Use at most {maximum} characters.' satisfies Sentence });
const codeForm = returningFormOf(z.object({ code }), ['code']);

export const secondFactor: SecondFactorPages = {
  ask(reply, { id: userId, passwordHash: binding }, returnTo) {
    makeChallenge(reply, 'second_factor', { userId, binding });
    const isCarrying = reply.request.keptForm !== undefined;
    return reply.redirect(withReturnTo(secondPath, returnTo), isCarrying ? 307 : 303);
  },
  signInPath: firstPath,
  settingsPath: securityHome,
};

/** Takes a passkey, or a password followed by a passkey or recovery code (contract §1). */
export const passkeySignInPlugin = pagesPlugin('passkey-sign-in', async (app) => {
  app.addHook('preValidation', requireFormToken);
  const opening = { schema: { querystring: returnToField } };
  const config = { oldSignInBecause: 'it is a sign-in' };

  app.get(firstPath, { schema: { querystring: againQuery } }, async (request, reply) => {
    const { return_to: to, again } = request.query;
    return isSignedInAnew(request, again) ? goOn(reply, to) : sendFirst(reply, to);
  });

  app.post(firstPath, { config, schema: { body: passkeyForm } }, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    if (isOpened(request, 'credential')) return sendFirst(reply, to);
    if (!form.ok) return sendFirst(reply.code(400), to, unreadable);
    const guesses = countedOfNetwork('guesses_of_network', clientAddressOf(request));
    const guess = await guessWithin(request, guesses, () => signInByPasskey(reply, form.value.credential));
    if ('reached' in guess)
      return sendFirst(tooMany(reply, guess.reached), to, { form: guess.reached.tell(request.words) });
    const { value: signedIn, refund } = guess;
    switch (signedIn.outcome) {
      case 'signed_in':
        await refund();
        return leave(reply, to);
      case 'suspended':
        return sendSuspended(reply, signedIn.reason);
      case 'refused':
        return sendFirst(reply.code(401), to, hasSentCookie(request) ? refused : { form: noCookie });
    }
  });

  app.get(secondPath, opening, async (request, reply) => {
    return openSecond(reply, request.query.return_to);
  });

  app.post(secondPath, { config, schema: { body: passkeyForm } }, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    if (isOpened(request, 'credential')) return openSecond(reply, to);
    return answerSecond(reply, to, form.ok ? undefined : unreadable, refused, async (pending) =>
      form.ok ? proveByPasskey(request, pending, form.value.credential) : undefined,
    );
  });

  app.post(codePath, { config, schema: { body: codeForm } }, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    const wrong = { code: 'This recovery code is wrong, or was used before.' satisfies Sentence };
    return answerSecond(reply, to, form.ok ? undefined : form.faults, wrong, async ({ account }) =>
      form.ok ? proveByCode(request, account, form.value.code) : undefined,
    );
  });
});

type Faults = FormFaults['faults'];
const unreadable: Faults = { form: 'Your browser didn’t send a passkey. Try again.' satisfies Sentence };
const refused: Faults = {
  form: 'This passkey didn’t work. Try again, or use another one.' satisfies Sentence,
};

async function openSecond(reply: FastifyReply, to: string): Promise<FastifyReply> {
  const { request } = reply;
  const pending = await findPending(request);
  if (pending !== undefined) return sendSecond(reply, pending, to);
  // The browser's cookies say nothing where the page was opened by itself.
  const isAfterPassword =
    request.headers.referer?.startsWith(`${request.server.config.appUrl}/signin`) === true;
  return isAfterPassword ? sendSignInAgain(reply, to) : redirectToSignIn(reply, to);
}

async function answerSecond(
  reply: FastifyReply,
  to: string,
  faults: Faults | undefined,
  wrong: Faults,
  prove: (pending: Pending) => Promise<SecondFactor | undefined>,
): Promise<FastifyReply> {
  const { request } = reply;
  const pending = await findPending(request);
  if (pending === undefined) return redirectToSignIn(reply, to);
  if (faults !== undefined) return sendSecond(reply.code(400), pending, to, faults);
  const { id, passwordHash, isKnownDevice } = pending.account;
  const browser = isKnownDevice ? readDevice(request)?.idHash : undefined;
  const guesses = [counted('guesses', ['second factor', id, browser ?? ''])];
  const guess = await guessWithin(request, guesses, () => prove(pending));
  if ('reached' in guess)
    return sendSecond(tooMany(reply, guess.reached), pending, to, {
      form: guess.reached.tell(request.words),
    });
  const { value: secondFactor, refund } = guess;
  const notice = await noticeOf(request, pending.account);
  if (secondFactor === undefined || !(await signIn(reply, id, { passwordHash, notice, secondFactor })))
    return sendSecond(reply.code(401), pending, to, wrong);
  await refund();
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
    ...(await describeSignIn(request, 'signIn', returnTo)),
    title: isSecond ? request.words.t('Use your passkey') : request.words.t('Sign in with a passkey'),
    scripts: ['passkey.js'],
    address: isSecond ? secondPath : firstPath,
    options: JSON.stringify(requestOptions(config, challenge, verification, allowed)),
    isSecond,
    isAfterReset: returnTo === resetDone,
    typed: {},
    faults,
  };
}

/** A passkey is both factors, since the authenticator has checked who holds it. */
async function signInByPasskey(
  reply: FastifyReply,
  credential: AssertedCredential,
): Promise<Exclude<SignInOutcome, { readonly outcome: 'second_factor' | 'limited' }>> {
  const { request } = reply;
  const { server: app, session } = request;
  const refused = { outcome: 'refused' } as const;
  const challenge = readChallenge(request, 'sign_in');
  const passkey = await findPasskey(app.db, credential.id);
  if (passkey === undefined || challenge?.isBoundTo(session?.idHash ?? '') !== true) return refused;
  const account = await findSignInAccount(app.db, { id: passkey.userId }, readDevice(request)?.idHash);
  if (account === undefined) return refused;
  // Within a session a passkey confirms its person; without one, the authenticator names the
  // account.
  const { userHandle } = credential.response;
  if (session === undefined ? userHandle !== userHandleOf(account.id) : session.person.id !== account.id)
    return refused;
  const expected = { challenge: challenge.challenge, isUserVerified: true };
  const counter = await readCounter(app.config, credential, passkey, expected);
  if (counter === undefined) return refused;
  const { suspensionReason: reason } = account;
  if (reason !== null) return { outcome: 'suspended', reason };
  const use = { ...challenge, userId: account.id, passkeyId: passkey.id, counter };
  const notice = await noticeOf(request, account, passkeyMeans);
  return (await signIn(reply, account.id, { notice, secondFactor: factorOf(request, use) }))
    ? { outcome: 'signed_in' }
    : refused;
}

interface Pending {
  readonly challenge: Challenge;
  readonly account: SignInAccount;
}

/**
 * Finds the account whose password was right in this browser five minutes ago at most, and still
 * is.
 */
async function findPending(request: FastifyRequest): Promise<Pending | undefined> {
  const challenge = readChallenge(request, 'second_factor');
  if (challenge === undefined) return undefined;
  const of = { id: challenge.userId };
  const account = await findSignInAccount(request.server.db, of, readDevice(request)?.idHash);
  return account !== undefined && challenge.isBoundTo(account.passwordHash)
    ? { challenge, account }
    : undefined;
}

async function proveByPasskey(
  request: FastifyRequest,
  { challenge, account }: Pending,
  credential: AssertedCredential,
): Promise<SecondFactor | undefined> {
  const { config, db } = request.server;
  const passkey = await findPasskey(db, credential.id);
  if (passkey === undefined) return undefined;
  const expected = { challenge: challenge.challenge, isUserVerified: false };
  const counter = await readCounter(config, credential, passkey, expected);
  if (counter === undefined) return undefined;
  return factorOf(request, { ...challenge, userId: account.id, passkeyId: passkey.id, counter });
}

function factorOf({ log }: FastifyRequest, use: Parameters<typeof usePasskey>[1]): SecondFactor {
  return {
    means: 'passkey',
    use: async (tx, by) => {
      const outcome = await usePasskey(tx, use, by);
      const { userId, passkeyId } = use;
      if (outcome === 'copied') log.warn({ userId, passkeyId }, 'the counter of a passkey went back');
      return outcome === 'used';
    },
  };
}

async function proveByCode(
  { server }: FastifyRequest,
  account: SignInAccount,
  code: string,
): Promise<SecondFactor> {
  const words = await wordsFor(server, account);
  const notices = noticesTo(server, account, passkeyEmail('code_used', server.config.appUrl, words));
  return {
    means: 'recovery_code',
    use: (tx, by) => useRecoveryCode(tx, account.id, hashRecoveryCode(code), notices, by),
  };
}
