import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import { ok, type Result, refuse } from '../../result.ts';
import { spendAndTell } from '../../v2/limits.ts';
import { done, operationsOf, operationsPlugin, successOf } from '../../v2/operation.ts';
import type { Principal } from '../../v2/principals/store.ts';
import { isSlotLeft } from '../core/round-robin.ts';
import { findOfferedEventType, withLength } from '../store.ts';
import { answerSlotQuery, conflictRangeOf, findFreeSlot, hostsNeededBy, timingOf } from './free-slots.ts';
import { availableQuery, differences, reservationBody, silenceQuery, slotsQuery } from './request.ts';
import {
  availableAnswer,
  byDate,
  calendarFails,
  reservationAnswer,
  type SlotRefusal,
  sendSlotRefusal,
  showReservation,
  slotsAnswer,
  usualNames,
} from './response.ts';
import { farthestMs, findReservation, type ReservedSlot, releaseSlot, reserveSlot } from './store.ts';

const slotFamily = {
  name: 'Slots',
  place: 70,
  version: '2024-09-04',
  words: 'Find and reserve free slots. Public, like booking pages.',
} as const;
const open = operationsOf(slotFamily, { caller: 'anyone' });
/** The legacy list ends with the version of slots, as at Cal.com. */
const legacy = operationsOf(slotFamily, {
  caller: 'anyone',
  apiVersion: '2024-04-15',
  goneIn: [
    slotFamily.version,
    `In version ${slotFamily.version}, use GET /v2/slots, or /v2/slots/reservations.`,
  ],
});
const weight = 'Long ranges with many hosts count as several requests.';
const listed = successOf(slotsAnswer);
const errors = { 404: 'Event type not found.', ...calendarFails };
const availableNames = { ...usualNames, end: 'endTime', username: 'usernameList' };
const reservationNames = { ...usualNames, duration: 'slotDuration' };
const reservationUid = z
  .uuid({ error: 'Must be the reservationUid, a UUID.' })
  .describe('The `reservationUid`.')
  .meta({ examples: ['0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90'] });
const params = z.object({ uid: reservationUid });

export const slotsPlugin = operationsPlugin('slots', 'requests', async (app) => {
  const costs = (reply: FastifyReply) => (further: number) => spendAndTell(reply, 'slots', further);

  app.get(
    '',
    open('listSlots', 'List slots', listed, {
      limit: 'slots',
      querystring: slotsQuery,
      description: `The free start times of an event type, by day in \`timeZone\`. ${weight}`,
      differences,
      errors,
    }),
    async (request, reply) => {
      const { format, timeZone } = request.query;
      const { usernames, username = usernames?.toString(), ...query } = request.query;
      const answer = await answerSlotQuery(app, { ...query, username }, request.principal, costs(reply));
      if (!answer.ok) return sendSlotRefusal(reply, answer);
      const { slots, lengthMs } = answer.value;
      const data = await byDate(slots, timeZone, (start, at, tell) =>
        format === 'range' ? { start, end: tell(at + lengthMs) } : { start },
      );
      return reply.send({ status: 'success', data });
    },
  );

  app.get(
    '/available',
    legacy('listAvailableSlots', 'List slots (legacy format)', successOf(availableAnswer), {
      limit: 'slots',
      querystring: availableQuery,
      description: `The free start times of an event type, by day, as Cal.com’s older versions answer. In version ${slotFamily.version}, it isn’t found. ${weight}`,
      differences,
      errors,
    }),
    async (request, reply) => {
      const { startTime: start, endTime: end, usernameList, slotFormat, ...query } = request.query;
      const username = Array.isArray(usernameList) ? usernameList[0] : usernameList;
      const answer = await answerSlotQuery(
        app,
        { ...query, start, end, username },
        request.principal,
        costs(reply),
      );
      if (!answer.ok) return sendSlotRefusal(reply, answer, availableNames);
      const { lengthMs } = answer.value;
      const slots = await byDate(answer.value.slots, query.timeZone, (start, at, tell) =>
        slotFormat === 'range' ? { startTime: start, endTime: tell(at + lengthMs) } : { time: start },
      );
      return reply.send({ status: 'success', data: { slots } });
    },
  );

  app.post(
    '/reservations',
    open('reserveSlot', 'Reserve a slot', successOf(reservationAnswer), {
      limit: 'bookings',
      body: reservationBody,
      querystring: silenceQuery,
      description:
        'Hides the slot from lists and from other reservations for some minutes, for example while a user fills in a form. A reservation does not block bookings: the first booking gets the slot. Release it once the slot is booked, or a round robin keeps hiding another host.',
      status: 201,
      errors: { ...errors, 409: 'The slot is not available.' },
    }),
    async ({ body, query }, reply) => sendReserved(reply.code(201), body, query),
  );

  app.get(
    '/reservations/:uid',
    open('getReservation', 'Get a reserved slot', successOf(reservationAnswer), {
      params,
      errors: { 404: 'Reservation not found, released or expired.' },
    }),
    async (request, reply) => {
      const now = app.runtime.now();
      const found = await findReservation(app.db, request.params.uid, now);
      if (found === undefined) return sendSlotRefusal(reply, refuse('reservation_not_found'));
      const minutesLeft = Math.ceil((found.expiresAt.getTime() - now.getTime()) / 60_000);
      const data = showReservation(found, found.eventTypeId, minutesLeft);
      return reply.send({ status: 'success', data });
    },
  );

  app.patch(
    '/reservations/:uid',
    open('updateReservation', 'Change a reserved slot', successOf(reservationAnswer), {
      limit: 'bookings',
      params,
      body: reservationBody,
      querystring: silenceQuery,
      description:
        'Reserves another slot, length or event type under the same `reservationUid`, or the same slot for longer, by the rules of a new reservation. If it’s refused, the reservation stays as it was.',
      errors: {
        404: 'Reservation or event type not found.',
        409: 'The slot is not available.',
        ...calendarFails,
      },
    }),
    async ({ body, query, params: { uid } }, reply) => sendReserved(reply, body, query, uid),
  );

  app.delete(
    '/reservations/:uid',
    open('releaseSlot', 'Release a reserved slot', done, {
      params,
      description: 'Release it when the user gives up, or once the slot is booked.',
      errors: { 404: 'Reservation not found, released or expired.' },
    }),
    async (request, reply) =>
      (await releaseSlot(app.db, request.params.uid, app.runtime.now()))
        ? reply.send({ status: 'success' })
        : sendSlotRefusal(reply, refuse('reservation_not_found')),
  );

  async function sendReserved(
    reply: FastifyReply,
    body: z.output<typeof reservationBody>,
    query: z.output<typeof silenceQuery>,
    former?: string,
  ): Promise<FastifyReply> {
    const { principal } = reply.request;
    const reserved = await reserve(app, body, principal, query._silentCalendarFailures, former);
    if (!reserved.ok) return sendSlotRefusal(reply, reserved, reservationNames);
    const data = showReservation(reserved.value, body.eventTypeId, body.reservationDuration);
    return reply.send({ status: 'success', data });
  }
});

