import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';
import { type LineProcess, startLineProcess } from './line-process.ts';

const processCount = 8;
const rounds = 60;
const churnCount = z.object({ alone: z.number(), together: z.number() });
const holders: LineProcess[] = [];
beforeAll(async () => {
  holders.push(
    ...(await Promise.all(
      Array.from({ length: processCount }, () => startLineProcess('directory-holder-process.ts')),
    )),
  );
});
afterAll(() => Promise.all(holders.map((holder) => holder.kill())));

/** A DATA_DIR as a killed process leaves it. */
async function makeLeftDirectory(): Promise<string> {
  const directory = await makeTemporaryDirectory();
  const killed = await startLineProcess('directory-holder-process.ts');
  await killed.ask(directory);
  await killed.kill();
  return directory;
}

async function countWinners(directory: string): Promise<number> {
  const answers = await Promise.all(holders.map((holder) => holder.ask(directory)));
  return answers.filter((answer) => answer === 'held').length;
}

test('of many processes that start at the same time on a new DATA_DIR exactly one gets it (architecture §3)', async () => {
  const parent = await makeTemporaryDirectory();
  const winners: number[] = [];

  for (let round = 0; round < rounds; round += 1) winners.push(await countWinners(join(parent, `${round}`)));

  expect(winners).toEqual(winners.map(() => 1));
});

test('of many processes that start at the same time after a kill -9 exactly one gets DATA_DIR (security C49)', async () => {
  const parent = await makeTemporaryDirectory();
  const left = await makeLeftDirectory();
  const winners: number[] = [];

  for (let round = 0; round < rounds; round += 1) {
    const directory = join(parent, `${round}`);
    await cp(left, directory, { recursive: true });
    winners.push(await countWinners(directory));
  }

  expect(winners).toEqual(winners.map(() => 1));
});

test('processes that take and release DATA_DIR again and again never hold it together', async () => {
  const directory = await makeTemporaryDirectory();
  const processes = await Promise.all(
    Array.from({ length: processCount }, () => startLineProcess('directory-churn-process.ts')),
  );
  onTestFinished(() => Promise.all(processes.map((process) => process.kill())).then(() => {}));

  const answers = await Promise.all(processes.map((process) => process.ask(directory)));

  const counts = answers.map((answer) => churnCount.parse(JSON.parse(answer)));
  expect(counts.reduce((sum, { alone }) => sum + alone, 0)).toBeGreaterThan(processCount);
  expect(counts.reduce((sum, { together }) => sum + together, 0)).toBe(0);
});
