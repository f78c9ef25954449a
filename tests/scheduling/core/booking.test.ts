import { describe, expect, test } from 'vitest';
import {
  type BookingAction,
  type BookingStatus,
  decideBookingAction,
  decideFirstStatus,
  excerptsOf,
  notesOf,
  type Party,
  readTitle,
  titleOf,
} from '../../../src/scheduling/core/booking.ts';

const end = new Date('2031-06-02T10:30:00Z');
const before = new Date('2031-06-02T10:29:59Z');

type Row = readonly [BookingStatus, Readonly<Record<BookingAction, string>>];

/** What a booking becomes, or why not. */
function outcomeOf(status: BookingStatus, action: BookingAction, now: Date): string {
  const decided = decideBookingAction({ status, endsAt: end }, action, now);
  return decided.ok ? decided.value : decided.reason;
}

function outcomesOf(status: BookingStatus, now: Date): Readonly<Record<BookingAction, string>> {
  return {
    cancel: outcomeOf(status, 'cancel', now),
    reschedule: outcomeOf(status, 'reschedule', now),
    confirm: outcomeOf(status, 'confirm', now),
    decline: outcomeOf(status, 'decline', now),
    reassign: outcomeOf(status, 'reassign', now),
  };
}

const all = (reason: string): Readonly<Record<BookingAction, string>> => ({
  cancel: reason,
  reschedule: reason,
  confirm: reason,
  decline: reason,
  reassign: reason,
});
const settled = { confirm: 'already_confirmed', decline: 'already_confirmed' } as const;

describe('what may be done with a booking (contract §8)', () => {
  test.each<Row>([
    ['accepted', { ...settled, cancel: 'cancelled', reschedule: 'cancelled', reassign: 'accepted' }],
    [
      'pending',
      {
        cancel: 'cancelled',
        reschedule: 'cancelled',
        confirm: 'accepted',
        decline: 'rejected',
        reassign: 'pending',
      },
    ],
    ['cancelled', all('already_cancelled')],
    ['rejected', all('already_rejected')],
  ])('that is %s and not over', (status, expected) => {
    expect(outcomesOf(status, before)).toEqual(expected);
  });

  test.each<Row>([
    ['accepted', { ...all('already_over'), ...settled }],
    ['pending', all('already_over')],
    ['cancelled', all('already_cancelled')],
    ['rejected', all('already_rejected')],
  ])('that is %s and over', (status, expected) => {
    expect(outcomesOf(status, end)).toEqual(expected);
  });
});

test.each<[boolean, Party | undefined, BookingStatus]>([
  [false, undefined, 'accepted'],
  [false, 'attendee', 'accepted'],
  [false, 'host', 'accepted'],
  [true, undefined, 'pending'],
  [true, 'attendee', 'pending'],
  [true, 'host', 'accepted'],
])('where confirmation is required: %j, what %s puts there is %s', (required, mover, status) => {
  expect(decideFirstStatus(required, mover)).toBe(status);
});

test('a booking is called by its event type and by who takes part', () => {
  expect(titleOf('Talk', [{ name: 'Ann' }, { name: 'Ben' }], 'Dana')).toBe('Talk between Ann, Ben and Dana');
});

test.each([
  [{ notes: 'Bring tea' }, 'Bring tea'],
  [{ notes: ['a'] }, ''],
  [{ topic: 'tea' }, ''],
])('the notes among the answers %j are %j', (responses, notes) => {
  expect(notesOf(responses)).toBe(notes);
});

test.each([
  ['Call between a and b between Ann, Bob and Dana', { event: 'Call between a and b', hosts: 'Ann, Bob' }],
  ['A between Ann and Dana', { event: 'A', hosts: 'Ann' }],
  [' between Ann and Dana', undefined],
  ['Call with Ann and Dana', undefined],
  ['Call between Ann and Dana or Erin', undefined],
])('the title %j of a booking by Dana is read again', (title, read) => {
  expect(readTitle({ title, attendeeName: 'Dana' })).toEqual(read);
});

test('emails have a thousand characters of what was written, in all (security C221)', () => {
  const [long, more] = ['x'.repeat(998), 'abc'];

  expect(excerptsOf([long, more, 'd', ''], 'rest')).toEqual([long, 'ab… (rest)', '… (rest)', '']);
  expect(excerptsOf([long, 'ab'], 'rest')).toEqual([long, 'ab']);
});
