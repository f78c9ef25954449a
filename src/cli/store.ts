import { and, eq, getTableColumns, getTableName, inArray, or, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Person } from '../accounts/admin/store.ts';
import {
  devices,
  emailVerifications,
  formerNames,
  groups,
  invitations,
  memberships,
  passkeys,
  recoveryCodes,
  sessions,
  users,
} from '../accounts/tables.ts';
import { clientEvents, clients, grants, rememberedConsents } from '../oauth/tables.ts';
import { auditEvents } from '../platform/audit/tables.ts';
import type { Db } from '../platform/database.ts';
import { outbox } from '../platform/mail/tables.ts';
import {
  bookingHosts,
  bookings,
  calendars,
  eventTypeHosts,
  eventTypes,
  schedules,
} from '../scheduling/tables.ts';

/** The tables that know people, and the rows that belong to one. */
export function personalRows(
  db: Db,
  { id, email, emailVerifiedAt }: Person,
): (readonly [PgTable, SQL | undefined])[] {
  // What was sent or booked elsewhere belongs to the person only if the address does.
  const isOwnAddress = (condition: SQL): SQL => (emailVerifiedAt === null ? sql`false` : condition);
  const ownGroups = db
    .select({ id: memberships.groupId })
    .from(memberships)
    .where(eq(memberships.userId, id));
  const hosted = db
    .select({ id: bookingHosts.bookingId })
    .from(bookingHosts)
    .where(eq(bookingHosts.userId, id));
  const attended = sql`lower(${bookings.attendeeEmail}) = ${email} or ${email} = any(lower(${bookings.guests}::text)::text[])`;
  return [
    [users, eq(users.id, id)],
    [emailVerifications, eq(emailVerifications.userId, id)],
    [sessions, eq(sessions.userId, id)],
    [devices, eq(devices.userId, id)],
    [passkeys, eq(passkeys.userId, id)],
    [recoveryCodes, eq(recoveryCodes.userId, id)],
    [formerNames, and(eq(formerNames.kind, 'user'), eq(formerNames.ownerId, id))],
    [memberships, eq(memberships.userId, id)],
    [groups, inArray(groups.id, ownGroups)],
    [invitations, or(eq(invitations.inviterId, id), isOwnAddress(eq(invitations.email, email)))],
    [clients, eq(clients.ownerId, id)],
    [clientEvents, eq(clientEvents.actorId, id)],
    [grants, eq(grants.userId, id)],
    [rememberedConsents, eq(rememberedConsents.userId, id)],
    [schedules, eq(schedules.userId, id)],
    [eventTypes, eq(eventTypes.userId, id)],
    [eventTypeHosts, eq(eventTypeHosts.userId, id)],
    [calendars, eq(calendars.userId, id)],
    [bookings, or(inArray(bookings.id, hosted), isOwnAddress(attended))],
    [bookingHosts, eq(bookingHosts.userId, id)],
    [outbox, isOwnAddress(eq(outbox.recipient, email))],
    [auditEvents, or(eq(auditEvents.userId, id), eq(auditEvents.actorId, id))],
  ];
}

/** By table; hashes and what is encrypted are left out. */
export async function readPersonalData(db: Db, person: Person): Promise<Readonly<Record<string, unknown>>> {
  const data: Record<string, unknown> = {};
  for (const [table, isOwn] of personalRows(db, person)) {
    const columns = Object.entries(getTableColumns(table)).filter(
      ([name]) => !/hash$|^encrypted/i.test(name),
    );
    data[getTableName(table)] = await db.select(Object.fromEntries(columns)).from(table).where(isOwn);
  }
  return data;
}
