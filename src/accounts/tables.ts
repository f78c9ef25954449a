import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigint,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { groupKinds, roles, signInMeans, type timeFormats, weekDays } from './person.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const ofUser = () =>
  integer()
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

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
    /** `en-GB`: how emails write dates, by the browser of the last sign-in. Null: unknown. */
    dateLocale: text(),
    isAdmin: boolean().notNull().default(false),
    /** The platform client that manages this account; null for all others. */
    managingClientId: text(),
    createdAt: instant().notNull(),
    /** Null: nobody has shown that the address is theirs. Managed users have none. */
    emailVerifiedAt: instant(),
    /** By a link that was emailed. */
    passwordResetAt: instant(),
    /** Null: it may act. A managed user is suspended only to be deleted. */
    suspendedAt: instant(),
    /** As the admin gave it; the person reads it. */
    suspensionReason: text(),
    /** By its owner or the operator. It's suspended too; the row goes when all of it has. */
    deletedAt: instant(),
  },
  (table) => [
    index('users_deleted').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
    index().on(table.managingClientId),
    index('users_admins').on(table.id).where(sql`${table.isAdmin}`),
    // What a search begins with; other collations' indexes can't find it.
    index('users_email_prefix').on(table.email.op('text_pattern_ops')),
    index('users_username_prefix').on(table.username.op('text_pattern_ops')),
    index('users_name_prefix').on(sql`lower(${table.name}) text_pattern_ops`),
  ],
);

/** A link that was emailed to show that an address is the account's; a new one replaces it. */
export const emailVerifications = pgTable(
  'email_verifications',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** SHA-256, base64url. */
    tokenHash: text().notNull().unique(),
    /** The account's own, or the one that it is changed to. */
    email: text().notNull(),
    /** SHA-256 of the cookie of the browser that signed up, base64url; null without. */
    browserHash: text(),
    /** A path of ours, where the person was on the way to. */
    returnTo: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.createdAt)],
);

/** Where a browser was on the way to when an email was asked for in it. */
export const waysBack = pgTable(
  'ways_back',
  {
    /** SHA-256 of the browser's cookie and the email's address, base64url. */
    idHash: text().primaryKey(),
    /** A path of ours. */
    returnTo: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.expiresAt)],
);

export const sessions = pgTable(
  'sessions',
  {
    /** SHA-256, base64url: a stolen table opens no session. */
    idHash: text().primaryKey(),
    userId: ofUser(),
    /** Shortened. */
    userAgent: text(),
    address: text(),
    /** What it began with, besides the password or instead of it. */
    means: text({ enum: signInMeans }).notNull().default('password'),
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
    userId: ofUser(),
    firstSeenAt: instant().notNull(),
    lastSeenAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.idHash, table.userId] }),
    index().on(table.userId),
    index().on(table.lastSeenAt),
  ],
);

/**
 * WebAuthn credentials: a second factor, or a whole sign-in. They stand here because an account
 * that has one isn't open to its password alone, even where nobody asks for it (security C250).
 */
export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential's id, base64url. */
    id: text().primaryKey(),
    userId: ofUser(),
    name: text().notNull(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** Of its last use; those that are synced between devices stay at 0. */
    counter: bigint({ mode: 'number' }).notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
    /** When its counter went back: there may be a copy of it. */
    copySuspectedAt: instant(),
  },
  (table) => [index().on(table.userId)],
);

/** Usernames and slugs that were given up: nobody else can take them yet. */
export const formerNames = pgTable(
  'former_names',
  {
    kind: text({ enum: ['user', ...groupKinds] }).notNull(),
    name: text().notNull(),
    /** Of a user or group, which may be gone. */
    ownerId: integer().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.name] }),
    index().on(table.kind, table.ownerId),
    index().on(table.expiresAt),
  ],
);

/** Teams and organizations. */
export const groups = pgTable(
  'groups',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: groupKinds }).notNull(),
    slug: text().notNull(),
    name: text().notNull(),
    /** Of a team that belongs to an organization. */
    organizationId: integer().references((): AnyPgColumn => groups.id, { onDelete: 'set null' }),
    isPlatform: boolean().notNull().default(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique().on(table.kind, table.slug),
    // Memberships refer to it, so that their kind is their group's.
    unique().on(table.id, table.kind),
    index().on(table.organizationId),
    check('group_organization_of_team', sql`${table.kind} = 'team' or ${table.organizationId} is null`),
    check('group_platform_organization', sql`${table.kind} = 'organization' or not ${table.isPlatform}`),
  ],
);

export const memberships = pgTable(
  'memberships',
  {
    groupId: integer().notNull(),
    kind: text({ enum: groupKinds }).notNull(),
    userId: ofUser(),
    role: text({ enum: roles }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.groupId, table.userId] }),
    foreignKey({ columns: [table.groupId, table.kind], foreignColumns: [groups.id, groups.kind] }).onDelete(
      'cascade',
    ),
    index().on(table.userId),
    uniqueIndex('memberships_one_organization').on(table.userId).where(sql`${table.kind} = 'organization'`),
  ],
);

/** An invitation by email; anyone who has its link can use it, once. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid().primaryKey(),
    groupId: integer()
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
    /** Trimmed and lower case. */
    email: text().notNull(),
    role: text({ enum: roles }).notNull(),
    inviterId: ofUser(),
    createdAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    unique().on(table.groupId, table.email),
    index().on(table.inviterId),
    index().on(table.expiresAt),
  ],
);
