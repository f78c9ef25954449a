import { index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Limits that protect passwords and emails are counted for all instances together. */
export const rateLimits = pgTable(
  'rate_limits',
  {
    /** A MAC hides an account, an address or a device. */
    key: text().primaryKey(),
    count: integer().notNull(),
    resetAt: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [index().on(table.resetAt)],
);
