import { describe, expect, test } from 'vitest';
import type { TakenTime } from '../../../src/scheduling/core/round-robin.ts';
import { isSlotLeft } from '../../../src/scheduling/core/round-robin.ts';

const at = (time: string): number => Date.parse(`2031-06-02T${time}Z`);
const taken = (hostId: number | null, start: string, end: string): TakenTime => ({
  hostId,
  start: at(start),
  end: at(end),
  beforeBufferMinutes: 0,
  afterBufferMinutes: 0,
});
const room = { lengthMinutes: 30, beforeBufferMinutes: 0, afterBufferMinutes: 0 };

test('a reservation takes its host from slots that its buffers reach', () => {
  const buffered = { ...room, beforeBufferMinutes: 5, afterBufferMinutes: 10 };
  const kept = { ...taken(null, '09:20', '09:50'), beforeBufferMinutes: 5, afterBufferMinutes: 10 };
  const isLeft = (time: string): boolean =>
    isSlotLeft({ start: at(time), hostIds: [1] }, buffered, 'any', [kept]);

  expect(['08:35', '08:40', '10:00', '10:05'].map(isLeft)).toEqual([true, false, false, true]);
});

describe('a slot that was free for two is so still', () => {
  const slot = { start: at('10:00'), hostIds: [1, 2] };
  const [kept, booked] = [taken(null, '10:00', '10:30'), taken(1, '10:00', '10:30')];

  test.each<[string, TakenTime[], boolean, boolean]>([
    ['nothing', [], true, true],
    ['a reservation of one of them, whichever', [kept], true, true],
    ['two of those', [kept, kept], false, true],
    ['a booking of the one', [booked], true, false],
    ['a booking and a reservation', [booked, kept], false, false],
    ['bookings of both', [booked, { ...booked, hostId: 2 }], false, false],
    ['a reservation of another time', [taken(null, '10:30', '11:00'), kept], true, true],
  ])('after %s: for one of them %j, for both together %j', (_words, times, forOne, forBoth) => {
    expect(isSlotLeft(slot, room, 'any', times)).toBe(forOne);
    expect(isSlotLeft(slot, room, 'collective', times)).toBe(forBoth);
  });
});
