import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createQueue } from '../../src/platform/queue/in-memory.ts';

/** A queue whose work is finished by hand, and who has begun. */
function openQueue(bounds: Partial<Parameters<typeof createQueue>[0]> = {}) {
  const queue = createQueue({ ofKey: 1, ofAround: 1, ofAll: 1, maxWaitingOfKey: 9, ...bounds });
  const begun: string[] = [];
  const left: string[] = [];
  const ends: (() => void)[] = [];
  const keysOf = (network: string) => {
    const [key = '', around = key] = network.split(' ');
    return [key, around] as const;
  };
  const ask = (name: string, network: string, signal?: AbortSignal): void => {
    const work = (): Promise<void> => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    };
    queue.add(keysOf(network), work, signal).catch(() => left.push(name));
  };
  const finishAll = async (): Promise<void> => {
    for (let turn = 0; turn < 60; turn += 1) {
      ends.shift()?.();
      await nextTurn();
    }
  };
  return { ask, begun, left, finishAll, isFull: (network: string) => queue.isFull(keysOf(network)) };
}

test('keys take turns, however many one of them sends', async () => {
  const { ask, begun, finishAll } = openQueue();
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, 'a');
  for (const name of ['b1', 'b2']) ask(name, 'b');
  ask('c1', 'c');

  await finishAll();

  expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
});

test('keys within a wide one take turns, and so do the wide ones', async () => {
  const { ask, begun, finishAll } = openQueue();
  for (const name of ['a1', 'a2', 'a3']) ask(`flood ${name}`, `${name} wide`);
  for (const name of ['1', '2']) ask(`neighbour ${name}`, 'neighbour wide');
  ask('elsewhere', 'own other');

  await finishAll();

  expect(begun.indexOf('elsewhere')).toBe(1);
  expect(begun.indexOf('neighbour 1')).toBeLessThan(5);
});

test('a key may have so many waiting, and so many keys in a line, and there is room again afterwards', async () => {
  const { ask, finishAll, isFull } = openQueue({ maxWaitingOfKey: 2, maxWaiting: 3 });
  for (const name of ['a1', 'a2', 'a3']) ask(name, 'a');
  expect([isFull('a'), isFull('b')]).toEqual([true, false]);
  for (const key of ['1', '2', '3', '4']) ask(key, `${key} wide`);
  expect([isFull('5 wide'), isFull('b')]).toEqual([true, false]);
  for (const key of ['b', 'c', 'd']) ask(key, key);
  await nextTurn();
  expect(isFull('e')).toBe(true);

  await finishAll();

  expect([isFull('a'), isFull('5 wide'), isFull('e')]).toEqual([false, false, false]);
});

test('a caller who has left is passed over, and what runs keeps its place', async () => {
  const { ask, begun, left, finishAll } = openQueue();
  const leaving = new AbortController();
  ask('a', 'a', leaving.signal);
  ask('b', 'b', leaving.signal);
  ask('c', 'c');
  await nextTurn();
  leaving.abort();
  await nextTurn();
  expect(begun).toEqual(['a']);

  await finishAll();

  expect([begun, left]).toEqual([['a', 'c'], ['b']]);
});
