import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { addDevice } from '../support/device.ts';
import { openHome, signInOn } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

/** Signs out with the account menu, on any page that has it. */
async function signOutOn(page: Page): Promise<void> {
  await page.locator('.menu-button').click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

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
  await page.getByRole('link', { name: 'Remove (Work laptop)' }).click();
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
