import type { FastifyInstance, FastifyReply } from 'fastify';
import { isTypedName, readForm, typedFields } from '../../web/forms.ts';
import { type Page, sendNotFoundPage, sendPage, tellOutcomes } from '../../web/pages.ts';
import type { GroupKind } from '../person.ts';
import { maxOf } from '../rate-limits/limits.ts';
import { auditContextOf, requireVerifiedEmail, sessionOf, settingsPlugin } from '../sessions/session.ts';
import {
  type Act,
  changeGroup,
  changeRole,
  endGroup,
  removeMember,
  type StartRefusal,
  startGroup,
} from './changes.ts';
import { sendDeletion, sendEdit, sendNewGroup } from './form-pages.ts';
import { addInvitingRoutes } from './invitation-routes.ts';
import {
  describePlace,
  endWords,
  homes,
  inGroupRoute,
  pageOf,
  sendGroup,
  sendRefusal,
  withDone,
} from './pages.ts';
import { confirmationForm, groupForms, nameForm, newGroupForms, readId, roleForm } from './request.ts';
import { maxTeams, maxTeamsOfOrganization, maySetSlug } from './rules.ts';
import { findOwnGroup, findOwnOrganization, listOwnGroups, type OwnGroup } from './store.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'accounts/teams': Page & {
      readonly teams: readonly (OwnGroup & ReturnType<typeof describePlace>)[];
    };
    'accounts/organization-none': Page;
  }
}

const verified = { preValidation: requireVerifiedEmail };

/** Where people create and manage teams. */
export const teamsPlugin = settingsPlugin('teams', homes.team, async (app) => {
  const home = homes.team;
  addGroupRoutes(app, 'team');

  app.get(home, async (request, reply) => {
    const own = await listOwnGroups(app.db, 'team', sessionOf(request).person.id);
    return sendPage(reply, 'accounts/teams', {
      title: 'Teams',
      teams: own.map((team) => ({ ...team, ...describePlace(team, app.config) })),
    });
  });

  app.get(`${home}/new`, verified, async (_request, reply) => sendNewGroup(reply, 'team'));

  app.get(`${home}/:groupId`, inGroupRoute('team', sendGroup));
});

/** Where people create and manage their organization. */
export const organizationsPlugin = settingsPlugin('organizations', homes.organization, async (app) => {
  const home = homes.organization;
  addGroupRoutes(app, 'organization');

  app.get(home, async (request, reply) => {
    const { id: actorId } = sessionOf(request).person;
    const group = await findOwnOrganization(app.db, actorId);
    if (group !== undefined) return sendGroup(request, reply, { group, actorId });
    return sendPage(reply, 'accounts/organization-none', { title: 'Organization' });
  });

  app.get(`${home}/new`, verified, async (request, reply) => {
    const own = await findOwnOrganization(app.db, sessionOf(request).person.id);
    return own === undefined ? sendNewGroup(reply, 'organization') : reply.redirect(home, 303);
  });
});

const slugTaken = { slug: 'This address is taken. Choose another.' };
const startFaults = {
  slug_taken: slugTaken,
  not_allowed: {
    in_organization: 'You’re not an owner or admin of an organization anymore, so we didn’t create the team.',
  },
  too_many_teams: { name: `You’re in ${maxTeams} teams, the maximum. Leave or delete one first.` },
  too_many_in_organization: {
    in_organization: `The organization has ${maxTeamsOfOrganization} teams, the maximum. Delete one first.`,
  },
  too_many_lately: {
    name: `You can create up to ${maxOf('new_group')} teams and organizations a day. Try again tomorrow.`,
  },
} as const satisfies Record<StartRefusal, Readonly<Record<string, string>>>;

