import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { sendApiError, sendInputFaults } from '../../api/errors.ts';
import { requireScope } from '../../oauth/bearer.ts';
import { scopedPlugin } from '../../platform/scoped-plugin.ts';
import { inDigits, pageQuery, rowIdInAddress, several, slugToFind } from '../../v2/input.ts';
import { furtherRequestsOf, isCallerWithin } from '../../v2/limits.ts';
import { operationsOf, pageOf, showPage } from '../../v2/operation.ts';
import { principalOf, sendNoSuchTeam, teamParams } from '../../v2/principals/scope.ts';
import { findTeamRole } from '../../v2/principals/store.ts';
import { families } from '../families.ts';
import { eventSlug, sortCreatedAt } from './request.ts';
import { eventTypeAnswer, showEventType } from './response.ts';
import { countEventTypes, type EventTypeSet, type ListOptions, listEventTypes } from './store.ts';

const access = { scope: 'EVENT_TYPE_READ' } as const;
const read = operationsOf(families.eventTypes, access);
const readOrPublic = operationsOf(families.eventTypes, { ...access, caller: 'anyone' });
const page = pageOf(eventTypeAnswer);
const listQuery = z.object({ eventSlug, sortCreatedAt, ...pageQuery });

const theirOrganization = 'the organization that these users belong to; others’ event types are left out.';

function isNamed({ username, usernames }: { readonly username?: unknown; readonly usernames?: unknown }) {
  return username !== undefined || usernames !== undefined;
}

/** Register the plugin where the bearer is optional (contract §8). */
export const eventTypeListsPlugin = scopedPlugin(
  'event-type-lists',
  ['principals', 'api-versions'],
  async (app) => {
    const mayRead = requireScope(
      'EVENT_TYPE_READ',
      'Send an access token: Authorization: Bearer <token>. Public event types need none: send username or usernames.',
    );

    app.get(
      '/event-types',
      {
        ...readOrPublic('listEventTypes', 'List event types', page, {
          querystring: listQuery.extend({
            username: slugToFind.optional().describe('The user whose public event types to list.'),
            usernames: several(slugToFind, 10)
              .optional()
              .describe('Up to 10 users whose public event types to list.')
              .meta({ examples: [['ann', 'ben']] }),
            orgSlug: slugToFind.optional().describe(`Slug of ${theirOrganization}`),
            orgId: rowIdInAddress.optional().describe(`ID of ${theirOrganization}`),
          }),
          description:
            'With `username` or `usernames`, lists the public event types of these users, each their own, and needs no token. Without them, lists all event types of the token’s user or team, including hidden ones.',
        }),
        preValidation: async (request, reply) =>
          isNamed(request.query) ? undefined : mayRead(request, reply),
      },
      async (request, reply) => {
        const { username, usernames = [], orgSlug, orgId, ...options } = request.query;
        const hasOrganization = orgSlug !== undefined || orgId !== undefined;
        if (isNamed(request.query)) {
          const names = [username ?? [], usernames].flat().map((name) => name.toLowerCase());
          const organization = hasOrganization ? { slug: orgSlug?.toLowerCase(), id: orgId } : undefined;
          return sendList(reply, { usernames: names, organization }, options, false);
        }
        if (hasOrganization)
          return sendInputFaults(reply, {
            [orgSlug === undefined ? 'orgId' : 'orgSlug']: 'Send it with username or usernames.',
          });
        const { userId, teamId } = principalOf(request);
        return sendList(reply, teamId === null ? { userId } : { teamId }, options, true);
      },
    );

    app.get(
      '/teams/:teamId/event-types',
      read('listTeamEventTypes', 'List event types of a team', page, {
        params: teamParams,
        querystring: listQuery.extend({
          hostsLimit: inDigits(z.int().min(1).max(500))
            .optional()
            .describe('Number of hosts to show of each.'),
        }),
        description: 'Only for members of the team.',
        errors: { 404: 'Team not found, or the user is not a member.' },
      }),
      async (request, reply) => {
        const { teamId } = request.params;
        const role = await findTeamRole(app.db, principalOf(request), teamId);
        if (role === undefined) return sendNoSuchTeam(reply);
        const { hostsLimit, ...options } = request.query;
        return sendList(reply, { teamId }, options, true, hostsLimit);
      },
    );

    app.get(
      '/organizations/:organizationId/teams/event-types',
      read('listOrganizationTeamsEventTypes', 'List event types of an organization’s teams', page, {
        params: z.object({ organizationId: rowIdInAddress.describe('The organization ID.') }),
        querystring: listQuery,
        description: 'Only for members of the organization. Owners and admins also get hidden event types.',
        errors: { 404: 'Organization not found, or the user is not a member.' },
      }),
      async (request, reply) => {
        const { organizationId } = request.params;
        const principal = principalOf(request);
        if (principal.teamId !== null || principal.organizationId !== organizationId)
          return sendApiError(reply, 'NotFound', 'Organization not found.');
        return sendList(reply, { organizationId }, request.query, isManagingRole(principal.organizationRole));
      },
    );

    async function sendList(
      reply: FastifyReply,
      set: EventTypeSet,
      options: Omit<ListOptions, 'withHidden'> & { readonly skip: number },
      withHidden: boolean,
      hostsLimit?: number,
    ): Promise<FastifyReply> {
      const total = await countEventTypes(app, set, { ...options, withHidden });
      const further = furtherRequestsOf(Math.min(options.take, total - options.skip));
      if (!isCallerWithin(app.apiRateLimits.requests, reply, further))
        return sendApiError(reply, 'TooManyRequests', 'Too many long lists. Try again in a minute.');
      reply.request.countedAs = 1 + further;
      const eventTypes = await listEventTypes(app, set, { ...options, withHidden });
      const data = eventTypes
        .map((found) => showEventType(found, app.config, !withHidden))
        .map((shown) => ({ ...shown, hosts: shown.hosts.slice(0, hostsLimit) }));
      return reply.send(showPage(data, total, options));
    }
  },
);
