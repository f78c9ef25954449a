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
import { parsePgArray } from 'drizzle-orm/pg-core/utils';
import { LRUCache } from 'lru-cache';
import { groups, users } from '../accounts/tables.ts';
import { clientTypes, idTokenAlgorithms, reviewStatuses } from './core/client.ts';
import { revocationReasons } from './core/grant.ts';
import type { Scope } from './core/scope.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

const clientId = () => text().references((): AnyPgColumn => clients.id, { onDelete: 'cascade' });
const userId = () => integer().references(() => users.id, { onDelete: 'cascade' });

const clientValues = () => ({
  name: text().notNull(),
  purpose: text().notNull(),
  redirectUris: text().array().$type<readonly string[]>().notNull(),
  /** Without any, the redirect URIs count (RP-Initiated Logout, section 3). */
  postLogoutRedirectUris: text().array().$type<readonly string[]>().notNull().default([]),
  websiteUrl: text(),
  /** Null is full access, registered without scopes (contract §6). */
  scopes: text().array().$type<readonly Scope[]>(),
  requiresPkce: boolean().notNull().default(false),
  /** `set null` would close a ring of references, which no distributed PostgreSQL accepts. */
  logoId: text().references((): AnyPgColumn => logos.id),
});

/** An app of a person, or of the operator. Its status says whether people can connect it. */
export const clients = pgTable(
  'clients',
  {
    /** The id is random, or the https address of a metadata document (contract §2). */
    id: text().primaryKey(),
    /** A registration form that is sent twice registers one client. */
    registrationKey: text(),
    ownerId: userId(),
    ...clientValues(),
    type: text({ enum: clientTypes }).notNull(),
    /** It serves this one of RESOURCES, so may introspect its access tokens (contract §7). */
    resource: text(),
    /** Clients from before there was RS256 keep what they have. */
    idTokenAlgorithm: text({ enum: idTokenAlgorithms }).notNull().default('ES256'),
    status: text({ enum: reviewStatuses }).notNull().default('pending'),
    rejectionReason: text(),
    /** A review holds only for the values that the reviewer saw, so submissions are counted. */
    revision: integer().notNull().default(1),
    createdAt: instant().notNull(),
    submittedAt: instant().notNull(),
    reviewedAt: instant(),
    /**
     * What the reviewer's page named of `scopes`; null until then, for clients that were accepted
     * before it was stored, and for personal tokens (contract §2).
     */
    acceptedScopes: text().array().$type<readonly Scope[]>(),
    /** Grants issued up to then have ended. One row says so, however many grants there are. */
    grantsEndedAt: instant(),
    consentsEndedAt: instant(),
    reviewerId: integer().references(() => users.id, { onDelete: 'set null' }),
    /** The metadata document is read again from then on; null for registered clients. */
    documentExpiresAt: instant(),
  },
  (table) => [
    uniqueIndex().on(table.ownerId, table.registrationKey),
    index().on(table.status).where(sql`${table.documentExpiresAt} is not null`),
    index().on(table.status, table.submittedAt),
    index('clients_lower_name_index').on(sql`lower(${table.name})`),
    index().on(table.reviewerId),
    index().on(table.logoId),
  ],
);

/** What full access meant before it was stored by name: null in a row (contract §6). */
export const formerFullAccess: readonly Scope[] = [
  'PROFILE',
  'EVENT_TYPE',
  'BOOKING',
  'SCHEDULE',
  'WEBHOOK',
].flatMap((area) => [`${area}_READ`, `${area}_WRITE`]);
const former = sql.raw(`'{${formerFullAccess.join()}}'::text[]`);

const knownLists = new LRUCache<string, readonly Scope[]>({ max: 500 });

/** Most rows have one of a few lists, so a text is read once; who gets the list shares it. */
export function readScopes(stored: string | string[]): readonly Scope[] {
  if (typeof stored !== 'string') return stored;
  const known = knownLists.get(stored) ?? Object.freeze<string[]>(parsePgArray(stored));
  knownLists.set(stored, known);
  return known;
}

/** No grant gives more than that (security C60, C301). */
// protects: C301
export const acceptedScopes = sql`coalesce(${clients.acceptedScopes}, ${clients.scopes}, ${former})`.mapWith(
  readScopes,
);

export const registeredScopes = {
  scopes: acceptedScopes,
  isFullAccess: sql<boolean>`${clients.scopes} is null`,
} as const;

export const clientColumns = {
  id: clients.id,
  type: clients.type,
  status: clients.status,
  redirectUris: clients.redirectUris,
  ...registeredScopes,
  requiresPkce: clients.requiresPkce,
  idTokenAlgorithm: clients.idTokenAlgorithm,
  resource: clients.resource,
} as const;

/** An accepted edit becomes the live values, so it has no status. */
export const editStatuses = ['pending', 'rejected'] as const;

