import { index, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core';
import { clients } from '../tables.ts';
import type { Diagnosis, FailureReason } from './causes.ts';

/** Owners of an app read here why its token requests failed (security C25). */
export const failedTokenRequests = pgTable(
  'failed_token_requests',
  {
    id: uuid().primaryKey(),
    clientId: text()
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    requestId: text().notNull(),
    reason: text().$type<FailureReason>().notNull(),
    cause: jsonb().$type<Diagnosis>().notNull(),
    at: timestamp({ withTimezone: true, mode: 'date' }).notNull(),
  },
  (table) => [index().on(table.clientId, table.at), index().on(table.at)],
);
