import { mkdir, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DataDirectoryInUse, openDataDirectory } from '../../src/platform/data-directory.ts';

/**
 * Takes and releases each directory that comes in as a line, again and again for a second, and answers how often it
 * held it, and how often another user did so at the same time.
 */
const churnMs = 1000;

async function holdOnce(directory: string): Promise<'alone' | 'together' | 'refused'> {
  try {
    const held = openDataDirectory(directory);
    const isAlone = await enter(join(directory, 'taken'));
    held.release();
    return isAlone ? 'alone' : 'together';
  } catch (error) {
    if (error instanceof DataDirectoryInUse) return 'refused';
    throw error;
  }
}

async function enter(marker: string): Promise<boolean> {
  try {
    await mkdir(marker);
  } catch {
    return false;
  }
  await rmdir(marker);
  return true;
}

process.stdout.write('started\n');
for await (const directory of createInterface({ input: process.stdin })) {
  const count = { alone: 0, together: 0, refused: 0 };
  const end = performance.now() + churnMs;
  while (performance.now() < end) count[await holdOnce(directory)] += 1;
  process.stdout.write(`${JSON.stringify(count)}\n`);
}