/** The new values of an accepted client are here while in review or rejected (contract §2). */
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

export const clientEventKinds = [
  ...(['submitted', 'requested', 'changed', 'resubmitted', 'accepted', 'rejected', 'suspended'] as const),
  ...(['edit_submitted', 'edit_withdrawn', 'edit_accepted', 'edit_rejected'] as const),
  // Earlier versions recorded the last one.
  ...(['secret_added', 'secret_deleted', 'secret_leaked'] as const),
] as const;

/** The history of an app, for its owner and for admins. */
export const clientEvents = pgTable(
  'client_events',
  {
    id: integer().primaryKey().generatedAlwaysAsIdentity(),
    clientId: clientId().notNull(),
    kind: text({ enum: clientEventKinds }).notNull(),
    actorId: integer().references(() => users.id, { onDelete: 'set null' }),
    reason: text(),
    at: instant().notNull(),
  },
  (table) => [index().on(table.clientId, table.id), index().on(table.actorId)],
);

/** Contract §2 lists the types. */
export const logoMediaTypes = ['image/png', 'image/jpeg', 'image/webp'] as const;

/** A new logo is a new row, so that its address can be cached forever. */
export const logos = pgTable(
  'logos',
  {
    /** The id has 128 random bits, hexadecimal. */
    id: text().primaryKey(),
    clientId: clientId().notNull(),
    mediaType: text({ enum: logoMediaTypes }).notNull(),
    content: bytea().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.clientId)],
);

/** A secret is a SHA-256 in base64url. An app has up to two, so that one can replace the other. */
export const clientSecrets = pgTable(
  'client_secrets',
  {
    id: uuid().primaryKey(),
    clientId: clientId().notNull(),
    registrationKey: text(),
    secretHash: text().notNull(),
    hint: text().notNull(),
    createdAt: instant().notNull(),
    lastUsedAt: instant(),
    /** The hash stays for a while, to tell the owner which secret an app still sends. */
    deletedAt: instant(),
  },
  (table) => [
    uniqueIndex().on(table.clientId, table.registrationKey),
    index().on(table.secretHash),
    index().on(table.deletedAt).where(sql`${table.deletedAt} is not null`),
  ],
);

/** These people aren't asked again for an app, within the scopes that they approved. */
export const rememberedConsents = pgTable(
  'remembered_consents',
  {
    userId: userId().notNull(),
    clientId: text().notNull(),
    teamId: integer().references(() => groups.id, { onDelete: 'cascade' }),
    scopes: text().array(),
    redirectUri: text().notNull(),
    rememberedAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.clientId] }), index().on(table.teamId)],
);

/** A refresh changes no indexed column, so it is a HOT update (architecture §2). */
export const grants = pgTable(
  'grants',
  {
    id: uuid().primaryKey(),
    /** A foreign key would delete a client's grants in one statement: there may be too many. */
    clientId: text().notNull(),
    userId: userId().notNull(),
    teamId: integer().references(() => groups.id, { onDelete: 'cascade' }),
    scopes: text().array(),
    resources: text().array().$type<readonly string[]>(),
    redirectUri: text().notNull(),
    codeChallenge: text(),
    /** Null means that the grant is bound to no key (RFC 9449). */
    dpopJkt: text(),
    generation: integer().notNull().default(0),
    issuedAt: instant().notNull(),
    /** Remembered consent repeats the click of then; null if the grant is of a click itself. */
    approvedAt: instant(),
    isCrowded: boolean(),
    redeemedAt: instant(),
    rotatedAt: instant(),
    revokedAt: instant(),
    revocationReason: text({ enum: revocationReasons }),
  },
  (table) => [index().on(table.clientId), index().on(table.userId, table.clientId), index().on(table.teamId)],
);

/** Earlier versions stored full access as null. */
export const grantedScopes = sql`coalesce(${grants.scopes}, ${former})`.mapWith(readScopes);
export const rememberedScopes = sql`coalesce(${rememberedConsents.scopes}, ${former})`.mapWith(readScopes);

const publicKey = () => ({
  /** The `kid` is the RFC 7638 thumbprint of the public key. */
  id: text().primaryKey(),
  publicJwk: jsonb().$type<Readonly<Record<string, string>>>().notNull(),
});

const signingKey = () => ({
  ...publicKey(),
  encryptedPrivateKey: bytea().notNull(),
  activeAt: instant().notNull(),
});

/** These sign access tokens, and ID tokens with ES256. */
export const signingKeys = pgTable('signing_keys', signingKey());

/** These sign ID tokens with RS256. Former versions sign with every key of the other table. */
export const idTokenKeys = pgTable('id_token_keys', signingKey());

/** The private halves are gone; the public ones read ID tokens that come back as hints. */
export const retiredKeys = pgTable(
  'retired_keys',
  { ...publicKey(), retiredAt: instant().notNull() },
  (table) => [index().on(table.retiredAt)],
);
