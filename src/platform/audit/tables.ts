import { sql } from 'drizzle-orm';
import { type AnyPgColumn, bigint, index, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';
import type { AuditAction } from './actions.ts';

/** Holds for what someone did to another account, or to none; the rest is found by the account. */
export const isAboutAnother = ({ userId, actorId }: Record<'userId' | 'actorId', AnyPgColumn>) =>
  sql`${userId} is distinct from ${actorId}`;

/** Triggers refuse changes. Without foreign keys, an event outlasts what it is about. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
    action: text().$type<AuditAction>().notNull(),
    /** Stays null for the service itself, and for visitors. */
    actorId: integer(),
    actorClientId: text(),
    userId: integer(),
    clientId: text(),
    groupId: integer(),
    /** Names a grant, secret, key, invitation or calendar. */
    objectId: text(),
    label: text(),
    /**
     * An approval has its scopes here, a change of role both roles, other events an admin's words.
     */
    reason: text(),
    address: text(),
    userAgent: text(),
    requestId: text(),
  },
  (table) => [
    index().on(table.at, table.id),
    index().on(table.userId, table.at, table.id),
    index('audit_events_of_actor').on(table.actorId, table.at, table.id).where(isAboutAnother(table)),
    index().on(table.clientId, table.at, table.id),
    index().on(table.action, table.at, table.id),
  ],
);
