import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Secrets } from '../../platform/secrets.ts';

export const calendarKinds = ['ics_feed', 'caldav'] as const;

/** A calendar of an account, by its address. */
const collection = z.object({ url: z.string(), name: z.string(), isReadOnly: z.boolean() });
export type Collection = z.output<typeof collection>;

const access = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ics_feed'), urls: z.array(z.string()) }),
  z.object({
    kind: z.literal('caldav'),
    url: z.string(),
    username: z.string(),
    password: z.string(),
    /** The calendar home, found by discovery (RFC 4791 §6.2.1). */
    homeUrl: z.string(),
    /** The owner's email addresses on the server (RFC 6638 §2.4.1). */
    addresses: z.array(z.string()).default([]),
    /** As they were when it was connected. */
    collections: z.array(collection).default([]),
  }),
]);

/** The address and credentials of a calendar: stored encrypted, never returned. */
export type CalendarAccess = z.output<typeof access>;
export type CaldavAccess = Extract<CalendarAccess, { kind: 'caldav' }>;

function encryptionOf<Plain>(purpose: string, schema: z.ZodType<Plain>) {
  return {
    encrypt: (secrets: Secrets, plain: Plain): Uint8Array =>
      secrets.encrypt(purpose, new TextEncoder().encode(JSON.stringify(plain))),
    /** Undefined if the secret it was encrypted with is gone. */
    decrypt: (secrets: Secrets, encrypted: Uint8Array): Plain | undefined => {
      const plain = secrets.decrypt(purpose, encrypted);
      return plain && schema.safeParse(JSON.parse(new TextDecoder().decode(plain))).data;
    },
  };
}

export const { encrypt: encryptAccess, decrypt: decryptAccess } = encryptionOf('calendar', access);
export const { encrypt: encryptCollection, decrypt: decryptCollection } = encryptionOf(
  'calendar-destination',
  collection,
);

/** For those who may not learn the address. */
export function externalIdOf(url: string): string {
  return createHash('sha256').update(url).digest('base64url').slice(0, 22);
}

export function isSameCalendar(a: CalendarAccess, b: CalendarAccess): boolean {
  if (a.kind === 'caldav') return b.kind === 'caldav' && a.homeUrl === b.homeUrl && a.username === b.username;
  return b.kind === 'ics_feed' && a.urls.toSorted().join(' ') === b.urls.toSorted().join(' ');
}
