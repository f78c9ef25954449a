import { and, asc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { type Db, inTransaction, isAmong } from '../database.ts';
import { queueJobs, queueLanes } from './tables.ts';

type Job = typeof queueJobs.$inferSelect;

/** Something that waits, and who waits for it. */
export interface NewJob extends Pick<Job, 'key' | 'dueAt'> {
  readonly lane: string;
}

/** A job that nobody else has until `leasedUntil`. */
export type ClaimedJob = Pick<Job, 'id' | 'key' | 'laneId'> & { readonly leasedUntil: Date };

export interface Claim {
  readonly now: Date;
  readonly leaseUntil: Date;
  /** At most so many jobs. */
  readonly count: number;
  /** So many jobs of a lane are in hand at the same time, whoever has them. */
  readonly maxOfLane: number;
}

/** So many lanes are looked at together, however many wait. */
const windowLanes = 32;

const at = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`;

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

/** Of a lane with something at `dueAt`: if that is due, before those that were served later. */
const placeOf = (dueAt: SQL, now: Date): SQL =>
  sql`case when ${dueAt} <= ${at(now)} then coalesce(${queueLanes.servedAt}, 'epoch') else ${dueAt} end`;

/** The first job of `lanes` that nobody has. */
const nextOfLane = (now: Date): SQL => sql`(
  select id, due_at from ${queueJobs} as job
  where job.lane_id = lanes.id and coalesce(job.leased_until <= ${at(now)}, true)
  order by job.due_at limit 1
) as next`;

/**
 * For all that follows. A queue is empty at one moment and long at the next: a plan that was made
 * for the former would read, or sort, all of the latter.
 */
export async function queueTransaction<Value>(db: Db, run: (tx: Db) => Promise<Value>): Promise<Value> {
  return inTransaction(db, async (tx) => {
    await tx.execute(
      sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
    );
    return run(tx);
  });
}

/**
 * Makes jobs due, unless they are due before; each key once. Here and below a lane is locked before
 * its jobs, so that who changes one of them sees what the other did, and nothing is left asleep.
 */
export async function enqueue(
  tx: Db,
  queue: Job['queue'],
  jobs: readonly NewJob[],
  now: Date,
): Promise<void> {
  if (jobs.length === 0) return;
  const firstOf = new Map<string, Date>();
  for (const { lane, dueAt } of jobs) {
    const place = dueAt <= now ? new Date(0) : dueAt;
    const known = firstOf.get(lane);
    if (known === undefined || place < known) firstOf.set(lane, place);
  }
  const excluded = sql`excluded.due_at`;
  const lanes = await tx
    .insert(queueLanes)
    // Several that do this at the same time lock the rows in the same order.
    .values(
      [...firstOf.keys()].toSorted(byText).map((lane) => ({ queue, lane, dueAt: firstOf.get(lane) ?? now })),
    )
    .onConflictDoUpdate({
      target: [queueLanes.queue, queueLanes.lane],
      set: { dueAt: sql`least(${queueLanes.dueAt}, ${placeOf(excluded, now)})` },
    })
    .returning({ id: queueLanes.id, lane: queueLanes.lane });
  const idOf = new Map(lanes.map(({ id, lane }) => [lane, id]));
  await tx
    .insert(queueJobs)
    .values(
      jobs
        .toSorted((one, other) => byText(one.key, other.key))
        .map(({ key, lane, dueAt }) => ({ queue, key, laneId: idOf.get(lane) ?? 0, dueAt })),
    )
    .onConflictDoUpdate({
      target: [queueJobs.queue, queueJobs.key],
      set: { laneId: sql`excluded.lane_id`, dueAt: sql`least(${queueJobs.dueAt}, ${excluded})` },
    });
}

/**
 * Leases due jobs, of each lane in its turn one. What this reads depends neither on how many jobs
 * wait, nor on how many lanes do. Where there is none, lanes may only have learnt when they are
 * next due: there may be more behind them.
 */
export async function claimJobs(
  tx: Db,
  queue: Job['queue'],
  { now, leaseUntil, count, maxOfLane }: Claim,
): Promise<{ readonly jobs: readonly ClaimedJob[]; readonly mayBeMore: boolean }> {
  const window = await tx
    .select({ id: queueLanes.id })
    .from(queueLanes)
    .where(and(eq(queueLanes.queue, queue), lte(queueLanes.dueAt, now)))
    .orderBy(asc(queueLanes.dueAt))
    .limit(windowLanes)
    .for('update', { skipLocked: true });
  const ids = window.map(({ id }) => id);
  if (ids.length === 0) return { jobs: [], mayBeMore: false };
  const lanes = sql`unnest(${listOf(ids)}) with ordinality as lanes (id, position)`;
  const inHand = sql`(
    select count(*) as jobs, min(leased_until) as until from ${queueJobs} as job
    where job.lane_id = lanes.id and job.leased_until > ${at(now)}
  ) as in_hand`;
  const next = nextOfLane(now);
  const picked = sql`(
    select next.id from ${lanes} cross join lateral ${inHand} cross join lateral ${next}
    where in_hand.jobs < ${maxOfLane} and next.due_at <= ${at(now)}
    order by lanes.position limit ${count}
  )`;
  const jobs = await tx
    .update(queueJobs)
    .set({ dueAt: leaseUntil, leasedUntil: leaseUntil })
    .where(isAmong(queueJobs.id, picked))
    .returning({ id: queueJobs.id, key: queueJobs.key, laneId: queueJobs.laneId });
  const served = sql`${queueLanes.id} = any(${listOf(jobs.map(({ laneId }) => laneId))})`;
  const place = sql`case when next.due_at > ${at(now)} then next.due_at when ${served} then ${at(now)} else ${queueLanes.dueAt} end`;
  const isFree = sql`in_hand.jobs < ${maxOfLane} and next.id is not null`;
  await tx
    .update(queueLanes)
    .set({
      servedAt: sql`case when ${served} then ${at(now)} else ${queueLanes.servedAt} end`,
      dueAt: sql`least(case when ${isFree} then ${place} end, in_hand.until)`,
    })
    .from(sql`${lanes} cross join lateral ${inHand} left join lateral ${next} on true`)
    .where(sql`${queueLanes.id} = lanes.id and (next.id is not null or in_hand.jobs > 0)`);
  const isEmpty = sql`not exists (select from ${queueJobs} where ${queueJobs.laneId} = ${queueLanes.id})`;
  if (jobs.length < ids.length) await tx.delete(queueLanes).where(and(inArray(queueLanes.id, ids), isEmpty));
  return {
    jobs: jobs.map((job) => ({ ...job, leasedUntil: leaseUntil })),
    mayBeMore: ids.length === windowLanes,
  };
}

function listOf(ids: readonly number[]): SQL {
  const each = ids.map((id) => sql`${id}`);
  return sql`array[${sql.join(each, sql`, `)}]::bigint[]`;
}

/** Locks a claimed job until the transaction ends. False: its lease has ended. */
export async function holdJob(tx: Db, { id, laneId, leasedUntil }: ClaimedJob): Promise<boolean> {
  await tx.select({ id: queueLanes.id }).from(queueLanes).where(eq(queueLanes.id, laneId)).for('update');
  const held = await tx
    .select({ id: queueJobs.id })
    .from(queueJobs)
    .where(and(eq(queueJobs.id, id), eq(queueJobs.leasedUntil, leasedUntil)))
    .for('update');
  return held.length > 0;
}

/**
 * Gives back a held job until `dueAt`, or until it was made due meanwhile. Without `dueAt`, nothing
 * of it is left to do.
 */
export async function releaseJob(
  tx: Db,
  { id, laneId, leasedUntil }: ClaimedJob,
  dueAt: Date | undefined,
  now: Date,
): Promise<void> {
  const isJob = eq(queueJobs.id, id);
  const isAsClaimed = sql`${queueJobs.dueAt} >= ${at(leasedUntil)}`;
  if (dueAt === undefined) await tx.delete(queueJobs).where(and(isJob, isAsClaimed));
  // Never before now: it comes behind what its lane has beside it.
  const nextAt = dueAt !== undefined && dueAt > now ? dueAt : now;
  await tx
    .update(queueJobs)
    .set({
      leasedUntil: null,
      dueAt: sql`case when ${isAsClaimed} then ${at(nextAt)} else ${queueJobs.dueAt} end`,
    })
    .where(isJob);
  await tx
    .update(queueLanes)
    .set({ dueAt: sql`least(${queueLanes.dueAt}, ${placeOf(sql`next.due_at`, now)})` })
    .from(sql`(select ${laneId}::bigint as id) as lanes cross join lateral ${nextOfLane(now)}`)
    .where(eq(queueLanes.id, laneId));
}
