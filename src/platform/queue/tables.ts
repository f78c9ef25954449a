import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** Queues of the database. */
const queue = () => text({ enum: ['account_emails', 'review_emails', 'emails', 'webhooks'] }).notNull();

/** Who waits: lanes take turns, however many jobs each has. There as long as it has any. */
export const queueLanes = pgTable(
  'queue_lanes',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    queue: queue(),
    lane: text().notNull(),
    /** Where it is in the queue; not looked at before. */
    dueAt: instant().notNull(),
    /** Its last turn, by the database's clock. */
    servedAt: instant(),
  },
  (table) => [
    unique().on(table.queue, table.lane),
    index('queue_lanes_next').on(table.queue, table.dueAt, table.servedAt.asc().nullsFirst(), table.id),
  ],
);

/**
 * What waits, in narrow rows that are written for each turn; what it is about stays with its
 * feature, which may delete it without asking here.
 */
export const queueJobs = pgTable(
  'queue_jobs',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    queue: queue(),
    key: text().notNull(),
    laneId: bigint({ mode: 'number' }).notNull(),
    dueAt: instant().notNull(),
    /** Nobody else has it until then. */
    leasedUntil: instant(),
    /** How often it was claimed since it was last given back. */
    attempts: integer().notNull().default(0),
  },
  (table) => [
    unique().on(table.queue, table.key),
    index('queue_jobs_next').on(table.laneId, table.dueAt, table.id),
    index('queue_jobs_leased').on(table.laneId).where(sql`${table.leasedUntil} is not null`),
  ],
);
