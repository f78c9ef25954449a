import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { groups, memberships, users } from '../accounts/tables.ts';
import { calendarKinds } from './calendars/access.ts';
import type { Outage } from './calendars/calendar-error.ts';
import type { DayHours } from './core/availability.ts';
import { bookingStatuses } from './core/booking.ts';
import type { BookingWindow } from './core/booking-window.ts';
import type { BookedLocation, EventLocation } from './core/locations.ts';
import type { Question } from './core/questions.ts';
import { schedulingTypes } from './core/round-robin.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

const rowId = () => integer().primaryKey().generatedAlwaysAsIdentity();
const partOf = (row: () => AnyPgColumn) => integer().notNull().references(row, { onDelete: 'cascade' });
const ofUser = () => partOf(() => users.id);
const ofEventType = () => partOf(() => eventTypes.id);
const ofBooking = () =>
  bigint({ mode: 'number' })
    .notNull()
    .references(() => bookings.id, { onDelete: 'cascade' });

/** The hours of a person, in the person's time zone. */
export const schedules = pgTable(
  'schedules',
  {
    id: rowId(),
    userId: ofUser(),
    name: text().notNull(),
    timeZone: text().notNull(),
    /** Weekdays are ISO numbers, with minutes since midnight. */
    weekly: jsonb().$type<readonly (DayHours & { readonly weekDay: number })[]>().notNull(),
    /** Keys are `YYYY-MM-DD`; an empty list is a day off. */
    overrides: jsonb().$type<Readonly<Record<string, readonly DayHours[]>>>().notNull(),
    isDefault: boolean().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index().on(table.userId, table.id),
    uniqueIndex('schedules_one_default').on(table.userId).where(sql`${table.isDefault}`),
  ],
);

/** What can be booked, of a person or a team. */
export const eventTypes = pgTable(
  'event_types',
  {
    id: rowId(),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    teamId: integer().references(() => groups.id, { onDelete: 'cascade' }),
    slug: text().notNull(),
    title: text().notNull(),
    description: text().notNull().default(''),
    lengthInMinutes: integer().notNull(),
    /** The attendee chooses among these, which include `lengthInMinutes`. */
    lengthInMinutesOptions: integer().array(),
    locations: jsonb().$type<readonly EventLocation[]>().notNull().default([]),
    bookingFields: jsonb().$type<readonly Question[]>().notNull().default([]),
    disableGuests: boolean().notNull().default(false),
    /** Counts minutes from one start to the next; null means the length. */
    slotInterval: integer(),
    beforeEventBuffer: integer().notNull().default(0),
    afterEventBuffer: integer().notNull().default(0),
    minimumBookingNotice: integer().notNull().default(120),
    /** Null means no limit. */
    bookingsADay: integer(),
    /** Counts days after today, in the host's time zone; null means another window, or no limit. */
    bookingWindowDays: integer(),
    bookingWindow: jsonb().$type<BookingWindow>(),
    hidden: boolean().notNull().default(false),
    requiresConfirmation: boolean().notNull().default(false),
    /** Null stands for each host's default schedule. */
    scheduleId: integer().references(() => schedules.id, { onDelete: 'set null' }),
    schedulingType: text({ enum: schedulingTypes }),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    unique().on(table.userId, table.slug),
    unique().on(table.teamId, table.slug),
    index().on(table.userId, table.id),
    index().on(table.teamId, table.id),
    index().on(table.userId, table.createdAt, table.id),
    index().on(table.teamId, table.createdAt, table.id),
    index().on(table.scheduleId),
    check('event_type_of_one', sql`num_nonnulls(${table.userId}, ${table.teamId}) = 1`),
    check('event_type_team_kind', sql`(${table.teamId} is null) = (${table.schedulingType} is null)`),
  ],
);

/** Members of a team who host its event type. */
export const eventTypeHosts = pgTable(
  'event_type_hosts',
  {
    eventTypeId: ofEventType(),
    teamId: integer().notNull(),
    userId: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.eventTypeId, table.userId] }),
    foreignKey({
      columns: [table.teamId, table.userId],
      foreignColumns: [memberships.groupId, memberships.userId],
    }).onDelete('cascade'),
    index().on(table.userId, table.teamId),
  ],
);

