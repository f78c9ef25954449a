import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type SessionDeps, sessionOf } from '../../../accounts/session.ts';
import { type FormFaults, isTypedName, readForm } from '../../../forms.ts';
import { writeLetter } from '../../../outbox/letter.ts';
import { sendPage } from '../../../pages.ts';
import { countConnectedPeople } from '../../connections/store.ts';
import type { Lifetimes } from '../../core/grant.ts';
import { type ClientRoute, clientList, developerHome } from '../address.ts';
import { deletionNoticeId } from '../identity.ts';
import { deletionLetter } from '../letters.ts';
import { ownClientOf, type ShownClient, withOwnClient } from '../own.ts';
import { deletionForm } from '../request.ts';
import { deleteOwnClient } from './store.ts';

export interface DeletionDeps extends SessionDeps {
  readonly lifetimes: Lifetimes;
  readonly nudgeOutbox: () => void;
}

const path = `${developerHome}/:clientId/delete`;

/** Where an owner deletes a client, which ends all of its grants (contract §2). Register in the scope of the developer pages. */
export function registerDeletionRoutes(app: FastifyInstance, deps: DeletionDeps): void {
  app.get<ClientRoute>(path, async (request, reply) =>
    withOwnClient(deps.db, request, reply, async (client) => sendDeletion(request, reply, client)),
  );

  app.post<ClientRoute>(path, async (request, reply) => {
    const { person } = sessionOf(request);
    const client = await ownClientOf(deps.db, request);
    if (client === undefined) return reply.redirect(clientList('nothing_to_delete'), 303);
    const form = readForm(deletionForm, request.body);
    if (!form.ok) return sendDeletion(request, reply.code(400), client, form);
    if (!isTypedName({ name: client.name, typed: form.value.name })) {
      const faults = { name: 'This is not the name of the app. Type it as it stands above.' };
      return sendDeletion(request, reply.code(400), client, { typed: form.value, faults });
    }
    const written = writeLetter(deletionLetter(client), person.email, deps);
    const notice = { ...written, id: deletionNoticeId(client.id) };
    const isDeleted = await deleteOwnClient(deps.db, client.id, person.id, notice, deps.system.now());
    if (!isDeleted) return reply.redirect(clientList('nothing_to_delete'), 303);
    request.log.info({ clientId: client.id, userId: person.id }, 'a client was deleted');
    deps.nudgeOutbox();
    return reply.redirect(clientList('deleted'), 303);
  });

  async function sendDeletion(
    request: FastifyRequest,
    reply: FastifyReply,
    client: ShownClient,
    form: FormFaults = { typed: {}, faults: {} },
  ): Promise<FastifyReply> {
    const people = await countConnectedPeople(deps.db, client.id, deps.lifetimes, deps.system.now());
    const title = `Delete ${client.name}`;
    return sendPage(request, reply, 'oauth/client-delete', { title, client, people, ...form });
  }
}
