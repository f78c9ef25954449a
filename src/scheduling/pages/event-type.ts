import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm, typedFields } from '../../forms.ts';
import { newUuid } from '../../io/system.ts';
import { sendNotFoundPage, sendPage } from '../../pages.ts';
import { type BookRefusalReason, book } from '../bookings/book.ts';
import type { CreationDeps } from '../bookings/creation.ts';
import { bookingPathOf } from '../bookings/link.ts';
import { idempotencyKey } from '../bookings/request.ts';
import type { BookingHosts } from '../core/booking-url.ts';
import { tellSpan } from '../core/days.ts';
import { isWithin } from '../limits.ts';
import type { EventTypeName } from '../slots/store.ts';
import { findTimes, type ShownTime, showCalendar, showTimes } from './calendar.ts';
import { type Choice, queryOf, readChoice } from './choice.ts';
import { type Found, type FoundHere, findPage, wordsOf } from './place.ts';
import { type BookingForm, bookingForm } from './request.ts';

export interface BookingPageDeps extends CreationDeps, BookingHosts {}

/** So long the calendar of somebody may be away before it is worth looking again. */
export const retryAfterSeconds = 60;

/** What goes wrong between a form and its booking. */
const conflicts = {
  slot_not_free:
    'Somebody else has just taken this time, or it is too late for it. Nothing was booked. Please choose another time.',
  key_of_another_request:
    'You have booked with this form already, and what you booked stands: the e-mail about it has a link to move or cancel it. For one more booking choose another time.',
} as const satisfies Partial<Record<BookRefusalReason, string>>;

/**
 * The page at which people book an event type: day, time, name, booked. It asks for no session and acts for nobody; all that was chosen is in
 * the address.
 */
