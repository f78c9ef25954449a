import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../../../platform/database.ts';
import type { ScopedApp } from '../../../platform/scoped-plugin.ts';
import type { Said, Sentence } from '../../../platform/words.ts';
import { orNotFound } from '../../../web/error-pages.ts';
import { pagesPlugin } from '../../../web/page-scope.ts';
import { type Page, sendPage } from '../../../web/pages.ts';
import { type GroupKind, isManagingRole, needsVerification, type Person } from '../../person.ts';
import {
  auditContextOf,
  redirectToSignIn,
  requireFormToken,
  requireVerifiedEmail,
  sendVerifyFirst,
  sessionOf,
} from '../../sessions/session.ts';
import { groupPage, homes } from '../address.ts';
import { actIn, sendGroup, sendRefusal, withGroupOutcome } from '../pages.ts';
import { accepting, inviting, ofGroup, ofInvitation, ofLink } from '../request.ts';
import { maxMembers, maxOpen, maxTeams, type RuledOutInvitation } from '../rules.ts';
import { findOwnGroup, findOwnOrganization, findRole, type GroupRef } from '../store.ts';
import {
  acceptInvitation,
  declineInvitation,
  findLimit,
  invite,
  readInvitationToken,
  withdrawInvitation,
} from './invitations.ts';
import { findInvitation, type Invitation, listOpenInvitations } from './store.ts';

declare module '../../../web/pages.ts' {
  interface Views {
    'accounts/invitation': Page & Awaited<ReturnType<typeof describeInvitation>>;
    'accounts/invitation-gone': Page;
  }
}

const invitingFaults = {
  role_not_allowed: { role: 'Only owners can invite owners.' satisfies Sentence },
  already_member: { email: 'This person is already a member.' satisfies Sentence },
  invited_above: {
    email: 'An owner invited this address as an owner. Only owners can change that.' satisfies Sentence,
  },
  too_many_open: {
    email: {
      text: 'There are {max} open invitations. Withdraw one, or wait until one is answered.',
      values: { max: maxOpen },
    },
  },
  // Equal words don't tell whether others invited the address.
} as const satisfies Record<Exclude<RuledOutInvitation, 'not_allowed'>, Readonly<Record<string, Said>>>;

/** Runs behind requireSignIn and requireFormToken. */
export function addInvitingRoutes(app: ScopedApp, kind: GroupKind): void {
  const path = `${homes[kind]}/:groupId`;
  const invitation = `${path}/invitations/:invitationId`;
  const verified = { preValidation: requireVerifiedEmail };

  // A page with form faults has this address, which people can reload.
  app.get(`${path}/invite`, ofGroup, async ({ params: { groupId: id } }, reply) =>
    reply.redirect(groupPage({ kind, id }), 303),
  );

  app.post(`${path}/invite`, { ...verified, ...inviting }, async (request, reply) => {
    const act = actIn(kind, request, request.params);
    const form = request.body;
    if (!form.ok) return sendGroup(reply.code(400), act, form);
    const invited = await invite(app, act, sessionOf(request).person, form.value);
    if (invited.ok) return reply.redirect(withGroupOutcome(groupPage(act.group), 'invited'), 303);
    const { reason } = invited;
    if (reason === 'not_in_group' || reason === 'not_allowed') return sendRefusal(reply, reason, act.group);
    return sendGroup(reply.code(400), act, { typed: form.typed, faults: invitingFaults[reason] });
  });

  app.get(`${invitation}/withdraw`, ofInvitation, async (request, reply) => {
    const { group, actorId } = actIn(kind, request, request.params);
    const own = orNotFound(await findOwnGroup(app.db, group, actorId));
    const open = isManagingRole(own.role)
      ? await listOpenInvitations(app.db, group.id, app.runtime.now())
      : [];
    const { t } = request.words;
    const { email } = orNotFound(open.find(({ id }) => id === request.params.invitationId));
    return sendPage(reply, 'deletion', {
      title: t('Withdraw the invitation to {email}?', { email }),
      text: t('Its link stops working. You can invite the address again.'),
      button: t('Withdraw invitation'),
      back: { address: groupPage(group), words: own.name },
    });
  });

  const withdrawing = { ...ofInvitation, config: { oldSignInBecause: 'it ends an invitation' } };
  app.post(`${invitation}/withdraw`, withdrawing, async (request, reply) => {
    const act = actIn(kind, request, request.params);
    const withdrawn = await withdrawInvitation(app, act, request.params.invitationId);
    if (!withdrawn.ok) return sendRefusal(reply, withdrawn.reason, act.group);
    return reply.redirect(withGroupOutcome(groupPage(act.group), withdrawn.value), 303);
  });
}

