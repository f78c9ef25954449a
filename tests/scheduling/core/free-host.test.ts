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

describe('what is taken', () => {
  const wanted = (buffers: Partial<BusyTime> = {}) => time('10:00', '11:00', buffers);

  test.each([
    ['before it', time('09:30', '10:00'), wanted()],
    ['after it', time('11:00', '11:30'), wanted()],
    ['as far before as its buffer', time('09:30', '09:45'), wanted({ beforeBufferMinutes: 15 })],
    [
      'with a buffer just as long as the time between',
      time('11:15', '11:30', { beforeBufferMinutes: 15 }),
      wanted(),
    ],
  ])('%s leaves the host free', (_words, busy, asked) => {
    expect(isHostFree({ id: 1, working, busy: [busy] }, asked)).toBe(true);
  });

  test.each([
    ['in its second half', time('10:30', '11:00'), wanted()],
    ['around it', time('09:00', '12:00'), wanted()],
    [
      'as far as one buffer, but not both',
      time('09:15', '09:45', { afterBufferMinutes: 15 }),
      wanted({ beforeBufferMinutes: 15 }),
    ],
    ['nearer than its buffer before', time('09:30', '09:46'), wanted({ beforeBufferMinutes: 15 })],
    ['nearer than its buffer after', time('11:14', '11:30'), wanted({ afterBufferMinutes: 15 })],
    ['with a buffer that reaches into it', time('11:14', '11:30', { beforeBufferMinutes: 15 }), wanted()],
    [
      'with a buffer after that reaches into it',
      time('09:30', '09:46', { afterBufferMinutes: 15 }),
      wanted(),
    ],
  ])('%s does not', (_words, busy, asked) => {
    expect(isHostFree({ id: 1, working, busy: [busy] }, asked)).toBe(false);
  });
});
