import type { FastifyReply, FastifyRequest } from 'fastify';
import { whoseOf } from '../../platform/limits/whose.ts';
import { readerLocaleOf } from '../../platform/locale.ts';
import type { Platform } from '../../platform/platform.ts';
import { newUuid } from '../../platform/runtime.ts';
import type { ScopedApp } from '../../platform/scoped-plugin.ts';
import { bdi, type Words } from '../../platform/words.ts';
import { refuse } from '../../result.ts';
import { causedByVisitor } from '../../v2/limits.ts';
import { sendNotFoundPage } from '../../web/error-pages.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { bookingPathOf } from '../bookings/booking.ts';
import { createBooking } from '../bookings/create.ts';
import { newBooking } from '../bookings/request.ts';
import { defaultLanguage } from '../core/booking.ts';
import { bookingUrlOf } from '../core/booking-url.ts';
import { anyTime } from '../core/booking-window.ts';
import { formatLength } from '../dates.ts';
import type { ShownEventType } from '../event-types/store.ts';
import { bookableIn } from '../slots/free-slots.ts';
import {
  type EventTypeName,
  findAddressedEventType,
  findHostedEventType,
  type HostedEventType,
  lengthsOf,
  withLength,
} from '../store.ts';
import { placeWords, readAnswers, readPlace, showPlaces, showQuestions } from './booking-form.ts';
import { type Choice, choiceQuery, readChoice } from './calendar.ts';
import { organizationOf, sendMoved } from './list.ts';
import { bookingForm, type ChoiceFields, choiceFields, eventTypeParams, formIdIn } from './request.ts';
import {
  isBlocker,
  type SlotCalendarView,
  type SlotFormView,
  type SlotPage,
  sendBlocker,
  sendChoice,
  sendFaults,
} from './slot-page.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/event-heading': HeadingView;
    'scheduling/event-type': Page &
      SlotCalendarView &
      HeadingView &
      ReturnType<typeof describeAbout> & { readonly settings: string | undefined };
    'scheduling/booking-form': Page & SlotFormView & HeadingView & ReturnType<typeof describeForm>;
  }
}

type EventType = HostedEventType['eventType'];
type HeadingView = ReturnType<typeof headingOf>;

interface FoundHere {
  readonly hosted: HostedEventType;
  readonly shown: ShownEventType;
}

type Found = FoundHere | { readonly address: string };

