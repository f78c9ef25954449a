import { sql } from 'drizzle-orm';
import { customType, index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Both forms of the letter, with a mark in the place of its private link. */
    text: text().notNull(),
    html: text().notNull(),
    /**
     * The link that only the recipient may see, encrypted with a key derived from SECRET; null for
     * a letter without one.
     */
    encryptedLink: bytea(),
    /**
     * A calendar entry that goes with the letter, iCalendar (RFC 5545, RFC 5546); null for most.
     */
    calendarEntry: text(),
    createdAt: instant().notNull(),
    /** Not to be tried before; moved on by every failure, and by every claim as its lease. */
    dueAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** The kind of the last failure, never the server's words. */
    lastFailure: text(),
    sentAt: instant(),
    /** When it was written to the log instead, because no mail server is configured. */
    loggedAt: instant(),
  },
  (table) => [
    index('outbox_unsent').on(table.dueAt).where(sql`${table.sentAt} is null`),
    index().on(table.createdAt),
  ],
);
