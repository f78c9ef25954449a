import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { outbox } from '../../src/platform/mail/tables.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser, connect, signIn } from '../support/world.ts';
import { listDeletions } from '../whole/deletions.ts';
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

const { db } = service.database;
const admin = await addUser(service, { isAdmin: true });
const home = `${appUrl}/settings/admin/outbox`;

async function put(subject: string, changes: Partial<typeof outbox.$inferInsert>): Promise<string> {
  const id = randomUUID();
  const now = service.clock.now();
  const message = {
    id,
    recipient: `${'long-name-'.repeat(6)}@example.com`,
    subject,
    text: `Hello Ann,\n\n${'word '.repeat(80)}\n${'unbroken'.repeat(40)}`,
    html: '',
    createdAt: now,
    dueAt: now,
    loggedAt: now,
  };
  await db.insert(outbox).values({ ...message, ...changes });
  return id;
}

async function openAsAdmin(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const page = await openPage(browser, { origins: [appUrl], ...options });
  await addSession(page, service, admin);
  return page;
}

test('the outbox is accessible in each of its states (WCAG 2.2 AA)', async () => {
  const page = await openAsAdmin();
  await page.goto(home);
  expect(await findFaults(page)).toEqual([]);

  const failing = await put('Refused', { lastFailure: 'smtp 550', attempts: 7 });
  await put('W'.repeat(120), {});
  for (const address of [home, `${home}?show=failing`, `${home}?show=sent`, `${home}/${failing}`]) {
    await page.goto(address);
    expect(await findFaults(page)).toEqual([]);
  }
});

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
