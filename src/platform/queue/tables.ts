import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, timestamp, unique } from 'drizzle-orm/pg-core';

const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** A newer version may have others, which wait for it. */
export const queueNames = [
  'account_emails',
  'review_emails',
  'emails',
  'webhooks',
  'calendar_entries',
] as const;

const queue = () => text({ enum: queueNames }).notNull();

/** Lanes take turns, however many jobs each has. A lane exists as long as it has any. */
export const queueLanes = pgTable(
  'queue_lanes',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    queue: queue(),
    lane: text().notNull(),
    dueAt: instant().notNull(),
    servedAt: instant(),
  },
  (table) => [
    unique().on(table.queue, table.lane),
    index('queue_lanes_next').on(table.queue, table.dueAt, table.servedAt.asc().nullsFirst(), table.id),
  ],
);

/** Jobs are narrow rows, because each turn writes them; features may delete what they're about. */
export const queueJobs = pgTable(
  'queue_jobs',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    queue: queue(),
    key: text().notNull(),
    laneId: bigint({ mode: 'number' }).notNull(),
    dueAt: instant().notNull(),
    leasedUntil: instant(),
    attempts: integer().notNull().default(0),
  },
  (table) => [
    unique().on(table.queue, table.key),
    index('queue_jobs_next').on(table.laneId, table.dueAt, table.id),
    index('queue_jobs_leased').on(table.laneId).where(sql`${table.leasedUntil} is not null`),
  ],
);
