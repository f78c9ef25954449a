import { and, desc, eq, gt, ne, notInArray } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { queueLanes, queueNames } from '../queue/tables.ts';
import { instances } from './tables.ts';

export type Kind = Pick<typeof instances.$inferSelect, 'version' | 'parts'>;

/** An instance notes itself once a minute. */
const unseenMs = 150_000;
const lastUnseen = (now: Date): Date => new Date(now.getTime() - unseenMs);

export async function noteInstance(db: Db, { version, parts }: Kind, now: Date): Promise<void> {
  const row = { version, parts, seenAt: now };
  await db
    .insert(instances)
    .values(row)
    .onConflictDoUpdate({ target: [instances.version, instances.parts], set: { seenAt: now } });
}

/** Instances like it that go on note themselves again within a minute. */
export async function forgetInstance(db: Db, { version, parts }: Kind, now: Date): Promise<void> {
  const isAlike = and(eq(instances.version, version), eq(instances.parts, parts));
  await db
    .update(instances)
    .set({ seenAt: lastUnseen(now) })
    .where(isAlike);
}

export async function listServing(db: Db, now: Date): Promise<readonly Kind[]> {
  const { version, parts, seenAt } = instances;
  return db
    .select({ version, parts })
    .from(instances)
    .where(gt(seenAt, lastUnseen(now)));
}

/** Returns the version that was here last, but for this one. */
export async function findOtherVersion(db: Db, own: string): Promise<string | undefined> {
  const { version, seenAt } = instances;
  const [last] = await db
    .select({ version })
    .from(instances)
    .where(ne(version, own))
    .orderBy(desc(seenAt))
    .limit(1);
  return last?.version;
}

/** Returns queues of jobs that only another version knows. */
export async function findUnknownQueues(db: Db): Promise<readonly string[]> {
  const found = await db
    .selectDistinct({ queue: queueLanes.queue })
    .from(queueLanes)
    .where(notInArray(queueLanes.queue, [...queueNames]));
  return found.map(({ queue }) => queue);
}
