import type { FastifyRequest } from 'fastify';
import { missingSetup } from '../../accounts/admin/setup.ts';
import { linkTo } from '../../accounts/groups/address.ts';
import type { Home } from '../../accounts/home.ts';
import { needsVerification, type Person } from '../../accounts/person.ts';
import { sessionOf } from '../../accounts/sessions/session.ts';
import { findProfile } from '../../accounts/store.ts';
import { cityOf } from '../../accounts/time-zones.ts';
import { reviewHome } from '../../oauth/clients/own-client.ts';
import type { DateLanguage } from '../../platform/locale.ts';
import type { Sentence } from '../../platform/words.ts';
import { type Page, sendPage } from '../../web/pages.ts';
import { listUpcomingHosted, wasEverBooked } from '../bookings/store.ts';
import { hasCalendar, listOutages } from '../calendars/store.ts';
import { hasPlace, listEventTypes } from '../event-types/store.ts';
import { describeHours } from '../schedules/request.ts';
import { findDefaultSchedule } from '../schedules/store.ts';
import { findList } from './list.ts';
import { byDay, localeOf, showBookingOn } from './shown-booking.ts';

declare module '../../web/pages.ts' {
  interface Views {
    'scheduling/landing': Page & ReturnType<typeof describeLanding>;
    'scheduling/home': Page & Awaited<ReturnType<typeof readHome>>;
    /** What keeps all people from booking the host is on all pages about being booked. */
    'scheduling/outages': { readonly outages: Awaited<ReturnType<typeof listOutages>> };
  }
}

const shownBookings = 3;

export const schedulingHome: Home = {
  sendLanding: (reply) => sendPage(reply, 'scheduling/landing', describeLanding(reply.request)),
  sendHome: async (reply) =>
    sendPage(reply, 'scheduling/home', await readHome(reply.request, sessionOf(reply.request).person)),
};

function describeLanding({ server, words }: FastifyRequest) {
  const { brand, signUp } = server.config;
  const free = [2, 3, 6, 8, 9, 13, 15, 16, 17, 20, 22, 24, 27, 29];
  return {
    title: brand.name,
    description: words.t(
      'Share a link and get booked. Give apps access to your schedule without your password.',
    ),
    isSignUpOpen: signUp === 'open',
    days: Array.from({ length: 30 }, (_, index) => ({
      number: index + 1,
      kind: index === 14 ? 'chosen' : free.includes(index + 1) ? 'free' : '',
    })),
  };
}

interface Step {
  readonly words: Sentence;
  readonly address: string;
  readonly isDone: boolean;
  /** What an account has already, so that its owner sees whether it's right. */
  readonly found?: string | undefined;
}

async function readHome(request: FastifyRequest, person: Person) {
  const { server: app } = request;
  const now = app.runtime.now();
  const isVerified = !needsVerification(app.config, person);
  const [next, list, ownTypes, profile, hours, isPlaced, isConnected, wasBooked, outages] = await Promise.all(
    [
      listUpcomingHosted(app.db, person.id, now, shownBookings),
      isVerified ? findList(app, { userId: person.id }, 1) : undefined,
      listEventTypes(app, { userId: person.id }, { withHidden: true, take: 1, isShort: true }),
      findProfile(app.db, person.id),
      findDefaultSchedule(app.db, person.id),
      hasPlace(app.db, person.id),
      hasCalendar(app.db, person.id),
      wasEverBooked(app.db, person.id),
      listOutages(app.db, person.id),
    ],
  );
  const [ownType] = ownTypes;
  const locale = localeOf(request);
  const typeAddress = ownType && `/settings/event-types/${ownType.eventType.id}`;
  const steps: readonly (Step | false)[] = [
    app.config.emailVerification === 'required' && {
      words: 'Verify your email address',
      address: '/settings/profile',
      isDone: isVerified,
    },
    {
      words: 'Set your hours',
      address: hours === undefined ? '/settings/availability' : `/settings/availability/${hours.id}`,
      isDone: hours !== undefined,
      found: hours && `${describeHours(hours, locale, request.words)} · ${cityOf(hours.timeZone)}`,
    },
    {
      words: 'Create an event type',
      address: typeAddress ?? '/settings/event-types/new',
      isDone: ownType !== undefined,
      found: ownType?.eventType.title,
    },
    typeAddress !== undefined && { words: 'Say where you meet', address: typeAddress, isDone: isPlaced },
    ownType !== undefined &&
      !profile?.username && {
        words: 'Choose a username for your booking link',
        address: '/settings/profile',
        isDone: false,
      },
    { words: 'Connect a calendar', address: '/settings/calendars', isDone: isConnected },
    { words: 'Share your booking link', address: '/bookings/page', isDone: wasBooked },
  ];
  const { timeZone } = person;
  const [first, ...others] = next.map((found) => showBookingOn(found, 'host', request));
  const reader = { timeZone, language: locale.language, now };
  return {
    title: app.config.brand.name,
    next: first && { ...first, in: untilWords(Date.parse(first.start) - now.getTime(), locale.language) },
    days: byDay(others, reader, request.words),
    link: list && { address: list.address, href: linkTo(list.address, app.config) },
    // Without a calendar, people book over what else a host does.
    steps: wasBooked && isConnected ? [] : steps.filter((step) => step !== false),
    waiting: request.waiting?.get(reviewHome) ?? 0,
    missing: person.isAdmin ? request.words.list(missingSetup(app.config).map(request.words.say)) : '',
    outages,
  };
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns `in 2 hours`, or `now` for what has begun. */
function untilWords(ms: number, language: DateLanguage = 'en'): string {
  const [unit, size] = units.find(([, one]) => ms >= one) ?? ['minute', 60_000];
  const isNow = ms < 60_000;
  // A day from now isn't always tomorrow.
  const format = new Intl.RelativeTimeFormat(language, { numeric: isNow ? 'auto' : 'always' });
  return isNow ? format.format(0, 'second') : format.format(Math.floor(ms / size), unit);
}
