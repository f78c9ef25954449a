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
import { requireFormToken, requireSignIn, sessionOf } from '../sessions/session.ts';
import { linkTo, organizationAddressOf, teamAddressOf } from '../teams/address.ts';
import { changeOrganization, mayChangeSlug } from './changes.ts';
import { newOrganizationForm, organizationForm, organizationNameForm } from './request.ts';
import {
  createOrganization,
  findOwnOrganization,
  listOrganizationTeams,
  type OwnOrganization,
  organizationStore,
} from './store.ts';

const home = '/settings/organization';
const nothing: FormFaults = { typed: {}, faults: {} };
const slugTaken = { slug: 'This address is taken. Choose another.' };

/** Where people make their organization and look after it. */
export const organizationsPlugin = fp(
  async (app) => {
    app.addHook('preHandler', requireSignIn(home));
    app.addHook('preHandler', requireFormToken);
    // What is done names the organization in its path: a page that is still open from a former one
    // must not act on this one.
    const pages: GroupPages = { store: organizationStore, home, pathOf: () => home, show: sendOrganization };
    registerMemberRoutes(app, pages);
    registerInvitingRoutes(app, pages);

    app.get(home, async (request, reply) => {
      const own = await ownOf(request);
      if (own !== undefined) return sendOrganization(request, reply, own.id);
      const done = readDone(request.query, groupEndWords.organization);
      return sendPage(request, reply, 'accounts/organization-none', { title: 'Organization', done });
    });

    app.get(`${home}/new`, async (request, reply) => {
      if ((await ownOf(request)) !== undefined) return reply.redirect(home, 303);
      return sendNew(request, reply);
    });

    app.post(`${home}/new`, async (request, reply) => {
      const form = readForm(newOrganizationForm, request.body);
      if (!form.ok) return sendNew(request, reply.code(400), form);
      const { name, slug, kind } = form.value;
      const { id: ownerId } = sessionOf(request).person;
      const organization = { name, slug, isPlatform: kind === 'platform' };
      const created = await createOrganization(app.db, organization, ownerId, app.runtime.now());
      if (created.ok) {
        request.log.info({ organization: created.value.id, userId: ownerId }, 'an organization was made');
        return reply.redirect(home, 303);
      }
      // The form was sent twice, or from two pages: the organization that one is in is shown.
      if (created.reason === 'in_another_organization') return reply.redirect(home, 303);
      return sendNew(request, reply.code(400), { typed: typedFields(form.value, []), faults: slugTaken });
    });

    app.get<GroupRoute>(`${home}/:groupId/edit`, async (request, reply) => sendEdit(request, reply));

    app.post<GroupRoute>(`${home}/:groupId/edit`, async (request, reply) => {
      const act = readAct(organizationStore, request);
      const own = await ownOf(request);
      if (act === undefined || own?.id !== act.groupId) return sendNotFoundPage(request, reply);
      const schema = mayChangeSlug(own.role) ? organizationForm : organizationNameForm;
      const form = readForm(schema, request.body);
      if (!form.ok) return sendEdit(request, reply.code(400), form);
      const changed = await changeOrganization(app.db, act, form.value);
      if (changed.ok) return reply.redirect(withDone(home, 'saved'), 303);
      // Whoever is not in it, or may not change it, is told so by the form's own page.
      if (changed.reason !== 'slug_taken') return sendEdit(request, reply);
      return sendEdit(request, reply.code(400), { typed: typedFields(form.value, []), faults: slugTaken });
    });

    async function ownOf(request: FastifyRequest): Promise<OwnOrganization | undefined> {
      return findOwnOrganization(app.db, sessionOf(request).person.id);
    }

    async function sendNew(
      request: FastifyRequest,
      reply: FastifyReply,
      form: FormFaults = nothing,
    ): Promise<FastifyReply> {
      return sendPage(request, reply, 'accounts/organization-form', {
        title: 'Create an organization',
        exampleAddress: organizationAddressOf('acme', app.config),
        maySetSlug: true,
        ...form,
      });
    }

    async function sendEdit(
      request: FastifyRequest<GroupRoute>,
      reply: FastifyReply,
      form?: FormFaults,
    ): Promise<FastifyReply> {
      const organization = await ownOf(request);
      if (organization === undefined || organization.id !== readId(request.params.groupId))
        return sendNotFoundPage(request, reply);
      const { name, slug, role } = organization;
      if (!mayManage(role)) return sendRefusal(request, reply, 'not_allowed', home);
      return sendPage(request, reply, 'accounts/organization-form', {
        title: `Edit ${name}`,
        organization,
        exampleAddress: organizationAddressOf('acme', app.config),
        maySetSlug: mayChangeSlug(role),
        ...(form ?? { typed: { name, slug }, faults: {} }),
      });
    }

    async function sendOrganization(
      request: FastifyRequest,
      reply: FastifyReply,
      id: number,
      invitation: FormFaults = nothing,
    ): Promise<FastifyReply> {
      const organization = await ownOf(request);
      if (organization === undefined || organization.id !== id) return sendNotFoundPage(request, reply);
      const { role, slug } = organization;
      const actor = { id: sessionOf(request).person.id, role };
      const teams = await listOrganizationTeams(app.db, id, actor.id);
      return sendPage(request, reply, 'accounts/organization', {
        title: organization.name,
        organization,
        address: organization.isPlatform ? undefined : organizationAddressOf(slug, app.config),
        teams: teams.map((team) => {
          const address = teamAddressOf(team, app.config);
          return { ...team, address, href: linkTo(address, app.config) };
        }),
        ...(await describeGroup(app, pages, id, actor, request.query)),
        ...invitation,
      });
    }
  },
  { name: 'organizations', dependencies: ['platform', 'sessions'], encapsulate: true },
);
