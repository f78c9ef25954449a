import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { renderEmail } from '../../platform/mail/email.ts';
import type { Sentence } from '../../platform/words.ts';
import { type FormFaults, formOf, isTypedName, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { groupPage } from '../groups/address.ts';
import {
  auditContextOf,
  requireRecentSignIn,
  sessionOf,
  settingsPlugin,
  signOut,
} from '../sessions/session.ts';
import { deletionEmailOf, finishDeletionAtOnce } from './deletion.ts';
import { deleteAccount, findDeletionFacts, leavingOf, tellCount } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'settings/account-delete': Page & FormFaults & Awaited<ReturnType<typeof describeDeletion>>;
  }
}

const path = '/settings/data/delete';
const wrongAddress: Sentence = 'This isn’t your account’s email address. Enter it as shown above.';
const form = formOf(z.object({ email: z.string({ error: wrongAddress }).max(320, { error: wrongAddress }) }));

/** Serves the pages on which people delete their account (contract §1). */
export const accountDeletionPlugin = settingsPlugin('account-deletion', path, async (app) => {
  app.get(path, { preValidation: requireRecentSignIn }, async (_request, reply) => sendDeletion(reply));

  app.post(path, { schema: { body: form } }, async (request, reply) => {
    const { person } = sessionOf(request);
    const sent = request.body;
    if (!sent.ok) return sendDeletion(reply.code(400), sent);
    if (!isTypedName({ name: person.email, typed: sent.value.email.toLowerCase() })) {
      const faulty = { typed: sent.value, faults: { email: wrongAddress } };
      return sendDeletion(reply.code(400), faulty);
    }
    const notice = renderEmail(await deletionEmailOf(app, person.id), person.email, app);
    const deleted = await deleteAccount(app, person.id, notice, auditContextOf(request));
    if (!deleted.ok) return sendDeletion(reply.code(409));
    app.mail.nudge();
    await finishDeletionAtOnce(app, person.id);
    await signOut(reply);
    request.viewer = undefined;
    const { t } = request.words;
    return sendPage(reply, 'error', {
      title: t('Your account was deleted'),
      text: t('You are signed out everywhere.'),
    });
  });
});

async function sendDeletion(reply: FastifyReply, sent: FormFaults = untouched): Promise<FastifyReply> {
  return sendPage(reply, 'settings/account-delete', await describeDeletion(reply.request, sent));
}

async function describeDeletion(request: FastifyRequest, { typed, faults }: FormFaults) {
  const { t } = request.words;
  const { server: app } = request;
  const { id } = sessionOf(request).person;
  const { isLastAdmin, onlyOwned, groups } = await findDeletionFacts(app.db, id);
  const told = leavingOf(app).map(({ tell }) => tell?.(app, id) ?? []);
  return {
    title: t('Delete account'),
    typed,
    faults,
    isLastAdmin,
    onlyOwned: onlyOwned.map((group) => ({ address: groupPage(group), name: group.name })),
    consequences: [
      t('You are signed out everywhere, immediately.'),
      ...tellCount(
        '{count, plural, one {# team or organization loses you as a member.} other {# teams and organizations lose you as a member.}}',
        groups,
      ),
      ...(await Promise.all(told)).flat(),
      t('Your username stays reserved for 90 days.'),
      t(
        'Our record of what happened is kept for a year. After 30 days it no longer shows your name, network or browser.',
      ),
    ],
  };
}
