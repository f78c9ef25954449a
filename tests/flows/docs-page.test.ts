import { expect, test } from 'vitest';
import { findFaults } from '../support/axe.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { openTestSite } from '../support/site.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test('the API documentation is accessible with all that it unfolds (WCAG 2.2 AA)', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await page.goto(`${appUrl}/docs`);
  for (const details of await page.locator('details').all())
    await details.evaluate((element) => element.setAttribute('open', ''));

  expect(await findFaults(page)).toEqual([]);
}, 120_000);

test('one finds one’s way to an operation and its objects without JavaScript', async () => {
  const page = await openPage(browser, { origins: [appUrl], javaScriptEnabled: false });
  await page.goto(appUrl);
  await page.getByRole('link', { name: 'API documentation' }).click();
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'Bookings', exact: true }).click();
  expect(page.url()).toBe(`${appUrl}/docs#bookings`);
  await contents.getByRole('link', { name: 'Book a slot', exact: true }).click();

  const operation = page.getByRole('article', { name: 'Book a slot' });
  await operation.getByText('Example of “Book a slot”').click();
  expect(await operation.getByRole('region', { name: 'Request: Book a slot' }).textContent()).toContain(
    '/v2/bookings',
  );
  await operation.getByRole('link', { name: 'NewBooking' }).click();

  expect(page.url()).toBe(`${appUrl}/docs#schema-NewBooking`);
  await page.getByRole('article', { name: 'NewBooking' }).getByText('eventTypeSlug').first().waitFor();
});
