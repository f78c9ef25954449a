import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addOnPage, createAuthenticator } from '../support/authenticator.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { addDevice } from '../support/device.ts';
import { addSession, openHome, signInOn, signOutOn } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser, signIn } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

const openShared = sharePage(browser, { origins: [appUrl] });

/** A page, for someone without a passkey who is signed in. */
const open =
  (path: string) =>
  async (page: Page): Promise<void> => {
    if (path.startsWith('/settings')) await addSession(page, service, await addUser(service));
    await page.goto(`${appUrl}${path}`);
  };

async function addHolder() {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  await addOnPage(service, cookie, createAuthenticator(service));
  return { user, cookie };
}

/** The same for someone who has one. */
const openWithPasskey =
  (path: string) =>
  async (page: Page): Promise<void> => {
    const [name = '', value = ''] = (await addHolder()).cookie.split('=');
    await page.context().addCookies([{ name, value, url: appUrl }]);
    await page.goto(`${appUrl}${path}`);
  };

async function openPasskey(page: Page): Promise<void> {
  await openWithPasskey('/settings/security')(page);
  await page.getByRole('link', { name: 'Edit the passkey Test passkey' }).click();
}

async function replaceCodes(page: Page): Promise<void> {
  await openWithPasskey('/settings/security')(page);
  await page.getByRole('link', { name: 'Create new codes' }).click();
  await button(page, 'Create new codes').click();
  await page.getByRole('heading', { name: 'Your 10 recovery codes' }).waitFor();
}

async function askSecondFactor(page: Page): Promise<void> {
  const { user } = await addHolder();
  await page.goto(`${appUrl}/signin`);
  await signInOn(page, user);
  await page.getByRole('heading', { name: 'Use your passkey' }).waitFor();
}

async function enterWrongCode(page: Page): Promise<void> {
  await askSecondFactor(page);
  await page.getByLabel('Recovery code').fill('a wrong one');
  await button(page, 'Use recovery code').click();
  await page.getByText('This recovery code is wrong').waitFor();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test.each([
  ['security settings without a passkey', open('/settings/security')],
  ['security settings', openWithPasskey('/settings/security')],
  ['the page that adds a passkey', openWithPasskey('/settings/security/passkeys/new')],
  ['a passkey', openPasskey],
  ['new recovery codes', replaceCodes],
  ['the second factor', askSecondFactor],
  ['the second factor after a wrong recovery code', enterWrongCode],
  ['the page of a passkey alone', open('/signin/passkey')],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, act) => {
    const page = await openShared();
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);

test('a person adds a passkey, is asked for it after the password, and signs in with it alone (contract §1, security C75)', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  await addDevice(page);
  await openHome(page, service, user);

  await page.goto(`${appUrl}/settings/security`);
  await page.getByRole('link', { name: 'Add passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Work laptop');
  await button(page, 'Add passkey').click();
  await page.getByRole('heading', { name: 'Your 10 recovery codes' }).waitFor();
  const code = (await page.locator('ol code').first().textContent()) ?? '';
  await page.getByRole('link', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'Edit the passkey Work laptop' }).click();
  await page.goto(`${appUrl}/settings/security/passkeys/new`);
  await page.getByLabel('Name', { exact: true }).fill('Again');
  await button(page, 'Add passkey').click();
  await page.getByText('This device already has a passkey for your account.').waitFor();
  await signOutOn(page);

  await page.goto(`${appUrl}/signin?return_to=/settings/apps`);
  await signInOn(page, user);
  await page.getByRole('heading', { name: 'Use your passkey' }).waitFor();
  await button(page, 'Use passkey').click();
  await page.waitForURL(`${appUrl}/settings/apps`);
  await signOutOn(page);

  await page.goto(`${appUrl}/signin?return_to=/settings/apps`);
  await page.getByRole('link', { name: 'Sign in with a passkey' }).click();
  await button(page, 'Use passkey').click();
  await page.waitForURL(`${appUrl}/settings/apps`);
  await signOutOn(page);

  await page.goto(`${appUrl}/signin`);
  await signInOn(page, user);
  await page.getByLabel('Recovery code').fill(code);
  await button(page, 'Use recovery code').click();
  await page.waitForURL(`${appUrl}/`);
});

test('a browser without a passkey says so, and another way stays open', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  const { cdp, authenticatorId } = await addDevice(page);
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await page.goto(`${appUrl}/signin/passkey`);

  await button(page, 'Use passkey').click();
  await page.getByText('Your browser didn’t use a passkey. Try again.').waitFor();

  expect(await findFaults(page)).toEqual([]);
  await page.getByRole('link', { name: 'Use your password instead' }).click();
  await page.waitForURL(`${appUrl}/signin`);
});

test('without JavaScript the pages say what passkeys need, and show no button that does nothing', async () => {
  const page = await openPage(browser, { origins: [appUrl], javaScriptEnabled: false });
  await page.goto(`${appUrl}/signin/passkey`);

  expect(await page.getByText('Passkeys need JavaScript and a browser that supports them.').isVisible()).toBe(
    true,
  );
  expect(await button(page, 'Use passkey').isVisible()).toBe(false);
});
