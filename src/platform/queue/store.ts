import { and, eq, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { type Db, inTransaction } from '../database.ts';
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

/**
 * Makes jobs due, unless they are due before, and each key once. Returns an expression for a
 * statement.
 */
function queueing(jobs: readonly NewJob[], now: Date): SQL {
  return sql`queue_add(${JSON.stringify(jobs)}::jsonb, ${at(now)})`;
}

export async function enqueue(tx: Db, jobs: readonly NewJob[], now: Date): Promise<void> {
  if (jobs.length > 0) await tx.execute(sql`select ${queueing(jobs, now)}`);
}

const noMax = 1_000_000;

/**
 * Takes lanes in turn. The cost depends neither on how many jobs wait, nor on how many lanes do.
 * Returns an expression for a statement.
 */
export function claiming(
  queues: readonly QueueName[],
  { now, leaseUntil, count, maxOfLane = noMax }: Claim,
): SQL {
  const names = sql.join(
    queues.map((name) => sql`${name}`),
    sql`, `,
  );
  return sql`queue_claim(array[${names}]::text[], ${at(now)}, ${at(leaseUntil)}, ${count}::int, ${maxOfLane}::int) as claimed`;
}

export const jobColumns = {
  id: sql<number>`claimed.id`.mapWith(queueJobs.id),
  key: sql<string>`claimed.key`,
  laneId: sql<number>`claimed.lane_id`.mapWith(queueJobs.laneId),
  attempts: sql<number>`claimed.attempts`.mapWith(queueJobs.attempts),
};

export async function claimJobs(
  db: Db,
  queues: readonly QueueName[],
  claim: Claim,
): Promise<readonly ClaimedJob[]> {
  const jobs = await db.select(jobColumns).from(claiming(queues, claim));
  return jobs.map((job) => ({ ...job, leasedUntil: claim.leaseUntil }));
}

/** Removes the jobs that nobody has in hand. */
export async function withdrawJobs(
  tx: Db,
  queues: readonly QueueName[],
  keys: readonly string[],
  now: Date,
): Promise<readonly Pick<Job, 'key' | 'dueAt'>[]> {
  const { queue, key, leasedUntil, dueAt } = queueJobs;
  const isFree = or(isNull(leasedUntil), lte(leasedUntil, now));
  return tx
    .delete(queueJobs)
    .where(and(inArray(queue, [...queues]), inArray(key, [...keys]), isFree))
    .returning({ key, dueAt });
}

/** Locks a claimed job until the transaction ends. Returns false if its lease has ended. */
export async function holdJob(tx: Db, { id, laneId, leasedUntil }: ClaimedJob): Promise<boolean> {
  await tx.select({ id: queueLanes.id }).from(queueLanes).where(eq(queueLanes.id, laneId)).for('update');
  const held = await tx
    .select({ id: queueJobs.id })
    .from(queueJobs)
    .where(and(eq(queueJobs.id, id), eq(queueJobs.leasedUntil, leasedUntil)))
    .for('update');
  return held.length > 0;
}

/** The lease of a claimed job lasts; the condition locks nothing. */
export const isLeased = ({ id, leasedUntil }: ClaimedJob): SQL =>
  sql`exists (select from ${queueJobs} where ${queueJobs.id} = ${id} and ${queueJobs.leasedUntil} = ${at(leasedUntil)})`;

/**
 * Gives back jobs until `dueAt`, or until they were made due meanwhile; without `dueAt`, they are
 * done. Jobs whose lease has ended stay as they are. Returns an expression for a statement.
 */
export function releasing(
  jobs: readonly (ClaimedJob & { readonly dueAt?: Date | undefined })[],
  now: Date,
): SQL {
  return sql`queue_release(${JSON.stringify(jobs)}::jsonb, ${at(now)})`;
}

export async function releaseJobs(db: Db, ...released: Parameters<typeof releasing>): Promise<void> {
  if (released[0].length > 0) await db.execute(sql`select ${releasing(...released)}`);
}
