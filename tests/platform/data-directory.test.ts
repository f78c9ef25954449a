import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DataDirectoryInUse, openDataDirectory } from '../../src/platform/data-directory.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { type LineProcess, startLineProcess } from './line-process.ts';

async function startHolder(): Promise<LineProcess> {
  const holder = await startLineProcess('directory-holder-process.ts');
  onTestFinished(holder.kill);
  return holder;
}

test('a missing DATA_DIR is made, for its owner alone (contract §1)', async () => {
  const directory = join(await makeTemporaryDirectory(), 'new', 'data');

  const held = openDataDirectory(directory);
  onTestFinished(held.release);

  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  expect(held.databasePath).toBe(join(directory, 'database'));
});

test('a second process is refused, and told which one holds DATA_DIR (architecture §3)', async () => {
  const directory = await makeTemporaryDirectory();
  const holder = await startHolder();
  await holder.ask(directory);

  const open = () => openDataDirectory(directory);

  expect(open).toThrow(DataDirectoryInUse);
  expect(open).toThrow(`process ${holder.pid}`);
});

test('the same process is refused a second time', async () => {
  const directory = await makeTemporaryDirectory();
  const held = openDataDirectory(directory);
  onTestFinished(held.release);

  expect(() => openDataDirectory(directory)).toThrow(DataDirectoryInUse);
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

test('an orderly end releases DATA_DIR immediately', async () => {
  const directory = await makeTemporaryDirectory();
  const holder = await startHolder();
  await holder.ask(directory);
  await holder.close();
  const next = await startHolder();

  expect(await next.ask(directory)).toBe('held');
});

test('releasing twice takes nothing away from the process that holds DATA_DIR by then', async () => {
  const directory = await makeTemporaryDirectory();
  const first = openDataDirectory(directory);
  first.release();
  const holder = await startHolder();
  expect(await holder.ask(directory)).toBe('held');

  first.release();

  expect(() => openDataDirectory(directory)).toThrow(DataDirectoryInUse);
});
