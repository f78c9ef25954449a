import { expect, test } from 'vitest';
import { openBrowser, sharePage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';
import { listDeletions } from '../whole/deletions.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });

test.each(await listDeletions(service))(
  'axe finds nothing on the page that deletes %s, and nothing is cut off (WCAG 2.2 AA)',
  async (_name, session, placeOf, action, button) => {
    const page = await openShared();
    const [name = '', value = ''] = session.split('=');
    await page.context().addCookies([{ name, value, url: appUrl }]);

    await page.goto(`${appUrl}${await placeOf()}${action}`);

    await page.getByRole('button', { name: button }).waitFor();
    expect(await findFaults(page)).toEqual([]);
  },
);

test('axe finds nothing on the overview of admins, and nothing is cut off (WCAG 2.2 AA)', async () => {
  const page = await openShared();
  await addSession(page, service, await addUser(service, { isAdmin: true }));

  await page.goto(`${appUrl}/settings/admin`);

  expect(await findFaults(page)).toEqual([]);
});
