import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { addSession, openHome, sendUnchecked } from '../support/journey.ts';
import { findClientRow, reviewDecisions } from '../support/registration.ts';
import { changePending, stateOf, submitEdit } from '../support/review.ts';
import { openTestSite } from '../support/site.ts';
import { issueTokens, usable, use } from '../support/tokens.ts';
import { addClient, addUser, type ClientOptions, startSession, type TestClient } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const origins = [appUrl];
const openShared = sharePage(browser, { origins });

/** Names and addresses are as long as they may be, without a place to break. */
const longName = 'W'.repeat(80);
const longAddress = `https://${'long-'.repeat(10)}name.example/${'path'.repeat(100)}`;
const longReason = 'This name says nothing, and it is too loud. '.repeat(10);

const admin = await addUser(service, { isAdmin: true });
const adminCookie = await startSession(service, admin);
const review = `${appUrl}/settings/admin/oauth`;

async function addLongClient(options: ClientOptions): Promise<TestClient> {
  const redirectUris = [longAddress, 'https://192.0.2.1:8443/', 'https://xn--80ak6aa92e.com/'] as const;
  const client = await addClient(service, { name: longName, redirectUris, ...options });
  const changes = { websiteUrl: longAddress.replace('https', 'http'), purpose: longReason };
  await service.database.db.update(clients).set(changes).where(eq(clients.id, client.id));
  return client;
}

const pending = await addLongClient({ status: 'pending', name: 'Lаtchkey\u200b' });
const edited = await addLongClient({ scopes: ['PROFILE_READ'] });
await submitEdit(service, edited.id, {
  name: `${longName.slice(1)}M`,
  purpose: 'Short.',
  redirectUris: ['https://short.example/', longAddress],
  websiteUrl: null,
  scopes: null,
});
const suspended = await addLongClient({});
await reviewDecisions.suspend(service, suspended.id, adminCookie, longReason);
for (let index = 0; index < 30; index += 1) await addClient(service, { status: 'pending' });

const open =
  (address: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(address);
  };

async function openAll(page: Page): Promise<void> {
  await page.goto(`${review}/${edited.id}`);
  for (const summary of await page.locator('main summary').all()) await summary.click();
}

async function rejectWithoutReason(page: Page): Promise<void> {
  await page.goto(`${review}/${pending.id}`);
  await page.locator('main summary').click();
  await sendUnchecked(page, page.getByRole('button', { name: /^Reject (app|changes)$/ }));
}

async function decideAndReturn(page: Page): Promise<void> {
  const { id } = await addClient(service, { status: 'pending', name: longName });
  await page.goto(`${review}/${id}`);
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByRole('status').waitFor();
}

async function decideTooLate(page: Page): Promise<void> {
  const { id } = await addClient(service, { status: 'pending' });
  await page.goto(`${review}/${id}`);
  await changePending(service, id, { name: 'Changed' });
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByRole('heading', { name: 'The app changed' }).waitFor();
}

test.each([
  ['the list, its first page', open(review)],
  ['all apps', open(`${review}?status=all`)],
  ['a search that finds nothing', open(`${review}?q=nothing`)],
  ['a search that cannot be made', open(`${review}?q=a&q=b`)],
  ['the list after a decision', decideAndReturn],
  ['an app with every warning', open(`${review}/${pending.id}`)],
  ['an accepted app with changes, everything open', openAll],
  ['a suspended app', open(`${review}/${suspended.id}`)],
  ['a rejection without a reason', rejectWithoutReason],
  ['a decision that came too late', decideTooLate],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, act) => {
    const page = await openShared();
    await addSession(page, service, admin);
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);

test('an admin finds an app, rejects it with a reason, takes the next, and suspends another', async () => {
  const name = 'Findable';
  const { id } = await addClient(service, { status: 'pending', name });
  const harmful = await addClient(service, { name: `Harmful ${name}` });
  const tokens = await issueTokens(service, harmful);
  const page = await openPage(browser, { origins });
  await openHome(page, service, admin);

  await page.getByRole('link', { name: 'Review apps' }).click();
  await page.getByLabel('Search').fill(name);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name }).click();
  await page.getByText('Reject app…').click();
  await page.getByLabel('Reason').fill('Say more.');
  await page.getByRole('button', { name: /^Reject (app|changes)$/ }).click();
  const notice = await page.getByRole('status').innerText();
  await page.getByRole('link', { name: 'Review next app' }).click();
  const hasForm = await page.getByRole('button', { name: /^Approve/ }).isVisible();
  const before = await use(service, harmful, tokens);
  await page.goto(`${review}/${harmful.id}`);
  await page.getByText('Suspend app…').click();
  await page.getByLabel('Reason for the suspension').fill('It harms.');
  await page.getByRole('button', { name: 'Suspend app and revoke access' }).click();
  const lastNotice = await page.getByRole('status').innerText();

  expect(notice).toContain(`You rejected ${name}. Its owner sees your reason.`);
  expect(hasForm).toBe(true);
  expect(lastNotice).toContain(`You suspended Harmful ${name} and revoked its access.`);
  expect(await findClientRow(service, id)).toMatchObject({
    status: 'rejected',
    rejectionReason: 'Say more.',
  });
  expect([before, await use(service, harmful, tokens)]).toEqual([usable, { me: 401, refresh: 401 }]);
});

test('an app that is open in two tabs is accepted once, and both tabs say so', async () => {
  const { id } = await addClient(service, { status: 'pending', name: 'Twice open' });
  const page = await openPage(browser, { origins });
  await addSession(page, service, admin);
  const other = await page.context().newPage();
  for (const tab of [page, other]) await tab.goto(`${review}/${id}`);

  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByRole('status').waitFor();
  const before = await stateOf(service, id);
  await other.getByRole('button', { name: /^Approve/ }).click();
  const notice = await other.getByRole('status').innerText();

  expect(before.client).toMatchObject({ status: 'accepted' });
  expect(notice).toContain('You approved Twice open.');
  expect(await stateOf(service, id)).toEqual(before);
});
