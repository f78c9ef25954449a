import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { type FormFaults, readForm, typedFields } from '../../web/forms.ts';
import { sendNotFoundPage, sendPage } from '../../web/pages.ts';
import { readDone } from '../done.ts';
import { registerInvitingRoutes } from '../invitations/group-routes.ts';
import { groupEndWords, withDone } from '../members/done.ts';
import { describeGroup, type GroupPages, type GroupRoute, readAct, sendRefusal } from '../members/pages.ts';
import { readId } from '../members/request.ts';
import { registerMemberRoutes } from '../members/routes.ts';
import { mayManage } from '../members/rules.ts';
import { findOwnOrganization } from '../organizations/store.ts';
import { requireFormToken, requireSignIn, sessionOf } from '../sessions/session.ts';
import { linkTo, type TeamInAddress, teamAddressOf } from './address.ts';
import { changeTeam, foundTeam } from './changes.ts';
import { newTeamForm, teamForm } from './request.ts';
import { findOwnTeam, listOwnTeams, teamStore } from './store.ts';

const home = '/settings/teams';
const pathOf = (id: number): string => `${home}/${id}`;
const nothing: FormFaults = { typed: {}, faults: {} };
const slugTaken = { slug: 'This address is taken. Choose another.' };

/** Where people make teams and look after them. */
export const teamsPlugin = fp(
  async (app) => {
    app.addHook('preHandler', requireSignIn(home));
    app.addHook('preHandler', requireFormToken);
    const pages: GroupPages = { store: teamStore, home, pathOf, show: sendTeam };
    registerMemberRoutes(app, pages);
    registerInvitingRoutes(app, pages);

    app.get(home, async (request, reply) => {
      const own = await listOwnTeams(app.db, sessionOf(request).person.id);
      const teams = own.map((team) => ({ ...team, ...placeOf(team) }));
      const done = readDone(request.query, groupEndWords.team);
      return sendPage(request, reply, 'accounts/teams', { title: 'Teams', teams, done });
    });

    app.get(`${home}/new`, async (request, reply) => sendNewTeam(request, reply));

    app.post(`${home}/new`, async (request, reply) => {
      const form = readForm(newTeamForm, request.body);
      if (!form.ok) return sendNewTeam(request, reply.code(400), form);
      const { name, slug, in_organization: inOrganization } = form.value;
      const { id: ownerId } = sessionOf(request).person;
      const team = { name, slug, isInOrganization: inOrganization !== undefined };
      const founded = await foundTeam(app.db, team, ownerId, app.runtime.now());
      if (founded.ok) {
        request.log.info({ team: founded.value, userId: ownerId }, 'a team was made');
        return reply.redirect(pathOf(founded.value), 303);
      }
      const typed = typedFields(form.value, []);
      return sendNewTeam(request, reply.code(400), { typed, faults: foundingFaults[founded.reason] });
    });

    app.get<GroupRoute>(`${home}/:groupId`, async (request, reply) => {
      const id = readId(request.params.groupId);
      return id === undefined ? sendNotFoundPage(request, reply) : sendTeam(request, reply, id);
    });

    app.get<GroupRoute>(`${home}/:groupId/edit`, async (request, reply) => sendEdit(request, reply));

    app.post<GroupRoute>(`${home}/:groupId/edit`, async (request, reply) => {
      const act = readAct(teamStore, request);
      if (act === undefined) return sendNotFoundPage(request, reply);
      const form = readForm(teamForm, request.body);
      if (!form.ok) return sendEdit(request, reply.code(400), form);
      const changed = await changeTeam(app.db, act, form.value);
      if (changed.ok) return reply.redirect(withDone(pathOf(act.groupId), 'saved'), 303);
      // Whoever is not in the team, or may not change it, is told so by the form's own page.
      if (changed.reason !== 'slug_taken') return sendEdit(request, reply);
      return sendEdit(request, reply.code(400), { typed: typedFields(form.value, []), faults: slugTaken });
    });

    function placeOf(team: TeamInAddress) {
      const address = teamAddressOf(team, app.config);
      return { address, href: linkTo(address, app.config) };
    }

    async function sendNewTeam(
      request: FastifyRequest,
      reply: FastifyReply,
      form: FormFaults = nothing,
    ): Promise<FastifyReply> {
      const organization = await findOwnOrganization(app.db, sessionOf(request).person.id);
      const offered = organization !== undefined && mayManage(organization.role) ? organization : undefined;
      return sendPage(request, reply, 'accounts/team-form', {
        title: 'Create a team',
        organization: offered,
        ...form,
      });
    }

    async function sendEdit(
      request: FastifyRequest<GroupRoute>,
      reply: FastifyReply,
      form?: FormFaults,
    ): Promise<FastifyReply> {
      const id = readId(request.params.groupId);
      const team = id === undefined ? undefined : await findOwnTeam(app.db, id, sessionOf(request).person.id);
      if (team === undefined) return sendNotFoundPage(request, reply);
      if (!mayManage(team.role)) return sendRefusal(request, reply, 'not_allowed', pathOf(team.id));
      const shown = form ?? { typed: { name: team.name, slug: team.slug }, faults: {} };
      return sendPage(request, reply, 'accounts/team-form', { title: `Edit ${team.name}`, team, ...shown });
    }

    async function sendTeam(
      request: FastifyRequest,
      reply: FastifyReply,
      id: number,
      invitation: FormFaults = nothing,
    ): Promise<FastifyReply> {
      const { person } = sessionOf(request);
      const team = await findOwnTeam(app.db, id, person.id);
      if (team === undefined) return sendNotFoundPage(request, reply);
      const actor = { id: person.id, role: team.role };
      const group = await describeGroup(app, pages, id, actor, request.query);
      return sendPage(request, reply, 'accounts/team', {
        title: team.name,
        team,
        ...placeOf(team),
        ...group,
        ...invitation,
      });
    }
  },
  { name: 'teams', dependencies: ['platform', 'sessions'], encapsulate: true },
);

const foundingFaults = {
  slug_taken: slugTaken,
  not_allowed: {
    in_organization: 'You are not an owner or admin of an organization any more, so the team was not made.',
  },
} as const;
