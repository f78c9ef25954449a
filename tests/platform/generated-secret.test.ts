import { link, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadGeneratedSecret } from '../../src/platform/data-directory.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { startLineProcess } from './line-process.ts';

test('the secret is made in DATA_DIR with 32 random bytes, for its owner alone (contract §1, SECRET)', async () => {
  const directory = join(await makeTemporaryDirectory(), 'data');

  const secret = await loadGeneratedSecret(directory);

  expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
  expect(await readdir(directory)).toEqual(['secret']);
  expect((await stat(join(directory, 'secret'))).mode & 0o777).toBe(0o600);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test('the secret is made once: every later start reads the same', async () => {
  const directory = await makeTemporaryDirectory();
  const first = await loadGeneratedSecret(directory);

  expect(await loadGeneratedSecret(directory)).toBe(first);
  expect((await readFile(join(directory, 'secret'), 'utf8')).trim()).toBe(first);
});

test('an operator may put the secret there', async () => {
  const directory = await makeTemporaryDirectory();
  await writeFile(join(directory, 'secret'), `${'k'.repeat(40)}\n`);

  expect(await loadGeneratedSecret(directory)).toBe('k'.repeat(40));
});

test('a secret that is too short stops the start, and is not shown', async () => {
  const directory = await makeTemporaryDirectory();
  await writeFile(join(directory, 'secret'), 'canary');

  const fault = await loadGeneratedSecret(directory).catch((error: unknown) => error);

  expect(String(fault)).toContain('SECRET');
  expect(String(fault)).not.toContain('canary');
});

test('processes that start at the same time agree on one secret', async () => {
  const parent = await makeTemporaryDirectory();
  const processes = await Promise.all(
    Array.from({ length: 6 }, () => startLineProcess('secret-loader-process.ts')),
  );
  onTestFinished(() => Promise.all(processes.map((process) => process.kill())).then(() => {}));
  const distinct: number[] = [];

  for (let round = 0; round < 20; round += 1) {
    const directory = join(parent, `${round}`);
    await mkdir(directory);
    const secrets = await Promise.all(processes.map((process) => process.ask(directory)));
    distinct.push(new Set([...secrets, await loadGeneratedSecret(directory)]).size);
  }

  expect(distinct).toEqual(distinct.map(() => 1));
});

test('a start that was killed half way does not change the secret of the next one with its process number', async () => {
  const directory = await makeTemporaryDirectory();
  const secret = await loadGeneratedSecret(directory);
  // Killed after it linked its draft into place and before it removed it; in a container the number is always the same.
  await link(join(directory, 'secret'), join(directory, `secret.${process.pid}`));

  expect(await loadGeneratedSecret(directory)).toBe(secret);
});
