import { sql } from 'drizzle-orm';
import type { Db } from '../../src/platform/database.ts';
import { queueJobs, queueLanes } from '../../src/platform/queue/tables.ts';

/** The leases of all jobs end. */
export async function endLeases(db: Db): Promise<void> {
  await db.update(queueJobs).set({ leasedUntil: null, dueAt: new Date(0) });
  await db.update(queueLanes).set({ dueAt: new Date(0) });
}

/** How often this transaction looked into webhooks and into queues: indexes, and rows. */
export async function countLookUps(tx: Db): Promise<number> {
  const [counted] = await tx
    .select({ sum: sql<number>`sum(idx_scan + coalesce(idx_tup_fetch, 0) + seq_tup_read)::int` })
    .from(sql`pg_stat_xact_user_tables`)
    .where(sql`relname in ('webhooks', 'webhook_deliveries', 'queue_jobs', 'queue_lanes')`);
  return counted?.sum ?? 0;
}