export function registerEventTypePage(
  app: FastifyInstance,
  path: string,
  nameOf: (request: FastifyRequest) => EventTypeName | undefined,
  deps: BookingPageDeps,
): void {
  const config = { isForOrganizations: true };

  app.get(path, { config }, async (request, reply) => {
    const found = await findPage(deps, nameOf(request), request.ownOrigin);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const choice = choiceFrom(request.query, request, found);
    if (found.kind === 'elsewhere') return reply.redirect(`${found.address}${choice.query}`, 302);
    const slots = await findTimes(deps, found.bookable, choice, deps.system.now());
    const { start } = choice;
    const isFree = slots.ok && slots.value.some((slot) => slot.start === start);
    return start === undefined || !isFree
      ? sendCalendar(request, reply, found, choice, slots)
      : sendForm(request, reply, found, { ...choice, start });
  });

  app.post(path, { config }, async (request, reply) => {
    const found = await findPage(deps, nameOf(request), request.ownOrigin);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const choice = choiceFrom(request.body, request, found);
    if (found.kind === 'elsewhere') return reply.redirect(`${found.address}${choice.query}`, 303);
    const { start } = choice;
    if (start === undefined) {
      const slots = await findTimes(deps, found.bookable, choice, deps.system.now());
      return sendCalendar(request, reply.code(400), found, choice, slots);
    }
    const chosen = { ...choice, start };
    const form = readForm(bookingForm, request.body);
    if (!form.ok) return sendForm(request, reply.code(400), found, chosen, form);
    const typed = typedFields(Object(request.body), []);
    if (!isWithin(deps.publicLimits.bookings, request, reply)) {
      const faults = {
        form: 'There were too many bookings from your network. Please try again in a minute.',
      };
      reply.code(429);
      return sendForm(request, reply, found, chosen, { typed, faults });
    }
    const outcome = await book(deps, askedBy(form.value, found, chosen), keyIn(request.body));
    if (!outcome.ok) return sendRefusal(request, reply, found, chosen, outcome.reason, typed);
    const { uid } = outcome.value.booking;
    request.log.info({ bookingUid: uid }, 'a slot was booked on its page');
    const origin = request.ownOrigin === undefined ? '' : deps.appUrl;
    return reply.redirect(`${origin}${bookingPathOf(uid, deps.rootSecret)}`, 303);
  });

  function choiceFrom(source: unknown, { viewer }: FastifyRequest, found: Found): Choice & { query: string } {
    const hostZone = found.kind === 'here' ? found.bookable.hosts[0]?.availability.timeZone : undefined;
    const choice = readChoice(source, viewer?.timeZone ?? hostZone ?? 'UTC', deps.system.now());
    return { ...choice, query: choice.isZoneChosen ? queryOf(choice) : '' };
  }

  async function sendCalendar(
    request: FastifyRequest,
    reply: FastifyReply,
    { bookable, teamName }: FoundHere,
    choice: Choice,
    slots: Awaited<ReturnType<typeof findTimes>>,
  ): Promise<FastifyReply> {
    if (!slots.ok) reply.code(503).header('retry-after', retryAfterSeconds);
    return sendPage(request, reply, 'scheduling/event-type', {
      ...wordsOf(bookable, teamName),
      calendar: slots.ok ? showCalendar(choice, slots.value) : undefined,
      oddity: choice.start === undefined ? choice.oddity : 'slot_not_free',
    });
  }

  async function sendForm(
    request: FastifyRequest,
    reply: FastifyReply,
    { bookable, teamName }: FoundHere,
    choice: Choice & { start: number },
    form: FormFaults = { typed: {}, faults: {} },
    otherTimes?: readonly ShownTime[],
  ): Promise<FastifyReply> {
    const { start, timeZone } = choice;
    const { viewer } = request;
    const mine: Record<string, string> =
      viewer === undefined ? {} : { name: viewer.name, email: viewer.email };
    const isFirst = otherTimes === undefined;
    const view = {
      ...wordsOf(bookable, teamName),
      ...form,
      typed: { ...mine, ...form.typed },
      // The form of a slot that was taken is another one, so that it is a booking of its own.
      formId: (isFirst ? keyIn(form.typed) : undefined) ?? newUuid(deps.system),
      slot: new Date(start).toISOString(),
      when: tellSpan(start, start + bookable.eventType.lengthInMinutes * 60_000, timeZone),
      startsAt: new Date(start),
      timeZone,
      otherTimes,
      back: `${request.url.replace(/\?.*$/s, '')}${queryOf({ timeZone, date: choice.date })}`,
    };
    // From an organization's subdomain the way leads to the booking at the general address.
    const targets = request.ownOrigin === undefined ? [] : [deps.appUrl];
    return sendPage(request, reply, 'scheduling/booking-form', view, targets);
  }

  async function sendRefusal(
    request: FastifyRequest,
    reply: FastifyReply,
    found: FoundHere,
    choice: Choice & { start: number },
    reason: BookRefusalReason,
    typed: FormFaults['typed'],
  ): Promise<FastifyReply> {
    request.log.info({ reason }, 'a booking was refused on its page');
    if (reason === 'calendar_unavailable') {
      const faults = { form: 'The times cannot be looked up at the moment. Please try again in a minute.' };
      reply.code(503).header('retry-after', retryAfterSeconds);
      return sendForm(request, reply, found, choice, { typed, faults });
    }
    if (reason !== 'slot_not_free' && reason !== 'key_of_another_request')
      return sendNotFoundPage(request, reply);
    const slots = await findTimes(deps, found.bookable, choice, deps.system.now());
    const others = slots.ok && choice.date ? showTimes(slots.value, choice.date, choice.timeZone) : [];
    const faults = { form: conflicts[reason] };
    return sendForm(request, reply.code(409), found, choice, { typed, faults }, others);
  }
}

function askedBy(
  { name, email, notes, guests }: BookingForm,
  { bookable }: FoundHere,
  { start, timeZone }: { readonly start: number; readonly timeZone: string },
) {
  return {
    eventTypeId: bookable.eventType.id,
    start: new Date(start).toISOString(),
    attendee: { name, email, timeZone, language: 'en' },
    guests,
    bookingFieldsResponses: notes === undefined ? {} : { notes },
    metadata: {},
  };
}

/** A form's own random id: the form sent twice books once. */
function keyIn(body: unknown): string | undefined {
  const id = typeof body === 'object' && body !== null ? Reflect.get(body, 'form_id') : undefined;
  return idempotencyKey.catch(undefined).parse(id);
}
