import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { clientAddressOf, networkOf } from '../../accounts/protection/address.ts';
import { sendApiError } from '../../http.ts';
import type { Limit } from '../../io/limit.ts';
import type { System } from '../../io/system.ts';
import { newUuid } from '../../io/system.ts';
import { startOfDay, tellInstant } from '../core/days.ts';
import type { Interval } from '../core/interval.ts';
import type { Slot } from '../core/slots.ts';
import type { PublicLimits } from '../limits.ts';
import { describeOperation, successOf, versionHeader } from '../operation.ts';
import { type FreeSlotDeps, findFreeSlots } from './free-slots.ts';
import {
  availableQuery,
  hasTooManyStarts,
  readEventTypeName,
  readRange,
  reservationBody,
  slotsQuery,
} from './request.ts';
import { type Bookable, countReservations, findBookable, releaseSlot, reserveSlot } from './store.ts';

export interface SlotDeps extends FreeSlotDeps {
  readonly system: System;
  readonly publicLimits: PublicLimits;
}

/** Of one event type at a time: whoever keeps slots for fun hides no more than these. */
const mostReservations = 50;
const farthestReservationMs = 5 * 366 * 86_400_000;
const retryAfterSeconds = 60;

/** Lets a network ask as often as the limit says. */
function within(limit: Limit) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (limit.allows(networkOf(clientAddressOf(request)))) return undefined;
    reply.header('retry-after', retryAfterSeconds);
    return sendApiError(request, reply, 'TooManyRequests', 'Please ask again in a minute.');
  };
}

const family = 'Slots';
const headers = versionHeader(family);
const errors = {
  429: 'Too many questions from this network.',
  404: 'There is no such event type.',
  502: 'A calendar of a host cannot be read; details name it.',
} as const;

const slotsAnswer = z
  .record(z.string(), z.array(z.object({ start: z.string(), end: z.string().optional() })))
  .describe('By date in the time zone of the query.')
  .meta({ id: 'Slots', examples: [{ '2030-01-07': [{ start: '2030-01-07T09:00:00.000+01:00' }] }] });
const availableAnswer = z
  .object({
    slots: z.record(
      z.string(),
      z.array(
        z.object({
          time: z.string().optional(),
          startTime: z.string().optional(),
          endTime: z.string().optional(),
        }),
      ),
    ),
  })
  .meta({
    id: 'AvailableSlots',
    examples: [{ slots: { '2030-01-07': [{ time: '2030-01-07T09:00:00.000+01:00' }] } }],
  });
const reservationAnswer = z
  .object({
    eventTypeId: z.int(),
    slotStart: z.iso.datetime(),
    slotEnd: z.iso.datetime(),
    slotDuration: z.int().describe('Minutes.'),
    reservationDuration: z.int().describe('Minutes.'),
    reservationUid: z.uuid(),
    reservationUntil: z.iso.datetime(),
  })
  .meta({
    id: 'Reservation',
    examples: [
      {
        eventTypeId: 42,
        slotStart: '2030-01-07T09:00:00.000Z',
        slotEnd: '2030-01-07T09:30:00.000Z',
        slotDuration: 30,
        reservationDuration: 5,
        reservationUid: '0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90',
        reservationUntil: '2030-01-07T08:05:00.000Z',
      },
    ],
  });

