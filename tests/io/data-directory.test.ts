import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DataDirectoryInUse, openDataDirectory } from '../../src/io/data-directory.ts';
import { type LineProcess, startLineProcess } from '../support/line-process.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

async function startHolder(): Promise<LineProcess> {
  const holder = await startLineProcess('directory-holder-process.ts');
  onTestFinished(holder.kill);
  return holder;
}

test('a missing DATA_DIR is made, for its owner alone (contract §1)', async () => {
  const directory = join(await makeTemporaryDirectory(), 'new', 'data');

  const held = await openDataDirectory(directory);
  onTestFinished(held.release);

  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect(held.databasePath).toBe(join(directory, 'database'));
});

test('a second process is refused, and told which one holds DATA_DIR (design §3)', async () => {
  const directory = await makeTemporaryDirectory();
  const holder = await startHolder();
  await holder.ask(directory);

  const second = openDataDirectory(directory);

  await expect(second).rejects.toThrow(DataDirectoryInUse);
  await expect(second).rejects.toThrow(`process ${holder.pid}`);
});

test('the same process is refused a second time', async () => {
  const directory = await makeTemporaryDirectory();
  const held = await openDataDirectory(directory);
  onTestFinished(held.release);

  await expect(openDataDirectory(directory)).rejects.toThrow(DataDirectoryInUse);
});

test('a refused process leaves the lock alone: a third one is refused too', async () => {
  const directory = await makeTemporaryDirectory();
  const holder = await startHolder();
  const second = await startHolder();
  const third = await startHolder();
  await holder.ask(directory);
  await second.ask(directory);
  await second.close();

  expect(await third.ask(directory)).toBe('DataDirectoryInUse');
});

test('an orderly end releases DATA_DIR at once', async () => {
  const directory = await makeTemporaryDirectory();
  const holder = await startHolder();
  await holder.ask(directory);
  await holder.close();
  const next = await startHolder();

  expect(await next.ask(directory)).toBe('held');
});

test('after kill -9 the next process takes DATA_DIR over at once (check C49)', async () => {
  const directory = await makeTemporaryDirectory();
  const killed = await startHolder();
  await killed.ask(directory);
  await killed.kill();
  const next = await startHolder();
  const start = performance.now();

  expect(await next.ask(directory)).toBe('held');
  expect(performance.now() - start).toBeLessThan(3000);
});

test('releasing twice takes nothing away from the process that holds DATA_DIR by then', async () => {
  const directory = await makeTemporaryDirectory();
  const first = await openDataDirectory(directory);
  await first.release();
  const holder = await startHolder();
  expect(await holder.ask(directory)).toBe('held');

  await first.release();

  await expect(openDataDirectory(directory)).rejects.toThrow(DataDirectoryInUse);
});

test('a process that slept through its takeover notices, and must not go on (check C49)', async () => {
  const directory = await makeTemporaryDirectory();
  const { promise: lost, resolve } = Promise.withResolvers<string>();
  const held = await openDataDirectory(directory, resolve);
  const [name = ''] = (await readdir(directory)).filter((file) => file.includes('lock'));
  const next = name.replace(/\d+$/, (number) => String(Number(number) + 1));

  await writeFile(join(directory, next), 'the lock of a process elsewhere');
  await rm(join(directory, name));

  expect(await lost).toBe(directory);
  await held.release();
  expect(await readdir(directory)).toEqual([next]);
});
