import { createHash } from 'node:crypto';
import { z } from 'zod';
import { displayEmailOf } from '../../accounts/display-email.ts';
import { encryptedTexts, type Secrets } from '../../platform/secrets.ts';

export const calendarKinds = ['ics_feed', 'caldav'] as const;

const collection = z.object({
  url: z.string(),
  name: z.string(),
  isReadOnly: z.boolean(),
  isFree: z.boolean().optional(),
});
export type Collection = z.output<typeof collection>;

const access = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ics_feed'), urls: z.array(z.string()) }),
  z.object({
    kind: z.literal('caldav'),
    url: z.string(),
    username: z.string(),
    password: z.string(),
    /** Discovery found the calendar home (RFC 4791 §6.2.1), which tells accounts apart. */
    homeUrl: z.string(),
    /** A person can have several. */
    homeUrls: z.array(z.string()).optional(),
    /** The owner has these email addresses on the server (RFC 6638 §2.4.1). */
    addresses: z.array(z.string()).default([]),
    collections: z.array(collection).default([]),
  }),
]);

/** Address and credentials are stored encrypted and never returned. */
export type CalendarAccess = z.output<typeof access>;
export type CaldavAccess = Extract<CalendarAccess, { kind: 'caldav' }>;

/** An owner's addresses, by which their calendars name them; other programs know no managed user's suffix. */
export function addressesOf(access: CalendarAccess, email: string): readonly string[] {
  const known = access.kind === 'caldav' ? [email, access.username, ...access.addresses] : [email];
  return known.flatMap((address) => [address, displayEmailOf(address)]);
}

function encryptionOf<Plain>(purpose: string, schema: z.ZodType<Plain>) {
  const { encrypt, decrypt } = encryptedTexts(purpose);
  return {
    encrypt: (secrets: Secrets, plain: Plain): Uint8Array => encrypt(secrets, JSON.stringify(plain)),
    /** Returns undefined if the secret of the encryption is gone. */
    decrypt: (secrets: Secrets, encrypted: Uint8Array): Plain | undefined => {
      const text = decrypt(secrets, encrypted);
      return text === undefined ? undefined : schema.safeParse(JSON.parse(text)).data;
    },
  };
}

export const { encrypt: encryptAccess, decrypt: decryptAccess } = encryptionOf('calendar', access);
export const { encrypt: encryptCollection, decrypt: decryptCollection } = encryptionOf(
  'calendar-destination',
  collection,
);

/** Identifies a calendar to callers who may not learn the address. */
export function externalIdOf(url: string): string {
  return createHash('sha256').update(url).digest('base64url').slice(0, 22);
}

export function isSameCalendar(a: CalendarAccess, b: CalendarAccess): boolean {
  if (a.kind === 'caldav') return b.kind === 'caldav' && a.homeUrl === b.homeUrl && a.username === b.username;
  return b.kind === 'ics_feed' && a.urls.toSorted().join(' ') === b.urls.toSorted().join(' ');
}
