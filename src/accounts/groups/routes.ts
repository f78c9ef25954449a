import type { FastifyReply } from 'fastify';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import type { Said, Sentence } from '../../platform/words.ts';
import { orNotFound } from '../../web/error-pages.ts';
import { formOf, isTypedName } from '../../web/forms.ts';
import { tellOutcomes } from '../../web/outcomes.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { teamSlugOf, underFreeName } from '../fields.ts';
import type { GroupKind } from '../person.ts';
import { auditContextOf, requireVerifiedEmail, sessionOf, settingsPlugin } from '../sessions/session.ts';
import { groupPage, homes } from './address.ts';
import {
  type Act,
  changeGroup,
  changeRole,
  endGroup,
  endManagedUsers,
  removeMember,
  type StartRefusal,
  startGroup,
} from './changes.ts';
import { sendDeletion, sendEdit, sendNewGroup } from './form-pages.ts';
import { addInvitingRoutes } from './invitations/routes.ts';
import {
  actIn,
  describePlace,
  endWords,
  leavingWords,
  sendGroup,
  sendRefusal,
  withGroupOutcome,
} from './pages.ts';
import {
  changingRole,
  deleting,
  editOf,
  endingUsers,
  endingUsersOf,
  newGroupForms,
  ofGroup,
  ofMember,
} from './request.ts';
import { maxTeams, maxTeamsOfOrganization } from './rules.ts';
import { findMember, findOwnGroup, findOwnOrganization, listOwnGroups, type OwnGroup } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/teams': Page & {
      readonly teams: readonly (OwnGroup & ReturnType<typeof describePlace>)[];
    };
    'accounts/organization-none': Page;
  }
}

const verified = { preValidation: requireVerifiedEmail };

export const teamsPlugin = settingsPlugin('teams', homes.team, async (app) => {
  const home = homes.team;
  addGroupRoutes(app, 'team');

  app.get(home, async (request, reply) => {
    const own = await listOwnGroups(app.db, 'team', sessionOf(request).person.id);
    return sendPage(reply, 'accounts/teams', {
      title: request.words.t('Teams'),
      teams: own.map((team) => ({ ...team, ...describePlace(team, app) })),
    });
  });

  app.get(`${home}/new`, verified, async (_request, reply) => sendNewGroup(reply, 'team'));

  app.get(`${home}/:groupId`, ofGroup, async (request, reply) =>
    sendGroup(reply, actIn('team', request, request.params)),
  );
});

export const organizationsPlugin = settingsPlugin('organizations', homes.organization, async (app) => {
  const home = homes.organization;
  addGroupRoutes(app, 'organization');

  app.get(home, async (request, reply) => {
    const { id: actorId } = sessionOf(request).person;
    const group = await findOwnOrganization(app.db, actorId);
    if (group !== undefined) return sendGroup(reply, { group, actorId });
    return sendPage(reply, 'accounts/organization-none', { title: request.words.t('Organization') });
  });

  app.get(`${home}/:groupId/managed-users/end`, endingUsersOf, async (request, reply) => {
    const { group, actorId } = actIn('organization', request, request.params);
    const own = orNotFound(await findOwnGroup(app.db, group, actorId));
    const { client_id: clientId } = request.query;
    const { t } = request.words;
    const name = (await app.findAppNames([clientId])).get(clientId) ?? t('a deleted app');
    return sendPage(reply, 'deletion', {
      title: t('Delete the users of {name}?', { name }),
      text: `${t('This deletes all that they have, and cancels what others have arranged with them.')} ${t('You can’t undo this.')}`,
      button: t('Delete users'),
      back: { address: groupPage(group), words: own.name },
      hidden: { client_id: clientId },
    });
  });

  app.post(`${home}/:groupId/managed-users/end`, endingUsers, async (request, reply) => {
    const act = actIn('organization', request, request.params);
    const form = request.body;
    if (!form.ok) return sendGroup(reply.code(400), act);
    const { client_id: clientId } = form.value;
    const name = (await app.findAppNames([clientId])).get(clientId) ?? 'A deleted app';
    const ended = await endManagedUsers(app.db, act, { clientId, name });
    if (!ended.ok) return sendRefusal(reply, ended.reason, act.group);
    return reply.redirect(withGroupOutcome(groupPage(act.group), ended.value), 303);
  });

  app.get(`${home}/new`, verified, async (request, reply) => {
    const own = await findOwnOrganization(app.db, sessionOf(request).person.id);
    return own === undefined ? sendNewGroup(reply, 'organization') : reply.redirect(home, 303);
  });
});

const slugTaken = { slug: 'This address is taken. Choose another.' satisfies Sentence };
const startFaults = {
  name_taken: slugTaken,
  not_allowed: {
    in_organization:
      'You’re not an owner or admin of an organization anymore, so we didn’t create the team.' satisfies Sentence,
  },
  too_many_teams: {
    name: {
      text: 'You’re in {max} teams, the maximum. Leave or delete one first.',
      values: { max: maxTeams },
    },
  },
  too_many_in_organization: {
    in_organization: {
      text: 'The organization has {max} teams, the maximum. Delete one first.',
      values: { max: maxTeamsOfOrganization },
    },
  },
} as const satisfies Record<StartRefusal, Readonly<Record<string, Said>>>;

