import { index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';

/** Instead of a passkey that is lost; deleted when used. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256, base64url. */
    codeHash: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

/** Challenges that a passkey has answered: each counts once. */
export const spentChallenges = pgTable(
  'spent_challenges',
  { challenge: text().primaryKey(), expiresAt: timestamp({ withTimezone: true, mode: 'date' }).notNull() },
  (table) => [index().on(table.expiresAt)],
);
