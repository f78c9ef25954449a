import type { Sentence } from '../../platform/words.ts';
import { appleUrl } from '../calendars/request.ts';

/** Where people find what connects their calendar. The last two are for any other. */
export const calendarProviders = {
  google: {
    words: 'Google Calendar',
    kind: 'ics',
    about: 'With the secret address of a calendar.',
    steps: [
      'On a computer, open Google Calendar, then Settings.',
      'Under “Settings for my calendars”, choose your calendar.',
      'Under “Integrate calendar”, copy “Secret address in iCal format”, and paste it here.',
    ],
    note: 'Google can take hours to tell of a change.',
  },
  outlook: {
    words: 'Outlook',
    kind: 'ics',
    about: 'Outlook.com and Microsoft 365, with a published address.',
    steps: [
      'In Outlook on the web, open Settings, then Calendar, then “Shared calendars”.',
      'Under “Publish a calendar”, choose your calendar and “Can view when I’m busy”, then Publish.',
      'Copy the ICS link, and paste it here.',
    ],
    note: 'Outlook can take hours to tell of a change.',
  },
  icloud: {
    words: 'iCloud',
    kind: 'caldav',
    about: 'With your Apple Account and an app-specific password. Bookings can be written to it.',
    url: appleUrl,
    steps: [
      'Open account.apple.com, then “Sign-In and Security”, then “App-Specific Passwords”.',
      'Create a password, and copy it.',
      'Enter the email address of your Apple Account and that password here.',
    ],
  },
  fastmail: {
    words: 'Fastmail',
    kind: 'caldav',
    about: 'With an app password. Bookings can be written to it.',
    url: 'https://caldav.fastmail.com/',
    steps: [
      'In Fastmail, open Settings, then “Privacy & Security”, then “Manage app passwords and access”.',
      'Create an app password with access to calendars (CalDAV), and copy it.',
      'Enter your Fastmail address and that password here.',
    ],
  },
  caldav: {
    words: 'Another calendar with CalDAV',
    kind: 'caldav',
    about: 'Nextcloud, Posteo, mailbox.org and others. Bookings can be written to it.',
    steps: [],
  },
  ics: {
    words: 'Another calendar with an ICS address',
    kind: 'ics',
    about: 'Most calendars have one in their settings.',
    steps: [],
  },
} as const satisfies Record<string, CalendarProvider>;

export interface CalendarProvider {
  readonly words: Sentence;
  readonly kind: 'ics' | 'caldav';
  readonly about: Sentence;
  readonly url?: string;
  readonly steps: readonly Sentence[];
  readonly note?: Sentence;
}
