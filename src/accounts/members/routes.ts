import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, isTypedName, readForm, typedFields } from '../../web/forms.ts';
import { sendNotFoundPage, sendPage } from '../../web/pages.ts';
import { type Act, changeRole, deleteGroup, removeMember } from './changes.ts';
import { withDone } from './done.ts';
import { type GroupPages, type GroupRoute, readAct, sendRefusal } from './pages.ts';
import { confirmationForm, readId, roleForm } from './request.ts';

interface MemberRoute {
  Params: { groupId: string; memberId: string };
}

/**
 * What members do with each other, with themselves, and with the whole group. Register it behind
 * requireSignIn and requireFormToken.
 */
export function registerMemberRoutes(app: FastifyInstance, pages: GroupPages): void {
  const { store, home, pathOf } = pages;
  const group = `${home}/:groupId`;

  app.post<MemberRoute>(`${group}/members/:memberId/role`, async (request, reply) => {
    const act = readAct(store, request);
    const memberId = readId(request.params.memberId);
    if (act === undefined || memberId === undefined) return sendNotFoundPage(request, reply);
    const form = readForm(roleForm, request.body);
    if (!form.ok) return pages.show(request, reply.code(400), act.groupId);
    const changed = await changeRole(app, act, memberId, form.value.role, app.runtime.now());
    if (!changed.ok) return sendRefusal(request, reply, changed.reason, pathOf(act.groupId));
    logChange(request, act, 'role');
    return reply.redirect(withDone(pathOf(act.groupId), 'role_saved'), 303);
  });

  app.post<MemberRoute>(`${group}/members/:memberId/remove`, async (request, reply) => {
    const act = readAct(store, request);
    const memberId = readId(request.params.memberId);
    if (act === undefined || memberId === undefined) return sendNotFoundPage(request, reply);
    const removed = await removeMember(app, act, memberId, app.runtime.now());
    if (!removed.ok) return sendRefusal(request, reply, removed.reason, pathOf(act.groupId));
    logChange(request, act, 'removal');
    const isSelf = act.actorId === memberId;
    return reply.redirect(isSelf ? withDone(home, 'left') : withDone(pathOf(act.groupId), 'removed'), 303);
  });

  app.post<GroupRoute>(`${group}/leave`, async (request, reply) => {
    const act = readAct(store, request);
    if (act === undefined) return sendNotFoundPage(request, reply);
    const left = await removeMember(app, act, act.actorId, app.runtime.now());
    // Whoever is out already has what they want: the form was sent twice.
    if (!left.ok && left.reason !== 'not_in_group')
      return sendRefusal(request, reply, left.reason, pathOf(act.groupId));
    if (left.ok) logChange(request, act, 'leave');
    return reply.redirect(withDone(home, 'left'), 303);
  });

  app.get<GroupRoute>(`${group}/delete`, async (request, reply) => {
    const act = readAct(store, request);
    return act === undefined ? sendNotFoundPage(request, reply) : sendDeletion(request, reply, act);
  });

  app.post<GroupRoute>(`${group}/delete`, async (request, reply) => {
    const act = readAct(store, request);
    if (act === undefined) return sendNotFoundPage(request, reply);
    const form = readForm(confirmationForm, request.body);
    if (!form.ok) return sendDeletion(request, reply.code(400), act, form);
    const deleted = await deleteGroup(app.db, act, (name) =>
      isTypedName({ name, typed: form.value.confirmation }),
    );
    if (deleted.ok) {
      logChange(request, act, 'deletion');
      return reply.redirect(withDone(home, 'deleted'), 303);
    }
    if (deleted.reason !== 'wrong_name')
      return sendRefusal(request, reply, deleted.reason, pathOf(act.groupId));
    const faults = { confirmation: 'This is not the name. Type it as it stands above.' };
    return sendDeletion(request, reply.code(400), act, { typed: typedFields(form.value, []), faults });
  });

  function logChange(request: FastifyRequest, { groupId, actorId }: Act, change: string): void {
    request.log.info({ [store.kind]: groupId, userId: actorId, change }, 'the people of a group changed');
  }

  async function sendDeletion(
    request: FastifyRequest,
    reply: FastifyReply,
    { groupId, actorId }: Act,
    form: FormFaults = { typed: {}, faults: {} },
  ): Promise<FastifyReply> {
    const name = await store.findName(app.db, groupId);
    const role = await store.findRole(app.db, groupId, actorId);
    if (name === undefined || role === undefined) return sendNotFoundPage(request, reply);
    if (role !== 'owner') return sendRefusal(request, reply, 'not_allowed', pathOf(groupId));
    return sendPage(request, reply, 'accounts/group-delete', {
      title: `Delete ${name}`,
      group: { name, kind: store.kind, page: pathOf(groupId), path: `${home}/${groupId}` },
      ...form,
    });
  }
}
