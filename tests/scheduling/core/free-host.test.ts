import { describe, expect, test } from 'vitest';
import type { BusyTime } from '../../../src/scheduling/core/slots.ts';
import { isHostFree } from '../../../src/scheduling/core/slots.ts';

const at = (time: string): number => Date.parse(`2026-06-01T${time}Z`);
const none = { beforeBufferMinutes: 0, afterBufferMinutes: 0 };
const time = (start: string, end: string, buffers: Partial<BusyTime> = {}): BusyTime => ({
  start: at(start),
  end: at(end),
  ...none,
  ...buffers,
});
const working = [time('09:15', '12:00'), time('12:00', '13:00'), time('14:00', '17:00')];

describe('a host is free for a time', () => {
  test.each([
    ['that is off the grid of the hours', time('10:07', '11:07')],
    ['at the very beginning of the hours', time('09:15', '10:00')],
    ['at the very end of them', time('16:00', '17:00')],
    ['across two stretches that touch', time('11:30', '12:30')],
    ['whose buffers reach beyond the hours', time('09:15', '10:00', { beforeBufferMinutes: 30 })],
  ])('%s', (_words, wanted) => {
    expect(isHostFree({ id: 1, working, busy: [] }, wanted)).toBe(true);
  });

  test.each([
    ['before the hours', time('09:00', '10:00')],
    ['after them', time('16:30', '17:30')],
    ['across a break', time('12:30', '14:30')],
    ['on a day off', { ...none, start: at('10:00') + 86_400_000, end: at('11:00') + 86_400_000 }],
  ])('but not %s', (_words, wanted) => {
    expect(isHostFree({ id: 1, working, busy: [] }, wanted)).toBe(false);
  });
});
