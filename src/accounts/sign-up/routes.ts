import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { LimitReached } from '../../platform/limits/reached.ts';
import { countedOfNetwork, spendAll } from '../../platform/limits/store.ts';
import { readerLocaleOf } from '../../platform/locale.ts';
import { type Email, renderEmail } from '../../platform/mail/email.ts';
import { clientAddressOf, networkOf } from '../../platform/networks.ts';
import type { Sentence } from '../../platform/words.ts';
import { tooMany } from '../../web/error-pages.ts';
import type { FormFaults } from '../../web/forms.ts';
import { pagesPlugin } from '../../web/page-scope.ts';
import { sendPage } from '../../web/pages.ts';
import { keepSentAddress } from '../browsers.ts';
import { addressTakenEmail, addressUnverifiedEmail, verificationEmail } from '../emails.ts';
import {
  newEmail,
  password,
  passwordHint,
  personName,
  timeZoneField,
  underFreeName,
  usernameOf,
} from '../fields.ts';
import { isWeakPassword, passwordClientOf, weakPassword } from '../passwords/password.ts';
import { weekDays } from '../person.ts';
import { goOn } from '../sessions/on-the-way.ts';
import { describeSignIn, returningFormOf, returnToField, type SignInPage } from '../sessions/return-to.ts';
import { auditContextOf, leaveSignIn, signIn } from '../sessions/session.ts';
import { plantStartCookie, rememberWay } from '../sessions/way-back.ts';
import { signInAgain } from '../sign-in/sign-in.ts';
import { createUser, isFirstAccount, makesFirstAdmin, type NewUser } from '../store.ts';
import { newLink, sentPage } from '../verification/routes.ts';
import { addUnverifiedUser } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/sign-up': SignInPage & {
      readonly passwordHint: string;
      readonly isFirst: boolean;
    };
  }
}

/** The browser fills in the time zone. */
const fields = z.object({
  name: personName,
  email: newEmail,
  password,
  time_zone: timeZoneField.catch('UTC'),
});
const signUpForm = returningFormOf(fields, ['password']);

export const signUpPlugin = pagesPlugin('sign-up', async (app) => {
  const isSignUpOpen = app.config.signUp === 'open';
  const isVerified = app.config.emailVerification === 'required';

  app.get('/signup', { schema: { querystring: returnToField } }, async (request, reply) => {
    const { return_to: to } = request.query;
    if (request.session !== undefined) return goOn(reply, to);
    if (isSignUpOpen && isVerified) plantStartCookie(reply);
    return sendSignUp(reply, to);
  });

  const config = { oldSignInBecause: 'it makes another account' };
  app.post('/signup', { config, schema: { body: signUpForm } }, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    if (!isSignUpOpen) return sendSignUp(reply.code(403), to);
    if (!form.ok) return sendSignUp(reply.code(400), to, form);
    const { time_zone: timeZone, email, name } = form.value;
    // The username will come from the name.
    if (await isWeakPassword(form.value.password, { email, username: name })) {
      const faults = { password: weakPassword };
      return sendSignUp(reply.code(400), to, { typed: form.typed, faults });
    }
    const client = passwordClientOf(request, reply, false);
    try {
      await spendAll(app.db, countedOfNetwork('strangers', clientAddressOf(request)), app.runtime.now());
    } catch (error) {
      if (!(error instanceof LimitReached)) throw error;
      const faults = { form: error.tell(request.words) };
      return sendSignUp(tooMany(reply, error), to, { typed: form.typed, faults });
    }
    const passwordHash = await app.passwords.hash(form.value.password, client);
    // The form stays short without these.
    const locale = readerLocaleOf(request.headers['accept-language']);
    const { hours: timeFormat, firstDay, dateLocale = null } = locale;
    const weekStart = weekDays[firstDay - 1] ?? 'Monday';
    const lastLanguage = app.languages?.ownTagOf(request) ?? request.words.tag;
    const reader = { timeZone, weekStart, timeFormat, dateLocale, lastLanguage };
    const user = { email, name, passwordHash, ...reader };
    if (isVerified) {
      await askToVerify(reply, user, to);
      keepSentAddress(reply, email);
      return reply.redirect(sentPage(to), 303);
    }
    const by = auditContextOf(request);
    const options = { makeBookable: app.makeBookable, isFirstAdmin: makesFirstAdmin(app.config) };
    const created = await underFreeName(usernameOf(user), app.runtime, (username) =>
      createUser(app.db, { ...user, username }, by, options),
    );
    if (created.ok) await signIn(reply, created.value.id);
    else if (!(await signInAgain(reply, form.value)))
      return sendSignUp(reply.code(409), to, { typed: form.typed, faults: emailTaken });
    return leaveSignIn(reply, to);
  });
});

/**
 * A taken address gets the same answer, cookies and work; only its owner learns of it (security
 * C71).
 */
async function askToVerify(reply: FastifyReply, user: Omit<NewUser, 'username'>, returnTo: string) {
  const { request } = reply;
  const app = request.server;
  const { config, db, makeBookable, runtime } = app;
  const { email } = user;
  const { address, tokenHash } = newLink(app);
  const signUp = {
    verification: { tokenHash, browserHash: plantStartCookie(reply).idHash, returnTo },
    emails: {
      free: verificationEmail(address, request.words),
      verified: addressTakenEmail(config.appUrl, request.words),
      unverified: addressUnverifiedEmail(config.appUrl, request.words),
    },
    render: (one: Email) => renderEmail(one, email, app),
    cause: `email:network:${networkOf(clientAddressOf(request))}`,
    makeBookable,
  };
  await rememberWay(reply, email, returnTo);
  const by = auditContextOf(request);
  await underFreeName(usernameOf(user), runtime, (username) =>
    addUnverifiedUser(db, { ...signUp, user: { ...user, username } }, by),
  );
}

async function sendSignUp(reply: FastifyReply, returnTo: string, form?: FormFaults) {
  const { request } = reply;
  return sendPage(reply, 'accounts/sign-up', {
    title: request.words.t('Create an account'),
    faults: {},
    ...(await describeSignIn(request, 'signUp', returnTo)),
    passwordHint: request.words.t(passwordHint),
    isFirst: await isFirstAccount(request.server),
    ...form,
  });
}

const emailTaken = {
  email: 'An account with this email already exists. Sign in instead.' satisfies Sentence,
};
