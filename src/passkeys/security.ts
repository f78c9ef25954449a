import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { clearCookie, describeBrowser } from '../accounts/browsers.ts';
import { noticesTo, wordsFor } from '../accounts/emails.ts';
import {
  auditContextOf,
  requireRecentSignIn,
  sessionOf,
  settingsPlugin,
} from '../accounts/sessions/session.ts';
import { counted, spendAll } from '../platform/limits/store.ts';
import type { Sentence } from '../platform/words.ts';
import { orNotFound } from '../web/error-pages.ts';
import { type FormFaults, formOf, lineOf } from '../web/forms.ts';
import { tellOutcomes } from '../web/outcomes.ts';
import { type Page, sendPage } from '../web/pages.ts';
import { makeChallenge, readChallenge } from './challenge.ts';
import { passkeyEmail } from './emails.ts';
import {
  addPasskey,
  countRecoveryCodes,
  findPasskey,
  listPasskeys,
  makeRecoveryCodes,
  maxPasskeys,
  recoveryCodeCount,
  removePasskey,
  replaceRecoveryCodes,
} from './store.ts';
import { createdCredential, creationOptions, readNewPasskey } from './webauthn.ts';

declare module '../web/pages.ts' {
  interface Views {
    'passkeys/security': Page & Awaited<ReturnType<typeof describeSecurity>>;
    'passkeys/new': Page & FormFaults & { readonly options: string };
    'passkeys/button': { readonly words: string };
    'passkeys/recovery-codes': Page & { readonly codes: readonly string[]; readonly isFirst: boolean };
  }
}

export const securityHome = '/settings/security';
const newPath = `${securityHome}/passkeys/new`;
const onePath = `${securityHome}/passkeys/:passkeyId`;
const doneWords = {
  added: 'Passkey added.',
  removed: 'Passkey removed. It no longer signs in to your account.',
} as const satisfies Readonly<Record<string, Sentence>>;

const name = lineOf(60, 'Enter a name.' satisfies Sentence);
const params = z.object({ passkeyId: z.string() });
const additionForm = formOf(z.object({ name, credential: createdCredential }), ['credential']);

export const securityPlugin = settingsPlugin('security', securityHome, async (app) => {
  tellOutcomes(app, doneWords);
  const { config, db, runtime } = app;
  const guarded = { preValidation: requireRecentSignIn };

  app.get(securityHome, async (request, reply) =>
    sendPage(reply, 'passkeys/security', await describeSecurity(request)),
  );
  app.get(newPath, guarded, async (_request, reply) => sendAddition(reply));

  app.post(newPath, { schema: { body: additionForm } }, async (request, reply) => {
    const { idHash, person } = sessionOf(request);
    const form = request.body;
    if (!form.ok) return sendAddition(reply.code(400), form);
    const typed = { name: form.value.name };
    const again = (words: Sentence) => ({ typed, faults: { credential: words } });
    const challenge = readChallenge(request, 'new_passkey');
    if (challenge?.isBoundTo(idHash) !== true)
      return sendAddition(reply.code(400), again('This page has expired. Try again.'));
    await limitChange(request);
    const created = await readNewPasskey(config, form.value.credential, challenge.challenge);
    const { codes, codeHashes } = makeRecoveryCodes(runtime);
    const outcome =
      created === undefined
        ? 'refused'
        : await addPasskey(
            db,
            { ...created, ...typed, userId: person.id },
            challenge,
            {
              sessionIdHash: idHash,
              codeHashes,
              notices: await noticesOf(request, 'added', form.value.name),
            },
            auditContextOf(request),
          );
    switch (outcome) {
      case 'refused':
        return sendAddition(reply.code(400), again('This passkey can’t be added. Try again.'));
      case 'enough':
        return reply.redirect(securityHome, 303);
      case 'first':
      case 'added':
        clearCookie(reply, 'challenge');
        return outcome === 'first'
          ? sendCodes(reply, codes, true)
          : reply.redirect(`${securityHome}?done=added`, 303);
    }
  });

  app.get(`${onePath}/remove`, { ...guarded, schema: { params } }, async (request, reply) => {
    const own = await listPasskeys(db, sessionOf(request).person.id);
    const passkey = orNotFound(own.find(({ id }) => id === request.params.passkeyId));
    const { t } = request.words;
    return sendPage(reply, 'deletion', {
      title: t('Remove {name}?', { name: passkey.name }),
      text:
        own.length === 1
          ? t(
              'You won’t be able to sign in with it. It’s your last one: your password alone will sign you in, and your recovery codes will stop working.',
            )
          : t('You won’t be able to sign in with it. Your other passkeys and your recovery codes stay.'),
      button: t('Remove passkey'),
      back: { address: securityHome, words: t('Security') },
    });
  });

  app.post(`${onePath}/remove`, { schema: { params } }, async (request, reply) => {
    const { id: userId } = sessionOf(request).person;
    const { passkeyId } = request.params;
    const passkey = await findPasskey(db, passkeyId);
    if (passkey?.userId !== userId) return reply.redirect(securityHome, 303);
    await limitChange(request);
    const notices = await noticesOf(request, 'removed', passkey.name);
    await removePasskey(db, userId, passkeyId, notices, auditContextOf(request));
    return reply.redirect(`${securityHome}?done=removed`, 303);
  });

  app.get(`${securityHome}/recovery-codes`, guarded, async ({ words: { t } }, reply) =>
    sendPage(reply, 'deletion', {
      title: t('Replace your recovery codes?'),
      text: t('The codes you have stop working.'),
      button: t('Create new codes'),
      back: { address: securityHome, words: t('Security') },
    }),
  );

  app.post(`${securityHome}/recovery-codes`, async (request, reply) => {
    const { id: userId } = sessionOf(request).person;
    await limitChange(request);
    const { codes, codeHashes } = makeRecoveryCodes(runtime);
    const notices = await noticesOf(request, 'codes_replaced');
    if (!(await replaceRecoveryCodes(db, userId, codeHashes, notices, auditContextOf(request))))
      return reply.redirect(securityHome, 303);
    return sendCodes(reply, codes, false);
  });
});

