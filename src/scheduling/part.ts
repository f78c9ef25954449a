import { findProfile } from '../accounts/store.ts';
import type { CounterWords } from '../platform/metrics/counters.ts';
import type { Part } from '../platform/parts.ts';
import { waitingEntries } from './bookings/entries/store.ts';
import { startEntryWriter } from './bookings/entries/writer.ts';
import { listedStatuses } from './bookings/request.ts';
import { bookingCreationPlugin, bookingScopes, bookingsPlugin } from './bookings/routes.ts';
import { tellMeetings } from './bookings/store.ts';
import { calendarKinds } from './calendars/access.ts';
import { openCalendars } from './calendars/open.ts';
import { calendarsPlugin, destinationPlugin } from './calendars/routes.ts';
import { watchCalendars } from './calendars/watch.ts';
import { bookingStatuses } from './core/booking.ts';
import { publicPages } from './core/booking-url.ts';
import { bookingWindowTypes } from './core/booking-window.ts';
import { locationTypes } from './core/locations.ts';
import { questionTypes } from './core/questions.ts';
import { schedulingTypes } from './core/round-robin.ts';
import {
  eventTypeListsPlugin,
  eventTypeScopes,
  eventTypesPlugin,
  findEventTypeOwner,
} from './event-types/routes.ts';
import { listEventTypes, makeBookable } from './event-types/store.ts';
import { maxBookingsADay, maxBookingsAhead, maxCalendars, maxEventTypes, maxSchedules } from './limits.ts';
import { schedulingHome } from './pages/home.ts';
import { findOfTeam } from './pages/list.ts';
import { bookingPagesPlugin, hostedPagesPlugin, organizationHostPlugin } from './pages/routes.ts';
import { maxOverrides, maxSpans } from './schedules/request.ts';
import { scheduleScopes, schedulesPlugin } from './schedules/routes.ts';
import { defaultSchedule } from './schedules/store.ts';
import { schedulingSettingsPlugin } from './settings/event-types.ts';
import { maxReservations, slotsPlugin } from './slots/routes.ts';
import { teamsApiPlugin } from './teams/routes.ts';

declare module '../platform/metrics/counters.ts' {
  interface Counters {
    readonly bookings_created: CounterWords;
    readonly calendar_reads: CounterWords;
    readonly calendar_writes: CounterWords;
  }
}

const eventTypesLink = { address: '/settings/event-types', words: 'Event types', icon: 'calendar' } as const;
const availabilityLink = { address: '/settings/availability', words: 'Availability', icon: 'clock' } as const;

/**
 * Event types, schedules, slots, bookings and calendars, at `/v2` and on pages. Without it the
 * service is a sign-in with tokens for other APIs.
 */
export const schedulingPart = {
  open(opening) {
    const { config, db, log, runtime, secrets, opened } = opening;
    const { outbound, calendars } = openCalendars(opening);
    const writer = opened.adopt(startEntryWriter({ config, db, runtime, secrets, log, outbound }), (it) =>
      it.stop(),
    );
    return {
      capabilities: {
        makeBookable,
        findEventTypeOwner,
        defaultSchedule,
        calendarEntries: { nudge: writer.nudge },
        calendars,
      },
      stop: () => writer.stop(),
      async goOn(app, signal) {
        const { bookingEvents } = app;
        while (bookingEvents !== undefined && !signal.aborted)
          if (!(await tellMeetings(db, bookingEvents, runtime.now()))) break;
        await watchCalendars(app, signal);
      },
    };
  },
  routes: {
    beforePages: [organizationHostPlugin],
    pages: [schedulingSettingsPlugin, bookingPagesPlugin, hostedPagesPlugin],
  },
  v2: {
    withToken: [
      { plugin: teamsApiPlugin },
      { plugin: eventTypesPlugin },
      { plugin: schedulesPlugin, prefix: '/schedules' },
      { plugin: calendarsPlugin, prefix: '/calendars' },
      { plugin: destinationPlugin, prefix: '/destination-calendars' },
    ],
    openInTurn: [{ plugin: eventTypeListsPlugin }, { plugin: bookingsPlugin }],
    open: [{ plugin: slotsPlugin, prefix: '/slots' }, { plugin: bookingCreationPlugin }],
  },
  web: {
    navigation: [
      { place: 10, address: '/bookings', words: 'Bookings', icon: 'book' },
      { place: 20, ...eventTypesLink },
      { place: 30, ...availabilityLink },
      { group: 'Scheduling', place: 210, ...eventTypesLink },
      { group: 'Scheduling', place: 220, ...availabilityLink },
      {
        group: 'Scheduling',
        place: 230,
        address: '/settings/calendars',
        words: 'Calendars',
        icon: 'link',
      },
    ],
    unlisted: ['/booking/'],
  },
  accounts: {
    publicPages: { ...publicPages, findOfTeam },
    home: schedulingHome,
  },
  oauth: {
    scopes: [eventTypeScopes, bookingScopes, scheduleScopes],
  },
  api: {
    async guideValues({ server, session }) {
      if (session === undefined) return {};
      const userId = session.person.id;
      const shown = { withHidden: false, take: 1, isShort: true } as const;
      const [[own], profile] = await Promise.all([
        listEventTypes(server, { userId }, shown),
        findProfile(server.db, userId),
      ]);
      return {
        ...(own && { YOUR_EVENT_TYPE_ID: String(own.eventType.id) }),
        ...(profile?.username && { username: profile.username }),
      };
    },
    enumerations: {
      BookingStatus: bookingStatuses,
      BookingFieldType: questionTypes,
      LocationType: locationTypes,
      SchedulingType: schedulingTypes,
      BookingWindowType: bookingWindowTypes,
      CalendarKind: calendarKinds,
      TeamRole: ['OWNER', 'ADMIN', 'MEMBER'],
      ListedStatus: listedStatuses,
      SortOrder: ['asc', 'desc'],
      SlotFormat: ['time', 'range'],
      Flag: ['true', 'false'],
    },
    securitySchemes: {
      bookingToken: {
        type: 'apiKey',
        in: 'header',
        name: 'x-booking-token',
        description:
          'The token of one booking: its `bookingToken`, which also ends the link in the attendee’s emails.',
      },
    },
  },
  metrics: {
    dailyNumbers: [{ name: 'bookings', words: 'New bookings', counter: 'bookings_created' }],
    counters: {
      bookings_created: ['Bookings that were made.'],
      calendar_reads: ['Calendars read elsewhere, not from memory.', 'result'],
      calendar_writes: ['Attempts to write a booking to a calendar.', 'outcome'],
    },
    gauges: [
      {
        name: 'calendar_writes_waiting',
        help: 'Bookings to be written to calendars, 10,000 at most.',
        rows: waitingEntries,
      },
    ],
  },
  limits: {
    'an account': [
      [maxSchedules, 'schedules'],
      [maxCalendars, 'calendars, of 5 feeds each'],
    ],
    'an account, a team': [[maxEventTypes, 'event types, of 100 hosts each']],
    'a schedule': [
      [maxSpans, 'spans a week, each day counted'],
      [maxOverrides, 'overrides'],
    ],
    'a host': [
      [maxBookingsADay, 'new bookings in 24 hours: rescheduling is always possible'],
      [maxBookingsAhead, 'bookings ahead'],
      [maxReservations, 'reservations at the same time, half of them without a token, of an hour at most'],
    ],
    'a booking': [
      [10, 'guests'],
      [50, 'answers'],
      [50, 'entries of metadata'],
    ],
  },
} as const satisfies Part;
