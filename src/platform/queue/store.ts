import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { type Db, inTransaction } from '../database.ts';
import { prepared } from '../prepared.ts';
import { queueJobs, queueLanes } from './tables.ts';

type Job = typeof queueJobs.$inferSelect;

export type QueueName = Job['queue'];

export interface NewJob extends Pick<Job, 'queue' | 'key' | 'dueAt'> {
  readonly lane: string;
}

/** Nobody else has the job until `leasedUntil`. The attempts include this one. */
export type ClaimedJob = Pick<Job, 'id' | 'key' | 'laneId' | 'attempts'> & { readonly leasedUntil: Date };

export interface Claim {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly count: number;
  readonly maxOfLane?: number;
}

export const at = (instant: Date): SQL => sql`${instant.toISOString()}::timestamptz`;

/**
 * Queues are empty and then long: a plan made for the former would read, or sort, all of the
 * latter.
 */
export async function queueTransaction<Value>(db: Db, run: (tx: Db) => Promise<Value>): Promise<Value> {
  return inTransaction(db, async (tx) => {
    await tx.execute(
      sql`select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true)`,
    );
    return run(tx);
  });
}

/** Makes jobs due, unless they are due before, and each key once. */
export async function enqueue(tx: Db, jobs: readonly NewJob[], now: Date): Promise<void> {
  if (jobs.length > 0) await tx.execute(sql`select queue_add(${JSON.stringify(jobs)}::jsonb, ${at(now)})`);
}

const noMax = 1_000_000;

/**
 * Takes lanes in turn. The cost depends neither on how many jobs wait, nor on how many lanes do.
 */
export async function claimJobs(
  db: Db,
  queues: readonly QueueName[],
  { now, leaseUntil, count, maxOfLane = noMax }: Claim,
): Promise<readonly ClaimedJob[]> {
  const times = { now: now.toISOString(), leaseUntil: leaseUntil.toISOString() };
  const jobs = await claimedJobs(db).execute({ queues: `{${queues.join()}}`, ...times, count, maxOfLane });
  return jobs.map((job) => ({ ...job, leasedUntil: leaseUntil }));
}

const claimedJobs = prepared((db) =>
  db
    .select({
      id: sql<number>`claimed.id`.mapWith(queueJobs.id),
      key: sql<string>`claimed.key`,
      laneId: sql<number>`claimed.lane_id`.mapWith(queueJobs.laneId),
      attempts: sql<number>`claimed.attempts`.mapWith(queueJobs.attempts),
    })
    .from(
      sql`queue_claim(
        ${sql.placeholder('queues')}::text[], ${sql.placeholder('now')}::timestamptz,
        ${sql.placeholder('leaseUntil')}::timestamptz, ${sql.placeholder('count')}::int, ${sql.placeholder('maxOfLane')}::int
      ) as claimed`,
    )
    .prepare('claimed_jobs'),
);

/** Removes the jobs that nobody has in hand. */
export async function withdrawJobs(tx: Db, queues: readonly QueueName[], keys: readonly string[], now: Date) {
  const { queue, key, leasedUntil, dueAt } = queueJobs;
  const isFree = or(isNull(leasedUntil), lte(leasedUntil, now));
  return tx
    .delete(queueJobs)
    .where(and(inArray(queue, [...queues]), inArray(key, [...keys]), isFree))
    .returning({ key, dueAt });
}

/** Locks a claimed job until the transaction ends. Returns false if its lease has ended. @public */
export async function holdJob(tx: Db, { id, laneId, leasedUntil }: ClaimedJob): Promise<boolean> {
  await tx.select({ id: queueLanes.id }).from(queueLanes).where(eq(queueLanes.id, laneId)).for('update');
  const held = await tx
    .select({ id: queueJobs.id })
    .from(queueJobs)
    .where(and(eq(queueJobs.id, id), eq(queueJobs.leasedUntil, leasedUntil))) // protects: C153
    .for('update');
  return held.length > 0;
}

/** The lease of a claimed job lasts; the condition locks nothing. */
export const isLeased = ({ id, leasedUntil }: ClaimedJob): SQL =>
  // protects: C153
  sql`exists (select from ${queueJobs} where ${queueJobs.id} = ${id} and ${queueJobs.leasedUntil} = ${at(leasedUntil)})`;

type Released = ClaimedJob & { readonly dueAt?: Date | undefined };

/**
 * Gives back jobs until `dueAt`, or until they were made due meanwhile; without `dueAt`, they are
 * done. Jobs whose lease has ended stay as they are. An expression for a prepared statement, with
 * the values of {@link releaseOf}.
 */
export const releasing = sql`queue_release(${sql.placeholder('jobs')}::jsonb, ${sql.placeholder('now')}::timestamptz)`;

export const releaseOf = (jobs: readonly Released[], now: Date) => ({
  jobs: JSON.stringify(jobs),
  now: now.toISOString(),
});

export async function releaseJobs(db: Db, jobs: readonly Released[], now: Date): Promise<void> {
  if (jobs.length > 0) await releasedJobs(db).execute(releaseOf(jobs, now));
}

const releasedJobs = prepared((db) =>
  db.select({ released: releasing }).from(sql`(select) as one`).prepare('released_jobs'),
);