/** When people can be booked, contract §8. Public, as booking pages are. */
export async function registerSlots(scope: FastifyInstance, deps: SlotDeps): Promise<void> {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const mayAsk = within(deps.publicLimits.slotQuestions);
  const mayReserve = within(deps.publicLimits.reservations);

  app.get(
    '/slots',
    {
      schema: {
        headers,
        querystring: slotsQuery,
        ...describeOperation(
          {
            operationId: 'listSlots',
            summary: 'The slots of an event type, by date',
            family,
            caller: 'anybody',
            errors,
          },
          200,
          successOf(slotsAnswer),
        ),
      },
      preHandler: mayAsk,
    },
    async (request, reply) => {
      const { query } = request;
      const found = await answerQuestion(request, reply, { ...query, username: query.username });
      if (found === undefined) return reply;
      const lengthMs = found.bookable.eventType.lengthInMinutes * 60_000;
      const data = byDate(found.slots, query.timeZone, (start, tell) =>
        query.format === 'range'
          ? { start: tell(start), end: tell(start + lengthMs) }
          : { start: tell(start) },
      );
      return reply.send({ status: 'success', data });
    },
  );

  app.get(
    '/slots/available',
    {
      schema: {
        headers,
        querystring: availableQuery,
        ...describeOperation(
          {
            operationId: 'listAvailableSlots',
            summary: 'The slots of an event type, in the older form',
            family,
            caller: 'anybody',
            errors,
          },
          200,
          successOf(availableAnswer),
        ),
      },
      preHandler: mayAsk,
    },
    async (request, reply) => {
      const { startTime: start, endTime: end, usernameList, slotFormat, ...query } = request.query;
      const username = Array.isArray(usernameList) ? usernameList[0] : usernameList;
      const found = await answerQuestion(request, reply, { ...query, start, end, username });
      if (found === undefined) return reply;
      const lengthMs = found.bookable.eventType.lengthInMinutes * 60_000;
      const slots = byDate(found.slots, query.timeZone, (at, tell) =>
        slotFormat === 'range' ? { startTime: tell(at), endTime: tell(at + lengthMs) } : { time: tell(at) },
      );
      return reply.send({ status: 'success', data: { slots } });
    },
  );

  app.post(
    '/slots/reservations',
    {
      schema: {
        headers,
        body: reservationBody,
        ...describeOperation(
          {
            operationId: 'reserveSlot',
            summary: 'Keep a slot for some minutes while somebody fills in the form',
            family,
            caller: 'anybody',
            errors: { ...errors, 409: 'The slot is not free.' },
          },
          201,
          successOf(reservationAnswer),
        ),
      },
      preHandler: mayReserve,
    },
    async (request, reply) => {
      const { eventTypeId, slotStart, reservationDuration } = request.body;
      const bookable = await findBookable(deps.db, { eventTypeId });
      if (bookable === undefined) return sendNoEventType(request, reply);
      const start = Date.parse(slotStart);
      const now = deps.system.now();
      if (start - now.getTime() > farthestReservationMs)
        return sendApiError(request, reply, 'Conflict', 'This slot is too far away to be kept.');
      if ((await countReservations(deps.db, eventTypeId, now)) >= mostReservations)
        return sendApiError(
          request,
          reply,
          'Conflict',
          'Too many slots of this event type are kept already.',
        );
      const range = { start, end: start + 1 };
      const slots = await askForSlots(request, reply, bookable, range, { ignoresCalendarFailures: false });
      if (slots === undefined) return reply;
      if (slots.length === 0) return sendApiError(request, reply, 'Conflict', 'This slot is not free.');
      const { lengthInMinutes } = bookable.eventType;
      const times = { startsAt: new Date(start), endsAt: new Date(start + lengthInMinutes * 60_000) };
      const expiresAt = new Date(now.getTime() + reservationDuration * 60_000);
      const uid = newUuid(deps.system);
      await reserveSlot(deps.db, { uid, eventTypeId, ...times, expiresAt });
      return reply.code(201).send({
        status: 'success',
        data: {
          eventTypeId,
          slotStart: times.startsAt.toISOString(),
          slotEnd: times.endsAt.toISOString(),
          slotDuration: lengthInMinutes,
          reservationDuration,
          reservationUid: uid,
          reservationUntil: expiresAt.toISOString(),
        },
      });
    },
  );

  app.delete(
    '/slots/reservations/:uid',
    {
      schema: {
        headers,
        params: z.object({ uid: z.uuid().describe('The reservationUid.') }),
        ...describeOperation(
          {
            operationId: 'releaseSlot',
            summary: 'Give a kept slot back',
            family,
            caller: 'anybody',
            errors: { 404: 'There is no such reservation any more.' },
          },
          200,
          z.object({ status: z.literal('success') }),
        ),
      },
    },
    async (request, reply) => {
      const isReleased = await releaseSlot(deps.db, request.params.uid);
      if (!isReleased)
        return sendApiError(request, reply, 'NotFound', 'There is no such reservation any more.');
      return reply.send({ status: 'success' });
    },
  );

  interface Question {
    readonly start: string;
    readonly end: string;
    readonly timeZone: string;
    readonly duration?: number | undefined;
    readonly bookingUidToReschedule?: string | undefined;
    readonly _silentCalendarFailures: boolean;
    readonly eventTypeId?: number | undefined;
    readonly eventTypeSlug?: string | undefined;
    readonly username?: string | undefined;
    readonly teamSlug?: string | undefined;
  }

  /** The slots that a query asks for; undefined: the reply says what is wrong. */
  async function answerQuestion(
    request: FastifyRequest,
    reply: FastifyReply,
    query: Question,
  ): Promise<{ readonly bookable: Bookable; readonly slots: readonly Slot[] } | undefined> {
    const name = readEventTypeName(query);
    const { timeZone } = query;
    const range = readRange(query.start, query.end, (date, days) => startOfDay(date, timeZone, days));
    if (!name.ok || !range.ok) {
      sendQueryFault(request, reply, name.ok ? (range.ok ? 'range_empty' : range.reason) : name.reason);
      return undefined;
    }
    const bookable = await findBookable(deps.db, name.value);
    if (bookable === undefined) {
      sendNoEventType(request, reply);
      return undefined;
    }
    if (query.duration !== undefined && query.duration !== bookable.eventType.lengthInMinutes) {
      sendQueryFault(request, reply, 'duration_differs');
      return undefined;
    }
    const { slotInterval, lengthInMinutes } = bookable.eventType;
    if (hasTooManyStarts(range.value, slotInterval ?? lengthInMinutes)) {
      sendQueryFault(request, reply, 'too_many_starts');
      return undefined;
    }
    const slots = await askForSlots(request, reply, bookable, range.value, {
      ignoresCalendarFailures: query._silentCalendarFailures,
      exceptUid: query.bookingUidToReschedule,
    });
    return slots === undefined ? undefined : { bookable, slots };
  }

  async function askForSlots(
    request: FastifyRequest,
    reply: FastifyReply,
    bookable: Bookable,
    range: Interval,
    options: { readonly ignoresCalendarFailures: boolean; readonly exceptUid?: string | undefined },
  ): Promise<readonly Slot[] | undefined> {
    const question = { range, now: deps.system.now(), mindsReservations: true, ...options };
    const slots = await findFreeSlots(deps, bookable, question);
    if (slots.ok) return slots.value;
    sendApiError(
      request,
      reply,
      'CalendarUnavailable',
      'A calendar of a host cannot be read at the moment.',
      {
        calendar: slots.detail ?? '',
      },
    );
    return undefined;
  }
}

