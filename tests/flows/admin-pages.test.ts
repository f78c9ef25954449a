import { expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test('the filters of the audit log are equally wide', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, await addUser(service, { isAdmin: true }));
  await page.goto(`${appUrl}/settings/admin/audit`);
  await page.getByText('Filter events').click();

  const fields = await page.locator('.filters > .field').all();
  const boxes = await Promise.all(fields.map((field) => field.boundingBox()));
  const widths = boxes.map((box) => Math.round(box?.width ?? 0));

  expect(widths).toEqual(Array.from({ length: 5 }, () => widths[0]));
});
