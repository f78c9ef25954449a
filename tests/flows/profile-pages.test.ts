import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { addSession } from '../support/journey.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { register } from '../support/registration.ts';
import { openTestSite, openTestSiteAt } from '../support/site.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser, signIn } from '../support/world.ts';

const service = await openTestSite(trustingMail);
const browser = await openBrowser();
const { appUrl } = service;
const chosen = 'another password of mine';

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

/** From the forgotten password to the account, as a user does it who reads the email. */
async function resetOn(page: Page, base: string, path: string): Promise<void> {
  await page.goto(`${base}${path}`);
  await page.getByLabel('New password').fill(chosen);
  await page.getByRole('button', { name: 'Set new password' }).click();
  await page.getByText('Your password was changed.').waitFor();
}

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
