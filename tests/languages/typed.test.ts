import { expect, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test('a sign-up keeps what was typed when its language is changed, but no password (contract §1)', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await page.goto(`${appUrl}/signup?return_to=%2Fbookings`);
  await page.locator('#name').fill('Ana "Ann"');
  await page.locator('#email').fill('ana@example.com');
  await page.locator('#password').fill('a few unrelated words');
  await page.locator('select#language').selectOption('ar');
  await page.locator('.languages button').click();
  await page.locator('html[lang="ar"]').waitFor();

  expect(await page.locator('#name').inputValue()).toBe('Ana "Ann"');
  expect(await page.locator('#email').inputValue()).toBe('ana@example.com');
  expect(await page.locator('#password').inputValue()).toBe('');
  expect(await page.evaluate('sessionStorage.length')).toBe(0);

  // It is kept for this change alone.
  await page.goto(`${appUrl}/signup`);
  expect(await page.locator('#email').inputValue()).toBe('');
});

test('also on a page with several forms and lists, which still asks before it is left', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, await addUser(service));
  await page.goto(`${appUrl}/settings/profile`);
  await page.locator('#name').fill('Ana');
  await page.locator('#time_format').selectOption('12');
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await dialog.accept();
  });
  await page.locator('select#language').selectOption('de');
  await page.locator('.languages button').click();
  await page.locator('html[lang="de"]').waitFor();

  expect(await page.locator('#name').inputValue()).toBe('Ana');
  expect(await page.locator('#time_format').inputValue()).toBe('12');
  expect(await page.locator('#own-language').inputValue()).toBe('de');
  expect(asked).toEqual([]);
  await page.goto(`${appUrl}/`);
  expect(asked).toEqual(['beforeunload']);
});
