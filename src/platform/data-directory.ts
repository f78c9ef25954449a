import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { explainFault } from './log.ts';
import type { Platform } from './platform.ts';
import { createSecrets, type Secrets } from './secrets.ts';

export class DataDirectoryInUse extends Error {
  override readonly name = 'DataDirectoryInUse';
  constructor(directory: string, holder: string) {
    super(
      `DATA_DIR ${directory} is in use by another process (${holder}). ` +
        'The embedded database takes one process at a time; for several, set DATABASE_URL to a PostgreSQL server.',
    );
  }
}

export class DataDirectoryFault extends Error {
  override readonly name = 'DataDirectoryFault';
  constructor(directory: string, error: unknown) {
    super(`DATA_DIR ${directory} can't be used: ${causeIn(directory, error)}`);
  }
}

const neededMegabytes = 64;
const chooseAnother = 'Choose a folder that this user can write to, on a disk with room.';
const restoreBackup = 'Restore the whole folder from a backup';

/** The embedded database says nothing of a full disk, and of damaged files only that it ended. */
function causeIn(directory: string, error: unknown): string {
  if (error instanceof Remains) return error.message;
  try {
    const { bavail, bsize } = statfsSync(directory);
    const megabytes = Math.floor((bavail * bsize) / 2 ** 20);
    if (megabytes < neededMegabytes) return `its disk has ${megabytes} MB left. ${chooseAnother}`;
  } catch {}
  if (/EMFILE|58P02/.test(explainFault(error)))
    return `${explainFault(error)}. The process may open too few files: raise ulimit -n to 256 or more.`;
  if (error instanceof Error && error.name === 'RuntimeError')
    return `its database can't be opened, so its files may be damaged. ${restoreBackup}.`;
  return `${explainFault(error)}. ${chooseAnother}`;
}

class Remains extends Error {}

/**
 * Throws where a database was and isn't whole: a new one would overwrite what is left of it, or
 * stand open to the first account that signs up.
 */
export function refuseRemains(directory: string, databasePath: string): void {
  if (existsSync(join(databasePath, 'PG_VERSION'))) return;
  if (existsSync(databasePath) && readdirSync(databasePath).length > 0)
    throw new Remains(
      `the database in it isn't whole (PG_VERSION is missing). ${restoreBackup}, or remove ${databasePath} to begin with an empty database.`,
    );
  const secretPath = join(directory, 'secret');
  if (existsSync(secretPath))
    throw new Remains(
      `it has the secret of a database, but no database. ${restoreBackup}, or remove ${secretPath} to begin with an empty database.`,
    );
}

/** Node.js never ends where it makes missing parents in a file system that takes none. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent);
  mkdirSync(path, { mode: 0o700 });
}

const sqliteBusy = 5;

/**
 * Two processes on one embedded database lose data. The system releases this lock however a process
 * ends. An exclusive transaction could fail in every process of several.
 *
 * @throws DataDirectoryInUse
 */
export function openDataDirectory(directory: string) {
  makeDirectory(resolve(directory));
  const lock = new DatabaseSync(join(directory, 'latchkey.lock'));
  const holderPath = join(directory, 'latchkey.pid');
  try {
    lock.exec('begin immediate'); // protects: C49
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

/** Generates a secret where the database is embedded and has none. */
export async function openRootSecret({
  secrets,
  storage,
}: Pick<Platform['config'], 'secrets' | 'storage'>): Promise<Secrets> {
  if (secrets !== undefined) return createSecrets(secrets);
  if (storage.kind === 'postgres') throw new Error('SECRET is required with DATABASE_URL');
  return createSecrets([await loadGeneratedSecret(storage.directory)]);
}

/**
 * Returns 32 random bytes, mode 0600 (contract §1). Throws when the file is too short or
 * unreadable.
 */
export async function loadGeneratedSecret(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'secret');
  // A killed start's draft may be a second name of the secret itself, so drafts have random names.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    await link(draft, path).catch(ignoreExisting);
  } finally {
    await rm(draft, { force: true });
  }
  const secret = (await readFile(path, 'utf8')).trim();
  if (secret.length < 32)
    throw new Error('the secret file in DATA_DIR is too short; restore it, or set SECRET');
  return secret;
}

function ignoreExisting(error: unknown): void {
  if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
  throw error;
}
