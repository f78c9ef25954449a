import { bigint, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { AuditAction } from './actions.ts';

/**
 * Triggers refuse every change, and the deletion of rows younger than a year. No foreign keys, so
 * that an event outlasts what it is about.
 */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
    action: text().$type<AuditAction>().notNull(),
    /** Who did it; null for us, and for visitors. */
    actorId: integer(),
    /** The app that did it, for `actorId` if that is set. */
    actorClientId: text(),
    /** The account, app and group concerned. */
    userId: integer(),
    clientId: text(),
    groupId: integer(),
    /** Of a grant, secret, key, invitation or calendar. */
    objectId: text(),
    /** What the app or group was called then. */
    label: text(),
    /** In an admin's words; of an approval its scopes, of a change of role both roles. */
    reason: text(),
    address: text(),
    /** Shortened. */
    userAgent: text(),
    requestId: text(),
  },
  (table) => [
    index().on(table.at, table.id),
    index().on(table.userId, table.at, table.id),
    index().on(table.actorId, table.at, table.id),
    index().on(table.clientId, table.at, table.id),
    index().on(table.action, table.at, table.id),
  ],
);
