import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { auditContextOf, requireRecentSignIn, sessionOf } from '../../accounts/sessions/session.ts';
import { countManagedBy } from '../../accounts/store.ts';
import { renderEmail } from '../../platform/mail/email.ts';
import { type FormFaults, isTypedName, readForm, untouched } from '../../web/forms.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { countConnectedUsers } from '../connected-apps/store.ts';
import { deletionEmail } from './emails.ts';
import {
  type ClientRoute,
  developerHome,
  ownClientOf,
  type ShownClient,
  withDone,
  withOwnClient,
} from './own-client.ts';
import { deleteOwnClient } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'oauth/client-delete': Page & ReturnType<typeof describeDeletion>;
  }
}

const path = `${developerHome}/:clientId/delete`;

const wrongName = 'This isn’t the app’s name. Enter it as shown above.';
const form = z.object({ name: z.string({ error: wrongName }).max(500, { error: wrongName }) });

/** Deletes a client and revokes its grants (contract §2). */
export function addDeletion(app: FastifyInstance): void {
  const { db, runtime, config } = app;
  const guarded = { preHandler: requireRecentSignIn(developerHome) };

  app.get<ClientRoute>(path, guarded, async (request, reply) =>
    withOwnClient(db, request, reply, async (client) => sendDeletion(reply, client)),
  );

  app.post<ClientRoute>(path, guarded, async (request, reply) => {
    const { person } = sessionOf(request);
    const client = await ownClientOf(db, request);
    if (client === undefined) return reply.redirect(withDone(developerHome, 'nothing_to_delete'), 303);
    const sent = readForm(form, request.body);
    if (!sent.ok) return sendDeletion(reply.code(400), client, sent);
    if (!isTypedName({ name: client.name, typed: sent.value.name })) {
      const faulty = { typed: sent.value, faults: { name: wrongName } };
      return sendDeletion(reply.code(400), client, faulty);
    }
    const notice = renderEmail(deletionEmail(client), person.email, app);
    const isDeleted = await deleteOwnClient(db, client.id, person.id, notice, auditContextOf(request));
    if (!isDeleted) return reply.redirect(withDone(developerHome, 'nothing_to_delete'), 303);
    return reply.redirect(withDone(developerHome, 'deleted'), 303);
  });

  async function sendDeletion(reply: FastifyReply, client: ShownClient, form = untouched) {
    const managed = await countManagedBy(db, client.id);
    const users = await countConnectedUsers(db, client.id, config.lifetimes, runtime.now());
    return sendPage(reply, 'oauth/client-delete', describeDeletion(client, users, managed, form));
  }
}

function describeDeletion(client: ShownClient, users: number, managed: number, form: FormFaults) {
  const { typed, faults } = form;
  const { name: typedName = '' } = typed;
  return {
    title: `Delete ${client.name}`,
    client,
    userCount: users === 0 ? 'No users lose' : users === 1 ? '1 user loses' : `${users} users lose`,
    /** `1 managed user is`; undefined: none. */
    managed: managed === 0 ? undefined : managed === 1 ? '1 managed user is' : `${managed} managed users are`,
    typedName,
    fault: faults['name'],
    faults,
  };
}