async function describeSecurity(request: FastifyRequest) {
  const { config, db } = request.server;
  const { person } = sessionOf(request);
  const [passkeys, codeCount] = await Promise.all([
    listPasskeys(db, person.id),
    countRecoveryCodes(db, person.id),
  ]);
  return {
    title: request.words.t('Security'),
    passkeys,
    mayAdd: passkeys.length < maxPasskeys,
    maxPasskeys,
    codeCount,
    mustAdd: config.adminPasskeys === 'required' && person.isAdmin && passkeys.length === 0,
  };
}

async function noticesOf(request: FastifyRequest, event: Parameters<typeof passkeyEmail>[0], name?: string) {
  const app = request.server;
  const { person } = sessionOf(request);
  return noticesTo(app, person, passkeyEmail(event, app.config.appUrl, await wordsFor(app, person), name));
}

/** Each change sends an email, so their number is limited. */
async function limitChange({ server, session }: FastifyRequest): Promise<void> {
  const limits = [counted('notable', ['passkey', session?.person.id ?? ''])];
  await spendAll(server.db, limits, server.runtime.now());
}

async function sendAddition(reply: FastifyReply, form?: FormFaults) {
  const { headers, server, words } = reply.request;
  const { config, db } = server;
  const { idHash, person } = sessionOf(reply.request);
  const existing = await listPasskeys(db, person.id);
  if (existing.length >= maxPasskeys) return reply.redirect(securityHome, 303);
  const challenge = makeChallenge(reply, 'new_passkey', { binding: idHash });
  return sendPage(reply, 'passkeys/new', {
    title: words.t('Add a passkey'),
    scripts: ['passkey.js'],
    options: JSON.stringify(creationOptions(config, person, challenge, existing)),
    ...(form ?? { typed: { name: describeBrowser(headers['user-agent'] ?? null, words) }, faults: {} }),
  });
}

async function sendCodes(reply: FastifyReply, codes: readonly string[], isFirst: boolean) {
  const title = reply.request.words.t('Your {count, number} recovery codes', { count: recoveryCodeCount });
  return sendPage(reply, 'passkeys/recovery-codes', { title, scripts: ['copy.js'], codes, isFirst });
}
