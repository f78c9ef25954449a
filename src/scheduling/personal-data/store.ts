import { and, asc, eq, getTableColumns, getTableName, inArray, or, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import type { Person } from '../../accounts/admin/store.ts';
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
} from '../../accounts/tables.ts';
import { clientEvents, clients, grants, rememberedConsents, webhooks } from '../../oauth/tables.ts';
import { auditEvents } from '../../platform/audit/tables.ts';
import type { Db } from '../../platform/database.ts';
import { outbox } from '../../platform/mail/tables.ts';
import {
  bookingHosts,
  bookings,
  calendarEntries,
  calendars,
  eventTypeHosts,
  eventTypes,
  schedules,
} from '../tables.ts';

/** The rows of one table that belong to a person, with the columns that are theirs to read. */
export interface PersonalRows {
  readonly name: string;
  readonly table: PgTable;
  readonly isOwn: SQL | undefined;
  readonly columns: Readonly<Record<string, PgColumn | SQL>>;
}

type Columns = PersonalRows['columns'];

/** Without hashes, what is encrypted, and the `hidden` columns. */
function rowsOf(
  table: PgTable,
  isOwn: SQL | undefined,
  changed: Columns = {},
  hidden: readonly string[] = [],
): PersonalRows {
  const isShown = (name: string): boolean => !/hash$|^encrypted/i.test(name) && !hidden.includes(name);
  const columns = Object.entries({ ...getTableColumns(table), ...changed });
  const shown = Object.fromEntries(columns.filter(([name]) => isShown(name)));
  return { name: getTableName(table), table, isOwn, columns: shown };
}

/** What was sent or booked elsewhere belongs to the person only if the address does. */
const ifVerified = ({ emailVerifiedAt }: Person, isOwn: SQL): SQL =>
  emailVerifiedAt === null ? sql`false` : isOwn;

/** Of someone else's booking: what its page shows. */
const { uid, title, status, startsAt, endsAt, createdAt, updatedAt } = bookings;
const asGuest = { uid, title, status, startsAt, endsAt, createdAt, updatedAt };
const { attendeeName, attendeeEmail, attendeeTimeZone, attendeeLanguage, attendeePhoneNumber } = bookings;
const { guests, responses, asked, location, cancellationReason, reschedulingReason } = bookings;
const asAttendee = {
  ...{ attendeeName, attendeeEmail, attendeeTimeZone, attendeeLanguage, attendeePhoneNumber },
  ...{ guests, responses, asked, location, cancellationReason, reschedulingReason },
};

/** The tables that know people, and the rows that belong to one. Indexes find them all. */
export function personalRows(db: Db, person: Person): readonly PersonalRows[] {
  const { id, email } = person;
  const ownGroups = db
    .select({ id: memberships.groupId })
    .from(memberships)
    .where(eq(memberships.userId, id));
  const hosted = db
    .select({ id: bookingHosts.bookingId })
    .from(bookingHosts)
    .where(eq(bookingHosts.userId, id));
  const ownClients = db.select({ id: clients.id }).from(clients).where(eq(clients.ownerId, id));
  // An admin's name and network are theirs (contract §1).
  const isAnother = sql`${auditEvents.actorId} <> ${id}`;
  const unlessAnothers = (column: PgColumn): SQL => sql`case when ${isAnother} then null else ${column} end`;
  const { actorId, address, userAgent, requestId } = auditEvents;
  return [
    rowsOf(users, eq(users.id, id)),
    rowsOf(emailVerifications, eq(emailVerifications.userId, id)),
    rowsOf(sessions, eq(sessions.userId, id)),
    rowsOf(devices, eq(devices.userId, id)),
    rowsOf(passkeys, eq(passkeys.userId, id)),
    rowsOf(recoveryCodes, eq(recoveryCodes.userId, id)),
    rowsOf(formerNames, and(eq(formerNames.kind, 'user'), eq(formerNames.ownerId, id))),
    rowsOf(memberships, eq(memberships.userId, id)),
    rowsOf(groups, inArray(groups.id, ownGroups)),
    rowsOf(invitations, or(eq(invitations.inviterId, id), ifVerified(person, eq(invitations.email, email)))),
    rowsOf(clients, eq(clients.ownerId, id), {}, ['reviewerId']),
    rowsOf(clientEvents, eq(clientEvents.actorId, id)),
    rowsOf(grants, eq(grants.userId, id)),
    rowsOf(rememberedConsents, eq(rememberedConsents.userId, id)),
    rowsOf(schedules, eq(schedules.userId, id)),
    rowsOf(eventTypes, eq(eventTypes.userId, id)),
    rowsOf(eventTypeHosts, eq(eventTypeHosts.userId, id)),
    rowsOf(calendars, eq(calendars.userId, id)),
    rowsOf(calendarEntries, eq(calendarEntries.userId, id)),
    rowsOf(webhooks, or(eq(webhooks.userId, id), inArray(webhooks.clientId, ownClients))),
    rowsOf(bookings, inArray(bookings.id, hosted)),
    rowsOf(bookingHosts, eq(bookingHosts.userId, id)),
    {
      ...rowsOf(bookings, ifVerified(person, sql`lower(${bookings.attendeeEmail}) = ${email}`)),
      name: 'bookings_as_attendee',
      columns: { ...asGuest, ...asAttendee },
    },
    rowsOf(auditEvents, or(eq(auditEvents.userId, id), eq(auditEvents.actorId, id)), {
      actorId: unlessAnothers(actorId),
      address: unlessAnothers(address),
      userAgent: unlessAnothers(userAgent),
      requestId: unlessAnothers(requestId),
    }),
  ];
}

/** No index finds them: for operators, who may read whole tables. */
export function rowsBeyondIndexes(person: Person): readonly PersonalRows[] {
  const { email } = person;
  const isGuest = sql`${email} = any(lower(${bookings.guests}::text)::text[])`;
  return [
    { ...rowsOf(bookings, ifVerified(person, isGuest)), name: 'bookings_as_guest', columns: asGuest },
    // The cause may be someone else's account or network.
    rowsOf(outbox, ifVerified(person, eq(outbox.recipient, email)), {}, ['cause', 'turn', 'thread']),
  ];
}

const pageRows = 1000;

/**
 * The rows in pages, so that no more are in memory. The key is computed: with one that an index
 * has, the planner may read all of the table in its order.
 */
export async function* readPages(
  db: Db,
  { table, isOwn, columns }: PersonalRows,
): AsyncGenerator<readonly unknown[]> {
  const { columns: all, primaryKeys } = getTableConfig(table);
  const keys = primaryKeys[0]?.columns ?? all.filter(({ primary }) => primary);
  const key = sql<string>`concat_ws('/', ${sql.join([...keys], sql`, `)}) collate "C"`;
  for (let after: string | undefined; ; ) {
    const isNext = after === undefined ? undefined : sql`${key} > ${after}`;
    const page = await db
      .select({ key, row: { ...columns } })
      .from(table)
      .where(and(isOwn, isNext))
      .orderBy(asc(key))
      .limit(pageRows);
    yield page.map(({ row }) => row);
    after = page.at(-1)?.key;
    if (page.length < pageRows) return;
  }
}
