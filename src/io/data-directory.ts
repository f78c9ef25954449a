import { link, mkdir, readFile, readlink, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Two processes on one embedded database destroy each other's data, and PGlite itself does not prevent it. So DATA_DIR holds a lock
 * file that names its process. A dead process's lock is taken over at once where that can be known (same host and process namespace), and
 * elsewhere when its heartbeat has stopped.
 */
export interface DataDirectory {
  readonly databasePath: string;
  release(): Promise<void>;
}

/** Another process holds the directory. */
export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';
  constructor(directory: string, holder: string) {
    super(
      `DATA_DIR ${directory} is in use by another process (${holder}). ` +
        'The embedded database takes one process at a time; for several, set DATABASE_URL to a PostgreSQL server.',
    );
  }
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Linux: which process namespace, and when in it the process started; tells a reused pid and another container apart. */
  readonly namespace: string;
  readonly startedTick: string;
}

const heartbeatMs = 2000;
const heartbeatStaleMs = 3 * heartbeatMs;
const lockName = 'latchkey.lock';

/**
 * Makes the directory (0700) where it is missing and takes its lock.
 *
 * @throws DataDirectoryInUse
 */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const lock = join(directory, lockName);
  const own = JSON.stringify(await describeProcess(process.pid));
  await takeLock(directory, lock, own);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(lock, now, now).catch(() => {});
  }, heartbeatMs);
  beat.unref();
  return {
    databasePath: join(directory, 'database'),
    async release() {
      clearInterval(beat);
      if ((await readLock(lock)) === own) await rm(lock, { force: true });
    },
  };
}

async function takeLock(directory: string, lock: string, own: string): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (await createLock(lock, own)) return;
    const found = await readLock(lock);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    if (await isHeld(lock, holder))
      throw new DataDirectoryInUse(directory, `process ${holder?.pid ?? 'unknown'}`);
    await removeStale(lock, found);
  }
  throw new DataDirectoryInUse(directory, 'several processes are starting');
}

/** Written aside and linked into place: the lock never exists half written, and only one process can make it. */
async function createLock(lock: string, own: string): Promise<boolean> {
  const draft = `${lock}.${process.pid}.${Math.trunc(performance.now() * 1000)}`;
  await writeFile(draft, own, { mode: 0o600 });
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Moved aside first: if by then another process has put its own lock there, that one is put back. */
async function removeStale(lock: string, judged: string): Promise<void> {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return;
    throw error;
  }
  if ((await readLock(aside)) !== judged) await link(aside, lock).catch(() => {});
  await rm(aside, { force: true });
}

async function readLock(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && 'pid' in value && typeof value.pid === 'number';
}

async function isHeld(lock: string, holder: Holder | undefined): Promise<boolean> {
  const here = await describeProcess(process.pid);
  const isVisible = holder !== undefined && holder.host === here.host && holder.namespace === here.namespace;
  if (!isVisible) return isHeartbeatGoing(lock);
  if (!isRunning(holder.pid)) return false;
  const running = await describeProcess(holder.pid);
  return running.startedTick === holder.startedTick;
}

/** Whether the lock's time moves on while we watch. */
async function isHeartbeatGoing(lock: string): Promise<boolean> {
  const seen = await modifiedAt(lock);
  if (seen === undefined) return false;
  if (Date.now() - seen > 60_000) return false;
  await sleep(heartbeatStaleMs);
  const later = await modifiedAt(lock);
  return later !== undefined && later !== seen;
}

async function modifiedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrno(error, 'EPERM');
  }
}

async function describeProcess(pid: number): Promise<Holder> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // Field 22, counted from behind the command's closing bracket, because a command may contain blanks.
  const startedTick = status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { pid, host: hostname(), namespace, startedTick };
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
