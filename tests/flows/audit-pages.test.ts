import { expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser, connect, signIn } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test('an admin suspends an account and reads it in the audit log; all of it is accessible (WCAG 2.2 AA)', async () => {
  const admin = await addUser(service, { isAdmin: true });
  const user = await addUser(service);
  await connect(service, await addClient(service, { name: 'Tidy Week' }), await signIn(service, user));
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, admin);

  await page.goto(`${appUrl}/settings/admin/accounts`);
  expect(await findFaults(page)).toEqual([]);
  await page.getByLabel('Search').fill(user.username);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: `Test ${user.username}` }).click();
  expect(await findFaults(page)).toEqual([]);
  await page.getByLabel('Reason').fill('Spam');
  await page.getByRole('button', { name: 'Suspend account' }).click();
  await page.getByText('Account suspended.').waitFor();
  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Audit log' }).click();
  const fields = await page.locator('.filters > .field').all();
  const widths = await Promise.all(
    fields.map(async (field) => Math.round((await field.boundingBox())?.width ?? 0)),
  );
  expect([...new Set(widths)]).toEqual([widths[0]]);
  await page.getByLabel('Person').fill(user.email);
  await page.getByRole('button', { name: 'Filter events' }).click();
  await page.getByText('user.suspended', { exact: true }).last().waitFor();
  expect(await findFaults(page)).toEqual([]);
  await page.goto(`${appUrl}/settings/activity`);
  expect(await findFaults(page)).toEqual([]);
});
