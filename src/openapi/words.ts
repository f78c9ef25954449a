export const introduction = `The API of a scheduling service: event types, schedules, bookings and free times of the people who have allowed your app to act for them.

Register your app in the developer settings. Send people to the authorization page, exchange the code that comes back for tokens at the token endpoint, and send the access token as \`Authorization: Bearer\`. An access token lives for half an hour; the refresh token gives the next one.`;

/** The families of operations in the order in which one needs them, each in a sentence. */
const families = {
  OAuth: 'Tokens for your app: from the code of an authorization, from a refresh token, and their end.',
  'OAuth clients': 'What an app may know of an app.',
  Me: 'The person whom a token acts for.',
  'Event types': 'What people can be booked for.',
  Schedules: 'When people work.',
  Slots: 'When people are free. Public, as booking pages are.',
  Bookings: 'Appointments: made by anybody, managed by their hosts.',
  Calendars: 'Calendars elsewhere whose appointments count as busy.',
  'Managed users': 'Users whom a platform’s client makes and acts for, with its own credentials.',
} as const satisfies Record<string, string>;

/** The families that have operations. */
export function tagsOf(used: ReadonlySet<string>): { name: string; description: string }[] {
  return Object.entries(families)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }));
}
