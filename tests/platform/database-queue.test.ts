import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';

interface Queue {
  push(item: number): number;
  shift(): number | undefined;
  remove(item: number): number | null;
  readonly length: number;
}

/** The driver's queue of free connections, busy ones, and waiting statements isn't exported. */
const path = new URL('../../node_modules/postgres/src/queue.js', import.meta.url).pathname;
const { default: createQueue }: { readonly default: () => Queue } = await import(path);

function liveMegabytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test('the driver’s queues keep nothing of what went through them (security C68)', () => {
  const queue = createQueue();
  queue.push(0);
  const before = liveMegabytes();
  for (let item = 1; item <= 2_000_000; item += 1) {
    queue.push(item);
    queue.shift();
  }

  expect(liveMegabytes() - before).toBeLessThan(4);
  expect(queue.length).toBe(1);
  expect(queue.remove(2_000_000)).toBe(2_000_000);
  expect(queue.shift()).toBeUndefined();
});