export function registerEventTypePage(app: ScopedApp, path: string): void {
  // protects: C58
  const config = { isForOrganizations: true, limit: 'slots' } as const;
  const params = eventTypeParams;

  app.get(path, { config, schema: { params, querystring: choiceFields } }, async (request, reply) => {
    const found = await findPage(app, request.params.name, request.ownOrigin);
    if (found === undefined) return sendMoved(reply);
    const page = openPage(reply, found, request.query);
    if (typeof page === 'string') return reply.redirect(page, 302);
    return sendChoice(app, page);
  });

  const booking = { ...config, oldSignInBecause: 'visitors need no account' };
  app.post(path, { config: booking, schema: { params, body: bookingForm } }, async (request, reply) => {
    const found = await findPage(app, request.params.name, request.ownOrigin);
    if (found === undefined) return sendNotFoundPage(reply);
    const { form, formId, typed } = request.body;
    const page = openPage(reply, found, request.body.choice);
    if (typeof page === 'string') return reply.redirect(page, 303);
    const { choice, hosted } = page;
    const { start } = choice;
    if (start === undefined) return sendChoice(app, { ...page, reply: reply.code(400) });
    const { eventType } = hosted;
    const place = readPlace(eventType.locations, typed);
    const placeFaults = place.ok ? {} : { [place.reason]: place.detail ?? '' };
    const { answers, faults } = readAnswers(eventType.bookingFields, typed);
    if (!form.ok || !place.ok || Object.keys(faults).length > 0)
      return sendFaults(page, start, {
        typed,
        faults: { ...(form.ok ? {} : form.faults), ...placeFaults, ...faults },
      });
    if (!app.buckets.bookings.take(whoseOf(request)).isAllowed)
      return sendBlocker(app, page, start, refuse('too_many_bookings'), typed);
    const { name, email, notes, guests } = form.value;
    const booking = {
      eventTypeId: eventType.id,
      start: new Date(start).toISOString(),
      lengthInMinutes: choice.duration,
      attendee: { name, email, timeZone: choice.timeZone, language: await languageFrom(request) },
      guests: eventType.disableGuests ? [] : guests,
      location: place.value,
      bookingFieldsResponses: notes === undefined ? answers : { ...answers, notes },
      metadata: {},
    };
    const outcome = await createBooking(app, booking, formId, {
      sender: 'page',
      cause: causedByVisitor(request),
    });
    if (!outcome.ok) {
      const { reason } = outcome;
      request.log.info({ reason }, 'a booking was refused on its page');
      return isBlocker(reason)
        ? sendBlocker(app, page, start, { ...outcome, reason }, typed)
        : sendNotFoundPage(reply);
    }
    const { uid } = outcome.value.booking;
    request.log.info({ bookingUid: uid }, 'a slot was booked on its page');
    const origin = request.ownOrigin === undefined ? '' : app.config.appUrl;
    return reply.redirect(`${origin}${bookingPathOf(uid, app.secrets)}`, 303);
  });

  function openPage(reply: FastifyReply, found: Found, fields: ChoiceFields): SlotPage | string {
    const now = app.runtime.now();
    const visitorsZone = reply.request.viewer?.timeZone;
    if ('address' in found)
      return addressOf(found.address, readChoice(fields, visitorsZone ?? 'UTC', anyTime, now));
    const usualZone = visitorsZone ?? found.hosted.hosts[0]?.availability.timeZone ?? 'UTC';
    const asked = readChoice(fields, usualZone, bookableIn(found.hosted, now), now);
    const withAsked = asked.duration && withLength(found.hosted, asked.duration);
    const choice = withAsked ? asked : { ...asked, duration: undefined };
    const hosted = withAsked || found.hosted;
    const { eventType, hosts } = hosted;
    const { words } = reply.request;
    const heading = headingOf(found, eventType, words);
    const whom = found.shown.team?.name ?? words.list(hosts.map(({ name }) => name));
    const about = describeAbout(found.hosted.eventType, choice, words);
    const text = [heading.details, ...about.places, eventType.description].filter(Boolean).join(' · ');
    const title = words.t('{event} with {names}', { event: eventType.title, names: whom });
    const preview = { title, text: text.slice(0, maxPreview) };
    const ownId = reply.request.session?.person.id;
    // Members of a team may take part and not change it.
    const isHost = found.shown.team === null && hosts.some(({ id }) => id === ownId);
    const settings = isHost ? `/settings/event-types/${eventType.id}` : undefined;
    // Search engines may list event types that their hosts have described, and don't hide.
    const isListed = !eventType.hidden && eventType.description !== '';
    return {
      reply,
      hosted,
      choice,
      name: [eventType.title, whom].filter(Boolean).join(' · '),
      sendCalendar: (view) =>
        sendPage(reply, 'scheduling/event-type', {
          ...view,
          ...heading,
          ...about,
          preview,
          settings,
          ...(isListed && { description: preview.text }),
          scripts: ['own-zone.js', 'zone.js'],
        }),
      sendForm: (view) =>
        sendPage(
          reply,
          'scheduling/booking-form',
          { ...view, ...heading, ...describeForm(reply.request, view, eventType) },
          // An organization's subdomain has the form, and the general address the booking.
          reply.request.ownOrigin === undefined ? [] : [app.config.appUrl],
        ),
    };
  }
}

