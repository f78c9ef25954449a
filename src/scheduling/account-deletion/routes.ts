import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { pageOf } from '../../accounts/groups/address.ts';
import {
  auditContextOf,
  requireRecentSignIn,
  sessionOf,
  settingsPlugin,
  signOut,
} from '../../accounts/sessions/session.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import { type FormFaults, isTypedName, readForm, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { deletionEmail, finishDeletionAtOnce } from './deletion.ts';
import { deleteAccount, findDeletionFacts } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'settings/account-delete': Page & FormFaults & Awaited<ReturnType<typeof describeDeletion>>;
  }
}

const path = '/settings/data/delete';
const wrongAddress = 'This isn’t your account’s email address. Enter it as shown above.';
const form = z.object({ email: z.string({ error: wrongAddress }).max(320, { error: wrongAddress }) });

/** Deletes one's own account (contract §1). */
export const accountDeletionPlugin = settingsPlugin('account-deletion', path, async (app) => {
  app.addHook('preHandler', requireRecentSignIn(path));

  app.get(path, async (_request, reply) => sendDeletion(reply));

  app.post(path, async (request, reply) => {
    const { person } = sessionOf(request);
    const sent = readForm(form, request.body);
    if (!sent.ok) return sendDeletion(reply.code(400), sent);
    if (!isTypedName({ name: person.email, typed: sent.value.email.toLowerCase() })) {
      const faulty = { typed: sent.value, faults: { email: wrongAddress } };
      return sendDeletion(reply.code(400), faulty);
    }
    const notice = renderEmail(deletionEmail, person.email, app);
    const deleted = await deleteAccount(app, person.id, notice, auditContextOf(request));
    // The page says what is in the way.
    if (!deleted.ok) return sendDeletion(reply.code(409));
    app.mail.nudge();
    await finishDeletionAtOnce(app, { userId: person.id, managedBy: null });
    await signOut(reply);
    request.viewer = undefined;
    return sendPage(reply, 'error', {
      title: 'Your account was deleted',
      text: 'You are signed out everywhere.',
    });
  });
});

async function sendDeletion(reply: FastifyReply, sent: FormFaults = untouched): Promise<FastifyReply> {
  return sendPage(reply, 'settings/account-delete', await describeDeletion(reply.request, sent));
}

async function describeDeletion(request: FastifyRequest, { typed, faults }: FormFaults) {
  const { config, db, runtime } = request.server;
  const { id } = sessionOf(request).person;
  const facts = await findDeletionFacts(db, id, config.lifetimes, runtime.now());
  return {
    ...{ title: 'Delete account', typed, faults },
    isLastAdmin: facts.isLastAdmin,
    onlyOwned: facts.onlyOwned.map((group) => ({ address: pageOf(group), name: group.name })),
    consequences: consequencesOf(facts),
  };
}

/** What happens, one sentence each. */
function consequencesOf({
  connectedApps,
  ownApps,
  upcoming,
  eventTypes,
  calendars,
  groups,
}: Awaited<ReturnType<typeof findDeletionFacts>>): readonly string[] {
  const some = (count: number, one: string, many: string, rest: string): readonly string[] =>
    count === 0 ? [] : [`${count === 1 ? one : `${count} ${many}`} ${rest}`];
  return [
    'You are signed out everywhere, immediately.',
    ...some(connectedApps, '1 connected app', 'connected apps', 'can no longer access your account.'),
    ...some(
      ownApps,
      '1 app that you registered is',
      'apps that you registered are',
      'deleted, with all access that users gave.',
    ),
    ...some(
      upcoming,
      '1 upcoming booking that you host is',
      'upcoming bookings that you host are',
      'cancelled, or given to another host of a round-robin team. Attendees get an email; the next bookings come first.',
    ),
    ...some(eventTypes, '1 event type', 'event types', 'and your booking pages no longer work.'),
    ...some(calendars, '1 calendar is', 'calendars are', 'disconnected, with address and password deleted.'),
    ...some(groups, '1 team or organization loses', 'teams and organizations lose', 'you as a member.'),
    'Your past bookings are deleted after 30 days. Bookings of a team stay with the team, and bookings that you made with others stay with their hosts.',
    'Your username stays reserved for 90 days.',
    'Our record of what happened is kept for a year. After 30 days it no longer shows your name, network or browser.',
  ];
}
