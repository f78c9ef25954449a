import { index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { users } from '../accounts/tables.ts';
import { clients } from '../oauth/tables.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/**
 * A token's access is a grant to a client of its own, so whatever ends grants or clients ends it,
 * and no other token comes into what was made with it.
 */
export const personalTokens = pgTable(
  'personal_tokens',
  {
    grantId: uuid().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
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
    index().on(table.clientId),
    index().on(table.expiresAt),
  ],
);
