import { bigint, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** Each process adds once a minute what it has counted, so a visit reads a few rows. */
export const dailyNumbers = pgTable(
  'daily_numbers',
  {
    /** A day begins at midnight UTC. */
    day: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
    name: text().notNull(),
    total: bigint({ mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.name] })],
);
