import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
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
import type { DayHours } from './core/availability.ts';
import { bookingStatuses } from './core/booking.ts';
import type { BookedLocation, EventLocation } from './core/locations.ts';
import type { Question } from './core/questions.ts';
import { schedulingTypes } from './core/round-robin.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

const rowId = () => integer().primaryKey().generatedAlwaysAsIdentity();
const partOf = (row: () => AnyPgColumn) => integer().notNull().references(row, { onDelete: 'cascade' });
const ofUser = () => partOf(() => users.id);
const ofEventType = () => partOf(() => eventTypes.id);
const ofBooking = () => partOf(() => bookings.id);

export const schedules = pgTable(
  'schedules',
  {
    id: rowId(),
    userId: ofUser(),
    name: text().notNull(),
    timeZone: text().notNull(),
    /** ISO weekdays with minutes since midnight. */
    weekly: jsonb().$type<readonly (DayHours & { readonly weekDay: number })[]>().notNull(),
    /** By `YYYY-MM-DD`; an empty list is a day off. */
    overrides: jsonb().$type<Readonly<Record<string, readonly DayHours[]>>>().notNull(),
    isDefault: boolean().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index().on(table.userId, table.id),
    uniqueIndex('schedules_one_default').on(table.userId).where(sql`${table.isDefault}`),
  ],
);

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
    /** Lengths to choose from, with `lengthInMinutes` among them; null: no choice. */
    lengthInMinutesOptions: integer().array(),
    /** Where it takes place; several: the attendee chooses. */
    locations: jsonb().$type<readonly EventLocation[]>().notNull().default([]),
    /** What people are asked when they book. */
    bookingFields: jsonb().$type<readonly Question[]>().notNull().default([]),
    disableGuests: boolean().notNull().default(false),
    /** From one start to the next; null: the length. */
    slotInterval: integer(),
    beforeEventBuffer: integer().notNull().default(0),
    afterEventBuffer: integer().notNull().default(0),
    minimumBookingNotice: integer().notNull().default(120),
    /** Days after today, in the host's time zone; null: unlimited. */
    bookingWindowDays: integer(),
    hidden: boolean().notNull().default(false),
    requiresConfirmation: boolean().notNull().default(false),
    requiresBookerEmailVerification: boolean().notNull().default(false),
    /** Null: each host's default schedule. */
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

/** Hosts of a team event type, while they are members. */
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

export const bookings = pgTable(
  'bookings',
  {
    id: rowId(),
    uid: text().notNull().unique(),
    /** iCalendar UID: rescheduled bookings keep the first one. */
    icsUid: text().notNull(),
    /**
     * No references: with 160,000 bookings, a deletion that reaches all of them takes longer than a
     * statement may. What is gone reads as null ({@link selectBookings}).
     */
    eventTypeId: integer(),
    /** The team keeps them when the event type is deleted. */
    teamId: integer(),
    title: text().notNull(),
    description: text().notNull().default(''),
    status: text({ enum: bookingStatuses }).notNull(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    attendeeName: text().notNull(),
    attendeeEmail: text().notNull(),
    attendeeTimeZone: text().notNull(),
    attendeeLanguage: text().notNull().default('en'),
    attendeePhoneNumber: text(),
    guests: text().array().notNull(),
    responses: jsonb().$type<Readonly<Record<string, unknown>>>().notNull(),
    /** Labels of the questions that `responses` answer, by slug and in their order. */
    asked: jsonb().$type<readonly (readonly [slug: string, label: string])[]>().notNull().default([]),
    /** Null: none was agreed on. */
    location: jsonb().$type<BookedLocation>(),
    metadata: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
    cancellationReason: text(),
    reschedulingReason: text(),
    /** Of the last reassignment. */
    reassignmentReason: text(),
    rescheduledFromUid: text(),
    rescheduledToUid: text(),
    /** iCalendar SEQUENCE: grows with each change that attendees are notified of. */
    sequence: integer().notNull().default(0),
    createdAt: instant().notNull(),
    updatedAt: instant().notNull(),
  },
  (table) => [
    index().on(table.eventTypeId, table.startsAt),
    index().on(table.teamId, table.startsAt),
    index().on(table.icsUid),
    index('bookings_attendee').on(sql`lower(${table.attendeeEmail})`, table.startsAt),
    check('booking_takes_time', sql`${table.startsAt} < ${table.endsAt}`),
  ],
);

/**
 * While `holds`, no other booking of the host overlaps: an exclusion constraint, in the migration
 * because Drizzle can't express one.
 */
export const bookingHosts = pgTable(
  'booking_hosts',
  {
    bookingId: ofBooking(),
    userId: ofUser(),
    startsAt: instant().notNull(),
    endsAt: instant().notNull(),
    /** Minutes. */
    beforeBuffer: integer().notNull(),
    afterBuffer: integer().notNull(),
    /** Accepted or pending. */
    holds: boolean().notNull(),
    /** Decides whose turn it is. */
    bookedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.bookingId, table.userId] }),
    index().on(table.userId, table.startsAt),
    index().on(table.userId, table.bookedAt),
  ],
);