/** What is the same for both kinds. */
function addGroupRoutes(app: FastifyInstance, kind: GroupKind): void {
  tellOutcomes(app, endWords[kind]);
  const home = homes[kind];
  const group = `${home}/:groupId`;
  addInvitingRoutes(app, kind);

  app.post(`${home}/new`, verified, async (request, reply) => {
    const form = readForm(newGroupForms[kind], request.body);
    if (!form.ok) return sendNewGroup(reply.code(400), kind, form);
    const { name, slug, in_organization: within, kind: type } = form.value;
    const { id: userId } = sessionOf(request).person;
    const wanted = { kind, name, slug, isPlatform: type === 'platform', isInOrganization: within === 'yes' };
    const started = await startGroup(app, wanted, userId, auditContextOf(request));
    if (!started.ok) {
      const faults = startFaults[started.reason];
      return sendNewGroup(reply.code(400), kind, { typed: typedFields(form.value, []), faults });
    }
    return reply.redirect(pageOf({ kind, id: started.value }), 303);
  });

  app.get(`${group}/edit`, inGroupRoute(kind, sendEdit));

  app.post(
    `${group}/edit`,
    inGroupRoute(kind, async (request, reply, act) => {
      const own = await findOwnGroup(app.db, act.group, act.actorId);
      if (own === undefined) return sendNotFoundPage(reply);
      const form = readForm(maySetSlug(kind, own.role) ? groupForms[kind] : nameForm, request.body);
      if (!form.ok) return sendEdit(request, reply.code(400), act, form);
      const changed = await changeGroup(app.db, act, form.value);
      if (changed.ok) return reply.redirect(withDone(pageOf(act.group), 'saved'), 303);
      if (changed.reason !== 'slug_taken') return sendRefusal(reply, changed.reason, act.group);
      const typed = typedFields(form.value, []);
      return sendEdit(request, reply.code(400), act, { typed, faults: slugTaken });
    }),
  );

  app.post(
    `${group}/members/:memberId/role`,
    inGroupRoute(kind, async (request, reply, act) => {
      const memberId = readId(request.params.memberId);
      if (memberId === undefined) return sendNotFoundPage(reply);
      const form = readForm(roleForm, request.body);
      if (!form.ok) return sendGroup(request, reply.code(400), act);
      const changed = await changeRole(app, act, memberId, form.value.role);
      if (!changed.ok) return sendRefusal(reply, changed.reason, act.group);
      return reply.redirect(withDone(pageOf(act.group), 'role_saved'), 303);
    }),
  );

  app.post(
    `${group}/members/:memberId/remove`,
    inGroupRoute(kind, async (request, reply, act) => {
      const memberId = readId(request.params.memberId);
      return memberId === undefined ? sendNotFoundPage(reply) : sendRemoval(reply, act, memberId);
    }),
  );

  app.post(
    `${group}/leave`,
    inGroupRoute(kind, async (_request, reply, act) => sendRemoval(reply, act, act.actorId)),
  );

  app.get(`${group}/delete`, inGroupRoute(kind, sendDeletion));

  app.post(
    `${group}/delete`,
    inGroupRoute(kind, async (request, reply, act) => {
      const form = readForm(confirmationForm, request.body);
      if (!form.ok) return sendDeletion(request, reply.code(400), act, form);
      const typed = form.value.confirmation;
      const isMeant = (name: string): boolean => isTypedName({ name, typed });
      const deleted = await endGroup(app, act, isMeant);
      if (deleted.ok) return reply.redirect(withDone(home, 'deleted'), 303);
      if (deleted.reason !== 'wrong_name') return sendRefusal(reply, deleted.reason, act.group);
      const faults = { confirmation: 'Type the name exactly as shown above.' };
      return sendDeletion(request, reply.code(400), act, { typed: typedFields(form.value, []), faults });
    }),
  );
}

async function sendRemoval(reply: FastifyReply, act: Act, memberId: number): Promise<FastifyReply> {
  const isSelf = act.actorId === memberId;
  const removed = await removeMember(reply.request.server, act, memberId);
  // Sent twice, the form finds that its sender has left already.
  const hasLeft = isSelf && !removed.ok && removed.reason === 'not_in_group';
  if (!removed.ok && !hasLeft) return sendRefusal(reply, removed.reason, act.group);
  const path = isSelf ? withDone(homes[act.group.kind], 'left') : withDone(pageOf(act.group), 'removed');
  return reply.redirect(path, 303);
}
