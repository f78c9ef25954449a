import { expect, test } from 'vitest';
import { withoutFullDays } from '../../../src/scheduling/core/day-limit.ts';

const at = (text: string) => ({ start: Date.parse(text) });
const held = (text: string, isMoved = false) => ({ ...at(text), isMoved });
const slots = ['2031-03-29T22:30Z', '2031-03-29T23:30Z', '2031-03-30T21:30Z', '2031-03-30T22:30Z'].map(at);
const limit = { bookingsADay: 2, timeZone: 'Europe/Berlin' };

test('a full day of the zone is left out, also one of 23 hours (contract §8)', () => {
  const booked = [held('2031-03-30T08:00Z'), held('2031-03-29T23:00Z'), held('2031-03-29T09:00Z')];

  expect(withoutFullDays(slots, limit, booked)).toEqual([slots[0], slots[3]]);
});

test('the day of a booking that is moved is open, however many it has and in whatever order', () => {
  const booked = [held('2031-03-30T08:00Z'), held('2031-03-30T09:00Z', true), held('2031-03-30T10:00Z')];

  for (const some of [booked, booked.toReversed()])
    expect(withoutFullDays(slots, { ...limit, bookingsADay: 1 }, some)).toEqual(slots);
});
