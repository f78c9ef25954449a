import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { lockTouchedAt, readLockFile } from './lock-file.ts';

/** How a process is told from every other: a reused number, another container and another host included. */
const lockHolder = z.object({
  pid: z.number(),
  host: z.string(),
  /** Linux: which start of which machine; empty elsewhere. Two machines may share a host name. */
  bootId: z.string(),
  /** Linux: the process namespace; empty elsewhere. */
  namespace: z.string(),
  /** Linux: when the process started, in ticks since the machine did; empty elsewhere. */
  startedTick: z.string(),
});
type LockHolder = z.output<typeof lockHolder>;

/** A holder touches its lock every two seconds; three in a row missed mean that it is gone. */
const heartbeatStaleMs = 6000;

export function writeLockHolder(holder: LockHolder): string {
  return JSON.stringify(holder);
}

/**
 * Who holds the lock, in words; undefined when nobody does. A process of this host and namespace is looked up; one of elsewhere, whose
 * process cannot be seen and whose clock may differ, is judged by whether its heartbeat goes on while we watch.
 */
export async function findLockHolder(path: string): Promise<string | undefined> {
  const text = await readLockFile(path);
  if (text === undefined) return undefined;
  const holder = parseHolder(text);
  const here = await describeProcess(process.pid);
  if (
    holder === undefined ||
    holder.host !== here.host ||
    holder.bootId !== here.bootId ||
    holder.namespace !== here.namespace
  ) {
    return (await isHeartbeatGoing(path)) ? `on ${holder?.host ?? 'another host'}` : undefined;
  }
  return (await isSameProcess(holder)) ? `process ${holder.pid}` : undefined;
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    return lockHolder.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

async function isHeartbeatGoing(path: string): Promise<boolean> {
  const seen = await lockTouchedAt(path);
  await sleep(heartbeatStaleMs);
  const later = await lockTouchedAt(path);
  return later !== undefined && later !== seen;
}

async function isSameProcess({ pid, startedTick }: LockHolder): Promise<boolean> {
  if (!isRunning(pid)) return false;
  return (await describeProcess(pid)).startedTick === startedTick;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export async function describeProcess(pid: number): Promise<LockHolder> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Field 22, counted from behind the command's closing bracket, because a command may contain blanks.
  const startedTick = status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();
  return { pid, host: hostname(), bootId, namespace, startedTick };
}
