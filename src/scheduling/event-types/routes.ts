import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { type ApiErrorCode, sendApiError, sendInputFaults } from '../../api/errors.ts';
import { requireScope } from '../../oauth/bearer.ts';
import type { NamesOf, ScopeArea } from '../../oauth/permissions.ts';
import type { Db } from '../../platform/database.ts';
import type { Refusal } from '../../result.ts';
import type { FindEventTypeOwner } from '../../v2/booking-events.ts';
import { inDigits, pageQuery, rowIdInAddress, several, slugToFind } from '../../v2/input.ts';
import { furtherRequestsOf, spendAndTell } from '../../v2/limits.ts';
import { operationsOf, operationsPlugin, pageOf, showPage, successOf } from '../../v2/operation.ts';
import {
  mayManageTeam,
  principalOf,
  refuseTeamGrant,
  sendNoSuchTeam,
  sendNotManaging,
  teamParams,
} from '../../v2/principals/scope.ts';
import { findTeamRole, type Principal } from '../../v2/principals/store.ts';
import { maxEventTypes } from '../limits.ts';
import {
  differences,
  eventSlug,
  eventTypeChanges,
  eventTypeValuesOf,
  lengthMissing,
  newEventType,
  newTeamEventType,
  offersItsLength,
  sortCreatedAt,
  strayFields,
  teamDifferences,
} from './request.ts';
import { eventTypeAnswer, showEventType } from './response.ts';
import {
  changeEventType,
  countEventTypes,
  createEventType,
  deleteEventType,
  type EventTypeFault,
  type EventTypeSet,
  type EventTypeValues,
  findEventType,
  type ListOptions,
  listEventTypes,
  type ShownEventType,
} from './store.ts';

export const eventTypeScopes = {
  title: 'Event types',
  icon: 'clock',
  place: 20,
  read: {
    name: 'EVENT_TYPE_READ',
    words: 'See your event types',
    ofTeam: 'See the event types of the team',
    limit: 'See or change your event types',
  },
  write: {
    name: 'EVENT_TYPE_WRITE',
    words: 'See, create, change and delete your event types',
    ofTeam: 'See, create, change and delete the event types of the team',
    limit: 'Change your event types',
  },
  firstCall: '/v2/event-types',
} as const satisfies ScopeArea;

declare module '../../oauth/permissions.ts' {
  interface ApiScopes extends NamesOf<typeof eventTypeScopes> {}
}

const eventTypeFamily = {
  name: 'Event types',
  place: 50,
  version: '2024-06-14',
  words: 'What people can book.',
} as const;
const read = operationsOf(eventTypeFamily, { scope: 'EVENT_TYPE_READ' });
const write = operationsOf(eventTypeFamily, { scope: 'EVENT_TYPE_WRITE' });
const one = successOf(eventTypeAnswer);
const notFound = { 404: 'Event type not found.' };
const taken = { 409: 'The slug is already taken.' };
const oneParams = z.object({ id: rowIdInAddress.describe('The event type ID.') });
const bothParams = teamParams.extend(oneParams.shape);
const eitherParams = bothParams.partial({ teamId: true });

const addresses = [
  { path: '/event-types/:id', params: oneParams, name: 'EventType', article: 'an' },
  { path: '/teams/:teamId/event-types/:id', params: bothParams, name: 'TeamEventType', article: 'a team' },
] as const;

