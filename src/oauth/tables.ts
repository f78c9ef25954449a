import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  customType,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { groups, users } from '../accounts/tables.ts';
import { clientTypes, reviewStatuses } from './core/client.ts';
import { revocationReasons } from './core/grant.ts';
import type { Scope } from './core/scope.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

const clientId = () => text().references((): AnyPgColumn => clients.id, { onDelete: 'cascade' });
const userId = () => integer().references(() => users.id, { onDelete: 'cascade' });

/** Live in a client, in review in its edit. */
const clientValues = () => ({
  name: text().notNull(),
  purpose: text().notNull(),
  redirectUris: text().array().$type<readonly string[]>().notNull(),
  websiteUrl: text(),
  /** Null: registered without scopes, which is full access (contract §6). */
  scopes: text().array().$type<readonly Scope[]>(),
  requiresPkce: boolean().notNull().default(false),
  /** Never set null: that would close a ring, which no distributed PostgreSQL accepts. */
  logoId: text().references((): AnyPgColumn => logos.id),
});

export const clients = pgTable(
  'clients',
  {
    /** Random, or the https address of a metadata document (contract §2). */
    id: text().primaryKey(),
    /** Of the form that registered it: sent twice, it registers one client. */
    registrationKey: text(),
    /** Null where the client is its metadata document's. */
    ownerId: userId(),
    ...clientValues(),
    type: text({ enum: clientTypes }).notNull(),
    /** Of RESOURCES: it serves this one, and may introspect its access tokens (contract §7). */
    resource: text(),
    status: text({ enum: reviewStatuses }).notNull().default('pending'),
    rejectionReason: text(),
    /** Counts submissions: a review holds only for the values that the reviewer saw. */
    revision: integer().notNull().default(1),
    createdAt: instant().notNull(),
    /** The queue is sorted by it. */
    submittedAt: instant().notNull(),
    reviewedAt: instant(),
    /** Grants issued up to then have ended: one row says it, however many they are. */
    grantsEndedAt: instant(),
    /** Consents remembered up to then are forgotten. */
    consentsEndedAt: instant(),
    reviewerId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** From then on the metadata document is read again; null for registered clients. */
    documentExpiresAt: instant(),
  },
  (table) => [
    uniqueIndex().on(table.ownerId, table.registrationKey),
    index().on(table.status).where(sql`${table.documentExpiresAt} is not null`),
    index().on(table.status, table.submittedAt),
    index().on(table.reviewerId),
    index().on(table.logoId),
  ],
);

/** What the core knows of a client. */
export const clientColumns = {
  id: clients.id,
  type: clients.type,
  status: clients.status,
  redirectUris: clients.redirectUris,
  scopes: clients.scopes,
  requiresPkce: clients.requiresPkce,
} as const;

/** Of an edit of an accepted client; an accepted edit becomes the live values. */
export const editStatuses = ['pending', 'rejected'] as const;

/** An accepted client's new values while in review or rejected (contract §2). */
export const clientEdits = pgTable(
  'client_edits',
  {
    clientId: clientId().primaryKey(),
    ...clientValues(),
    status: text({ enum: editStatuses }).notNull().default('pending'),
    rejectionReason: text(),
    submittedAt: instant().notNull(),
  },
  (table) => [index().on(table.status, table.submittedAt), index().on(table.logoId)],
);

/** The lines of a client's history, which its owner and its reviewers read. */
export const clientEventKinds = [
  ...(['submitted', 'requested', 'changed', 'resubmitted', 'accepted', 'rejected', 'suspended'] as const),
  ...(['edit_submitted', 'edit_withdrawn', 'edit_accepted', 'edit_rejected'] as const),
  // Earlier versions recorded the last one.
  ...(['secret_added', 'secret_deleted', 'secret_leaked'] as const),
] as const;

/** Lines are added, never changed. */
export const clientEvents = pgTable(
  'client_events',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    clientId: clientId().notNull(),
    kind: text({ enum: clientEventKinds }).notNull(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** Of a rejection or suspension. */
    reason: text(),
    at: instant().notNull(),
  },
  (table) => [index().on(table.clientId, table.id), index().on(table.actorId)],
);

/** Contract §2. */
export const logoMediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** A new logo is a new row, so that its address can be cached forever. */
export const logos = pgTable(
  'logos',
  {
    /** 128 random bits, hexadecimal. */
    id: text().primaryKey(),
    clientId: clientId().notNull(),
    mediaType: text({ enum: logoMediaTypes }).notNull(),
    content: bytea().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.clientId)],
);

export const clientSecrets = pgTable(
  'client_secrets',
  {
    id: uuid().primaryKey(),
    clientId: clientId().notNull(),
    /** Of the form that added it: sent twice, it adds one secret. */
    registrationKey: text(),
    /** SHA-256 of the secret, base64url. */
    secretHash: text().notNull(),
    hint: text().notNull(),
    createdAt: instant().notNull(),
    /** To the minute or so. */
    lastUsedAt: instant(),
    /** Its hash stays for a while, to tell the owner which secret an app still sends. */
    deletedAt: instant(),
  },
  (table) => [
    uniqueIndex().on(table.clientId, table.registrationKey),
    index().on(table.secretHash),
    index().on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
  ],
);

/** For a confidential client at one redirect URI: one account and its scopes. */
export const rememberedConsents = pgTable(
  'remembered_consents',
  {
    userId: userId().notNull(),
    /** No foreign key, as in grants. */
    clientId: text().notNull(),
    teamId: integer().references(() => groups.id, { onDelete: 'cascade' }),
    /** Null: full access. */
    scopes: text().array(),
    redirectUri: text().notNull(),
    rememberedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.clientId] }), index().on(table.teamId)],
);

/**
 * Architecture §2. A refresh changes no indexed column, and pages keep room (fillfactor): a HOT
 * update.
 */
export const grants = pgTable(
  'grants',
  {
    id: uuid().primaryKey(),
    /** No foreign key: a client may have too many for the one statement that deletes it. */
    clientId: text().notNull(),
    userId: userId().notNull(),
    teamId: integer().references(() => groups.id, { onDelete: 'cascade' }),
    scopes: text().array(),
    /** Null: our API alone. */
    resources: text().array().$type<readonly string[]>(),
    redirectUri: text().notNull(),
    codeChallenge: text(),
    /** RFC 9449; null: bound to no key. */
    dpopJkt: text(),
    generation: integer().notNull().default(0),
    issuedAt: instant().notNull(),
    /** The person's click that remembered consent repeats; null: this is of a click itself. */
    approvedAt: instant(),
    /** There were almost as many as there can be when it was issued; null: there were not. */
    isCrowded: boolean(),
    redeemedAt: instant(),
    rotatedAt: instant(),
    revokedAt: instant(),
    revocationReason: text({ enum: revocationReasons }),
  },
  (table) => [index().on(table.clientId), index().on(table.userId), index().on(table.teamId)],
);

export const signingKeys = pgTable('signing_keys', {
  /** The `kid`: the RFC 7638 thumbprint of the public key. */
  id: text().primaryKey(),
  publicJwk: jsonb().$type<Record<string, string>>().notNull(),
  /** PKCS #8, encrypted. */
  encryptedPrivateKey: bytea().notNull(),
  activeAt: instant().notNull(),
});
