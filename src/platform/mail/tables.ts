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

/** Emails are written with what causes them, and sent afterwards (architecture §3). */
export const outbox = pgTable(
  'outbox',
  {
    id: uuid().primaryKey(),
    recipient: text().notNull(),
    subject: text().notNull(),
    /** Both forms of the email have a mark in the place of the private link. */
    text: text().notNull(),
    html: text().notNull(),
    /** The private link is encrypted with a key derived from SECRET; null without one. */
    encryptedLink: bytea(),
    calendarEntry: text(),
    /** Who reads an answer; null where nobody does. */
    replyTo: text(),
    priority: smallint().notNull().default(0),
    cause: text(),
    thread: text(),
    createdAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** The kind of the last failure is here, never the server's words. */
    lastFailure: text(),
    sentAt: instant(),
    failedAt: instant(),
    loggedAt: instant(),
  },
  (table) => [
    index('outbox_waiting').on(table.createdAt, table.id).where(isUnsent(table)),
    index('outbox_failing').on(table.createdAt, table.id).where(isFailing(table)),
    index('outbox_thread').on(table.thread, table.recipient).where(sql`${table.thread} is not null`),
    index().on(table.createdAt),
  ],
);