/** A rescheduled booking is a new row that names the former one. */
export const bookings = pgTable(
  'bookings',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    uid: text().notNull().unique(),
    /** Rescheduled bookings keep the first iCalendar UID. */
    icsUid: text().notNull(),
    /**
     * The columns have no references: a deletion that reaches 160,000 bookings takes longer than a
     * statement may. A deleted event type or team reads as null ({@link selectBookings}).
     */
    eventTypeId: integer(),
    teamId: integer(),
    title: text().notNull(),
    description: text().notNull().default(''),
    status: text({ enum: bookingStatuses }).notNull(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    /** Others hear then that the meeting starts or ends; null means that they heard of both. */
    nextMeetingAt: instant(),
    attendeeName: text().notNull(),
    attendeeEmail: text().notNull(),
    attendeeTimeZone: text().notNull(),
    attendeeLanguage: text().notNull().default('en'),
    attendeePhoneNumber: text(),
    guests: text().array().notNull(),
    responses: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    asked: jsonb().$type<readonly (readonly [slug: string, label: string])[]>().notNull().default([]),
    location: jsonb().$type<BookedLocation>(),
    metadata: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
    cancellationReason: text(),
    reschedulingReason: text(),
    reassignmentReason: text(),
    rescheduledFromUid: text(),
    rescheduledToUid: text(),
    /** The user who cancelled or rescheduled it; 0 is the attendee, and null is nobody known. */
    endedBy: integer(),
    /** The iCalendar SEQUENCE grows with each change that attendees are notified of. */
    sequence: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index().on(table.eventTypeId, table.startsAt),
    index().on(table.teamId, table.startsAt),
    index().on(table.icsUid),
    index('bookings_next_meeting')
      .on(table.nextMeetingAt)
      .where(sql`${table.status} = 'accepted' and ${table.nextMeetingAt} is not null`),
    index('bookings_attendee').on(sql`lower(${table.attendeeEmail})`, table.startsAt),
    check('booking_takes_time', sql`${table.startsAt} < ${table.endsAt}`),
  ],
);

/** An exclusion constraint in the migration keeps bookings that hold from overlapping. */
export const bookingHosts = pgTable(
  'booking_hosts',
  {
    bookingId: ofBooking(),
    userId: ofUser(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    /** Buffers are in minutes. */
    beforeBuffer: integer().notNull(),
    afterBuffer: integer().notNull(),
    /** A booking holds its time while it is accepted or pending. */
    holds: boolean().notNull(),
    /** The round robin goes by this time. */
    bookedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.bookingId, table.userId] }),
    index().on(table.userId, table.startsAt),
    index().on(table.userId, table.bookedAt),
  ],
);

/** A request that is sent twice books once (contract §8). */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** Contains SHA-256 of key, event type and sender, base64url. */
    keyHash: text().primaryKey(),
    /** The same key with another request is rejected. */
    requestHash: text().notNull(),
    bookingId: ofBooking(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.bookingId), index().on(table.createdAt)],
);

/** A slot is out of the lists for some minutes while a visitor fills in the form. */
export const slotReservations = pgTable(
  'slot_reservations',
  {
    uid: uuid().primaryKey(),
    eventTypeId: ofEventType(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.eventTypeId, table.startsAt), index().on(table.expiresAt)],
);

/** A calendar elsewhere, with what was last read of it. */
export const calendars = pgTable(
  'calendars',
  {
    id: rowId(),
    userId: ofUser(),
    kind: text({ enum: calendarKinds }).notNull(),
    name: text().notNull(),
    encryptedAccess: bytea().notNull(),
    /** The user's bookings are written to this calendar, which is encrypted. */
    encryptedDestination: bytea(),
    destinationServer: text(),
    /** The destination is this app's choice while it has access; null means a person's choice. */
    destinationAppId: text(),
    endedReadings: integer().notNull().default(0),
    /** The calendar isn't read before then. */
    retryAt: instant(),
    /** Nobody can book the owner since then; null means that it was read. */
    unreadableSince: instant(),
    unreadable: jsonb().$type<Outage>(),
    /** The owner has an email about it. */
    ownerToldAt: instant(),
    nextCheckAt: instant().notNull().default(sql`now()`),
    writeFailures: integer().notNull().default(0),
    /** The calendar isn't written to before then. */
    writeRetryAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index().on(table.userId, table.id),
    index().on(table.nextCheckAt),
    uniqueIndex('calendars_one_destination')
      .on(table.userId)
      .where(sql`${table.encryptedDestination} is not null`),
  ],
);

/**
 * A row is what is known to be in a host's calendar. What should be there follows from the booking,
 * so that any number of changes is one write.
 */
export const calendarEntries = pgTable(
  'calendar_entries',
  {
    userId: ofUser(),
    icsUid: text().notNull(),
    calendarId: partOf(() => calendars.id),
    encryptedCollection: bytea().notNull(),
    server: text().notNull(),
    destinationAppId: text(),
    /** The server gave this ETag for what is there; null means that the ETag is unknown. */
    etag: text(),
    /** The hashes are of what was written, and of what an attempt began to write. */
    contentHash: text(),
    attemptedHash: text(),
    version: integer().notNull().default(0),
    /** The queue knows of this version. */
    queuedVersion: integer().notNull().default(-1),
    changedAt: instant().notNull(),
    /** Null means that there is nothing to write. */
    dueAt: instant(),
    attempts: integer().notNull().default(0),
    failure: text(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.icsUid] }),
    index().on(table.icsUid),
    index().on(table.calendarId),
    index('calendar_entries_next')
      .on(table.calendarId, table.dueAt, table.icsUid)
      .where(sql`${table.dueAt} is not null`),
    index('calendar_entries_unqueued')
      .on(table.userId)
      .where(sql`${table.dueAt} is not null and ${table.version} <> ${table.queuedVersion}`),
  ],
);
