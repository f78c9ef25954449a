import { expect, test } from 'vitest';
import { decideNotifications, type Notifications } from '../../../src/scheduling/core/notifications.ts';

type Row = readonly [
  ...Parameters<typeof decideNotifications>,
  attendee: Notifications['attendee'],
  guests: Notifications['guests'],
  hosts: Notifications['hosts'],
];

test.each<Row>([
  [undefined, 'accepted', false, 'booked', 'booked', 'booked'],
  [undefined, 'pending', false, 'pending', undefined, 'new_request'],
  ['pending', 'accepted', false, 'confirmed', 'booked', 'confirmed'],
  ['pending', 'rejected', false, 'declined', undefined, 'declined'],
  ['accepted', 'cancelled', false, 'cancelled', 'cancelled', 'cancelled'],
  ['pending', 'cancelled', false, 'cancelled', undefined, 'cancelled'],
  ['accepted', 'accepted', false, 'rescheduled', 'rescheduled', 'rescheduled'],
  ['accepted', 'pending', false, 'pending', 'time_released', 'new_request'],
  ['pending', 'pending', false, 'pending', undefined, 'new_request'],
  ['accepted', 'accepted', true, 'reassigned', 'reassigned', 'reassigned'],
  ['pending', 'pending', true, 'reassigned', undefined, 'reassigned'],
])('from %s to %s, reassigned: %s, the attendee gets %s, guests %s, hosts %s (contract §8)', (...row) => {
  const [before, after, isReassigned, attendee, guests, hosts] = row;

  const decided = decideNotifications(before, after, isReassigned);

  expect(decided).toMatchObject({ attendee, guests, hosts, formerHosts: 'unassigned' });
  expect(decided.newHosts).toBe(after === 'pending' ? 'new_request' : 'assigned');
});
