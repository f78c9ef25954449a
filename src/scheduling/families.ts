import type { Family } from '../v2/operation.ts';

export const families = {
  teams: {
    name: 'Teams',
    place: 40,
    version: '2024-04-15',
    words: 'Teams of the user, their members, bookings and hours.',
  },
  eventTypes: { name: 'Event types', place: 50, version: '2024-06-14', words: 'What people can book.' },
  schedules: { name: 'Schedules', place: 60, version: '2024-06-11', words: 'Working hours.' },
  slots: {
    name: 'Slots',
    place: 70,
    version: '2024-09-04',
    words: 'Find and reserve free slots. Public, like booking pages.',
  },
  bookings: {
    name: 'Bookings',
    place: 80,
    version: '2024-08-13',
    words: 'Create bookings without a token; manage them as a host, or as the attendee.',
  },
  calendars: {
    name: 'Calendars',
    place: 90,
    version: '2024-04-15',
    words: 'Connected calendars whose events count as busy.',
  },
} as const satisfies Record<string, Family>;
