import { expect, test } from 'vitest';
import { createPasswordQueue, type PasswordClient } from '../../src/accounts/passwords/queue.ts';

/** A queue whose work is finished by hand, and what has become of each asker. */
function openQueue(maxWaiting: number, ...maxOfNetwork: readonly number[]) {
  const inTurn = createPasswordQueue({ concurrency: 1, maxWaiting, maxOfNetwork });
  const begun: string[] = [];
  const refused: string[] = [];
  let finish = (): void => undefined;
  const ask = (name: string, network: string, more: Partial<PasswordClient> = {}): void => {
    const work = (): Promise<void> => {
      begun.push(name);
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    void inTurn({ networks: network.split(' '), ...more }, work).catch(({ name: reason }: Error) =>
      refused.push(`${name}: ${reason}`),
    );
  };
  const finishAll = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn += 1) {
      finish();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { ask, begun, refused, finishAll };
}

test('networks take turns, however many one of them sends', async () => {
  const { ask, begun, finishAll } = openQueue(20, 10);
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5']) ask(name, 'a');
  for (const name of ['b1', 'b2']) ask(name, 'b');
  ask('c1', 'c');

  await finishAll();

  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4', 'a5']);
});

test('a network may have so many waiting and no more, and has room again afterwards', async () => {
  const { ask, begun, refused, finishAll } = openQueue(20, 2);
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(name, 'a');
  ask('b1', 'b');
  await finishAll();
  ask('a5', 'a');
  await finishAll();

  expect(refused).toEqual(['a4: TooManyOfOneNetwork']);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a5']);
});

test('in a full queue the longest line makes room for a network that has none', async () => {
  const { ask, begun, refused, finishAll } = openQueue(4, 3);
  for (const name of ['a0', 'a1', 'a2', 'a3']) ask(name, 'a');
  ask('b1', 'b');
  ask('c1', 'c');
  await finishAll();

  expect(refused).toEqual(['a3: TooManyPasswords']);
  expect(begun).toEqual(['a0', 'a1', 'b1', 'c1', 'a2']);
});

test('a full queue of lines that are all as short refuses the next caller', async () => {
  const { ask, begun, refused, finishAll } = openQueue(2, 3);
  for (const network of ['a', 'b', 'c', 'd']) ask(network, network);
  await finishAll();

  expect(refused).toEqual(['d: TooManyPasswords']);
  expect(begun).toEqual(['a', 'b', 'c']);
});

test('networks within a wide one take turns, and so do the wide ones (security C56)', async () => {
  const { ask, begun, finishAll } = openQueue(20, 20, 20);
  ask('first', 'z z');
  for (const name of ['a1', 'a2', 'a3']) ask(`flood ${name}`, `wide ${name}`);
  for (const name of ['1', '2']) ask(`neighbour ${name}`, 'wide neighbour');
  ask('elsewhere', 'other own');

  await finishAll();

  expect(begun).toEqual([
    ...['first', 'flood a1', 'elsewhere', 'flood a2', 'flood a3', 'neighbour 1', 'neighbour 2'],
  ]);
});

test('a wide network has a share of the places, and makes room in a full queue', async () => {
  const { ask, refused, finishAll } = openQueue(4, 3, 2);
  ask('first', 'z z');
  for (const name of ['1', '2', '3', '4']) ask(`a${name}`, `a ${name}`);
  ask('b1', 'b 1');
  ask('c1', 'c 1');
  await finishAll();

  expect(refused).toEqual(['a4: TooManyPasswords', 'a3: TooManyPasswords']);
});

test('in a full queue of one wide network its longest line makes room', async () => {
  const { ask, refused, finishAll } = openQueue(3, 4, 3);
  ask('first', 'z z');
  for (const name of ['1', '2', '3']) ask(`flood ${name}`, 'a flood');
  ask('neighbour', 'a neighbour');
  await finishAll();

  expect(refused).toEqual(['flood 3: TooManyPasswords']);
});

test('known browsers have places of their own, and every other turn', async () => {
  const { ask, begun, refused, finishAll } = openQueue(2, 9);
  for (const name of ['1', '2', '3', '4']) ask(`stranger ${name}`, `network-${name}`);
  for (const name of ['1', '2', '3']) ask(`known ${name}`, `network-${name}`, { isKnown: true });
  await finishAll();

  expect(refused).toEqual(['stranger 4: TooManyPasswords', 'known 3: TooManyPasswords']);
  expect(begun).toEqual(['stranger 1', 'stranger 2', 'known 1', 'stranger 3', 'known 2']);
});

test('a caller who has left is passed over', async () => {
  const { ask, begun, refused, finishAll } = openQueue(9, 9);
  const leaving = new AbortController();
  ask('a', 'a');
  ask('b', 'b', { signal: leaving.signal });
  ask('c', 'c');
  leaving.abort();
  await finishAll();

  expect(refused).toEqual(['b: ClientLeft']);
  expect(begun).toEqual(['a', 'c']);
});
