import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Counts in fixed windows, for all instances together. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** What is counted: as a MAC where it would name an account, an address or a device. */
    key: text().primaryKey(),
    count: integer().notNull(),
    resetAt: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [index().on(table.resetAt)],
);