export const eventTypesPlugin = operationsPlugin('event-types', 'requests', async (app) => {
  const { db, runtime } = app;
  const mayWrite = requireScope('EVENT_TYPE_WRITE');

  app.post(
    '/event-types',
    {
      ...write('createEventType', 'Create an event type', one, {
        body: newEventType,
        differences,
        status: 201,
        errors: taken,
      }),
      preValidation: [mayWrite, refuseTeamGrant],
    },
    async (request, reply) =>
      create(reply, { userId: principalOf(request).userId }, eventTypeValuesOf(request.body), []),
  );

  app.post(
    '/teams/:teamId/event-types',
    write('createTeamEventType', 'Create a team event type', one, {
      params: teamParams,
      body: newTeamEventType,
      description: 'Only for owners and admins of the team. Hosts must be members of the team.',
      differences: {
        ...teamDifferences,
        refused: { ...teamDifferences.refused, scheduleId: ['Hosts go by schedules of their own.'] },
      },
      status: 201,
      errors: { 404: 'Team not found, or the user is not a member.', ...taken },
    }),
    async (request, reply) => {
      const { teamId } = request.params;
      if (!(await mayManageTeam(reply, teamId))) return reply;
      const { hosts, ...values } = request.body;
      return create(reply, { teamId }, eventTypeValuesOf(values), hosts);
    },
  );

  for (const { path, params, name, article } of addresses) {
    app.get(
      path,
      read(`get${name}`, `Get ${article} event type`, one, { params, errors: notFound }),
      async (request, reply) => {
        const own = await findOwn(request);
        return sendOne(reply, own?.found);
      },
    );

    app.patch(
      path,
      write(`update${name}`, `Update ${article} event type`, one, {
        params,
        body: eventTypeChanges,
        description:
          'Omitted fields stay unchanged. `hosts` and `schedulingType` apply to team event types, `scheduleId` to event types of users.',
        differences: teamDifferences,
        errors: { ...notFound, ...taken },
      }),
      async (request, reply) => {
        const { id } = request.params;
        const own = await findOwn(request);
        if (own?.mayChange !== true)
          return own === undefined ? sendOne(reply, undefined) : sendNotManaging(reply);
        const { hosts, ...changes } = request.body;
        const stored = own.found.eventType;
        const { teamId, userId } = stored;
        const stray = strayFields(request.body, teamId !== null);
        if (Object.keys(stray).length > 0) return sendInputFaults(reply, stray);
        const lengths = changes.lengthInMinutesOptions;
        const lengthInMinutes = changes.lengthInMinutes ?? stored.lengthInMinutes;
        const lengthInMinutesOptions = lengths === undefined ? stored.lengthInMinutesOptions : lengths;
        if (!offersItsLength({ lengthInMinutes, lengthInMinutesOptions }))
          return sendInputFaults(reply, lengthMissing);
        const owner = teamId === null ? { userId: userId ?? 0 } : { teamId };
        const change = { id, owner, values: eventTypeValuesOf(changes), hostIds: hosts };
        const changed = await changeEventType(db, change, runtime.now());
        if (!changed.ok) return sendFault(reply, changed);
        return sendOne(reply, await findEventType(db, id));
      },
    );

    app.delete(
      path,
      write(`delete${name}`, `Delete ${article} event type`, one, {
        params,
        description: 'Existing bookings are kept.',
        errors: notFound,
      }),
      async (request, reply) => {
        const own = await findOwn(request);
        if (own === undefined) return sendOne(reply, undefined);
        if (!own.mayChange) return sendNotManaging(reply);
        await deleteEventType(db, own.found.eventType.id);
        return sendOne(reply, own.found);
      },
    );
  }

  async function create(
    reply: FastifyReply,
    owner: Parameters<typeof createEventType>[1],
    values: EventTypeValues,
    hostIds: readonly number[],
  ): Promise<FastifyReply> {
    const created = await createEventType(db, owner, values, hostIds, runtime.now());
    return created.ok
      ? sendOne(reply.code(201), await findEventType(db, created.value))
      : sendFault(reply, created);
  }

  async function findOwn(request: FastifyRequest & { readonly params: z.output<typeof eitherParams> }) {
    const { id, teamId } = request.params;
    const own = await findOwnEventType(db, principalOf(request), id);
    return teamId === undefined || own?.found.eventType.teamId === teamId ? own : undefined;
  }

  function sendOne(reply: FastifyReply, found: ShownEventType | undefined): FastifyReply {
    if (found === undefined) return sendApiError(reply, 'NotFound', notFound[404]);
    return reply.send({ status: 'success', data: showEventType(found, app.config) });
  }
});

/** Finds the user's own event type, or their team's, which owners and admins may change. */
export async function findOwnEventType(db: Db, principal: Pick<Principal, 'teamId' | 'userId'>, id: number) {
  const found = await findEventType(db, id);
  if (found === undefined) return undefined;
  const { teamId, userId } = found.eventType;
  if (teamId === null)
    return principal.teamId === null && userId === principal.userId ? { found, mayChange: true } : undefined;
  const role = await findTeamRole(db, principal, teamId);
  return role === undefined ? undefined : { found, mayChange: isManagingRole(role) };
}

export const findEventTypeOwner: FindEventTypeOwner = async (db, caller, id) => {
  const own = await findOwnEventType(db, caller, id);
  if (own === undefined) return undefined;
  const { teamId, userId } = own.found.eventType;
  return { owner: teamId === null ? { userId: userId ?? 0 } : { teamId }, mayChange: own.mayChange };
};

const eventTypeFaults = {
  slug_taken: ['Conflict', 'The slug is already taken.', { slug: 'Choose another slug.' }],
  schedule_not_found: [
    'BadRequest',
    'Schedule not found.',
    { scheduleId: 'Use one of the user’s schedules, or null for the default one.' },
  ],
  host_not_in_team: [
    'BadRequest',
    'Hosts must be members of the team.',
    { hosts: 'Use only members of the team.' },
  ],
  not_found: ['NotFound', notFound[404], {}],
  too_many: ['Conflict', `There are ${maxEventTypes} event types, the maximum. Delete one first.`, {}],
} as const satisfies Record<EventTypeFault, readonly [ApiErrorCode, string, Record<string, string>]>;

function sendFault(reply: FastifyReply, { reason }: Refusal<keyof typeof eventTypeFaults>): FastifyReply {
  const [code, message, details] = eventTypeFaults[reason];
  return sendApiError(reply, code, message, details);
}

const readOrPublic = operationsOf(eventTypeFamily, { scope: 'EVENT_TYPE_READ', caller: 'anyone' });
const page = pageOf(eventTypeAnswer);
const listQuery = z.object({ eventSlug, sortCreatedAt, ...pageQuery });

const theirOrganization = 'the organization that these users belong to; others’ event types are left out.';

function isNamed({ username, usernames }: { readonly username?: unknown; readonly usernames?: unknown }) {
  return username !== undefined || usernames !== undefined;
}

/** Register the plugin where the bearer is optional (contract §8). */
export const eventTypeListsPlugin = operationsPlugin('event-type-lists', 'requests', async (app) => {
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
      preValidation: async (request, reply) => (isNamed(request.query) ? undefined : mayRead(request, reply)),
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
        hostsLimit: inDigits(z.int().min(1).max(500)).optional().describe('Number of hosts to show of each.'),
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
    spendAndTell(reply, 'requests', further);
    reply.request.countedAs = 1 + further;
    const eventTypes = await listEventTypes(app, set, { ...options, withHidden });
    const data = eventTypes
      .map((found) => showEventType(found, app.config, !withHidden))
      .map((shown) => ({ ...shown, hosts: shown.hosts.slice(0, hostsLimit) }));
    return reply.send(showPage(data, total, options));
  }
});
