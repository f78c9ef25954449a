import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type FormFaults, readForm, typedFields } from '../../forms.ts';
import { languageOf } from '../../habits.ts';
import { newUuid } from '../../io/system.ts';
import { sendNotFoundPage } from '../../pages.ts';
import type { EventTypeName } from '../bookable/name.ts';
import type { CreationDeps } from '../bookings/creation.ts';
import { bookingPathOf } from '../bookings/link.ts';
import { idempotencyKey, newBooking } from '../bookings/request.ts';
import { book } from '../bookings/taking/book.ts';
import { untoldLanguage } from '../core/booking.ts';
import { isWithin } from '../limits.ts';
import { bookableUntil } from '../slots/free-slots.ts';
import { type Choice, queryOf, readChoice } from './choice.ts';
import { isHindrance } from './hindrances.ts';
import { type Found, type FoundHere, findPage, nameOf as nameOfPage, wordsOf } from './place.ts';
import { type BookingForm, bookingForm } from './request.ts';
import { type SlotPage, sendChoice, sendFaults, sendHindrance } from './slot-page.ts';

export interface BookingPageDeps extends CreationDeps {
  /** False where no mail server is set up, so that no letter reaches anybody. */
  readonly hasMail: boolean;
}

const views = { calendar: 'scheduling/event-type', form: 'scheduling/booking-form' };

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
    if (found.kind === 'elsewhere') return reply.redirect(addressOf(found.address, choice), 302);
    return sendChoice(deps, pageOf(request, reply, found, choice));
  });

  app.post(path, { config }, async (request, reply) => {
    const found = await findPage(deps, nameOf(request), request.ownOrigin);
    if (found === undefined) return sendNotFoundPage(request, reply);
    const choice = choiceFrom(request.body, request, found);
    if (found.kind === 'elsewhere') return reply.redirect(addressOf(found.address, choice), 303);
    const page = pageOf(request, reply, found, choice);
    const { start } = choice;
    if (start === undefined) return sendChoice(deps, { ...page, reply: reply.code(400) });
    const form = readForm(bookingForm, request.body);
    if (!form.ok) return sendFaults(page, start, form);
    const typed = typedFields(Object(request.body), []);
    if (!isWithin(deps.publicLimits.bookings, request, reply))
      return sendHindrance(deps, page, start, 'too_many', typed);
    const language = languageFrom(request);
    const asked = askedBy(form.value, found, { ...choice, start, language });
    const outcome = await book(deps, asked, keyIn(request.body), 'page');
    if (!outcome.ok) {
      const { reason } = outcome;
      request.log.info({ reason }, 'a booking was refused on its page');
      return isHindrance(reason)
        ? sendHindrance(deps, page, start, reason, typed)
        : sendNotFoundPage(request, reply);
    }
    const { uid } = outcome.value.booking;
    request.log.info({ bookingUid: uid }, 'a slot was booked on its page');
    const origin = request.ownOrigin === undefined ? '' : deps.appUrl;
    return reply.redirect(`${origin}${bookingPathOf(uid, deps.rootSecret)}`, 303);
  });

  function choiceFrom(source: unknown, { viewer }: FastifyRequest, found: Found): Choice {
    const bookable = found.kind === 'here' ? found.bookable : undefined;
    const hostZone = bookable?.hosts[0]?.availability.timeZone;
    const now = deps.system.now();
    const until = bookable && bookableUntil(bookable, now);
    return readChoice(source, viewer?.timeZone ?? hostZone ?? 'UTC', until, now);
  }

  function pageOf(request: FastifyRequest, reply: FastifyReply, found: FoundHere, choice: Choice): SlotPage {
    const { viewer } = request;
    const mine: FormFaults['typed'] = viewer === undefined ? {} : { name: viewer.name, email: viewer.email };
    return {
      request,
      reply,
      bookable: found.bookable,
      choice,
      views,
      name: nameOfPage(found),
      words: { ...wordsOf(found), hasMail: deps.hasMail },
      formWords: (isOfAnotherTime, { typed }) => ({
        typed: { ...mine, ...typed },
        // The form of a slot that was taken is another one, so that it is a booking of its own.
        formId: (isOfAnotherTime ? undefined : keyIn(typed)) ?? newUuid(deps.system),
      }),
      // From an organization's subdomain the way leads to the booking at the general address.
      formTargets: request.ownOrigin === undefined ? [] : [deps.appUrl],
    };
  }
}

/** Where an event type's page is instead, with what was chosen. */
function addressOf(address: string, choice: Choice): string {
  return choice.isZoneChosen ? `${address}${queryOf(choice)}` : address;
}

function askedBy(
  { name, email, notes, guests }: BookingForm,
  { bookable }: FoundHere,
  { start, timeZone, language }: Choice & { readonly start: number; readonly language: string },
) {
  return {
    eventTypeId: bookable.eventType.id,
    start: new Date(start).toISOString(),
    attendee: { name, email, timeZone, language },
    guests,
    bookingFieldsResponses: notes === undefined ? {} : { notes },
    metadata: {},
  };
}

/** In which somebody reads their letters' times: the browser's first language as the API takes it, else the one of those who say nothing. */
function languageFrom({ headers }: FastifyRequest): string {
  return newBooking.shape.attendee.shape.language
    .catch(untoldLanguage)
    .parse(languageOf(headers['accept-language']));
}

/** A form's own random id: the form sent twice books once. */
function keyIn(body: unknown): string | undefined {
  const id = typeof body === 'object' && body !== null ? Reflect.get(body, 'form_id') : undefined;
  return idempotencyKey.catch(undefined).parse(id);
}
