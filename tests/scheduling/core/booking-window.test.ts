import { describe, expect, test } from 'vitest';
import {
  type BookingWindow,
  boundsOf,
  isRolling,
  windowOf,
  withinRolling,
} from '../../../src/scheduling/core/booking-window.ts';

test.each([
  ['tomorrow is bookable to its end', '2026-06-01T09:55Z', 1, 'UTC', '2026-06-03T00:00Z'],
  ['today is the day of the host', '2026-06-01T23:30Z', 1, 'Europe/Berlin', '2026-06-03T22:00Z'],
  ['and of a host behind UTC', '2026-06-02T03:00Z', 1, 'America/New_York', '2026-06-03T04:00Z'],
  ['clocks put forward within', '2026-03-28T12:00Z', 1, 'Europe/Berlin', '2026-03-29T22:00Z'],
  ['clocks put back within', '2026-10-24T12:00Z', 1, 'Europe/Berlin', '2026-10-25T23:00Z'],
  ['clocks put back at midnight', '2026-04-03T12:00Z', 1, 'America/Santiago', '2026-04-05T04:00Z'],
  ['a midnight that does not come', '2026-09-04T12:00Z', 1, 'America/Santiago', '2026-09-06T04:00Z'],
  ['a whole year', '2026-06-01T00:00Z', 365, 'UTC', '2027-06-02T00:00Z'],
])('a booking window counts days by the calendar: %s', (_words, now, days, timeZone, end) => {
  expect(
    new Date(boundsOf({ type: 'calendarDays', value: days, rolling: false }, new Date(now), timeZone).end),
  ).toEqual(new Date(end));
});

// June 1, 2026 is a Monday.
test.each([
  ['on Monday, 1', '2026-06-01', 1, '2026-06-03'],
  ['on Monday, 4 are Friday', '2026-06-01', 4, '2026-06-06'],
  ['on Monday, 5 are the next one', '2026-06-01', 5, '2026-06-09'],
  ['on Friday, 1 is Monday', '2026-06-05', 1, '2026-06-09'],
  ['on Saturday, 1 is Monday', '2026-06-06', 1, '2026-06-09'],
  ['on Sunday, 1 is Monday', '2026-06-07', 1, '2026-06-09'],
  ['on Sunday, 10 are two weeks', '2026-06-07', 10, '2026-06-20'],
  ['on Wednesday, 250', '2026-06-03', 250, '2027-05-20'],
])('a booking window counts business days: %s', (_words, today, value, end) => {
  const window: BookingWindow = { type: 'businessDays', value, rolling: false };

  expect(boundsOf(window, new Date(`${today}T12:00Z`), 'UTC').end).toBe(Date.parse(`${end}T00:00Z`));
});

test('a booking window of dates has its first and its last day whole, as the host’s clocks tell them', () => {
  const window: BookingWindow = { type: 'range', value: ['2026-06-01', '2026-06-02'] };

  expect(boundsOf(window, new Date(0), 'Asia/Tokyo')).toEqual({
    start: Date.parse('2026-05-31T15:00Z'),
    end: Date.parse('2026-06-02T15:00Z'),
  });
});

describe('a rolling booking window', () => {
  const slots = ['01T09', '01T10', '06T09', '08T09', '08T10', '09T09', '13T09'].map((at) => ({
    start: Date.parse(`2026-06-${at}:00Z`),
    hostIds: [1],
  }));
  const daysOf = (type: 'businessDays' | 'calendarDays', value: number, zone = 'UTC') =>
    withinRolling(slots, slots, { type, value, rolling: true }, zone).map(({ start }) =>
      new Date(start).toISOString().slice(8, 13),
    );

  test('has as many days with free times as it says, whichever they are', () => {
    expect(daysOf('calendarDays', 1)).toEqual(['01T09', '01T10']);
    expect(daysOf('calendarDays', 3)).toEqual(['01T09', '01T10', '06T09', '08T09', '08T10']);
    expect(daysOf('calendarDays', 90)).toHaveLength(slots.length);
  });

  test('counts business days alone where it says so, and keeps the weekend between them', () => {
    expect(daysOf('businessDays', 2)).toEqual(['01T09', '01T10', '06T09', '08T09', '08T10']);
  });

  test('tells days as the host’s clocks do', () => {
    expect(daysOf('calendarDays', 1, 'Pacific/Kiritimati')).toEqual(['01T09']);
  });
});

test('a former window of days counts where both are stored, as an older version writes it', () => {
  const range = { type: 'range', value: ['2026-06-01', '2026-06-02'] } as const;

  expect(windowOf({ bookingWindow: range, bookingWindowDays: 3 })).toMatchObject({ value: 3 });
  expect(windowOf({ bookingWindow: range, bookingWindowDays: null })).toBe(range);
});

test.each([
  [undefined, false],
  [{ type: 'range', value: ['2026-06-01', '2026-06-02'] }, false],
  [windowOf({ bookingWindow: null, bookingWindowDays: 3 }), false],
  [{ type: 'businessDays', value: 3, rolling: true }, true],
] as const)('%j counts days with free times: %s', (window, expected) => {
  expect(isRolling(window)).toBe(expected);
});
