import { boolean, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import { teamRoles, type timeFormats, weekDays } from './person.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });

export const organizations = pgTable('organizations', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  isPlatform: boolean().notNull().default(false),
});

export const users = pgTable(
  'users',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Trimmed and lower case, so that uniqueness is plain equality. */
    email: text().notNull().unique(),
    username: text().unique(),
    name: text().notNull(),
    passwordHash: text().notNull(),
    timeZone: text().notNull().default('UTC'),
    weekStart: text({ enum: weekDays }).notNull().default('Monday'),
    timeFormat: integer().$type<(typeof timeFormats)[number]>().notNull().default(24),
    isAdmin: boolean().notNull().default(false),
    organizationId: integer().references(() => organizations.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.organizationId)],
);

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256 of the cookie's value, base64url: a stolen table opens no session. */
    idHash: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

export const teams = pgTable(
  'teams',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    slug: text().notNull().unique(),
    name: text().notNull(),
    organizationId: integer().references(() => organizations.id, { onDelete: 'set null' }),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.organizationId)],
);

export const memberships = pgTable(
  'memberships',
  {
    teamId: integer()
      .notNull()
      .references(() => teams.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text({ enum: teamRoles }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.userId] }), index().on(table.userId)],
);
