import { expect, test } from 'vitest';
import { decideFirstStatus, titleOf } from '../../../src/scheduling/core/booking.ts';
import { type News, newsOf } from '../../../src/scheduling/core/news.ts';

type Row = readonly [
  ...Parameters<typeof newsOf>,
  booker: News['booker'],
  guests: News['guests'],
  hosts: News['hosts'],
];

test.each<Row>([
  ['book', undefined, 'accepted', 'booked', 'booked', 'booked'],
  ['book', undefined, 'pending', 'requested', undefined, 'to_confirm'],
  ['confirm', 'pending', 'accepted', 'confirmed', 'booked', 'confirmed'],
  ['decline', 'pending', 'rejected', 'declined', undefined, 'declined'],
  ['cancel', 'accepted', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
  ['cancel', 'pending', 'cancelled', 'cancelled', undefined, 'cancelled'],
  ['move', 'accepted', 'accepted', 'moved', 'moved', 'moved'],
  ['move', 'accepted', 'pending', 'move_requested', 'no_longer_then', 'move_to_confirm'],
  ['move', 'pending', 'pending', 'move_requested', undefined, 'move_to_confirm'],
  ['move', 'pending', 'accepted', 'moved_and_confirmed', 'booked', 'moved_and_confirmed'],
  ['hand_over', 'accepted', 'accepted', 'handed_over', 'handed_over', 'handed_over'],
  ['hand_over', 'pending', 'pending', 'handed_over_to_confirm', undefined, 'handed_over_to_confirm'],
])(
  '%s, from %s to %s, is told as %s to whoever booked, %s to guests, %s to hosts (contract §8)',
  (...row) => {
    const [deed, before, after, booker, guests, hosts] = row;

    expect(newsOf(deed, before, after)).toMatchObject({ booker, guests, hosts });
  },
);

test.each(['move', 'hand_over'] as const)(
  'after a %s the new host is asked to confirm what waits, and the former one is told that it is taken over',
  (deed) => {
    expect(newsOf(deed, 'accepted', 'accepted').newHosts).toBe('given');
    expect(newsOf(deed, 'pending', 'pending').newHosts).toBe('given_to_confirm');
    expect(newsOf(deed, 'accepted', 'accepted').formerHosts).toBe('taken_over');
  },
);

test.each([
  [false, undefined, 'accepted'],
  [true, undefined, 'pending'],
  [false, 'attendee', 'accepted'],
  [true, 'attendee', 'pending'],
  [false, 'host', 'accepted'],
  [true, 'host', 'accepted'],
] as const)(
  'where confirmation is wanted: %s, what is moved by: %s, is %s (contract §8)',
  (wanted, mover, status) => {
    expect(decideFirstStatus(wanted, mover)).toBe(status);
  },
);

test('a booking is called by its event type, all its hosts and whoever booked', () => {
  expect(titleOf('Talk', [{ name: 'Ann' }, { name: 'Ben' }], 'Dana')).toBe('Talk between Ann, Ben and Dana');
});
