import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'vitest';
import { z } from 'zod';
import { DataDirectoryInUse, openDataDirectory } from '../../src/io/data-directory.ts';
import { startLineProcess } from '../support/line-process.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

const holderText = z.looseObject({ pid: z.number(), host: z.string(), startedTick: z.string() });

interface LeftLock {
  readonly directory: string;
  readonly lock: string;
}

/** A DATA_DIR with a lock that differs from this process's own in `changes`, or that says something else altogether. */
async function leaveLock(
  { onTestFinished }: TestContext,
  changes: Readonly<Record<string, unknown>> | string,
): Promise<LeftLock> {
  const directory = await makeTemporaryDirectory(onTestFinished);
  const held = await openDataDirectory(directory);
  const [name = 'no lock'] = await readdir(directory);
  const lock = join(directory, name);
  const own = holderText.parse(JSON.parse(await readFile(lock, 'utf8')));
  await held.release();
  await writeFile(lock, typeof changes === 'string' ? changes : JSON.stringify({ ...own, ...changes }));
  return { directory, lock };
}

/** Moves the lock's time on as its holder would; the holder's clock may differ from ours. */
async function keepBeating(
  { onTestFinished }: TestContext,
  lock: string,
  clockOffsetSeconds = 0,
): Promise<void> {
  const beat = async (): Promise<void> => {
    const now = Date.now() / 1000 + clockOffsetSeconds;
    await utimes(lock, now, now).catch(() => {});
  };
  await beat();
  const timer = setInterval(beat, 1000);
  onTestFinished(() => clearInterval(timer));
}

/** How long it took to get a directory and give it back. */
async function millisecondsToTake(directory: string): Promise<number> {
  const start = performance.now();
  const held = await openDataDirectory(directory);
  await held.release();
  return performance.now() - start;
}

describe('a lock of this host is judged by its process', () => {
  test('one whose process is gone is taken over at once', async (context) => {
    const gone = await startLineProcess('directory-holder-process.ts');
    await gone.kill();
    const { directory } = await leaveLock(context, { pid: gone.pid });

    context.expect(await millisecondsToTake(directory)).toBeLessThan(3000);
  });

  test('one whose process number belongs to another process by now is taken over at once', async (context) => {
    const other = await startLineProcess('directory-holder-process.ts');
    context.onTestFinished(other.kill);
    const { directory } = await leaveLock(context, { pid: other.pid, startedTick: '1' });

    context.expect(await millisecondsToTake(directory)).toBeLessThan(3000);
  });
});

describe.concurrent('a lock of elsewhere is judged by its heartbeat', () => {
  const elsewhere = [
    ['another host', { host: 'another-host' }],
    ['another container on this host', { pid: 1, namespace: 'pid:[1]' }],
  ] as const;

  test.for(elsewhere)('%s: refused while the heartbeat goes', async ([, changes], context) => {
    const { directory, lock } = await leaveLock(context, changes);
    await keepBeating(context, lock);

    await context.expect(openDataDirectory(directory)).rejects.toThrow(DataDirectoryInUse);
  });

  test.for(elsewhere)('%s: taken over when the heartbeat has stopped', async ([, changes], context) => {
    const { directory } = await leaveLock(context, changes);

    context.expect(await millisecondsToTake(directory)).toBeGreaterThan(2000);
  });

  test('another host whose clock is two minutes behind: refused while the heartbeat goes', async (context) => {
    const { directory, lock } = await leaveLock(context, { host: 'another-host' });
    await keepBeating(context, lock, -120);

    await context.expect(openDataDirectory(directory)).rejects.toThrow(DataDirectoryInUse);
  });

  test.for(['', 'not JSON', '{"pid":"1"}'])(
    'a lock that cannot be read, %j: taken over when nobody keeps it',
    async (text, context) => {
      const { directory } = await leaveLock(context, text);

      context.expect(await millisecondsToTake(directory)).toBeGreaterThan(2000);
    },
  );
});
