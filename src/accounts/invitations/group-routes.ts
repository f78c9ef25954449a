import type { FastifyInstance } from 'fastify';
import { readForm, typedFields } from '../../web/forms.ts';
import { sendNotFoundPage } from '../../web/pages.ts';
import { withDone } from '../members/done.ts';
import { type GroupPages, type GroupRoute, readAct, sendRefusal } from '../members/pages.ts';
import { maxOf } from '../rate-limits/limits.ts';
import { sessionOf } from '../sessions/session.ts';
import { type InvitingRefusal, invite, inviteAgain, type Sent, withdrawInvitation } from './inviting.ts';
import { invitationForm } from './request.ts';
import { maxOpen } from './rules.ts';

interface InvitationRoute {
  Params: { groupId: string; invitationId: string };
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * How owners and admins invite others into a group. Register it behind requireSignIn and
 * requireFormToken.
 */
export function registerInvitingRoutes(app: FastifyInstance, pages: GroupPages): void {
  const { store, home, pathOf } = pages;
  const group = `${home}/:groupId`;
  const invitation = `${group}/invitations/:invitationId`;

  // The form stands on the group's page, and with its faults at this address.
  app.get<GroupRoute>(`${group}/invite`, async (request, reply) => {
    const act = readAct(store, request);
    return act === undefined ? sendNotFoundPage(request, reply) : reply.redirect(pathOf(act.groupId), 303);
  });

  app.post<GroupRoute>(`${group}/invite`, async (request, reply) => {
    const act = readAct(store, request);
    if (act === undefined) return sendNotFoundPage(request, reply);
    const form = readForm(invitationForm, request.body);
    if (!form.ok) return pages.show(request, reply.code(400), act.groupId, form);
    const invited = await invite(app, act, sessionOf(request).person, form.value);
    if (invited.ok) return reply.redirect(sentPath(act.groupId, invited.value), 303);
    const { reason } = invited;
    if (reason === 'not_in_group' || reason === 'not_allowed')
      return sendRefusal(request, reply, reason, pathOf(act.groupId));
    const faulty = { typed: typedFields(form.value, []), faults: invitingFaults[reason] };
    return pages.show(request, reply.code(400), act.groupId, faulty);
  });

  app.post<InvitationRoute>(`${invitation}/resend`, async (request, reply) => {
    const act = readAct(store, request);
    const { invitationId } = request.params;
    if (act === undefined || !uuid.test(invitationId)) return sendNotFoundPage(request, reply);
    const sent = await inviteAgain(app, act, sessionOf(request).person, invitationId);
    if (sent.ok) return reply.redirect(sentPath(act.groupId, sent.value), 303);
    const isAbove = sent.reason === 'role_not_allowed' || sent.reason === 'invited_above';
    return sendRefusal(request, reply, isAbove ? 'not_allowed' : sent.reason, pathOf(act.groupId));
  });

  app.post<InvitationRoute>(`${invitation}/withdraw`, async (request, reply) => {
    const act = readAct(store, request);
    const { invitationId } = request.params;
    if (act === undefined || !uuid.test(invitationId)) return sendNotFoundPage(request, reply);
    const withdrawn = await withdrawInvitation(app, act, invitationId);
    if (!withdrawn.ok) return sendRefusal(request, reply, withdrawn.reason, pathOf(act.groupId));
    return reply.redirect(withDone(pathOf(act.groupId), withdrawn.value), 303);
  });

  function sentPath(groupId: number, { outcome, id }: Sent): string {
    const path = pathOf(groupId);
    return outcome === 'sent' ? withDone(path, 'invited') : withDone(path, 'invited_before', id);
  }
}

/** What the form says, beside the field that it is about. */
const invitingFaults = {
  role_not_allowed: { role: 'Only owners can make somebody an owner.' },
  already_member: { email: 'Somebody with this address is a member already.' },
  invited_above: { email: 'An owner has invited this address as an owner. Only owners can change that.' },
  too_many_open: {
    email: `${maxOpen} invitations are open already. Withdraw one, or wait until one is answered.`,
  },
  // The same words for both, so that they do not tell whether others have invited the address.
  too_many_letters: {
    email: `No more than ${maxOf('invitation_letter')} invitations can be sent within an hour, and ${maxOf('invited_address')} to one address. Try again later.`,
  },
} as const satisfies Record<Exclude<InvitingRefusal, 'not_allowed'>, Readonly<Record<string, string>>>;
