import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sessions } from '../../src/accounts/tables.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { openHome, signInOn } from '../support/journey.ts';
import { clientsOf } from '../support/registration.ts';
import { openTestSite } from '../support/site.ts';
import { addUser, type TestUser } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const form = `${appUrl}/settings/developer/oauth/new`;

/** Two lines, quotes and signs that forms and addresses treat in their own ways. */
const purpose = 'It keeps "desks" tidy & clean.\nAnd <others> + 100 %, in the Straße of Zürich.';

async function fillIn(page: Page): Promise<void> {
  await page.goto(form);
  await page.getByRole('textbox', { name: 'Name' }).fill('Tidy Desk');
  await page.getByLabel('Purpose').fill(purpose);
  await page.getByLabel('Public', { exact: false }).check();
  await page
    .getByRole('textbox', { name: 'Redirect URIs' })
    .fill('https://a.example/cb\nhttps://b.example/cb');
  await page.getByLabel('PROFILE_READ').check();
  await page.getByLabel('BOOKING_READ').check();
}

const submit = (page: Page) => page.getByRole('button', { name: 'Submit for review' }).click();
const sendNow = (page: Page) => page.getByRole('button', { name: 'Send it', exact: true }).click();

async function endSessions({ id }: TestUser): Promise<void> {
  await service.database.db.delete(sessions).where(eq(sessions.userId, id));
}

async function expectOneClient(user: TestUser): Promise<void> {
  const clients = await clientsOf(service, user.id);
  expect(clients).toHaveLength(1);
  expect(clients[0]).toMatchObject({
    name: 'Tidy Desk',
    purpose,
    type: 'public',
    redirectUris: ['https://a.example/cb', 'https://b.example/cb'],
    scopes: ['PROFILE_READ', 'BOOKING_READ'],
  });
}

const onClientPage = (page: Page) => page.waitForURL(new RegExp(`${form.replace('/new', '')}/[0-9a-f]{32}$`));

test.each([true, false])(
  'a session that ends in the middle of a form loses nothing: what was typed is registered (JavaScript %s)',
  async (javaScriptEnabled) => {
    const user = await addUser(service);
    const page = await openPage(browser, { origins: [appUrl], javaScriptEnabled });
    await openHome(page, service, user);
    await fillIn(page);
    await endSessions(user);

    await submit(page);
    await page.getByText('what you typed is kept').waitFor();
    await signInOn(page, user);
    await page.getByRole('heading', { name: 'You are signed in again' }).waitFor();
    await page.getByText('What will be sent').click();
    const isShown = await page.getByText('And <others> + 100 %').isVisible();
    const clientsThen = await clientsOf(service, user.id);
    await sendNow(page);
    await onClientPage(page);

    expect(isShown).toBe(true);
    expect(clientsThen).toEqual([]);
    await expectOneClient(user);
  },
);

test('a sign-in in another tab loses nothing either: the form comes back at once, and is registered', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  await openHome(page, service, user);
  await fillIn(page);
  const other = await page.context().newPage();
  await other.goto(appUrl);
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.locator('main').getByRole('link', { name: 'Sign in' }).waitFor();
  await openHome(other, service, user);

  await submit(page);
  await page.getByRole('heading', { name: 'This page is out of date' }).waitFor();
  await sendNow(page);
  await onClientPage(page);

  await expectOneClient(user);
});

test('two tabs that were both left open end well, one after the other', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  await openHome(page, service, user);
  await fillIn(page);
  const other = await page.context().newPage();
  await other.goto(`${appUrl}/settings/profile`);
  await other.getByLabel('Name', { exact: true }).fill('Another Name');
  await endSessions(user);

  await submit(page);
  await page.getByText('what you typed is kept').waitFor();
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('what you typed is kept').waitFor();
  await signInOn(page, user);
  await page.getByRole('heading', { name: 'You are signed in again' }).waitFor();
  await signInOn(other, user);
  await other.getByRole('heading', { name: 'You are signed in again' }).waitFor();
  await sendNow(other);
  await other.getByText('Saved.').waitFor();
  await sendNow(page);
  // The second sign-in has replaced the session of the first.
  await page.getByRole('heading', { name: 'This page is out of date' }).waitFor();
  await sendNow(page);
  await onClientPage(page);

  expect(await other.getByLabel('Name', { exact: true }).inputValue()).toBe('Another Name');
  await expectOneClient(user);
});

test('the way back after the sending leads to a page that says so, and registers nothing again', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  await openHome(page, service, user);
  await fillIn(page);
  await endSessions(user);
  await submit(page);
  await page.getByText('what you typed is kept').waitFor();
  await signInOn(page, user);
  await page.getByRole('heading', { name: 'You are signed in again' }).waitFor();
  await page.reload();
  await sendNow(page);
  await onClientPage(page);

  await page.goBack();
  await page.reload();
  const title = await page.getByRole('heading', { level: 1 }).innerText();
  await page.goForward();
  await onClientPage(page);

  expect(title).toBe('You have sent this before');
  await expectOneClient(user);
});
