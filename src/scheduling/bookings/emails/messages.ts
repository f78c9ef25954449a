import type { Sentence } from '../../../platform/words.ts';
import type { BookingMessage } from '../../core/notifications.ts';

export type EntryState = 'confirmed' | 'tentative' | 'cancelled';

export interface MessageWords {
  readonly subject: Sentence;
  readonly sentence: Sentence;
  readonly entry: EntryState;
  readonly doneBy?: Sentence;
}

export const messages = {
  booked: { subject: 'Booked', sentence: 'This booking is confirmed.', entry: 'confirmed' },
  pending: {
    subject: 'Pending',
    sentence: 'Your request was sent. We’ll email you when the host confirms or declines it.',
    entry: 'tentative',
  },
  new_request: {
    subject: 'New request',
    sentence: 'Someone wants to book this time with you. Confirm or decline it.',
    entry: 'tentative',
  },
  rescheduled: {
    subject: 'Rescheduled',
    sentence: 'This booking was rescheduled.',
    entry: 'confirmed',
    doneBy: 'Rescheduled by',
  },
  rescheduled_and_confirmed: {
    subject: 'Rescheduled and confirmed',
    sentence: 'This booking was rescheduled and is confirmed.',
    entry: 'confirmed',
    doneBy: 'Rescheduled by',
  },
  reschedule_pending: {
    subject: 'New time pending',
    sentence:
      'You rescheduled this booking. The host has to confirm the new time; the previous time was released.',
    entry: 'tentative',
  },
  reschedule_request: {
    subject: 'New time requested',
    sentence:
      'The attendee rescheduled this booking. Confirm or decline the new time; the previous time is free again.',
    entry: 'tentative',
  },
  time_released: {
    subject: 'No longer at this time',
    sentence:
      'This booking no longer takes place at this time. If the host confirms a new time, we’ll email you.',
    entry: 'cancelled',
    doneBy: 'Rescheduled by',
  },
  confirmed: { subject: 'Confirmed', sentence: 'The host confirmed this booking.', entry: 'confirmed' },
  declined: { subject: 'Declined', sentence: 'The host declined this booking.', entry: 'cancelled' },
  cancelled: {
    subject: 'Cancelled',
    sentence: 'This booking was cancelled.',
    entry: 'cancelled',
    doneBy: 'Cancelled by',
  },
  reassigned: { subject: 'New host', sentence: 'This booking has a new host.', entry: 'confirmed' },
  reassigned_pending: {
    subject: 'New host',
    sentence: 'This booking has a new host, who still has to confirm it.',
    entry: 'tentative',
  },
  assigned: { subject: 'Assigned to you', sentence: 'You now host this booking.', entry: 'confirmed' },
  assigned_request: {
    subject: 'New request',
    sentence: 'You now host this booking. Confirm or decline it.',
    entry: 'tentative',
  },
  unassigned: {
    subject: 'Reassigned',
    sentence: 'This booking was reassigned to another host.',
    entry: 'cancelled',
  },
} as const satisfies Record<BookingMessage, MessageWords>;
