import fc from 'fast-check';
import { expect, test } from 'vitest';
import { accessTokenSeconds } from '../../src/oauth/core/access-token.ts';
import {
  decideKeyStates,
  keyLifetimeSeconds,
  keyMarginSeconds,
  type ScheduledKey,
} from '../../src/oauth/core/key-rotation.ts';
import { jwksCacheSeconds } from '../../src/oauth/http/metadata.ts';
import { noon, secondsAfter } from '../support/core-builders.ts';

const day = 86_400;
const first = { id: 'first', activeAt: noon };
const second = { id: 'second', activeAt: secondsAfter(noon, 90 * day) };

/**
 * The states in words: what signs, what is published, what is gone, and from when on a next key is
 * wanted.
 */
function statesAt(seconds: number, keys: readonly ScheduledKey[]) {
  const now = secondsAfter(noon, seconds);
  const { active, published, gone, wantedAt } = decideKeyStates(keys, now);
  return {
    active: active?.id,
    published: published.map(({ id }) => id),
    gone: gone.map(({ id }) => id),
    wantedIn: wantedAt === undefined ? undefined : (wantedAt.getTime() - noon.getTime()) / 1000,
  };
}

test('a key signs for 90 days, and is published a day longer than anything needs it (architecture §2)', () => {
  expect(keyLifetimeSeconds).toBe(90 * day);
  expect(keyMarginSeconds).toBe(day);
  expect(jwksCacheSeconds).toBeLessThan(keyMarginSeconds);
});

test('an empty keyring wants a key immediately (architecture §2)', () => {
  expect(statesAt(0, [])).toEqual({ active: undefined, published: [], gone: [], wantedIn: 0 });
});

test.each([
  [0, undefined],
  [1, undefined],
  [89 * day - 0.001, undefined],
  [89 * day, 90 * day],
  [89 * day + 1, 90 * day + 1],
  [90 * day, 91 * day],
  [400 * day, 401 * day],
])(
  'a lone key, %d s after it began, signs; the next is wanted at %s, a day ahead at least (architecture §2)',
  (seconds, wantedIn) => {
    expect(statesAt(seconds, [first])).toEqual({ active: 'first', published: ['first'], gone: [], wantedIn });
  },
);

const end = 90 * day;

test.each([
  ['the next is published, the first signs', end - day, 'first', ['second', 'first'], []],
  ['the last moment of the first', end - 0.001, 'first', ['second', 'first'], []],
  ['the second signs, the first is retiring', end, 'second', ['second', 'first'], []],
  ['a token of the first may still live', end + accessTokenSeconds, 'second', ['second', 'first'], []],
  [
    'a cache may still know the first alone',
    end + accessTokenSeconds + day,
    'second',
    ['second', 'first'],
    [],
  ],
  ['the first is gone', end + accessTokenSeconds + day + 0.001, 'second', ['second'], ['first']],
] as const)('next, active, retiring, gone: %s (architecture §2)', (_, seconds, active, published, gone) => {
  expect(statesAt(seconds, [first, second])).toEqual({ active, published, gone, wantedIn: undefined });
});

test('the order in which keys are stored means nothing (architecture §2)', () => {
  expect(statesAt(end, [second, first])).toEqual(statesAt(end, [first, second]));
});

test('with a key to come, no further one is wanted, however late (architecture §2)', () => {
  const late = { id: 'late', activeAt: secondsAfter(noon, 400 * day) };

  expect(statesAt(399 * day, [first, late]).wantedIn).toBeUndefined();
});

test('where a clock is behind all keys, the first of them signs, and no other is made (architecture §2)', () => {
  expect(statesAt(-1, [first, second])).toEqual({
    active: 'first',
    published: ['second', 'first'],
    gone: [],
    wantedIn: undefined,
  });
});

test('of two keys that begin at the same time every instance picks the same one (architecture §2)', () => {
  const twin = { id: 'another', activeAt: noon };

  expect(statesAt(1, [first, twin]).active).toBe('another');
  expect(statesAt(1, [twin, first]).active).toBe('another');
});

test('after years, only the newest of many keys is left, and nothing that signs is gone (architecture §2)', () => {
  const keys = [0, 1, 2, 3].map((index) => ({
    id: `key-${index}`,
    activeAt: secondsAfter(noon, index * end),
  }));

  expect(statesAt(3 * end + 5 * day, keys)).toEqual({
    active: 'key-3',
    published: ['key-3'],
    gone: ['key-2', 'key-1', 'key-0'],
    wantedIn: undefined,
  });
});

test('a key that is looked after at least every twelve hours is published a day before it signs, and until its last token died (architecture §2)', () => {
  const hour = 3600;
  fc.assert(
    fc.property(fc.integer({ min: hour, max: 12 * hour }), (step) => {
      let keys: readonly ScheduledKey[] = [];
      const madeAt = new Map<string, number>();
      const lastSignedAt = new Map<string, number>();
      for (let seconds = 0; seconds < 300 * day; seconds += step) {
        const now = secondsAfter(noon, seconds);
        const { gone, wantedAt } = decideKeyStates(keys, now);
        for (const { id } of gone) {
          expect(seconds - (lastSignedAt.get(id) ?? 0)).toBeGreaterThan(
            accessTokenSeconds + keyMarginSeconds,
          );
        }
        keys = keys.filter((key) => !gone.includes(key));
        if (wantedAt !== undefined) {
          const id = `made-at-${seconds}`;
          keys = [...keys, { id, activeAt: wantedAt }];
          madeAt.set(id, seconds);
        }
        const { active } = decideKeyStates(keys, now);
        if (active === undefined) throw new Error('there is always a key that signs');
        if (!lastSignedAt.has(active.id) && seconds > 0) {
          expect(seconds - (madeAt.get(active.id) ?? seconds)).toBeGreaterThanOrEqual(keyMarginSeconds);
        }
        lastSignedAt.set(active.id, seconds);
      }

      expect(madeAt.size).toBe(4);
    }),
    { numRuns: 10 },
  );
});
