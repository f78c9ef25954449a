import { index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { grants } from '../oauth/tables.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** The access of a token is a grant, so whatever ends grants ends it. */
export const personalTokens = pgTable(
  'personal_tokens',
  {
    grantId: uuid()
      .primaryKey()
      .references(() => grants.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A form that is sent twice makes one token. */
    formKey: text().notNull(),
    name: text().notNull(),
    /** The hash is SHA-256, in base64url. */
    tokenHash: text().notNull(),
    hint: text().notNull(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
    lastUsedAt: instant(),
  },
  (table) => [
    uniqueIndex().on(table.userId, table.formKey),
    uniqueIndex().on(table.tokenHash),
    index().on(table.expiresAt),
  ],
);
