import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** An empty directory that goes with the test that asked for it. A concurrent test passes its own context's `onTestFinished`. */
export async function makeTemporaryDirectory(
  onFinished: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const directory = await makeDirectory();
  onFinished(() => removeDirectory(directory));
  return directory;
}

/** An empty directory that goes after the tests of the file. */
export async function makeDirectoryForFile(): Promise<string> {
  const directory = await makeDirectory();
  afterAll(() => removeDirectory(directory));
  return directory;
}

async function makeDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'latchkey-test-'));
}

async function removeDirectory(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
}
