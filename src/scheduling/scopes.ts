import type { ScopeArea } from '../oauth/permissions.ts';

declare module '../oauth/permissions.ts' {
  interface ApiScopes {
    readonly EVENT_TYPE_READ: true;
    readonly EVENT_TYPE_WRITE: true;
    readonly BOOKING_READ: true;
    readonly BOOKING_WRITE: true;
    readonly SCHEDULE_READ: true;
    readonly SCHEDULE_WRITE: true;
  }
}

export const schedulingScopes: readonly ScopeArea[] = [
  {
    title: 'Event types',
    place: 20,
    read: {
      name: 'EVENT_TYPE_READ',
      words: 'See your event types',
      limit: 'See or change your event types',
    },
    write: {
      name: 'EVENT_TYPE_WRITE',
      words: 'See, create, change and delete your event types',
      limit: 'Change your event types',
    },
    fullAccess: [
      'See, create, change and delete event types and schedules',
      'Connect and disconnect calendars, choose where bookings go, and see when you are busy in them',
    ],
    firstCall: '/v2/event-types',
  },
  {
    title: 'Bookings',
    place: 30,
    read: { name: 'BOOKING_READ', words: 'See your bookings', limit: 'See or change your bookings' },
    write: {
      name: 'BOOKING_WRITE',
      words: 'See, create, change and cancel your bookings',
      limit: 'Create, change or cancel bookings',
    },
    fullAccess: ['See, create, change and cancel bookings on your behalf'],
    firstCall: '/v2/bookings',
  },
  {
    title: 'Schedules',
    place: 40,
    read: {
      name: 'SCHEDULE_READ',
      words: 'See your schedules, connected calendars and when you are busy in them',
      limit: 'See or change your schedules and connected calendars',
    },
    write: {
      name: 'SCHEDULE_WRITE',
      words:
        'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them',
      limit: 'Change your schedules, connect or disconnect calendars',
      // `PUT /v2/destination-calendars` takes both scopes.
      together: {
        with: 'BOOKING_READ',
        words:
          'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go',
      },
    },
    fullAccess: [],
    firstCall: '/v2/schedules',
  },
];
