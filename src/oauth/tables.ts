import { customType, index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { teams, users } from '../accounts/tables.ts';
import { clientTypes, reviewStatuses } from './core/client.ts';
import { revocationReasons } from './core/grant.ts';
import { scopeNames } from './core/scope.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });

export const clients = pgTable(
  'clients',
  {
    id: text().primaryKey(),
    ownerId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    purpose: text().notNull(),
    type: text({ enum: clientTypes }).notNull(),
    redirectUris: text().array().notNull(),
    websiteUrl: text(),
    /** Null: registered without scopes, which is full access (contract §6). */
    scopes: text({ enum: scopeNames }).array(),
    status: text({ enum: reviewStatuses }).notNull().default('pending'),
    rejectionReason: text(),
    createdAt: instant().notNull(),
    reviewedAt: instant(),
    reviewerId: integer().references(() => users.id, { onDelete: 'set null' }),
  },
  (table) => [
    index().on(table.ownerId),
    index().on(table.status, table.createdAt),
    index().on(table.reviewerId),
  ],
);

export const clientSecrets = pgTable(
  'client_secrets',
  {
    id: uuid().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    /** SHA-256 of the secret, base64url. */
    secretHash: text().notNull(),
    hint: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.clientId)],
);

/**
 * One user's permission for one client (design §2). A refresh changes `generation`, `rotated_at` alone, and neither is in an index; the
 * migration leaves room on the table's pages (fillfactor), so that a refresh is a HOT update.
 */
export const grants = pgTable(
  'grants',
  {
    id: uuid().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    teamId: integer().references(() => teams.id, { onDelete: 'cascade' }),
    scopes: text({ enum: scopeNames }).array(),
    redirectUri: text().notNull(),
    codeChallenge: text(),
    generation: integer().notNull().default(0),
    issuedAt: instant().notNull(),
    redeemedAt: instant(),
    rotatedAt: instant(),
    revokedAt: instant(),
    revocationReason: text({ enum: revocationReasons }),
  },
  (table) => [
    index().on(table.clientId),
    index().on(table.userId),
    index().on(table.teamId),
    index().on(table.issuedAt),
  ],
);

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

export const signingKeys = pgTable('signing_keys', {
  /** The `kid`: the RFC 7638 thumbprint of the public key. */
  id: text().primaryKey(),
  publicJwk: jsonb().$type<Record<string, string>>().notNull(),
  /** PKCS #8, encrypted with a key derived from SECRET. */
  sealedPrivateKey: bytea().notNull(),
  activeAt: instant().notNull(),
});
