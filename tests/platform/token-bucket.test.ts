import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createBucket } from '../../src/platform/rate-limits/in-memory.ts';
import { nodeRuntime } from '../../src/platform/runtime.ts';

function bucketOf(max: number) {
  const clock = { ms: Date.parse('2026-01-01T00:00:00Z') };
  return { clock, limit: createBucket({ max }, { ...nodeRuntime, now: () => new Date(clock.ms) }) };
}

describe('a limit in memory is a token bucket (limits.md, Rate limits)', () => {
  test('allows so many at once, and then one after each share of a minute', () => {
    const { clock, limit } = bucketOf(60);
    const burst = Array.from({ length: 61 }, () => limit.allows('a'));
    clock.ms += 999;
    const early = limit.allows('a');
    clock.ms += 1;

    expect(burst.indexOf(false)).toBe(60);
    expect([early, limit.allows('a'), limit.allows('a')]).toEqual([false, true, false]);
    expect(limit.allows('b')).toBe(true);
  });

  test('says how many are left, when one more is allowed, and when all are', () => {
    const { clock, limit } = bucketOf(20);

    expect(limit.consume('a', { amount: 15 })).toEqual({
      isAllowed: true,
      remaining: 5,
      retryAfterSeconds: 0,
      resetSeconds: 45,
    });
    expect(limit.consume('a', { amount: 10 })).toEqual({
      isAllowed: false,
      remaining: 5,
      retryAfterSeconds: 15,
      resetSeconds: 45,
    });
    clock.ms += 15_000;
    expect(limit.consume('a', { amount: 10 })).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(limit.isReached('a')).toBe(true);
    expect(limit.isReached('b')).toBe(false);
  });

  test('never allows more than a full bucket and what has flowed in since', () => {
    const steps = fc.array(fc.record({ waitMs: fc.nat(20_000), calls: fc.nat(50) }), { maxLength: 40 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 4 }),
        steps,
        (max, share, all) => {
          const { clock, limit } = bucketOf(max);
          const startedAt = clock.ms;
          let allowed = 0;
          for (const { waitMs, calls } of all) {
            clock.ms += waitMs;
            for (let call = 0; call < calls; call += 1) if (limit.allows('a', { share })) allowed += 1;
            const flowed = ((clock.ms - startedAt) / 60_000) * max * share;
            expect(allowed).toBeLessThanOrEqual(max * share + flowed + 0.01);
          }
          clock.ms += 60_000;
          expect(limit.consume('a', { share, amount: max * share }).isAllowed).toBe(true);
        },
      ),
    );
  });

  test('is not stuck when the clock goes back', () => {
    const { clock, limit } = bucketOf(1);
    limit.allows('a');
    clock.ms -= 86_400_000;

    expect(limit.allows('a')).toBe(false);
    clock.ms += 60_000;
    expect(limit.allows('a')).toBe(true);
  });

  test('remembers the 10,000 keys that were used last (security C41)', () => {
    const { limit } = bucketOf(1);
    limit.allows('first');
    limit.allows('second');
    for (let key = 0; key < 9998; key += 1) limit.allows(String(key));
    limit.allows('first');
    limit.allows('one more');

    expect([limit.allows('first'), limit.allows('second')]).toEqual([false, true]);
  });
});