const queryFaults = {
  event_type_not_named: {
    eventTypeId: 'Name the event type by eventTypeId, or by eventTypeSlug with username or teamSlug.',
  },
  range_empty: { end: 'The end must be after the start.' },
  range_too_long: { end: 'Ask for 92 days at most.' },
  too_many_starts: { end: 'Ask for fewer days: this event type has very many slots.' },
  duration_differs: { duration: 'The event type has another length.' },
} as const satisfies Record<string, Record<string, string>>;

function sendQueryFault(
  request: FastifyRequest,
  reply: FastifyReply,
  fault: keyof typeof queryFaults,
): FastifyReply {
  return sendApiError(
    request,
    reply,
    'BadRequest',
    'The request has faults; details names them.',
    queryFaults[fault],
  );
}

function sendNoEventType(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendApiError(request, reply, 'NotFound', 'There is no such event type.');
}

/** Slots by their date in a time zone. */
function byDate<Told>(
  slots: readonly Slot[],
  timeZone: string,
  show: (start: number, tell: (instant: number) => string) => Told,
): Record<string, Told[]> {
  const dates: Record<string, Told[]> = {};
  const tell = (instant: number): string => tellInstant(instant, timeZone).text;
  for (const { start } of slots) {
    const { date } = tellInstant(start, timeZone);
    const told = dates[date] ?? [];
    dates[date] = told;
    told.push(show(start, tell));
  }
  return dates;
}
