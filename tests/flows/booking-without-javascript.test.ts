import { test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { openTestSite } from '../support/site.ts';
import { trustingMail } from '../support/verification.ts';
import { bookRescheduleAndCancel } from './booking-journey.ts';

const service = await openTestSite(trustingMail);
const browser = await openBrowser();

test('an attendee books, reschedules and cancels by the link in the email, without JavaScript (contract §8)', async () => {
  await bookRescheduleAndCancel(service, browser, false);
});
