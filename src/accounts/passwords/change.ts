import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { counted } from '../../platform/limits/store.ts';
import { tooMany } from '../../web/error-pages.ts';
import { type FormFaults, formOf, savedMark, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { noticesTo, passwordChangedEmail, wordsFor } from '../emails.ts';
import { existingPassword, password, passwordHint } from '../fields.ts';
import { guessWithin } from '../guesses.ts';
import {
  auditContextOf,
  requireRecentSignIn,
  sessionOf,
  settingsPlugin,
  signIn,
} from '../sessions/session.ts';
import { findUser, hasPasskey, type User } from '../store.ts';
import { isWeakPassword, passwordClientOf, weakPassword } from './password.ts';
import { replacePassword } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/password': Page & FormFaults & { readonly isSaved: boolean; readonly passwordHint: string };
  }
}

const home = '/settings/password';
const fields = z.object({ current_password: existingPassword, new_password: password });
const passwordForm = formOf(fields, ['current_password', 'new_password']);

export const passwordChangePlugin = settingsPlugin('password-change', home, async (app) => {
  // The password is one factor, so an account with a passkey needs that, too (security C74).
  app.addHook('preValidation', async (request, reply) =>
    (await hasPasskey(app.db, sessionOf(request).person.id)) // protects: C74
      ? requireRecentSignIn(request, reply)
      : undefined,
  );

  app.get(home, { schema: { querystring: savedMark } }, async (request, reply) =>
    sendPasswordForm(reply, untouched, request.query.saved !== undefined),
  );

  const config = { oldSignInBecause: 'it asks for the password, and above for a passkey' };
  app.post(home, { config, schema: { body: passwordForm } }, async (request, reply) => {
    const form = request.body;
    if (!form.ok) return sendPasswordForm(reply.code(400), form);
    const { person, means: secondFactor } = sessionOf(request);
    const { id } = person;
    const holder = await findUser(app.db, { id });
    if (holder !== undefined && (await isWeakPassword(form.value.new_password, holder)))
      return sendPasswordForm(reply.code(400), { typed: {}, faults: { new_password: weakPassword } });
    // Right ones count, too: each sends an email (security C144).
    const guess = await guessWithin(request, [counted('guesses', ['change', id])], () =>
      changePassword(reply, id, holder, form.value),
    );
    if ('reached' in guess)
      return sendFault(tooMany(reply, guess.reached), guess.reached.tell(request.words));
    if (!guess.value) return sendFault(reply.code(400), 'Incorrect password.');
    await signIn(reply, id, { secondFactor });
    return reply.redirect(`${home}?saved`, 303);
  });
});

async function changePassword(
  reply: FastifyReply,
  userId: number,
  holder: User | undefined,
  { current_password: current, new_password: chosen }: z.output<typeof fields>,
): Promise<boolean> {
  const { request } = reply;
  const app = request.server;
  const client = passwordClientOf(request, reply, true);
  if (holder === undefined || !(await app.passwords.isRight(current, holder.passwordHash, client)))
    return false;
  const newHash = await app.passwords.hash(chosen, client);
  const { email, passwordHash: formerHash } = holder;
  const change = { userId, email, formerHash, newHash };
  const notices = noticesTo(
    app,
    holder,
    passwordChangedEmail(app.config.appUrl, await wordsFor(app, holder)),
  );
  return replacePassword(app.db, change, notices, auditContextOf(request));
}

async function sendFault(reply: FastifyReply, words: string): Promise<FastifyReply> {
  return sendPasswordForm(reply, { typed: {}, faults: { current_password: words } });
}

async function sendPasswordForm(reply: FastifyReply, form: FormFaults, isSaved = false) {
  const { t } = reply.request.words;
  return sendPage(reply, 'accounts/password', {
    title: t('Password'),
    isSaved,
    passwordHint: t(passwordHint),
    ...form,
  });
}
