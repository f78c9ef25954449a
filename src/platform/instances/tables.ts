import { pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

/** Instances that are alike share a row, so there are as many as an installation has had kinds. */
export const instances = pgTable(
  'instances',
  {
    version: text().notNull(),
    /** The optional parts that serve are separated by commas. */
    parts: text().notNull(),
    seenAt: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.version, table.parts] })],
);
