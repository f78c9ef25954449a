import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isManagingRole } from '../../accounts/person.ts';
import { sendApiError, sendInputFaults } from '../../http.ts';
import type { Db } from '../../io/database.ts';
import type { System } from '../../io/system.ts';
import { type BearerDeps, requireScope } from '../../oauth/bearer.ts';
import { callerOf, refuseTeamPermission } from '../callers/scope.ts';
import { type Caller, findTeamRole } from '../callers/store.ts';
import type { BookingHosts } from '../core/booking-url.ts';
import { rowIdInAddress } from '../input.ts';
import { versionHeader } from '../versions.ts';
import { operations } from './operations.ts';
import { sendFault, sendNoEventType, sendNotManaging } from './refusals.ts';
import { eventTypeChanges, newEventType, newTeamEventType } from './request.ts';
import { showEventType } from './response.ts';
import {
  changeEventType,
  createEventType,
  deleteEventType,
  findEventType,
  type ShownEventType,
} from './store.ts';
import { strayField, valuesOf } from './values.ts';

export interface EventTypeDeps extends BearerDeps, BookingHosts {
  readonly db: Db;
  readonly system: System;
}

const headers = versionHeader('Event types');
const oneParams = z.object({ id: rowIdInAddress.describe('The event type.') });
const teamParams = z.object({ teamId: rowIdInAddress.describe('The team.') });

/** Single event types, contract §8: made, shown, changed and deleted. */
export async function registerEventTypes(scope: FastifyInstance, deps: EventTypeDeps): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const mayRead = requireScope('EVENT_TYPE_READ', deps);
  const mayWrite = requireScope('EVENT_TYPE_WRITE', deps);

  app.get(
    '/event-types/:id',
    { schema: { headers, params: oneParams, ...operations.getEventType }, preValidation: mayRead },
    async (request, reply) => {
      const own = await findOwn(callerOf(request), request.params.id);
      return own === undefined ? sendNoEventType(request, reply) : sendOne(reply, 200, own.found);
    },
  );

  app.post(
    '/event-types',
    {
      schema: { headers, body: newEventType, ...operations.createEventType },
      preValidation: [mayWrite, refuseTeamPermission],
    },
    async (request, reply) => {
      const { userId } = callerOf(request);
      const created = await createEventType(
        deps.db,
        { userId },
        valuesOf(request.body),
        [],
        deps.system.now(),
      );
      return created.ok ? sendCreated(reply, created.value) : sendFault(request, reply, created);
    },
  );

  app.post(
    '/teams/:teamId/event-types',
    {
      schema: { headers, params: teamParams, body: newTeamEventType, ...operations.createTeamEventType },
      preValidation: mayWrite,
    },
    async (request, reply) => {
      const { teamId } = request.params;
      const role = await findTeamRole(deps.db, callerOf(request), teamId);
      if (role === undefined) return sendApiError(request, reply, 'NotFound', 'You are in no such team.');
      if (!isManagingRole(role)) return sendNotManaging(request, reply);
      const { hosts, schedulingType, ...values } = request.body;
      const hostIds = [...new Set(hosts.map(({ userId }) => userId))];
      const row = { ...valuesOf(values), schedulingType };
      const created = await createEventType(deps.db, { teamId }, row, hostIds, deps.system.now());
      return created.ok ? sendCreated(reply, created.value) : sendFault(request, reply, created);
    },
  );

  app.patch(
    '/event-types/:id',
    {
      schema: { headers, params: oneParams, body: eventTypeChanges, ...operations.updateEventType },
      preValidation: mayWrite,
    },
    async (request, reply) => {
      const { id } = request.params;
      const own = await findOwn(callerOf(request), id);
      if (own === undefined) return sendNoEventType(request, reply);
      if (!own.mayChange) return sendNotManaging(request, reply);
      const { hosts, ...changes } = request.body;
      const { teamId, userId } = own.found.eventType;
      const stray = strayField(request.body, teamId !== null);
      if (stray !== undefined) return sendInputFaults(request, reply, stray);
      const owner = teamId === null ? { userId: userId ?? 0 } : { teamId };
      const hostIds = hosts === undefined ? undefined : [...new Set(hosts.map((host) => host.userId))];
      const changed = await changeEventType(
        deps.db,
        id,
        owner,
        valuesOf(changes),
        hostIds,
        deps.system.now(),
      );
      if (!changed.ok) return sendFault(request, reply, changed);
      const after = await findEventType(deps.db, id);
      return after === undefined ? sendNoEventType(request, reply) : sendOne(reply, 200, after);
    },
  );

  app.delete(
    '/event-types/:id',
    { schema: { headers, params: oneParams, ...operations.deleteEventType }, preValidation: mayWrite },
    async (request, reply) => {
      const own = await findOwn(callerOf(request), request.params.id);
      if (own === undefined) return sendNoEventType(request, reply);
      if (!own.mayChange) return sendNotManaging(request, reply);
      await deleteEventType(deps.db, own.found.eventType.id);
      return sendOne(reply, 200, own.found);
    },
  );

  /** The event type if it is the caller's, or a team's of which the caller is a member; owners and admins of the team may change it. */
  async function findOwn(
    caller: Caller,
    id: number,
  ): Promise<{ readonly found: ShownEventType; readonly mayChange: boolean } | undefined> {
    const found = await findEventType(deps.db, id);
    if (found === undefined) return undefined;
    const { teamId, userId } = found.eventType;
    if (teamId === null)
      return caller.teamId === null && userId === caller.userId ? { found, mayChange: true } : undefined;
    const role = await findTeamRole(deps.db, caller, teamId);
    return role && { found, mayChange: isManagingRole(role) };
  }

  async function sendCreated(reply: FastifyReply, id: number): Promise<FastifyReply> {
    const created = await findEventType(deps.db, id);
    if (created === undefined) throw new Error('the event type is gone already');
    return sendOne(reply, 201, created);
  }

  function sendOne(reply: FastifyReply, status: 200 | 201, found: ShownEventType): FastifyReply {
    return reply.code(status).send({ status: 'success', data: showEventType(found, deps) });
  }
}
