import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** DATA_DIR, held by this process alone: two processes on one embedded database lose data. */
export interface DataDirectory {
  readonly databasePath: string;
  /** Does nothing the second time. */
  release(): void;
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

/** What SQLite answers while another connection holds the lock: SQLITE_BUSY. */
const sqliteBusy = 5;

/**
 * Creates the directory (0700) where it is missing and locks it. The lock is a write
 * transaction on an empty SQLite file, which the system releases however the process ends. Not an
 * exclusive one: to get that, processes that start together can refuse one another, and none wins.
 *
 * @throws DataDirectoryInUse
 */
export function openDataDirectory(directory: string): DataDirectory {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(directory, 'latchkey.lock'));
  const holderPath = join(directory, 'latchkey.pid');
  try {
    lock.exec('begin immediate');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new DataDirectoryInUse(directory, readHolder(holderPath));
  }
  writeFileSync(holderPath, `${process.pid}\n`, { mode: 0o600 });
  return {
    databasePath: join(directory, 'database'),
    release() {
      if (lock.isOpen) lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy;
}

function readHolder(path: string): string {
  try {
    return `process ${readFileSync(path, 'utf8').trim()}`;
  } catch {
    return 'unknown';
  }
}
