import type { ScopeArea } from '../oauth/permissions.ts';

declare module '../oauth/permissions.ts' {
  interface ApiScopes extends Record<`${'EVENT_TYPE' | 'BOOKING' | 'SCHEDULE'}_${'READ' | 'WRITE'}`, true> {}
}

export const schedulingScopes: readonly ScopeArea[] = [
  {
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
  },
  {
    title: 'Bookings',
    icon: 'calendar',
    place: 30,
    read: {
      name: 'BOOKING_READ',
      words: 'See your bookings, with the names, email addresses and answers of people who book you',
      ofTeam:
        'See the bookings of the team, with the names, email addresses and answers of people who book it',
      limit: 'See or change your bookings',
    },
    write: {
      name: 'BOOKING_WRITE',
      words:
        'See, create, change and cancel your bookings, with the names, email addresses and answers of people who book you',
      ofTeam:
        'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it',
      limit: 'Create, change or cancel bookings',
    },
    firstCall: '/v2/bookings',
  },
  {
    title: 'Schedules',
    icon: 'sun',
    place: 40,
    read: {
      name: 'SCHEDULE_READ',
      words: 'See your schedules, connected calendars and when you are busy in them',
      ofTeam: 'See the working hours of the members of the team',
      limit: 'See or change your schedules and connected calendars',
    },
    write: {
      name: 'SCHEDULE_WRITE',
      words:
        'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them',
      ofTeam: 'See the working hours of the members of the team',
      limit: 'Change your schedules, connect or disconnect calendars',
      // `PUT /v2/destination-calendars` takes both scopes.
      together: {
        with: 'BOOKING_READ',
        words:
          'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go',
      },
    },
    firstCall: '/v2/schedules',
  },
];
