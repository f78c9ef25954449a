import { expect, onTestFinished, test, vi } from 'vitest';
import { isDatabaseAway } from '../../src/platform/database.ts';
import { grouped } from '../../src/platform/group-commit.ts';

/** Each statement stays under way until it is answered. */
function openLine() {
  const statements: { readonly items: readonly string[]; readonly answer: () => void }[] = [];
  const ask = grouped<string, string>(
    async (items) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      statements.push({ items, answer: resolve });
      await promise;
      return items.map((item) => (item === 'nothing' ? undefined : `answer to ${item}`));
    },
    (item) => item.split(' ')[0] ?? '',
  );
  const itemsOf = (index: number) => expect.poll(() => statements[index]?.items);
  return { ask, statements, itemsOf };
}

/** Nobody waits for its answer, which may never come. */
const leave = (asked: Promise<unknown>): void => void asked.catch(() => {});

test('what arrives while a statement is under way goes together in the next one (ADR 12)', async () => {
  const { ask, statements, itemsOf } = openLine();
  const first = ask('a');
  await itemsOf(0).toEqual(['a']);
  const others = [ask('b'), ask('nothing'), ask('c')];
  statements[0]?.answer();
  await itemsOf(1).toEqual(['b', 'nothing', 'c']);
  statements[1]?.answer();

  expect(await first).toBe('answer to a');
  expect(await Promise.all(others)).toEqual(['answer to b', undefined, 'answer to c']);
});

test('a line of many waits for its turns, and nobody else for it (ADR 12)', async () => {
  const { ask, statements, itemsOf } = openLine();
  leave(ask('busy first'));
  await itemsOf(0).toEqual(['busy first']);
  for (let index = 0; index < 100; index += 1) leave(ask(`busy ${index}`));
  leave(ask('other 1'));
  leave(ask('other 2'));
  statements[0]?.answer();

  await expect.poll(() => statements[1]?.items.length).toBe(64);
  expect(statements[1]?.items.slice(0, 4)).toEqual(['busy 0', 'other 1', 'busy 1', 'other 2']);
});

test('one that fails does not fail its neighbours: each is asked again alone (ADR 12)', async () => {
  const statements: (readonly string[])[] = [];
  const ask = grouped<string, string>(
    async (items) => {
      statements.push(items);
      if (items.includes('faulty')) throw new Error('invalid input');
      return items.map((item) => `answer to ${item}`);
    },
    () => '',
  );

  const answers = await Promise.allSettled(['a', 'faulty', 'b'].map(ask));

  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(statements).toEqual([['a', 'faulty', 'b'], ['a'], ['faulty'], ['b']]);
});

test('while the database is away all fail at once, and nothing is asked again (security C46)', async () => {
  let statements = 0;
  const ask = grouped<string, string>(
    async () => {
      statements += 1;
      throw Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' });
    },
    () => '',
  );

  const answers = await Promise.allSettled(['a', 'b', 'c'].map(ask));

  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(statements).toBe(1);
});

test('after a fault the next one is asked as always', async () => {
  const ask = grouped<string, string>(
    async (items) => {
      if (items.includes('a')) throw Object.assign(new Error('closed'), { code: 'CONNECTION_CLOSED' });
      return items;
    },
    () => '',
  );
  await expect(ask('a')).rejects.toThrow('closed');

  expect(await ask('b')).toBe('b');
});

test('so many can wait; the next one is told to try again, with 503 (contract §4)', async () => {
  const { ask, itemsOf } = openLine();
  leave(ask('first'));
  await itemsOf(0).toEqual(['first']);
  for (let index = 0; index < 2000; index += 1) leave(ask(String(index)));

  const refused = await ask('one more').catch((error: unknown) => error);

  expect(refused).toBeInstanceOf(Error);
  expect(isDatabaseAway(refused)).toBe(true);
});

test('a statement that gets no answer for two seconds gives way to the next one (security C65)', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const ask = grouped<string, string>(
    async (items) => (items.includes('a') ? new Promise<never>(() => {}) : items),
    () => '',
  );
  const waiting = ask('a').catch((error: unknown) => error);
  await new Promise(setImmediate);
  const next = ask('b');
  await vi.advanceTimersByTimeAsync(2000);

  expect(isDatabaseAway(await waiting)).toBe(true);
  expect(await next).toBe('b');
});