/** Nobody can hide all slots of a host; without a token, half of the limit applies. */
export const maxReservations = 50;

/**
 * Reserves the time of all hosts. A round robin's host isn't known yet, so its slot is reserved for
 * this event type only. `former` is the uid of a reservation that becomes this one.
 */
async function reserve(
  app: Pick<Platform, 'calendars' | 'config' | 'db' | 'runtime'>,
  { eventTypeId, slotStart, slotDuration, reservationDuration }: z.output<typeof reservationBody>,
  caller: Principal | undefined,
  ignoresCalendarFailures: boolean,
  former?: string,
): Promise<Result<ReservedSlot, SlotRefusal>> {
  const changed = former === undefined ? undefined : await findReservation(app.db, former, app.runtime.now());
  if (former !== undefined && changed === undefined) return refuse('reservation_not_found');
  const found = await findOfferedEventType(app, { eventTypeId }, caller);
  if (found === undefined) return refuse('event_type_not_found');
  const hosted = slotDuration === undefined ? found : withLength(found, slotDuration);
  if (hosted === undefined) return refuse('duration_differs');
  const startsAt = new Date(slotStart);
  const now = app.runtime.now();
  const start = startsAt.getTime();
  if (start - now.getTime() > farthestMs) return refuse('slot_too_far');
  const slot = await findFreeSlot(app, hosted, start, {
    now,
    avoidsReservations: true,
    exceptReservation: former,
    ignoresCalendarFailures,
  });
  if (!slot.ok) return slot;
  const { eventType, hosts } = hosted;
  const hostIds = hosts.map(({ id }) => id);
  const kept = {
    uid: former ?? newUuid(app.runtime),
    startsAt,
    endsAt: new Date(start + eventType.lengthInMinutes * 60_000),
    expiresAt: new Date(now.getTime() + reservationDuration * 60_000),
  };
  const reserved = await reserveSlot(
    app.db,
    { ...kept, eventTypeId },
    {
      hostIds,
      countedFor: eventType.schedulingType === 'roundRobin' ? [null] : hostIds, // protects: C54
      range: conflictRangeOf({ start, end: start + 1 }),
      max:
        // protects: C54
        caller === undefined && changed?.eventTypeId !== eventTypeId ? maxReservations / 2 : maxReservations,
      isChange: former !== undefined,
    },
    (taken) => isSlotLeft(slot.value, timingOf(eventType), hostsNeededBy(eventType), taken),
    now,
  );
  return reserved.ok ? ok(kept) : reserved;
}
