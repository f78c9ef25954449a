import { z } from 'zod';
import type { RootSecret } from '../../io/root-secret.ts';

const access = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ics_feed'), urls: z.array(z.string()) }),
  z.object({
    kind: z.literal('caldav'),
    url: z.string(),
    username: z.string(),
    password: z.string(),
    /** The collection of the user's calendars, as discovery found it (RFC 4791 §6.2.1). */
    homeUrl: z.string(),
  }),
]);

/** Where a calendar is and how it is opened: never leaves the database but sealed, nor the program at all. */
export type CalendarAccess = z.output<typeof access>;
export type CaldavAccess = Extract<CalendarAccess, { kind: 'caldav' }>;

const purpose = 'calendar';

export function sealAccess(rootSecret: RootSecret, plain: CalendarAccess): Uint8Array {
  return rootSecret.seal(purpose, new TextEncoder().encode(JSON.stringify(plain)));
}

/** Undefined for what was sealed under a secret that is gone. */
export function unsealAccess(rootSecret: RootSecret, sealed: Uint8Array): CalendarAccess | undefined {
  const plain = rootSecret.unseal(purpose, sealed);
  if (plain === undefined) return undefined;
  const parsed: unknown = JSON.parse(new TextDecoder().decode(plain));
  return access.safeParse(parsed).data;
}

/** Whether both lead to the same calendars, be it with another password. */
export function isSameCalendar(a: CalendarAccess, b: CalendarAccess): boolean {
  if (a.kind === 'caldav') return b.kind === 'caldav' && a.homeUrl === b.homeUrl && a.username === b.username;
  return b.kind === 'ics_feed' && a.urls.toSorted().join(' ') === b.urls.toSorted().join(' ');
}