function describeForm(
  { viewer, words, server: { mail, runtime } }: FastifyRequest,
  { otherTimes, typed }: SlotFormView,
  eventType: EventType,
) {
  const { t } = words;
  const { locations, bookingFields, disableGuests } = eventType;
  const own = viewer === undefined ? {} : { name: viewer.name, email: viewer.email };
  // A form for another time is a new form, because it makes another booking.
  const formId = otherTimes === undefined ? formIdIn(typed) : undefined;
  return {
    typed: { ...own, ...typed },
    formId: formId ?? newUuid(runtime),
    emailHint: mail.isConfigured
      ? t('We’ll send your confirmation and a link to reschedule or cancel.')
      : t('Visible to the host. This server can’t send email.'),
    questions: showQuestions(bookingFields, typed, words),
    places: showPlaces(locations, typed['location'], words),
    guestsHint: disableGuests
      ? ''
      : mail.isConfigured
        ? t('Email addresses, one per line, up to 10. Guests are notified.')
        : t('Email addresses, one per line, up to 10.'),
    button: t(eventType.requiresConfirmation ? 'Request this time' : 'Book this time'),
  };
}

/** A regular organization's pages are only at its subdomain. */
async function findPage(
  { config, db }: Pick<Platform, 'config' | 'db'>,
  name: EventTypeName | undefined,
  ownOrigin: string | undefined,
): Promise<Found | undefined> {
  if (name === undefined) return undefined;
  const [hosted, shown] = await Promise.all([
    findHostedEventType({ config, db }, name),
    findAddressedEventType({ db }, name),
  ]);
  if (hosted === undefined || shown === undefined) return undefined;
  const address = bookingUrlOf(shown, config);
  if (address.startsWith(`${ownOrigin ?? config.appUrl}/`)) return { hosted, shown };
  return address === '' || ownOrigin !== undefined ? undefined : { address };
}

const maxNamed = 3;
const maxPreview = 200;

function describeAbout(eventType: EventType, choice: Choice, words: Words) {
  const lengths = lengthsOf(eventType);
  const chosen = choice.duration ?? eventType.lengthInMinutes;
  return {
    about: eventType.description,
    places: eventType.locations.map((location) => placeWords(location, words)),
    lengths: (lengths.length === 1 ? [] : lengths).map((minutes) => ({
      words: formatLength(minutes, words),
      isChosen: minutes === chosen,
      query: choiceQuery({ ...choice, start: undefined, duration: minutes }),
    })),
  };
}

function headingOf({ hosted: { hosts }, shown }: FoundHere, eventType: EventType, words: Words) {
  const { title, lengthInMinutes, schedulingType, requiresConfirmation, hidden } = eventType;
  const { team, user } = shown;
  const listPath = team === null ? `/${user?.username}` : `/team/${team.slug}`;
  const names = hosts.map(({ name }) => name);
  const named = names.length <= maxNamed + 1 ? names : names.slice(0, maxNamed);
  const count = names.length - named.length;
  const others = count === 0 ? [] : [words.t('{count, plural, one {# other} other {# others}}', { count })];
  const length = formatLength(lengthInMinutes, words);
  return {
    eventTitle: title,
    details: requiresConfirmation ? `${length} · ${words.t('The host confirms each booking')}` : length,
    organization: organizationOf(shown),
    team: team?.name,
    isOneOf: schedulingType === 'roundRobin' && hosts.length > 1,
    hosts: named,
    people: { html: words.list([...named.map((name) => bdi(name).html), ...others]) },
    list: hidden ? undefined : listPath,
  };
}

function addressOf(address: string, choice: Choice): string {
  return choice.isZoneChosen || choice.duration !== undefined ? `${address}${choiceQuery(choice)}` : address;
}

/** Emails speak the page's language, in the form of the browser's region. */
async function languageFrom({ headers, words, server }: FastifyRequest): Promise<string> {
  const { language = defaultLanguage, dateLocale } = readerLocaleOf(headers['accept-language']);
  const liked = await server.languages?.wordsFor({ language, lastLanguage: null });
  const isLiked = liked === undefined || liked.tag === words.tag;
  const shown = isLiked ? language : words.locale === undefined ? dateLocale : words.tag;
  return newBooking.shape.attendee.shape.language.catch(defaultLanguage).parse(shown);
}
