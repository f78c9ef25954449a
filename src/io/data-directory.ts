import { mkdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createLockFile, listLockNumbers, lockFilePath, markReleased, removeLockFile } from './lock-file.ts';
import { describeProcess, findLockHolder, writeLockHolder } from './lock-holder.ts';

/**
 * Two processes on one embedded database destroy each other's data, and PGlite itself does not prevent it. So DATA_DIR holds a lock
 * file that names its process.
 *
 * Lock files are numbered, and the highest number counts. Whoever finds it released or its process dead makes the next
 * number, which only one process can; a file is removed only after a higher one exists, so that nobody who is late can
 * make a number for the second time without seeing the higher one.
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

const heartbeatMs = 2000;

/**
 * Makes the directory (0700) where it is missing and takes its lock. `onLost` is called when another process has taken it over.
 *
 * @throws DataDirectoryInUse
 */
export async function openDataDirectory(
  directory: string,
  onLost: (directory: string) => void = endProcess,
): Promise<DataDirectory> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const number = await takeLock(directory);
  const path = lockFilePath(directory, number);
  const beat = async (): Promise<void> => {
    const highest = Math.max(0, ...(await listLockNumbers(directory)));
    if (highest !== number) return onLost(directory);
    const now = new Date();
    await utimes(path, now, now);
  };
  // A beat that fails for a moment, on a full disk say, is made up by the next one.
  const timer = setInterval(() => void beat().catch(() => {}), heartbeatMs);
  timer.unref();
  return {
    databasePath: join(directory, 'database'),
    async release() {
      clearInterval(timer);
      const isOurs = (await listLockNumbers(directory)).includes(number);
      if (isOurs) await markReleased(directory, number);
    },
  };
}

/**
 * A process that slept so long that another host took its place must not write one byte more, not even to close its database: the other's
 * writes would be lost.
 */
function endProcess(directory: string): never {
  process.stderr.write(
    `DATA_DIR ${directory} was taken over by another process while this one was asleep.\n`,
  );
  process.exit(1);
}

async function takeLock(directory: string): Promise<number> {
  const own = await describeProcess(process.pid);
  for (;;) {
    const highest = Math.max(0, ...(await listLockNumbers(directory)));
    const holder = highest === 0 ? undefined : await findLockHolder(lockFilePath(directory, highest));
    if (holder !== undefined) throw new DataDirectoryInUse(directory, holder);
    const number = highest + 1;
    if (!(await createLockFile(directory, number, writeLockHolder(own)))) continue;
    const others = (await listLockNumbers(directory)).filter((other) => other !== number);
    if (others.every((other) => other < number)) {
      await Promise.all(others.map((other) => removeLockFile(directory, other)));
      return number;
    }
    await removeLockFile(directory, number);
  }
}
