import { describe, expect, test } from 'vitest';
import {
  chooseHosts,
  isSlotLeft,
  nextBookedAt,
  stillFree,
  type TakenTime,
} from '../../../src/scheduling/core/round-robin.ts';

const at = (time: string): number => Date.parse(`2031-06-02T${time}Z`);
const on = (day: number) => new Date(Date.UTC(2031, 5, day));
const taken = (hostId: number | null, start: string, end: string, before = 0, after = 0): TakenTime => ({
  hostId,
  start: at(start) - before * 60_000,
  end: at(end) + after * 60_000,
});
const event = { start: at('10:00'), end: at('10:30'), beforeBufferMinutes: 0, afterBufferMinutes: 0 };

describe('who is still free at ten for half an hour', () => {
  test.each<[string, TakenTime[], number[]]>([
    ['nothing is taken', [], [1, 2]],
    ['the time of one is', [taken(1, '10:15', '11:00')], [2]],
    ['bookings touch it', [taken(1, '09:30', '10:00'), taken(2, '10:30', '11:00')], [1, 2]],
    ['a booking’s buffer reaches into it', [taken(1, '09:00', '09:30', 0, 31)], [2]],
    ['a later booking’s buffer does', [taken(2, '11:00', '12:00', 31, 0)], [1]],
    ['a buffer just touches it', [taken(1, '09:00', '09:30', 0, 30)], [1, 2]],
    ['another host’s time is taken', [taken(3, '10:00', '10:30')], [1, 2]],
    ['nobody knows whose time is kept', [taken(null, '10:00', '10:30')], [1, 2]],
  ])('when %s', (_words, times, free) => {
    expect(stillFree([1, 2], event, times)).toEqual(free);
  });

  test('its own buffers keep it away from what is taken', () => {
    const wide = { ...event, beforeBufferMinutes: 15, afterBufferMinutes: 45 };

    expect(stillFree([1], wide, [taken(1, '09:00', '09:46')])).toEqual([]);
    expect(stillFree([1], wide, [taken(1, '09:00', '09:45')])).toEqual([1]);
    expect(stillFree([1], wide, [taken(1, '11:14', '12:00')])).toEqual([]);
    expect(stillFree([1], wide, [taken(1, '11:15', '12:00')])).toEqual([1]);
  });
});

describe('who hosts a booking', () => {
  const candidates = [
    { id: 1, lastBookedAt: on(3) },
    { id: 2, lastBookedAt: on(1) },
    { id: 3, lastBookedAt: null },
  ];
  const turns = { takesTurns: true, hostIds: [1, 2, 3], preferred: [] };

  test.each<[string, number[], number[], number[] | undefined]>([
    ['the host who was never booked', [1, 2, 3], [], [3]],
    ['else the host who was booked least recently', [1, 2], [], [2]],
    ['of those who are free alone', [1], [], [1]],
    ['who is preferred comes first', [1, 2, 3], [1], [1]],
    ['unless their time is taken', [1, 2], [3], [2]],
    ['nobody when nobody is free', [], [1], undefined],
  ])('in turns: %s', (_words, free, preferred, chosen) => {
    expect(chooseHosts({ ...turns, preferred }, free, candidates)).toEqual(chosen);
  });

  test('together: all, or nobody when one is missing', () => {
    const together = { takesTurns: false, hostIds: [1, 2], preferred: [] };

    expect(chooseHosts(together, [1, 2], [])).toEqual([1, 2]);
    expect(chooseHosts(together, [2], [])).toBeUndefined();
  });
});

test.each<[string, (Date | null)[], Date]>([
  ['now, when nobody was booked before', [null, null], on(5)],
  ['now, when the others were booked before', [on(3), on(4)], on(5)],
  ['after another one of the same millisecond', [on(5), on(4)], new Date(on(5).getTime() + 1)],
  ['after another one whom a faster clock booked', [null, on(6)], new Date(on(6).getTime() + 1)],
])('a host’s turn is told to be %s', (_words, booked, turn) => {
  const candidates = booked.map((lastBookedAt, id) => ({ id, lastBookedAt }));

  expect(nextBookedAt(candidates, on(5))).toEqual(turn);
});

const room = { lengthMinutes: 30, beforeBufferMinutes: 0, afterBufferMinutes: 0 };

test('a reservation takes its host from slots that its buffers reach', () => {
  const buffered = { ...room, beforeBufferMinutes: 5, afterBufferMinutes: 10 };
  const kept = taken(null, '09:20', '09:50', 5, 10);
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