const home = '/invitations';

/** Any signed-in user who has the link can accept. */
export const invitationsPlugin = pagesPlugin('invitations', async (app) => {
  app.addHook('preValidation', requireFormToken);

  app.get(`${home}/declined`, async ({ words: { t } }, reply) =>
    sendPage(reply, 'error', {
      title: t('Invitation declined'),
      text: t('Its link no longer works. If you change your mind, ask for a new invitation.'),
    }),
  );

  app.get(`${home}/:token`, ofLink, async (request, reply) => {
    const id = readInvitationToken(request.params.token, app.secrets);
    const invitation = id && (await findInvitation(app.db, id, app.runtime.now()));
    if (!invitation) return sendGone(reply);
    const view = await describeInvitation(request, invitation, request.params.token);
    return sendPage(reply, 'accounts/invitation', view);
  });

  app.post(`${home}/:token/accept`, accepting, async (request, reply) => {
    const { token } = request.params;
    const id = readInvitationToken(token, app.secrets);
    if (id === undefined) return sendGone(reply);
    if (request.session === undefined) return redirectToSignIn(reply, `${home}/${token}`);
    const { person } = request.session;
    // Members become hosts, say, and owners read their address (security C201).
    // protects: C201
    if (needsVerification(app.config, person)) return sendVerifyFirst(reply, `${home}/${token}`);
    const { id: userId } = person;
    const accepted = await acceptInvitation(app, id, person, auditContextOf(request));
    if (accepted.ok) return reply.redirect(withGroupOutcome(groupPage(accepted.value), 'joined'), 303);
    if (accepted.reason !== 'gone') return reply.redirect(`${home}/${token}`, 303);
    // A form that is sent twice leads members to their group.
    const group = request.body.ok && request.body.value;
    if (group && (await findRole(app.db, group, userId))) return reply.redirect(groupPage(group), 303);
    return sendGone(reply);
  });

  const declining = { ...ofLink, config: { oldSignInBecause: 'it ends an invitation' } };
  app.post(`${home}/:token/decline`, declining, async (request, reply) => {
    const id = readInvitationToken(request.params.token, app.secrets);
    if (id === undefined) return sendGone(reply);
    const declined = await declineInvitation(app.db, id, auditContextOf(request));
    return declined.ok ? reply.redirect(`${home}/declined`, 303) : sendGone(reply);
  });
});

async function describeInvitation(
  { server: { db, config }, session, words }: FastifyRequest,
  { group, ...invitation }: Invitation,
  token: string,
) {
  const address = `${home}/${token}`;
  const returnTo = `?return_to=${encodeURIComponent(address)}`;
  return {
    ...invitation,
    title: words.t('Join {group}', { group: group.name }),
    group,
    groupPage: groupPage(group),
    address,
    signInPath: `/signin${returnTo}`,
    signUpPath: config.signUp === 'open' ? `/signup${returnTo}` : undefined,
    standing: session && (await describeStanding(db, group, session.person, invitation.email)),
  };
}

const limitWords = {
  group_full: {
    text: 'There are {max, number} members, the maximum. Ask an owner or admin to make room, then open this link again.',
    values: { max: maxMembers },
  },
  too_many_teams: {
    text: 'You’re in {max, number} teams, the maximum. Leave or delete one, then open this link again.',
    values: { max: maxTeams },
  },
} as const satisfies Record<string, Said>;

async function describeStanding(db: Db, group: GroupRef, { id, email }: Person, invitedEmail: string) {
  const role = await findRole(db, group, id);
  if (role !== undefined) return { kind: 'member', role } as const;
  const other = group.kind === 'organization' && (await findOwnOrganization(db, id));
  if (other) return { kind: 'elsewhere', organizationName: other.name } as const;
  const limit = await findLimit(db, group, id);
  if (limit !== undefined) return { kind: 'limited', said: limitWords[limit] } as const;
  return { kind: 'stranger', isForOtherAddress: email !== invitedEmail } as const;
}

async function sendGone(reply: FastifyReply): Promise<FastifyReply> {
  return sendPage(reply.code(410), 'accounts/invitation-gone', {
    title: reply.request.words.t('Invitation no longer valid'),
  });
}
