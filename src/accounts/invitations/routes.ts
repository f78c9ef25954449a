import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readForm } from '../../forms.ts';
import { sendPage } from '../../pages.ts';
import { requireFormToken } from '../form-token.ts';
import type { GroupRef } from '../members/group.ts';
import { readId } from '../members/request.ts';
import { findOwnOrganization } from '../organizations/store.ts';
import { redirectToSignIn, type Session, type SessionDeps } from '../session.ts';
import { acceptInvitation, declineInvitation, groupStores } from './answering.ts';
import { answerForm } from './request.ts';
import { findInvitation, type Invitation } from './store.ts';
import { readInvitationToken } from './token.ts';

export interface AnsweringDeps extends SessionDeps {
  readonly signUp: 'open' | 'closed';
}

const home = '/invitations';

interface InvitationRoute {
  Params: { token: string };
}

/** Where the link of an invitation leads. Whoever holds it may take it up, for e-mail addresses are not verified; only signed in. Register in a scope of its own. */
export async function registerInvitationRoutes(app: FastifyInstance, deps: AnsweringDeps): Promise<void> {
  app.addHook('preHandler', requireFormToken(deps));

  app.get(`${home}/declined`, async (request, reply) =>
    sendPage(request, reply, 'accounts/invitation-declined', { title: 'You declined the invitation' }),
  );

  app.get<InvitationRoute>(`${home}/:token`, async (request, reply) => {
    const id = readInvitationToken(request.params.token, deps.rootSecret);
    const invitation = id === undefined ? undefined : await findInvitation(deps.db, id, deps.system.now());
    if (invitation === undefined) return sendGone(request, reply);
    return sendInvitation(request, reply, invitation);
  });

  app.post<InvitationRoute>(`${home}/:token/accept`, async (request, reply) => {
    const { token } = request.params;
    const id = readInvitationToken(token, deps.rootSecret);
    if (id === undefined) return sendGone(request, reply);
    const { session } = request;
    if (session === undefined) return redirectToSignIn(reply, `${home}/${token}`);
    const { person } = session;
    const accepted = await acceptInvitation(deps.db, id, person.id, deps.system.now());
    if (accepted.ok) {
      request.log.info({ [accepted.value.kind]: accepted.value.id, userId: person.id }, 'somebody joined');
      return reply.redirect(pathOf(accepted.value), 303);
    }
    if (accepted.reason !== 'gone') return reply.redirect(`${home}/${token}`, 303);
    // The form was sent twice: whoever is in is led there.
    const joined = await findJoined(request, session);
    return joined === undefined ? sendGone(request, reply) : reply.redirect(pathOf(joined), 303);
  });

  app.post<InvitationRoute>(`${home}/:token/decline`, async (request, reply) => {
    const id = readInvitationToken(request.params.token, deps.rootSecret);
    if (id === undefined) return sendGone(request, reply);
    const declined = await declineInvitation(deps.db, id, deps.system.now());
    return declined.ok ? reply.redirect(`${home}/declined`, 303) : sendGone(request, reply);
  });

  async function findJoined(request: FastifyRequest, { person }: Session): Promise<GroupRef | undefined> {
    const form = readForm(answerForm, request.body);
    const id = form.ok ? readId(form.value.group) : undefined;
    if (!form.ok || id === undefined) return undefined;
    const { kind } = form.value;
    const role = await groupStores[kind].findRole(deps.db, id, person.id);
    return role === undefined ? undefined : { kind, id };
  }

  async function sendInvitation(
    request: FastifyRequest<InvitationRoute>,
    reply: FastifyReply,
    invitation: Invitation,
  ): Promise<FastifyReply> {
    const { group, groupName, email } = invitation;
    const person = request.session?.person;
    return sendPage(request, reply, 'accounts/invitation', {
      title: `Join ${groupName}`,
      invitation,
      token: request.params.token,
      address: `${home}/${request.params.token}`,
      groupPath: pathOf(group),
      signUp: deps.signUp,
      isForOtherAddress: person !== undefined && person.email !== email,
      ...(await describeStanding(invitation, person?.id)),
    });
  }

  /** How the person stands to the group already. */
  async function describeStanding({ group }: Invitation, personId: number | undefined) {
    if (personId === undefined) return { standing: 'unknown' };
    const role = await groupStores[group.kind].findRole(deps.db, group.id, personId);
    if (role !== undefined) return { standing: 'member', role };
    const other = group.kind === 'team' ? undefined : await findOwnOrganization(deps.db, personId);
    return other === undefined ? { standing: 'stranger' } : { standing: 'elsewhere', other };
  }
}

function pathOf({ kind, id }: GroupRef): string {
  return kind === 'team' ? `/settings/teams/${id}` : '/settings/organization';
}

async function sendGone(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(410), 'accounts/invitation-gone', {
    title: 'This invitation does not work any more',
  });
}
