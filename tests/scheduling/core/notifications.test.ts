import { expect, test } from 'vitest';
import { decideFirstStatus, titleOf } from '../../../src/scheduling/core/booking.ts';
import { decideNotifications, type Notifications } from '../../../src/scheduling/core/notifications.ts';

type Row = readonly [
  ...Parameters<typeof decideNotifications>,
  attendee: Notifications['attendee'],
  guests: Notifications['guests'],
  hosts: Notifications['hosts'],
];

test.each<Row>([
  ['create', undefined, 'accepted', 'booked', 'booked', 'booked'],
  ['create', undefined, 'pending', 'pending', undefined, 'new_request'],
  ['confirm', 'pending', 'accepted', 'confirmed', 'booked', 'confirmed'],
  ['decline', 'pending', 'rejected', 'declined', undefined, 'declined'],
  ['cancel', 'accepted', 'cancelled', 'cancelled', 'cancelled', 'cancelled'],
  ['cancel', 'pending', 'cancelled', 'cancelled', undefined, 'cancelled'],
  ['reschedule', 'accepted', 'accepted', 'rescheduled', 'rescheduled', 'rescheduled'],
  ['reschedule', 'accepted', 'pending', 'reschedule_pending', 'time_released', 'reschedule_request'],
  ['reschedule', 'pending', 'pending', 'reschedule_pending', undefined, 'reschedule_request'],
  ['reschedule', 'pending', 'accepted', 'rescheduled_and_confirmed', 'booked', 'rescheduled_and_confirmed'],
  ['reassign', 'accepted', 'accepted', 'reassigned', 'reassigned', 'reassigned'],
  ['reassign', 'pending', 'pending', 'reassigned_pending', undefined, 'reassigned_pending'],
])('%s, from %s to %s: the attendee gets %s, guests %s, hosts %s (contract §8)', (...row) => {
  const [event, before, after, attendee, guests, hosts] = row;

  expect(decideNotifications(event, before, after)).toMatchObject({ attendee, guests, hosts });
});

test.each(['reschedule', 'reassign'] as const)(
  'after a %s the new host is asked to confirm a pending booking, and the former one is notified',
  (event) => {
    expect(decideNotifications(event, 'accepted', 'accepted').newHosts).toBe('assigned');
    expect(decideNotifications(event, 'pending', 'pending').newHosts).toBe('assigned_request');
    expect(decideNotifications(event, 'accepted', 'accepted').formerHosts).toBe('unassigned');
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
  'confirmation required: %s, rescheduled by: %s, gives status %s (contract §8)',
  (requiresConfirmation, rescheduledBy, status) => {
    expect(decideFirstStatus(requiresConfirmation, rescheduledBy)).toBe(status);
  },
);

test('a booking’s title names its event type, all its hosts and the attendee', () => {
  expect(titleOf('Talk', [{ name: 'Ann' }, { name: 'Ben' }], 'Dana')).toBe('Talk between Ann, Ben and Dana');
});
