import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  smallint,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import { groups, users } from '../accounts/tables.ts';
import { clients } from '../oauth/tables.ts';
import { deliveryOutcomes, webhookTriggers } from './webhook.ts';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });
const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

/** A webhook belongs to a user, a team or a client (contract §8). */
export const webhooks = pgTable(
  'webhooks',
  {
    id: uuid().primaryKey(),
    userId: integer().references(() => users.id, { onDelete: 'cascade' }),
    teamId: integer().references(() => groups.id, { onDelete: 'cascade' }),
    clientId: text().references(() => clients.id, { onDelete: 'cascade' }),
    /**
     * A webhook may hear of bookings of one event type alone. The reference is in the migration,
     * because this part knows no event types.
     */
    eventTypeId: integer(),
    /** The webhook lives while this app, which made it with a token for its maker, has access. */
    appId: text(),
    /** The maker answers for it; null for an app's own, and for a team's older ones. */
    makerId: integer('app_user_id').references(() => users.id, { onDelete: 'cascade' }),
    /**
     * Only the origin is here; a former version's rows have the whole for an hour (security C214).
     */
    subscriberUrl: text().notNull(),
    /** Addresses often hold a key, so the whole is encrypted with a key derived from SECRET. */
    encryptedUrl: bytea(),
    triggers: text({ enum: webhookTriggers }).array().notNull(),
    /** The secret signs what is sent, so it can't be a hash. */
    encryptedSecret: bytea().notNull(),
    active: boolean().notNull().default(true),
    disabledAt: instant(),
    failingSince: instant(),
    /** Only 0.1 uses these two, and may still run beside this version: they go with the next one. */
    failures: integer().notNull().default(0),
    retryAt: instant(),
    createdAt: instant().notNull(),
  },
  (table) => [
    index().on(table.userId),
    index().on(table.teamId),
    index().on(table.clientId),
    index('webhooks_app_user_id_index').on(table.makerId),
    index().on(table.eventTypeId).where(sql`${table.eventTypeId} is not null`),
    check('webhook_of_one', sql`num_nonnulls(${table.userId}, ${table.teamId}, ${table.clientId}) = 1`),
  ],
);

/** An event is stored once, however many webhooks get it. */
export const webhookEvents = pgTable(
  'webhook_events',
  {
    id: uuid().primaryKey().defaultRandom(),
    trigger: text({ enum: webhookTriggers }).notNull(),
    body: text().notNull(),
    createdAt: instant().notNull(),
  },
  (table) => [index().on(table.createdAt)],
);

/** One event for one webhook: when it is due, what was tried, and what was answered. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** Events of the same topic are sent in this order. */
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    webhookId: uuid()
      .notNull()
      .references(() => webhooks.id, { onDelete: 'cascade' }),
    eventId: uuid()
      .notNull()
      .references(() => webhookEvents.id, { onDelete: 'cascade' }),
    /** A later event about the same booking, for example, waits for an earlier one. */
    topic: text().notNull(),
    createdAt: instant().notNull(),
    dueAt: instant().notNull(),
    giveUpAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    isQueued: boolean().notNull().default(false),
    status: smallint(),
    failure: text(),
    /** The server's answer begins so; it often names the address that it was sent to. */
    encryptedAnswer: bytea(),
    /** Former versions kept it in the clear. */
    answer: text(),
    durationMs: integer(),
    settledAt: instant(),
    outcome: text({ enum: deliveryOutcomes }),
  },
  (table) => [
    index().on(table.webhookId, table.id),
    index().on(table.eventId),
    index('webhook_deliveries_pending')
      .on(table.webhookId, table.topic, table.id)
      .where(sql`${table.settledAt} is null`),
    index('webhook_deliveries_unqueued')
      .on(table.id)
      .where(sql`${table.settledAt} is null and not ${table.isQueued}`),
  ],
);
