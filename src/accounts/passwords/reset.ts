import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { counted, countedOfNetwork, spendAll } from '../../platform/limits/store.ts';
import { readSentToken, renderEmail } from '../../platform/mail/email.ts';
import { clientAddressOf } from '../../platform/networks.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Words } from '../../platform/words.ts';
import { type FormFaults, formOf, untouched } from '../../web/forms.ts';
import { hideAddress } from '../../web/headers.ts';
import { pagesPlugin } from '../../web/page-scope.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { passwordChangedEmail, resetEmail, wordsFor } from '../emails.ts';
import { email, password, passwordHint, tokenParams } from '../fields.ts';
import { withReturnTo } from '../sessions/addresses.ts';
import {
  describeSignIn,
  isOpened,
  returningFormOf,
  returnToField,
  type SignInPage,
} from '../sessions/return-to.ts';
import { askSecondFactor } from '../sessions/second-factor.ts';
import { auditContextOf, leaveSignIn, signIn } from '../sessions/session.ts';
import { recallWay, rememberWay } from '../sessions/way-back.ts';
import { findAccount, findUser, hasPasskey, type User } from '../store.ts';
import { isWeakPassword, passwordClientOf, weakPassword } from './password.ts';
import { addResetEmail, hadToVerify, listAtStake, listJoined, replacePassword } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/forgot': SignInPage;
    'accounts/forgot-sent': Page & ReturnType<typeof describeSent>;
    'accounts/reset': Page & Awaited<ReturnType<typeof describeReset>>;
  }
}

/** Says that the password was changed, once one is signed in. */
export const resetDone = '/settings/password?saved';

const forgotForm = returningFormOf(z.object({ email }));
/** Browsers send a checkbox only when it's checked. */
const keepsAll = z
  .unknown()
  .optional()
  .transform((ticked) => ticked !== undefined);
const resetForm = formOf(z.object({ password, keep_apps: keepsAll }), ['password']);

/** An unknown account costs the same work. */
const nobody = { id: 1, passwordHash: '' } as const;

export const passwordResetPlugin = pagesPlugin('password-reset', async (app) => {
  const returning = { schema: { querystring: returnToField } };
  app.get('/forgot', returning, async (request, reply) => sendForgotForm(reply, request.query.return_to));

  const config = { oldSignInBecause: 'its link goes to the owner of the address' };
  app.post('/forgot', { config, schema: { body: forgotForm } }, async (request, reply) => {
    const { return_to: to, ...form } = request.body;
    if (isOpened(request, 'email')) return sendForgotForm(reply, to);
    if (!form.ok) return sendForgotForm(reply.code(400), to, form);
    await spendAll(app.db, countedOfNetwork('strangers', clientAddressOf(request)), app.runtime.now());
    await rememberWay(reply, form.value.email, to, wayBackSeconds);
    await sendResetEmail(app, form.value.email, request.words);
    // An address can't carry a form.
    if (request.keptForm !== undefined)
      return sendPage(reply, 'accounts/forgot-sent', describeSent(request, to));
    return reply.redirect(withReturnTo('/forgot/sent', to), 303);
  });

  app.get('/forgot/sent', returning, async (request, reply) =>
    sendPage(reply, 'accounts/forgot-sent', describeSent(request, request.query.return_to)),
  );

  const hidden = { onRequest: hideAddress, schema: { params: tokenParams } };
  const resetting = {
    ...hidden,
    config: { oldSignInBecause: 'the emailed link is the proof' },
    schema: { params: tokenParams, body: resetForm },
  };

  app.get('/reset/:token', hidden, async (request, reply) => {
    const holder = await findTokenHolder(app, request.params.token);
    return holder === undefined ? sendDeadLink(reply) : sendResetForm(reply, holder);
  });

  app.post('/reset/:token', resetting, async (request, reply) => {
    const { config, db } = app;
    const holder = await findTokenHolder(app, request.params.token);
    if (holder === undefined) return sendDeadLink(reply);
    const form = request.body;
    if (!form.ok) return sendResetForm(reply.code(400), holder, form);
    const { id: userId, passwordHash: formerHash } = holder;
    const { keep_apps: keepsAll, password: chosen } = form.value;
    if (await isWeakPassword(chosen, holder)) {
      const faults = { password: weakPassword };
      return sendResetForm(reply.code(400), holder, { typed: form.typed, faults });
    }
    const newHash = await app.passwords.hash(chosen, passwordClientOf(request, reply, true));
    const words = await wordsFor(app, holder);
    const notice = renderEmail(passwordChangedEmail(config.appUrl, words), holder.email, app);
    const change = { userId, email: holder.email, formerHash, newHash, reset: { app, keepsAll } };
    const by = { ...auditContextOf(request), actorId: userId };
    if (!(await replacePassword(db, change, [notice], by))) return sendDeadLink(reply);
    request.log.info({ userId, keepsAll }, 'a password was reset');
    const way = await recallWay(request, holder.email);
    const isSignedIn = await signIn(reply, userId);
    if (!isSignedIn && (await hasPasskey(db, userId))) {
      const next = way === '/' ? resetDone : way;
      return askSecondFactor(reply, { id: userId, passwordHash: newHash }, next);
    }
    return way === '/' ? reply.redirect(resetDone, 303) : leaveSignIn(reply, way);
  });
});