function addGroupRoutes(app: ScopedApp, kind: GroupKind): void {
  tellOutcomes(app, endWords[kind]);
  const home = homes[kind];
  const group = `${home}/:groupId`;
  addInvitingRoutes(app, kind);

  const starting = { ...verified, schema: { body: formOf(newGroupForms[kind]) } };
  app.post(`${home}/new`, starting, async (request, reply) => {
    const form = request.body;
    if (!form.ok) return sendNewGroup(reply.code(400), kind, form);
    const { id: userId } = sessionOf(request).person;
    const { name, slug } = form.value;
    const start = (one: string) =>
      startGroup(app, { kind, ...form.value, slug: one }, userId, auditContextOf(request));
    const started = await (slug === '' ? underFreeName(teamSlugOf(name), app.runtime, start) : start(slug));
    if (!started.ok) {
      const faults = startFaults[started.reason];
      return sendNewGroup(reply.code(400), kind, { typed: form.typed, faults });
    }
    return reply.redirect(groupPage({ kind, id: started.value }), 303);
  });

  app.get(`${group}/edit`, ofGroup, async (request, reply) =>
    sendEdit(reply, actIn(kind, request, request.params)),
  );

  app.post(`${group}/edit`, editOf(kind), async (request, reply) => {
    const act = actIn(kind, request, request.params);
    const form = request.body;
    if (!form.ok) return sendEdit(reply.code(400), act, form);
    const changed = await changeGroup(app.db, act, form.value);
    if (changed.ok) return reply.redirect(withGroupOutcome(groupPage(act.group), 'saved'), 303);
    if (changed.reason !== 'name_taken') return sendRefusal(reply, changed.reason, act.group);
    return sendEdit(reply.code(400), act, { typed: form.typed, faults: slugTaken });
  });

  // protects: C201
  app.post(`${group}/members/:memberId/role`, { ...verified, ...changingRole }, async (request, reply) => {
    const act = actIn(kind, request, request.params);
    const form = request.body;
    if (!form.ok) return sendGroup(reply.code(400), act);
    const changed = await changeRole(app, act, request.params.memberId, form.value.role);
    if (!changed.ok) return sendRefusal(reply, changed.reason, act.group);
    return reply.redirect(withGroupOutcome(groupPage(act.group), 'role_saved'), 303);
  });

  app.get(`${group}/members/:memberId/remove`, ofMember, async (request, reply) => {
    const act = actIn(kind, request, request.params);
    const own = orNotFound(await findOwnGroup(app.db, act.group, act.actorId));
    const { t } = request.words;
    const { name } = orNotFound(await findMember(app.db, act.group, { id: request.params.memberId }));
    return sendPage(reply, 'deletion', {
      title: t('Remove {name}?', { name }),
      text: t('They leave {group} and can only come back if someone invites them.', { group: own.name }),
      button: t('Remove member'),
      back: { address: groupPage(act.group), words: own.name },
    });
  });

  app.post(`${group}/members/:memberId/remove`, ofMember, async (request, reply) =>
    sendRemoval(reply, actIn(kind, request, request.params), request.params.memberId),
  );

  app.get(`${group}/leave`, ofGroup, async (request, reply) => {
    const act = actIn(kind, request, request.params);
    const { name } = orNotFound(await findOwnGroup(app.db, act.group, act.actorId));
    const { t, say } = request.words;
    return sendPage(reply, 'deletion', {
      title: t('Leave {name}?', { name }),
      text: `${t('You can only come back if someone invites you. Your open invitations end.')} ${say(leavingWords[kind])}`,
      button: t('Leave {kind, select, team {team} other {organization}}', { kind }),
      back: { address: groupPage(act.group), words: name },
    });
  });

  app.post(`${group}/leave`, ofGroup, async (request, reply) => {
    const act = actIn(kind, request, request.params);
    return sendRemoval(reply, act, act.actorId);
  });

  app.get(`${group}/delete`, ofGroup, async (request, reply) =>
    sendDeletion(reply, actIn(kind, request, request.params)),
  );

  app.post(`${group}/delete`, deleting, async (request, reply) => {
    const act = actIn(kind, request, request.params);
    const form = request.body;
    if (!form.ok) return sendDeletion(reply.code(400), act, form);
    const { confirmation } = form.value;
    const deleted = await endGroup(app, act, (name) => isTypedName({ name, typed: confirmation }));
    if (deleted.ok) return reply.redirect(withGroupOutcome(home, 'deleted'), 303);
    if (deleted.reason !== 'wrong_name') return sendRefusal(reply, deleted.reason, act.group);
    const faults = { confirmation: 'Type the name exactly as shown above.' satisfies Sentence };
    return sendDeletion(reply.code(400), act, { typed: form.typed, faults });
  });
}

async function sendRemoval(reply: FastifyReply, act: Act, memberId: number): Promise<FastifyReply> {
  const isSelf = act.actorId === memberId;
  const removed = await removeMember(reply.request.server, act, memberId);
  // A form that is sent twice finds that its sender has left.
  const hasLeft = isSelf && !removed.ok && removed.reason === 'not_in_group';
  if (!removed.ok && !hasLeft) return sendRefusal(reply, removed.reason, act.group);
  const path = isSelf
    ? withGroupOutcome(homes[act.group.kind], 'left')
    : withGroupOutcome(groupPage(act.group), 'removed');
  return reply.redirect(path, 303);
}
