import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAccountRow } from '../support/accounts.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { addSession, openHome, sendUnchecked, signOutOn } from '../support/journey.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { register } from '../support/registration.ts';
import { openTestSite, openTestSiteAt } from '../support/site.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser, signIn } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite(trustingMail);
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });
const chosen = 'another password of mine';

const open =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(`${appUrl}${path}`);
  };

const openSignedIn =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await addSession(page, service, await addUser(service));
    await page.goto(`${appUrl}${path}`);
  };

test('the account menu fits a low window, and closes on Escape and on a click outside', async () => {
  const page = await openPage(browser, { origins: [appUrl], viewport: { width: 1366, height: 400 } });
  await addSession(page, service, await addUser(service, { isAdmin: true }));
  await page.goto(appUrl);
  const menu = page.locator('.menu');

  for (const close of [() => page.keyboard.press('Escape'), () => page.mouse.click(200, 300)]) {
    await page.locator('.menu-button').click();
    const box = await menu.boundingBox();
    await menu.getByRole('button', { name: 'Sign out' }).scrollIntoViewIfNeeded();
    expect((box?.y ?? 0) + (box?.height ?? 1000)).toBeLessThanOrEqual(400);
    expect(await page.evaluate('scrollY')).toBe(0);
    await close();
    expect(await menu.isVisible()).toBe(false);
  }
});

test('the account menu fits 720 px, ends with Sign out, and says how many apps wait for an admin', async () => {
  await register(service, await signIn(service, await addUser(service)));
  const page = await openPage(browser, { origins: [appUrl], viewport: { width: 1280, height: 720 } });
  await addSession(page, service, await addUser(service, { isAdmin: true }));
  await page.goto(`${appUrl}/settings/profile`);

  await page.getByRole('button', { name: '1 waiting' }).click();

  const ways = page.locator('.menu').getByRole('link');
  expect((await ways.allInnerTexts()).map((words) => words.replaceAll(/\s+/g, ' ').trim())).toEqual([
    ...['Settings', 'Admin 1 waiting'],
  ]);
  expect(await ways.first().getAttribute('aria-current')).toBe('true');
  const box = await page.locator('.menu').getByRole('button', { name: 'Sign out' }).boundingBox();
  expect((box?.y ?? 720) + (box?.height ?? 0)).toBeLessThan(720);
  await ways.last().click();
  expect(new URL(page.url()).pathname).toBe('/settings/admin/oauth');
});

test.each(['/settings/apps', '/settings/profile', '/settings/admin/outbox'])(
  'at %s on a small phone a button shows every section of the settings, and none covers another (WCAG 2.2, 2.4.11)',
  async (path) => {
    const page = await openPage(browser, { origins: [appUrl], viewport: { width: 320, height: 800 } });
    await addSession(page, service, await addUser(service, { isAdmin: true }));
    await page.goto(`${appUrl}${path}`);

    await page.getByRole('button', { name: 'All settings' }).click();
    const sections = await page.locator('.sections').getByRole('link').all();
    const hidden: string[] = [];
    for (const section of sections) {
      await section.focus();
      const isWhole = await section.evaluate((link) => {
        const { left, right, top, bottom } = link.getBoundingClientRect();
        const middle = (top + bottom) / 2;
        return [left + 2, right - 2].every((x) => link.ownerDocument.elementFromPoint(x, middle) === link);
      });
      if (!isWhole) hidden.push(await section.innerText());
    }

    expect(sections.length).toBeGreaterThan(13);
    expect(hidden).toEqual([]);
  },
);

async function sendNoProfile(page: Page): Promise<void> {
  await openSignedIn('/settings/profile')(page);
  for (const name of ['Name', 'Username']) await page.getByLabel(name, { exact: true }).fill('');
  await sendUnchecked(page, page.getByRole('button', { name: 'Save' }));
}

async function sendNoPassword(page: Page): Promise<void> {
  await openSignedIn('/settings/password')(page);
  await sendUnchecked(page, page.getByRole('button', { name: 'Change password' }));
}

