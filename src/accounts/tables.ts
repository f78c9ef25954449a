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

/** A deletion leaves a row without name and address while others still refer to it (ADR 16). */
export const users = pgTable(
  'users',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    /** Addresses are trimmed and lowercase, so that uniqueness is plain equality. */
    email: text().notNull().unique(),
    username: text().unique(),
    name: text().notNull(),
    passwordHash: text().notNull(),
    timeZone: text().notNull().default('UTC'),
    weekStart: text({ enum: weekDays }).notNull().default('Monday'),
    timeFormat: integer().$type<(typeof timeFormats)[number]>().notNull().default(24),
    /** The browser of the last sign-in gives it, such as `en-GB`; null when unknown. */
    dateLocale: text(),
    /** The person has chosen this language of pages and emails; null until then. */
    language: text(),
    /** The pages of the last sign-in were in this language, so emails are until one is chosen. */
    lastLanguage: text(),
    isAdmin: boolean().notNull().default(false),
    /** A platform client manages this account; null for all others. */
    managingClientId: text(),
    createdAt: instant().notNull(),
    /** Every change of the row sets this; null until the first one that is known. */
    updatedAt: instant().$onUpdate(() => sql`now()`),
    /** Stays null until someone shows that the address is theirs, which managed users never do. */
    emailVerifiedAt: instant(),
    passwordResetAt: instant(),
    /** A managed user is suspended only to be deleted. */
    suspendedAt: instant(),
    suspensionReason: text(),
    /** A deleted account is suspended, too. Its row goes after all that refers to it. */
    deletedAt: instant(),
  },
  (table) => [
    index('users_deleted').on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
    index().on(table.managingClientId),
    index('users_admins').on(table.id).where(sql`${table.isAdmin}`),
    // Searches begin with these; an index of another collation can't find prefixes.
    index('users_email_prefix').on(table.email.op('text_pattern_ops')),
    index('users_username_prefix').on(table.username.op('text_pattern_ops')),
    index('users_name_prefix').on(sql`lower(${table.name}) text_pattern_ops`),
  ],
);

/** A newer link replaces an older one. */
export const emailVerifications = pgTable(
  'email_verifications',
  {
    userId: ofUser().primaryKey(),
    /** Holds a SHA-256 in base64url. */
    tokenHash: text().notNull().unique(),
    /** A link verifies the account's address, or the next one. */
    email: text().notNull(),
    /** Only a sign-up sets the SHA-256 of its browser's cookie, in base64url. */
    browserHash: text(),
    returnTo: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.createdAt)],
);

/** A browser was on the way there when it asked for an email. */
export const waysBack = pgTable(
  'ways_back',
  {
    /** Holds the SHA-256 of cookie and address in base64url. */
    idHash: text().primaryKey(),
    returnTo: text().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.expiresAt)],
);

/** A browser that is signed in. Its cookie is hashed, so a stolen table opens no session. */
export const sessions = pgTable(
  'sessions',
  {
    idHash: text().primaryKey(),
    userId: ofUser(),
    userAgent: text(),
    address: text(),
    means: text({ enum: signInMeans }).notNull().default('password'),
    createdAt: instant().notNull(),
    /** Requests write this every 15 minutes at most. */
    lastSeenAt: instant().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [index().on(table.userId), index().on(table.expiresAt)],
);

/** Sign-ins from these cause no email, and guessers elsewhere don't slow them down. */
export const devices = pgTable(
  'devices',
  {
    /** Holds a SHA-256 in base64url. */
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

/** An account with one isn't open to its password, even with passkeys off (security C250). */
export const passkeys = pgTable(
  'passkeys',
  {
    /** Holds the credential's id in base64url. */
    id: text().primaryKey(),
    userId: ofUser(),
    name: text().notNull(),
    /** Holds a COSE key in base64url. */
    publicKey: text().notNull(),
    /** Passkeys that are synced between devices stay at 0. */
    counter: bigint({ mode: 'number' }).notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
    /** A counter that went back hints at a copy of the passkey. */
    copySuspectedAt: instant(),
  },
  (table) => [index().on(table.userId)],
);

/** Nobody else can take a name yet that was given up. */
export const formerNames = pgTable(
  'former_names',
  {
    kind: text({ enum: ['user', ...groupKinds] }).notNull(),
    name: text().notNull(),
    /** The owner may be gone. */
    ownerId: integer().notNull(),
    expiresAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.kind, table.name] }),
    index().on(table.kind, table.ownerId),
    index().on(table.expiresAt),
  ],
);

/** Teams and organizations are alike; a team may belong to an organization. */
export const groups = pgTable(
  'groups',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    kind: text({ enum: groupKinds }).notNull(),
    slug: text().notNull(),
    name: text().notNull(),
    organizationId: integer().references((): AnyPgColumn => groups.id, { onDelete: 'set null' }),
    isPlatform: boolean().notNull().default(false),
    createdAt: instant().notNull(),
  },
  (table) => [
    unique().on(table.kind, table.slug),
    // Memberships refer to both, so that their kind is their group's.
    unique().on(table.id, table.kind),
    index().on(table.organizationId),
    check('group_organization_of_team', sql`${table.kind} = 'team' or ${table.organizationId} is null`),
    check('group_platform_organization', sql`${table.kind} = 'organization' or not ${table.isPlatform}`),
  ],
);

/** A person has one role in a group. */
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

/** Anyone who has an invitation's link can use it, once. */
export const invitations = pgTable(
  'invitations',
  {
    id: uuid().primaryKey(),
    groupId: integer()
      .notNull()
      .references(() => groups.id, { onDelete: 'cascade' }),
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
