import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { outbox } from '../../src/platform/mail/tables.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
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

test('an admin gives a message up that can never go out, without JavaScript', async () => {
  await put('Can never go out', { lastFailure: 'smtp 550', attempts: 7 });
  const page = await openAsAdmin({ javaScriptEnabled: false });

  await page.goto(`${home}?show=failing`);
  await page.getByRole('link', { name: 'Can never go out' }).click();
  await page.getByRole('link', { name: 'Discard email' }).click();
  await page.getByRole('button', { name: 'Discard email' }).click();

  await page.waitForURL(`${home}?show=failing`);
  expect(await page.getByRole('link', { name: 'Can never go out' }).count()).toBe(0);
});