async function sendNoAddress(page: Page): Promise<void> {
  await open('/forgot')(page);
  await sendUnchecked(page, page.getByRole('button', { name: 'Email me a link' }));
}

const openResetLink = async (page: Page): Promise<void> =>
  open(await obtainResetPath(service, (await addUser(service)).email))(page);

async function sendNoNewPassword(page: Page): Promise<void> {
  await openResetLink(page);
  await sendUnchecked(page, page.getByRole('button', { name: 'Set new password' }));
}

test.each([
  ['the profile', openSignedIn('/settings/profile')],
  ['the profile once it is saved', openSignedIn('/settings/profile?saved')],
  ['the profile with faults', sendNoProfile],
  ['the password form', openSignedIn('/settings/password')],
  ['the password form with faults', sendNoPassword],
  ['the form for a forgotten password', open('/forgot')],
  ['the form for a forgotten password with faults', sendNoAddress],
  ['the page that says where the email went', open('/forgot/sent')],
  ['the form for a new password', openResetLink],
  ['the form for a new password with faults', sendNoNewPassword],
  ['the page for a dead link', open('/reset/unknown')],
  ['the page of a form that was not saved', openSignedIn('/settings/profile?unsaved')],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, act) => {
    const page = await openShared();
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);

/** From the forgotten password to the account, as a user does it who reads the email. */
async function resetOn(page: Page, base: string, path: string): Promise<void> {
  await page.goto(`${base}${path}`);
  await page.getByLabel('New password').fill(chosen);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('Your password was changed.').waitFor();
}

test('a forgotten password is replaced, and its link works once', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  await page.goto(`${appUrl}/signin`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByLabel('Email address').fill(user.email);
  await page.getByRole('button', { name: 'Email me a link' }).click();
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();
  const path = await obtainResetPath(service, user.email);

  await resetOn(page, appUrl, path);
  await page.goto(`${appUrl}${path}`);
  await page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor();
  await signOutOn(page);
  await openHome(page, service, { ...user, password: chosen });

  expect(await page.getByText(`Signed in as ${user.email}`).isVisible()).toBe(true);
});

test('a profile and a password are changed', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  await openHome(page, service, user);

  await page.locator('.menu-button').click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Another Name');
  await page.getByLabel('Time format').selectOption('12');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved.').waitFor();
  await page.getByRole('link', { name: 'Password' }).click();
  await page.getByLabel('Current password').fill(user.password);
  await page.getByLabel('New password').fill(chosen);
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password was changed.').waitFor();
  await page.goBack();
  await page.reload();

  expect(await findAccountRow(service, user.email)).toMatchObject({ name: 'Another Name', timeFormat: 12 });
  expect(await page.getByLabel('Current password').inputValue()).toBe('');
});
test('a profile that was changed and not saved is not left by accident', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await openSignedIn('/settings/profile')(page);
  await page.getByLabel('Name', { exact: true }).fill('Another Name');
  const asked = page.waitForEvent('dialog');

  const left = page.getByRole('link', { name: 'Connected apps' }).click();
  const dialog = await asked;
  await dialog.dismiss();
  await left;

  expect(dialog.type()).toBe('beforeunload');
  expect(page.url()).toBe(`${appUrl}/settings/profile`);
});

test('on plain http, where browsers say of a form only its Origin, the link works, and its address goes nowhere', async () => {
  const port = await findFreePort();
  const base = `http://latchkey.example:${port}`;
  const plain = await openTestSiteAt(port, base);
  const path = await obtainResetPath(plain, (await addUser(plain)).email);
  const page = await openPage(browser, { origins: [base] });
  const headers: Readonly<Record<string, string>>[] = [];
  page.on('request', (request) => {
    void request.allHeaders().then((all) => headers.push(all));
  });

  await resetOn(page, base, path);

  expect(headers.length).toBeGreaterThan(2);
  expect(headers.filter((all) => 'sec-fetch-site' in all)).toEqual([]);
  expect(JSON.stringify(headers.map(({ referer }) => referer ?? ''))).not.toContain('/reset/');
});
