import type { FastifyInstance, FastifyReply } from 'fastify';
import fp from 'fastify-plugin';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { sendApiError } from '../../api/errors.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { rowIdInAddress, slugToFind } from '../input.ts';
import { pageQuery, paginationOf } from '../operation.ts';
import { principalOf } from '../principals/scope.ts';
import { findTeamRole } from '../principals/store.ts';
import { apiVersions } from '../versions.ts';
import { operations } from './operations.ts';
import { eventSlug, sortCreatedAt } from './request.ts';
import { showEventType } from './response.ts';
import { type EventTypeSet, type ListOptions, listEventTypes } from './store.ts';

const config = { apiVersion: apiVersions.eventTypes } as const;
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
      config,
      schema: {
        querystring: listQuery.extend({
          username: slugToFind.optional().describe('The user whose public event types to list.'),
        }),
        ...operations.listEventTypes,
      },
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
    {
      config,
      schema: {
        params: z.object({ teamId: rowIdInAddress.describe('The team ID.') }),
        querystring: listQuery,
        ...operations.listTeamEventTypes,
      },
      preValidation: mayRead,
    },
    async (request, reply) => {
      const { teamId } = request.params;
      const role = await findTeamRole(app.db, principalOf(request), teamId);
      if (role === undefined) return sendApiError(request, reply, 'NotFound', 'Team not found.');
      return sendList(reply, { teamId }, request.query, true);
    },
  );

  app.get(
    '/organizations/:organizationId/teams/event-types',
    {
      config,
      schema: {
        params: z.object({ organizationId: rowIdInAddress.describe('The organization ID.') }),
        querystring: listQuery,
        ...operations.listOrganizationTeamsEventTypes,
      },
      preValidation: mayRead,
    },
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
    const { eventTypes, total } = await listEventTypes(app.db, set, { ...options, withHidden });
    const data = eventTypes.map((found) => showEventType(found, app.config));
    const pagination = paginationOf(total, data.length, options.take, options.skip);
    return reply.send({ status: 'success', data, pagination });
  }
}