/** Neither answer nor time tells whether the account exists (OWASP Forgot Password Cheat Sheet). */
export async function sendResetEmail(app: FastifyInstance, email: string, asked: Words): Promise<void> {
  const { config, db, runtime, secrets } = app;
  const now = runtime.now();
  const account = await findAccount(db, email);
  const { id, passwordHash } = account ?? nobody;
  const token = makeResetToken(id, { email, passwordHash }, now, secrets);
  const words = account === undefined ? asked : await wordsFor(app, account);
  const message = renderEmail(resetEmail(`${config.appUrl}/reset/${token}`, words), email, app);
  await addResetEmail(db, counted('letters', ['reset', email]), account && message, now);
}

/** Only the account's password hash can verify a token. */
async function findTokenHolder(app: FastifyInstance, sent: string) {
  const text = readSentToken('/reset/', sent, resetSeconds, app) ?? '';
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== headBytes + macBytes) return undefined;
  if (bytes.readUInt32BE(4) * 1000 <= app.runtime.now().getTime()) return undefined;
  const userId = bytes.readInt32BE(0);
  const holder = userId > 0 ? await findUser(app.db, { id: userId }) : undefined;
  if (holder === undefined) return undefined;
  const input = macInput(bytes.subarray(0, headBytes), holder);
  return app.secrets.isMac(tokenPurpose, input, bytes.subarray(headBytes)) ? holder : undefined;
}

function describeSent({ keptForm: kept, server, words: { t } }: FastifyRequest, returnTo: string) {
  return {
    title: server.mail.isConfigured ? t('Check your email') : t('Email isn’t set up'),
    kept,
    forgotAddress: withReturnTo('/forgot', returnTo),
    signInAddress: withReturnTo('/signin', returnTo),
  };
}

async function sendForgotForm(reply: FastifyReply, returnTo: string, form?: FormFaults) {
  return sendPage(reply, 'accounts/forgot', {
    title: reply.request.words.t('Forgot your password?'),
    faults: {},
    ...(await describeSignIn(reply.request, 'reset', returnTo)),
    ...form,
  });
}

async function sendResetForm(reply: FastifyReply, holder: User, form = untouched) {
  return sendPage(reply, 'accounts/reset', await describeReset(reply.request, holder, form));
}

async function describeReset({ server, words }: FastifyRequest, holder: User, form: FormFaults) {
  const { config, db } = server;
  const { t, say, list, locale } = words;
  const { id, email, emailVerifiedAt } = holder;
  const endsAll = emailVerifiedAt === null && (await hadToVerify(db, config, id));
  const atStake = await listAtStake(server, id);
  return {
    title: t('Choose a new password'),
    email,
    passwordHint: t(passwordHint),
    /** A stranger may have signed up with the address. */
    endsAll,
    joined: endsAll ? [] : await listJoined(db, id), // protects: C322
    kept: list(atStake.flatMap(({ kept }) => (kept === undefined ? [] : say(kept)))),
    ended: new Intl.ListFormat(locale ?? 'en').format(atStake.map(({ ended }) => say(ended))),
    unproven: list(atStake.map(({ unproven }) => say(unproven))),
    ...form,
  };
}

async function sendDeadLink(reply: FastifyReply): Promise<FastifyReply> {
  const { t } = reply.request.words;
  return sendPage(reply.code(404), 'error', {
    title: t('This link doesn’t work'),
    text: t('This link has expired or was already used.'),
    next: { address: '/forgot', words: t('Request a new link') },
  });
}

const tokenPurpose = 'password-reset';
const headBytes = 8;
const macBytes = 32;

type ResetHolder = Pick<User, 'email' | 'passwordHash'>;

/** The time runs from when the email was sent. A link ends a day after its request anyway. */
const resetSeconds = 30 * 60;
const requestSeconds = 24 * 3600;
/** Strangers can store many of these, so they end soon. */
const wayBackSeconds = 3600;

/** Returns base64url(user id ‖ expiry ‖ MAC). A new address or password invalidates every link. */
export function makeResetToken(userId: number, holder: ResetHolder, now: Date, secrets: Secrets): string {
  const head = Buffer.alloc(headBytes);
  head.writeUInt32BE(userId, 0);
  head.writeUInt32BE(Math.floor(now.getTime() / 1000) + requestSeconds, 4);
  const mac = secrets.mac(tokenPurpose, macInput(head, holder));
  return Buffer.concat([head, mac]).toString('base64url');
}

function macInput(head: Uint8Array, { email, passwordHash }: ResetHolder): Uint8Array {
  return Buffer.concat([head, Buffer.from(JSON.stringify([email, passwordHash]))]); // protects: C57
}
