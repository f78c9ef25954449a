import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { roles, type timeFormats, weekDays } from './person.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });

export const organizations = pgTable('organizations', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  isPlatform: boolean().notNull().default(false),
  createdAt: instant().notNull(),
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
    /** Null exactly for people without an organization. */
    organizationRole: text({ enum: roles }),
    /** The platform client that manages this account; null for all others. */
    managingClientId: text(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.organizationId), index().on(table.managingClientId)],
);

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256, base64url: a stolen table opens no session. */
    idHash: text().primaryKey(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Shortened. */
    userAgent: text(),
    address: text(),
    createdAt: instant().notNull(),
    /** To the quarter of an hour or so. */
    lastSeenAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

/** Browsers that have signed in: not new to the user, and not slowed down by guessers elsewhere. */
export const devices = pgTable(
  'devices',
  {
    /** SHA-256, base64url. */
    idHash: text().notNull(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    firstSeenAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.idHash, table.userId] }),
    index().on(table.userId),
    index().on(table.lastSeenAt),
  ],
);

export const rateLimits = pgTable(
  'sign_in_failures',
  {
    /** A MAC of what is counted: an account, an address, a device. */
    key: text().primaryKey(),
    count: integer().notNull(),
    resetAt: instant().notNull(),
  },
  (table) => [index().on(table.resetAt)],
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
    role: text({ enum: roles }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.userId] }), index().on(table.userId)],
);

/**
 * An invitation by email into a team or an organization; whoever holds its link may take it up
 * once.
 */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid().primaryKey(),
    teamId: integer().references(() => teams.id, { onDelete: 'cascade' }),
    organizationId: integer().references(() => organizations.id, { onDelete: 'cascade' }),
    /** Trimmed and lower case. */
    email: text().notNull(),
    role: text({ enum: roles }).notNull(),
    inviterId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    unique().on(table.teamId, table.email),
    unique().on(table.organizationId, table.email),
    index().on(table.inviterId),
    index().on(table.expiresAt),
    check('invitation_into_one', sql`num_nonnulls(${table.teamId}, ${table.organizationId}) = 1`),
  ],
);
