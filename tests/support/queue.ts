import { isNotNull, sql } from 'drizzle-orm';
import type { Db } from '../../src/platform/database.ts';
import { queueJobs } from '../../src/platform/queue/tables.ts';

/** The keys of the jobs that someone has in hand. */
export async function listLeased(db: Db): Promise<readonly string[]> {
  const leased = await db
    .select({ key: queueJobs.key })
    .from(queueJobs)
    .where(isNotNull(queueJobs.leasedUntil));
  return leased.map(({ key }) => key);
}

/** How often this transaction looked into what waits and into queues: indexes, and rows. */
export async function countLookUps(tx: Db): Promise<number> {
  const [counted] = await tx
    .select({ sum: sql<number>`sum(idx_scan + coalesce(idx_tup_fetch, 0) + seq_tup_read)::int` })
    .from(sql`pg_stat_xact_user_tables`)
    .where(
      sql`relname in ('webhooks', 'webhook_deliveries', 'calendars', 'calendar_entries', 'queue_jobs', 'queue_lanes')`,
    );
  return counted?.sum ?? 0;
}