/** Booking requests with an Idempotency-Key. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    /** SHA-256 of key, event type and sender, base64url. */
    keyHash: text().primaryKey(),
    /** The same key with another request is rejected. */
    requestHash: text().notNull(),
    bookingId: ofBooking(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.bookingId), index().on(table.createdAt)],
);

/** Hidden from lists until they expire. */
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

/** Connected calendars, whose busy times block bookings. */
export const calendars = pgTable(
  'calendars',
  {
    id: rowId(),
    userId: ofUser(),
    kind: text({ enum: calendarKinds }).notNull(),
    /** Display name; not part of its address. */
    name: text().notNull(),
    /** Address and credentials, encrypted with a key derived from SECRET. */
    encryptedAccess: bytea().notNull(),
    /** The one of its calendars to which its user's bookings are written, encrypted; null: none. */
    encryptedDestination: bytea(),
    /** The host name of that. */
    destinationServer: text(),
    /** The app that chose it, for as long as its access stands; null: a person did. */
    destinationAppId: text(),
    /** Readings in a row that were ended because they cost too much. */
    endedReadings: integer().notNull().default(0),
    /** Not read before then. */
    retryAt: instant(),
    /** Attempts in a row to write to it that failed for all entries alike. */
    writeFailures: integer().notNull().default(0),
    /** Not written to before then. */
    writeRetryAt: instant(),
    /** When the last attempt to write began: least recently first. */
    servedAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index().on(table.userId, table.id),
    uniqueIndex('calendars_one_destination')
      .on(table.userId)
      .where(sql`${table.encryptedDestination} is not null`),
  ],
);

/**
 * A booking in a host's calendar: what is known to be there. What should be there follows from the
 * booking, so that any number of changes is one write.
 */
export const calendarEntries = pgTable(
  'calendar_entries',
  {
    userId: ofUser(),
    icsUid: text().notNull(),
    calendarId: partOf(() => calendars.id),
    encryptedCollection: bytea().notNull(),
    server: text().notNull(),
    /** As with the destination then. */
    destinationAppId: text(),
    /** Of what is there, as its server said; null: unknown. */
    etag: text(),
    /** Of what was written, and of what an attempt began to write. */
    contentHash: text(),
    attemptedHash: text(),
    /** Grows with each change of the booking. */
    version: integer().notNull().default(0),
    changedAt: instant().notNull(),
    /** Null: nothing to write. */
    dueAt: instant(),
    /** Nobody else writes it before then. */
    leasedUntil: instant(),
    attempts: integer().notNull().default(0),
    failure: text(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.icsUid] }),
    index().on(table.icsUid),
    index().on(table.calendarId),
    index('calendar_entries_due').on(table.dueAt).where(sql`${table.dueAt} is not null`),
    index('calendar_entries_leased').on(table.leasedUntil).where(sql`${table.leasedUntil} is not null`),
  ],
);
