import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  containsInterval,
  type Interval,
  intersectIntervals,
  mergeIntervals,
  overlapsAny,
} from '../../../src/scheduling/core/interval.ts';

const span = 60;
const interval = fc
  .tuple(fc.integer({ min: 0, max: span }), fc.integer({ min: 0, max: 12 }))
  .map(([start, length]): Interval => ({ start, end: start + length }));
const intervals = fc.array(interval, { maxLength: 12 });

/** The same as a set of moments, which needs no cleverness. */
function momentsOf(many: readonly Interval[]): number[] {
  const moments = new Set<number>();
  for (const { start, end } of many) for (let at = start; at < end; at += 1) moments.add(at);
  return [...moments].toSorted((a, b) => a - b);
}

describe('merged intervals', () => {
  test('cover the same time', () => {
    fc.assert(
      fc.property(intervals, (many) => {
        expect(momentsOf(mergeIntervals(many))).toEqual(momentsOf(many));
      }),
    );
  });

  test('are sorted, not empty, and do not touch', () => {
    fc.assert(
      fc.property(intervals, (many) => {
        const merged = mergeIntervals(many);
        expect(merged.every(({ start, end }) => start < end)).toBe(true);
        expect(merged.every(({ start }, index) => start > (merged[index - 1]?.end ?? -1))).toBe(true);
      }),
    );
  });

  test('hold an interval exactly if they hold each of its moments', () => {
    fc.assert(
      fc.property(intervals, interval, (many, inner) => {
        fc.pre(inner.start < inner.end);
        const held = new Set(momentsOf(many));
        expect(containsInterval(mergeIntervals(many), inner)).toBe(
          momentsOf([inner]).every((moment) => held.has(moment)),
        );
      }),
    );
  });

  test('overlap an interval exactly if they share a moment', () => {
    fc.assert(
      fc.property(intervals, interval, (many, wanted) => {
        fc.pre(wanted.start < wanted.end);
        const held = new Set(momentsOf(many));
        expect(overlapsAny(mergeIntervals(many), wanted)).toBe(
          momentsOf([wanted]).some((moment) => held.has(moment)),
        );
      }),
    );
  });
});

test('the intersection is the time that both have, in pieces that are not empty', () => {
  fc.assert(
    fc.property(intervals, intervals, (one, other) => {
      const held = new Set(momentsOf(other));
      const common = intersectIntervals(mergeIntervals(one), mergeIntervals(other));
      expect(momentsOf(common)).toEqual(momentsOf(one).filter((moment) => held.has(moment)));
      expect(common.every(({ start, end }) => start < end)).toBe(true);
    }),
  );
});

test('pieces that touch stay apart in an intersection', () => {
  const days = [
    { start: 0, end: 10 },
    { start: 10, end: 20 },
  ];

  expect(intersectIntervals(days, [{ start: 5, end: 15 }])).toEqual([
    { start: 5, end: 10 },
    { start: 10, end: 15 },
  ]);
});
