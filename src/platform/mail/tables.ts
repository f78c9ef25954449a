import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  customType,
  index,
  integer,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

export const isUnsent = ({ sentAt, failedAt }: Record<'sentAt' | 'failedAt', AnyPgColumn>) =>
  sql`${sentAt} is null and ${failedAt} is null`;

export const isFailing = ({ sentAt, lastFailure }: Record<'sentAt' | 'lastFailure', AnyPgColumn>) =>
  sql`${sentAt} is null and ${lastFailure} is not null`;

/** When an email is due, and who has it until when, is in its queue. */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Both forms of the email, with a mark in the place of its private link. */
    text: text().notNull(),
    html: text().notNull(),
    /** The link for the recipient alone, encrypted with a key derived from SECRET; null without. */
    encryptedLink: bytea(),
    /** iCalendar (RFC 5545, RFC 5546); null for most. */
    calendarEntry: text(),
    /** Smaller is sent first, see `priorities`. */
    priority: smallint().notNull().default(0),
    /** Who makes us send it, until it's sent: causes take turns. */
    cause: text(),
    /** Emails about the same thing to the same recipient: a newer one replaces an unsent one. */
    thread: text(),
    createdAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** The kind of the last failure, never the server's words. */
    lastFailure: text(),
    sentAt: instant(),
    /** When it was given up, because the server refused it for good. */
    failedAt: instant(),
    /** When it was written to the log instead, because no mail server is configured. */
    loggedAt: instant(),
  },
  (table) => [
    index('outbox_waiting').on(table.createdAt, table.id).where(isUnsent(table)),
    index('outbox_failing').on(table.createdAt, table.id).where(isFailing(table)),
    index('outbox_thread').on(table.thread, table.recipient).where(sql`${table.thread} is not null`),
    index().on(table.createdAt),
  ],
);
