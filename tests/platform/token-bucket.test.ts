import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBucket } from '../../src/platform/limits/buckets.ts';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { nodeRuntime } from '../../src/platform/runtime.ts';

function bucketOf(max: number) {
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z') };
  const limit = createBucket(
    { ...memoryLimits.requests, max },
    { ...nodeRuntime, now: () => new Date(clock.ms) },
  );
  const whose = (key: string, times = 1) => [[key, times]] as const;
  return {
    clock,
    consume: (key: string, amount = 1, times = 1) => limit.take(whose(key, times), amount),
    allows: (key: string, times = 1) => limit.take(whose(key, times)).isAllowed,
    hasRoom: (key: string, amount = 1) => limit.hasRoom(whose(key), amount),
    limit,
  };
}

describe('a limit in memory is a token bucket (limits.md, Rate limits)', () => {
  test('allows so many at once, and then one after each share of a minute', () => {
    const { clock, allows } = bucketOf(60);
    const burst = Array.from({ length: 61 }, () => allows('a'));
    clock.ms += 999;
    const early = allows('a');
    clock.ms += 1;

    expect(burst.indexOf(false)).toBe(60);
    expect([early, allows('a'), allows('a')]).toEqual([false, true, false]);
    expect(allows('b')).toBe(true);
  });

  test('says how many are left, when one more is allowed, and when all are', () => {
    const { clock, consume, hasRoom } = bucketOf(20);

    expect(consume('a', 15)).toEqual({
      isAllowed: true,
      remaining: 5,
      retryAfterSeconds: 0,
      resetSeconds: 45,
    });
    expect(consume('a', 10)).toEqual({
      isAllowed: false,
      remaining: 0,
      retryAfterSeconds: 15,
      resetSeconds: 45,
    });
    clock.ms += 15_000;
    expect(consume('a', 10)).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(hasRoom('a')).toBe(false);
    expect(hasRoom('b')).toBe(true);
  });

  test('never allows more than a full bucket and what has flowed in since', () => {
    const steps = fc.array(fc.record({ waitMs: fc.nat(20_000), calls: fc.nat(50) }), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 4 }),
        steps,
        (max, share, all) => {
          const { clock, allows, consume } = bucketOf(max);
          const startedAt = clock.ms;
          let allowed = 0;
          for (const { waitMs, calls } of all) {
            clock.ms += waitMs;
            for (let call = 0; call < calls; call += 1) if (allows('a', share)) allowed += 1;
            const flowed = ((clock.ms - startedAt) / 60_000) * max * share;
            expect(allowed).toBeLessThanOrEqual(max * share + flowed + 0.01);
          }
          clock.ms += 60_000;
          expect(consume('a', max * share, share).isAllowed).toBe(true);
        },
      ),
    );
  });

  test('is not stuck when the clock goes back', () => {
    const { clock, allows } = bucketOf(1);
    allows('a');
    clock.ms -= 86_400_000;

    expect(allows('a')).toBe(false);
    clock.ms += 60_000;
    expect(allows('a')).toBe(true);
  });

  test('remembers the 10,000 keys that were used last (security C41)', () => {
    const { allows } = bucketOf(1);
    allows('first');
    allows('second');
    for (let key = 0; key < 9998; key += 1) allows(String(key));
    allows('first');
    allows('one more');

    expect([allows('first'), allows('second')]).toEqual([false, true]);
  });

  test('of several around each other takes from all or none, and what is done counts up to twice as much', () => {
    const { clock, limit } = bucketOf(10);
    const inside = (name: string) =>
      [
        [name, 1],
        ['around', 4],
      ] as const;
    const takeAll = (name: string) => Array.from({ length: 12 }, () => limit.take(inside(name)).isAllowed);

    expect(takeAll('one').indexOf(false)).toBe(10);
    expect(['two', 'three', 'four'].flatMap(takeAll).filter(Boolean)).toHaveLength(30);
    expect(limit.take(inside('five'))).toMatchObject({ isAllowed: false, resetSeconds: 0 });

    limit.charge([['done', 1]], 100);
    expect(limit.hasRoom([['done', 1]], 0)).toBe(false);
    clock.ms += 60_000;
    expect(limit.hasRoom([['done', 1]], 0)).toBe(true);
    expect(limit.hasRoom([['done', 1]])).toBe(false);
  });
});
