import { test } from 'vitest';
import { bookRescheduleAndCancel } from '../support/booking-journey.ts';

test('an attendee books, reschedules and cancels by the link in the email, with JavaScript (contract §8)', async () => {
  await bookRescheduleAndCancel(true);
});
