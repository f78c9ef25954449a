import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { readForm } from '../../web/forms.ts';
import { sendPage } from '../../web/pages.ts';
import type { GroupRef } from '../members/group.ts';
import { readId } from '../members/request.ts';
import { findOwnOrganization } from '../organizations/store.ts';
import { redirectToSignIn, requireFormToken, type Session } from '../sessions/session.ts';
import { acceptInvitation, declineInvitation, groupStores } from './answering.ts';
import { answerForm } from './request.ts';
import { findInvitation, type Invitation } from './store.ts';
import { readInvitationToken } from './token.ts';

const home = '/invitations';

interface InvitationRoute {
  Params: { token: string };
}

/**
 * Where the link of an invitation leads. Whoever holds it may take it up, for email addresses are
 * not verified; only signed in.
 */
export const invitationsPlugin = fp(
  async (app) => {
    app.addHook('preHandler', requireFormToken);

    app.get(`${home}/declined`, async (request, reply) =>
      sendPage(request, reply, 'accounts/invitation-declined', { title: 'You declined the invitation' }),
    );

    app.get<InvitationRoute>(`${home}/:token`, async (request, reply) => {
      const id = readInvitationToken(request.params.token, app.secrets);
      const invitation = id === undefined ? undefined : await findInvitation(app.db, id, app.runtime.now());
      if (invitation === undefined) return sendGone(request, reply);
      return sendInvitation(request, reply, invitation);
    });

    app.post<InvitationRoute>(`${home}/:token/accept`, async (request, reply) => {
      const { token } = request.params;
      const id = readInvitationToken(token, app.secrets);
      if (id === undefined) return sendGone(request, reply);
      const { session } = request;
      if (session === undefined) return redirectToSignIn(reply, `${home}/${token}`);
      const { person } = session;
      const accepted = await acceptInvitation(app.db, id, person.id, app.runtime.now());
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
      const id = readInvitationToken(request.params.token, app.secrets);
      if (id === undefined) return sendGone(request, reply);
      const declined = await declineInvitation(app.db, id, app.runtime.now());
      return declined.ok ? reply.redirect(`${home}/declined`, 303) : sendGone(request, reply);
    });

    async function findJoined(request: FastifyRequest, { person }: Session): Promise<GroupRef | undefined> {
      const form = readForm(answerForm, request.body);
      const id = form.ok ? readId(form.value.group) : undefined;
      if (!form.ok || id === undefined) return undefined;
      const { kind } = form.value;
      const role = await groupStores[kind].findRole(app.db, id, person.id);
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
        signUp: app.config.signUp,
        isForOtherAddress: person !== undefined && person.email !== email,
        ...(await describeStanding(invitation, person?.id)),
      });
    }

    /** How the person stands to the group already. */
    async function describeStanding({ group }: Invitation, personId: number | undefined) {
      if (personId === undefined) return { standing: 'unknown' };
      const role = await groupStores[group.kind].findRole(app.db, group.id, personId);
      if (role !== undefined) return { standing: 'member', role };
      const other = group.kind === 'team' ? undefined : await findOwnOrganization(app.db, personId);
      return other === undefined ? { standing: 'stranger' } : { standing: 'elsewhere', other };
    }
  },
  { name: 'invitations', dependencies: ['platform', 'sessions'], encapsulate: true },
);

function pathOf({ kind, id }: GroupRef): string {
  return kind === 'team' ? `/settings/teams/${id}` : '/settings/organization';
}

async function sendGone(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(request, reply.code(410), 'accounts/invitation-gone', {
    title: 'This invitation does not work any more',
  });
}
