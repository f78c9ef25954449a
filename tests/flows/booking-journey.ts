import { eq } from 'drizzle-orm';
import type { Browser } from 'playwright-core';
import { expect } from 'vitest';
import { bookings } from '../../src/scheduling/tables.ts';
import { addEventType, emailSentTo } from '../support/booking.ts';
import { openPage } from '../support/browser.ts';
import { chooseNextMonth } from '../support/journey.ts';
import type { TestService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

async function linkIn(service: TestService, email: string, subject: string): Promise<string> {
  const link = /http\S+\/booking\/\S+/.exec(await emailSentTo(service, email, subject))?.[0];
  if (link === undefined) throw new Error('no link in the letter');
  return link;
}

/** An attendee's whole way: booking on the page, then by the links in the emails. */
export async function bookRescheduleAndCancel(
  service: TestService,
  browser: Browser,
  javaScriptEnabled: boolean,
): Promise<void> {
  const { appUrl } = service;
  const host = await addUser(service);
  await addEventType(service, host, { title: 'A talk about the garden' });

  const email = `journey-${javaScriptEnabled}@example.com`;
  const page = await openPage(browser, {
    origins: [appUrl],
    timezoneId: 'Europe/Berlin',
    javaScriptEnabled,
  });

  await page.goto(`${appUrl}/${host.username}`);
  await page.getByRole('link', { name: 'A talk about the garden' }).click();
  await chooseNextMonth(page);
  await page.getByRole('link', { name: '10:00' }).click();
  await page.getByLabel('Name').fill('Dana');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Book' }).click();
  await page.getByText('You’re booked with').waitFor();

  await page.goto(await linkIn(service, email, 'Booked'));
  await page.getByRole('link', { name: 'Reschedule' }).click();
  await chooseNextMonth(page);
  await page.getByRole('link', { name: '11:30' }).click();
  await page.getByLabel('Reason').fill('A train');
  await page.getByRole('button', { name: 'Reschedule booking' }).click();
  await page.getByText('You’re booked with').waitFor();
  expect(await page.getByText('11:30–12:00').count()).toBe(1);

  await page.goto(await linkIn(service, email, 'Rescheduled'));
  await page.getByRole('link', { name: 'Cancel booking' }).click();
  await page.getByRole('button', { name: 'Cancel booking' }).click();
  await page.getByText('This booking was cancelled.').waitFor();

  const rows = await service.database.db.select().from(bookings).where(eq(bookings.attendeeEmail, email));
  expect(rows.map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
}
