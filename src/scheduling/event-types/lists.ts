import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { sendApiError } from '../../api/errors.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { pageQuery, rowIdInAddress, slugToFind } from '../input.ts';
import { operationsOf, pageOf, showPage } from '../operation.ts';
import { principalOf } from '../principals/scope.ts';
import { findTeamRole } from '../principals/store.ts';
import { eventSlug, sortCreatedAt } from './request.ts';
import { eventTypeAnswer, showEventType } from './response.ts';
import { type EventTypeSet, type ListOptions, listEventTypes } from './store.ts';

const access = { scope: 'EVENT_TYPE_READ' } as const;
const read = operationsOf('Event types', access);
const readOrPublic = operationsOf('Event types', { ...access, caller: 'anyone' });
const page = pageOf(eventTypeAnswer);
const listQuery = z.object({ eventSlug, sortCreatedAt, ...pageQuery });

/** Lists of event types (contract §8). Register where the bearer is optional. */
export const eventTypeListsPlugin = fp(registerEventTypeLists, {
  name: 'event-type-lists',
  dependencies: ['platform', 'principals', 'api-versions'],
  encapsulate: true,
});

async function registerEventTypeLists(scope: FastifyInstance): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const mayRead = requireScope('EVENT_TYPE_READ');

  app.get(
    '/event-types',
    {
      ...readOrPublic('listEventTypes', 'List event types', page, {
        querystring: listQuery.extend({
          username: slugToFind.optional().describe('The user whose public event types to list.'),
        }),
        description:
          "With `username`, lists that user's public event types and needs no token. Without it, lists all event types of the token's user or team, including hidden ones.",
      }),
      preValidation: async (request, reply) =>
        request.query.username === undefined ? mayRead(request, reply) : undefined,
    },
    async (request, reply) => {
      const { username, ...options } = request.query;
      if (username !== undefined)
        return sendList(reply, { username: username.toLowerCase() }, options, false);
      const { userId, teamId } = principalOf(request);
      return sendList(reply, teamId === null ? { userId } : { teamId }, options, true);
    },
  );

  app.get(
    '/teams/:teamId/event-types',
    read('listTeamEventTypes', 'List event types of a team', page, {
      params: z.object({ teamId: rowIdInAddress.describe('The team ID.') }),
      querystring: listQuery,
      description: 'Only for members of the team.',
      errors: { 404: 'Team not found, or the user is not a member.' },
    }),
    async (request, reply) => {
      const { teamId } = request.params;
      const role = await findTeamRole(app.db, principalOf(request), teamId);
      if (role === undefined) return sendApiError(request, reply, 'NotFound', 'Team not found.');
      return sendList(reply, { teamId }, request.query, true);
    },
  );

  app.get(
    '/organizations/:organizationId/teams/event-types',
    read('listOrganizationTeamsEventTypes', "List event types of an organization's teams", page, {
      params: z.object({ organizationId: rowIdInAddress.describe('The organization ID.') }),
      querystring: listQuery,
      description: 'Only for members of the organization. Owners and admins also get hidden event types.',
      errors: { 404: 'Organization not found, or the user is not a member.' },
    }),
    async (request, reply) => {
      const { organizationId } = request.params;
      const principal = principalOf(request);
      if (principal.teamId !== null || principal.organizationId !== organizationId)
        return sendApiError(request, reply, 'NotFound', 'Organization not found.');
      return sendList(reply, { organizationId }, request.query, isManagingRole(principal.organizationRole));
    },
  );

  async function sendList(
    reply: FastifyReply,
    set: EventTypeSet,
    options: Omit<ListOptions, 'withHidden'>,
    withHidden: boolean,
  ): Promise<FastifyReply> {
    const { eventTypes, total } = await listEventTypes(app, set, { ...options, withHidden });
    const data = eventTypes.map((found) => showEventType(found, app.config));
    return reply.send(showPage(data, total, options));
  }
}
