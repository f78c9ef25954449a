import { expect, test } from 'vitest';
import { signUpFields } from '../support/accounts.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { sendUnchecked, signUpOn } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { startSubscriber } from '../support/subscriber.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite({ CALENDAR_ALLOW_PRIVATE: '127.0.0.1' });
const { appUrl } = service;
const browser = await openBrowser();
const feeds = await startFeedServer();
const subscriber = await startSubscriber();

test('who signs up makes an event type, sets hours, connects a calendar and tests a webhook', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  const check = async (): Promise<void> => {
    expect(await findFaults(page)).toEqual([]);
  };
  await page.goto(`${appUrl}/signup`);
  await signUpOn(page, signUpFields());
  await page.waitForURL(`${appUrl}/`);

  await page.goto(`${appUrl}/settings/event-types`);
  await check();
  await page.getByRole('link', { name: 'Create event type' }).click();
  await sendUnchecked(page, page.getByRole('button', { name: 'Create event type' }));
  await check();
  await page.getByLabel('Title').fill('Coffee');
  await page.getByLabel('Length', { exact: true }).fill('20');
  await page.getByLabel('Where').selectOption('By phone, you call the attendee');
  await page.getByRole('button', { name: 'Create event type' }).click();
  await page.getByText('Event type created.').waitFor();
  for (const tab of ['Questions', 'Limits']) {
    await page.getByRole('link', { name: tab }).click();
    await check();
    await page.getByRole('button', { name: 'Save event type' }).click();
    await page.getByText('Event type saved.').waitFor();
  }
  await page.getByRole('link', { name: 'View booking page' }).click();
  const booking = await page.locator('main').innerText();

  await page.goto(`${appUrl}/settings/availability`);
  await check();
  await page.getByRole('link', { name: 'Working hours' }).click();
  await page.getByLabel('Friday to').fill('12:00');
  await check();
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await page.getByRole('status').waitFor();
  const hours = await page.locator('main').innerText();

  await page.goto(`${appUrl}/settings/calendars`);
  await page.getByRole('link', { name: 'Another calendar with an ICS address' }).click();
  await check();
  const url = feeds.serve('/ann.ics', answerIcs(icsOf()));
  await page.getByLabel('Address').fill(url);
  await page.getByRole('button', { name: 'Connect calendar' }).click();
  await page.getByRole('status').waitFor();
  await check();
  const calendars = await page.locator('main').innerText();
  await page.getByRole('link', { name: 'Disconnect calendar' }).click();
  await page.getByRole('button', { name: 'Disconnect calendar' }).click();
  await page.getByText('No calendars connected').waitFor();

  await page.goto(`${appUrl}/settings/webhooks`);
  await check();
  await page.getByRole('link', { name: 'Create webhook' }).click();
  await sendUnchecked(page, page.getByRole('button', { name: 'Create webhook' }));
  await check();
  await page.getByLabel('URL').fill(subscriber.address('/hook'));
  await page.getByLabel('Booking created').check();
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Copy your signing secret now').waitFor();
  await check();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('status').waitFor();
  await expect.poll(() => subscriber.events.length).toBeGreaterThan(0);
  await expect
    .poll(async () => (await page.reload(), page.locator('main').innerText()))
    .toContain('HTTP 200');
  await check();
  await page.getByRole('link', { name: 'Delete webhook' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await page.getByText('No webhooks').waitFor();

  expect(booking).toContain('Coffee');
  expect(hours).toContain('Fri 09:00–12:00');
  expect(calendars).toContain('Calendar feed');
});
