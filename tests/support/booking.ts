import { randomBytes } from 'node:crypto';
import { and, eq, like } from 'drizzle-orm';
import type { Db } from '../../src/platform/database.ts';
import { openEmail } from '../../src/platform/mail/email.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { createEventType, type EventTypeValues } from '../../src/scheduling/event-types/store.ts';
import { bookingHosts, bookings } from '../../src/scheduling/tables.ts';
import { openWith, send, type Visit } from './any-visitor.ts';
import type { TestService } from './service.ts';
import { hiddenFieldsOf, type TestUser } from './world.ts';

export interface TestEventType {
  readonly id: number;
  readonly slug: string;
  /** The path is the page's, on the general host. */
  readonly path: string;
}

const values = {
  title: 'Talk',
  description: 'A first talk',
  lengthInMinutes: 30,
  minimumBookingNotice: 0,
  schedulingType: null,
} as const;

/** An event type of a user's: half hours from nine to five on working days, in Berlin. */
export async function addEventType(
  { database, clock }: TestService,
  owner: TestUser,
  changes: Partial<EventTypeValues> = {},
): Promise<TestEventType> {
  const slug = `talk-${randomBytes(6).toString('hex')}`;
  const row = { ...values, slug, ...changes };
  const created = await createEventType(database.db, { userId: owner.id }, row, [], clock.now());
  if (!created.ok) throw new Error(created.reason);
  return { id: created.value, slug: row.slug, path: `/${owner.username}/${row.slug}` };
}

/** An event type of a team's, with hosts. */
export async function addTeamEventType(
  { database, clock }: TestService,
  team: { readonly id: number; readonly slug: string },
  hosts: readonly TestUser[],
  schedulingType: 'collective' | 'roundRobin' = 'roundRobin',
  changes: Partial<EventTypeValues> = {},
): Promise<TestEventType> {
  const slug = `talk-${randomBytes(6).toString('hex')}`;
  const hostIds = hosts.map(({ id }) => id);
  const row = { ...values, slug, schedulingType, ...changes };
  const created = await createEventType(database.db, { teamId: team.id }, row, hostIds, clock.now());
  if (!created.ok) throw new Error(created.reason);
  return { id: created.value, slug, path: `/team/${team.slug}/${slug}` };
}

export const dana = { name: 'Dana', email: 'dana@example.com' } as const;

/** The form of a free slot with its hidden fields, filled in. */
export async function fillIn(
  service: TestService,
  path: string,
  slot: string,
  fields: Readonly<Record<string, string>> = {},
  visit: Visit = {},
): Promise<Record<string, string>> {
  const page = await openWith(service, path, { slot, timeZone: 'Europe/Berlin' }, visit);
  const hidden = hiddenFieldsOf(page.body);
  if (!('form_id' in hidden)) throw new Error(`no form: ${page.statusCode}`);
  return { ...hidden, ...dana, notes: '', guests: '', ...fields };
}

/** Books on the page; answers the booking's own path. */
export async function bookOn(
  service: TestService,
  path: string,
  slot: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await send(service, path, await fillIn(service, path, slot, fields));
  const { location } = answer.headers;
  if (answer.statusCode !== 303 || location === undefined) throw new Error(`booked: ${answer.statusCode}`);
  return location;
}

/** The booking that an own path is about. */
export function uidIn(path: string): string {
  return /\/booking\/([0-9a-f]{32})\//.exec(path)?.[1] ?? '';
}

/** The email to a recipient whose subject begins so, with its private link decrypted. */
export async function emailSentTo(
  { database, rootSecret }: TestService,
  recipient: string,
  subject: string,
): Promise<string> {
  const rows = await database.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.recipient, recipient), like(outbox.subject, `${subject}%`)));
  const [email] = rows;
  if (email === undefined || rows.length > 1) throw new Error(`${rows.length} emails to ${recipient}`);
  return openEmail(email, rootSecret, email.createdAt).text;
}

/** Makes a booking what no request could, with what its hosts' rows repeat of it. */
export async function rewriteBooking(
  db: Db,
  uid: string,
  values: Partial<typeof bookings.$inferInsert>,
): Promise<void> {
  const [row] = await db.update(bookings).set(values).where(eq(bookings.uid, uid)).returning();
  if (row === undefined) throw new Error('there is no such booking');
  const { id, startsAt, endsAt, status } = row;
  const holds = status === 'accepted' || status === 'pending';
  await db.update(bookingHosts).set({ startsAt, endsAt, holds }).where(eq(bookingHosts.bookingId, id));
}
