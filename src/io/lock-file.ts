import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const namePattern = /^latchkey\.lock\.([1-9][0-9]*)$/;
const releasedText = 'released';

/** The numbers of the lock files in a directory, in no order. */
export async function listLockNumbers(directory: string): Promise<readonly number[]> {
  const names = await readdir(directory);
  return names.flatMap((name) => namePattern.exec(name)?.[1] ?? []).map(Number);
}

export function lockFilePath(directory: string, number: number): string {
  return join(directory, `latchkey.lock.${number}`);
}

/** Written aside and linked into place: a lock file never exists half written, and false says that this number exists already. */
export async function createLockFile(directory: string, number: number, text: string): Promise<boolean> {
  const draft = join(directory, `latchkey.draft.${randomUUID()}`);
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await link(draft, lockFilePath(directory, number));
    return true;
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

/** Leaves the number taken and says that nobody holds it any more. */
export async function markReleased(directory: string, number: number): Promise<void> {
  const draft = join(directory, `latchkey.draft.${randomUUID()}`);
  await writeFile(draft, releasedText, { mode: 0o600 });
  await rename(draft, lockFilePath(directory, number));
}

export async function removeLockFile(directory: string, number: number): Promise<void> {
  await rm(lockFilePath(directory, number), { force: true });
}

/** What a lock file says; undefined when it is released or gone. */
export async function readLockFile(path: string): Promise<string | undefined> {
  const text = await orUndefinedIfGone(readFile(path, 'utf8'));
  return text === releasedText ? undefined : text;
}

/** When a lock file was last touched, in its writer's clock; undefined when it is gone. */
export async function lockTouchedAt(path: string): Promise<number | undefined> {
  return (await orUndefinedIfGone(stat(path)))?.mtimeMs;
}

async function orUndefinedIfGone<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
