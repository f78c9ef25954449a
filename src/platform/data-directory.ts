import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Two processes on one embedded database lose data. */
export interface DataDirectory {
  readonly databasePath: string;
  release(): void;
}

export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';
  constructor(directory: string, holder: string) {
    super(
      `DATA_DIR ${directory} is in use by another process (${holder}). ` +
        'The embedded database takes one process at a time; for several, set DATABASE_URL to a PostgreSQL server.',
    );
  }
}

const sqliteBusy = 5;

/**
 * Creates it (0700) and locks it by a write transaction on an empty SQLite file, which the system
 * releases however the process ends. An exclusive one could fail in every process of several.
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
