import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { sendApiError } from '../../http.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { callerOf } from '../callers/scope.ts';
import { findTeamRole } from '../callers/store.ts';
import { rowIdInAddress, slugToFind } from '../input.ts';
import { pageQuery, paginationOf } from '../operation.ts';
import { versionHeader } from '../versions.ts';
import { operations } from './operations.ts';
import { eventSlug, sortCreatedAt } from './request.ts';
import { showEventType } from './response.ts';
import type { EventTypeDeps } from './routes.ts';
import { type EventTypeSet, type ListOptions, listEventTypes } from './store.ts';

const headers = versionHeader('Event types');
const listQuery = z.object({ eventSlug, sortCreatedAt, ...pageQuery });

/** Lists of event types, contract §8: a user's, a team's, and those of an organization's teams. Register where the bearer is optional. */
export async function registerEventTypeLists(scope: FastifyInstance, deps: EventTypeDeps): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const mayRead = requireScope('EVENT_TYPE_READ', deps);

  app.get(
    '/event-types',
    {
      schema: {
        headers,
        querystring: listQuery.extend({
          username: slugToFind.optional().describe('Whose; absent: the token’s account.'),
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
      const { userId, teamId } = callerOf(request);
      return sendList(reply, teamId === null ? { userId } : { teamId }, options, true);
    },
  );

  app.get(
    '/teams/:teamId/event-types',
    {
      schema: {
        headers,
        params: z.object({ teamId: rowIdInAddress.describe('The team.') }),
        querystring: listQuery,
        ...operations.listTeamEventTypes,
      },
      preValidation: mayRead,
    },
    async (request, reply) => {
      const { teamId } = request.params;
      const role = await findTeamRole(deps.db, callerOf(request), teamId);
      if (role === undefined) return sendApiError(request, reply, 'NotFound', 'You are in no such team.');
      return sendList(reply, { teamId }, request.query, true);
    },
  );

  app.get(
    '/organizations/:organizationId/teams/event-types',
    {
      schema: {
        headers,
        params: z.object({ organizationId: rowIdInAddress.describe('The organization.') }),
        querystring: listQuery,
        ...operations.listOrganizationTeamsEventTypes,
      },
      preValidation: mayRead,
    },
    async (request, reply) => {
      const { organizationId } = request.params;
      const caller = callerOf(request);
      if (caller.teamId !== null || caller.organizationId !== organizationId)
        return sendApiError(request, reply, 'NotFound', 'You are in no such organization.');
      return sendList(reply, { organizationId }, request.query, isManagingRole(caller.organizationRole));
    },
  );

  async function sendList(
    reply: FastifyReply,
    set: EventTypeSet,
    options: Omit<ListOptions, 'withHidden'>,
    withHidden: boolean,
  ): Promise<FastifyReply> {
    const { eventTypes, total } = await listEventTypes(deps.db, set, { ...options, withHidden });
    const data = eventTypes.map((found) => showEventType(found, deps));
    const pagination = paginationOf(total, data.length, options.take, options.skip);
    return reply.send({ status: 'success', data, pagination });
  }
}
