import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, sharePage } from '../support/browser.ts';
import { addSession, sendUnchecked } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });

const open =
  (path: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(`${appUrl}${path}`);
  };

const sendEmpty =
  (path: string, button: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(`${appUrl}${path}`);
    await sendUnchecked(page, page.getByRole('button', { name: button }));
  };

async function failToSignIn(page: Page): Promise<void> {
  await page.goto(`${appUrl}/signin`);
  await page.getByLabel('Email address').fill('nobody@example.com');
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').waitFor();
}

async function signInAsAdmin(page: Page): Promise<void> {
  await addSession(page, service, await addUser(service, { isAdmin: true }));
  await page.goto(appUrl);
}

test.each([
  ['the home page', open('/')],
  ['the sign-up form', open('/signup')],
  ['the sign-up form with faults', sendEmpty('/signup', 'Create account')],
  ['the sign-in form', open('/signin')],
  ['the sign-in form with faults', sendEmpty('/signin', 'Sign in')],
  ['the sign-in form after a wrong password', failToSignIn],
  ['the home page of an admin', signInAsAdmin],
  ['the page for an address without one', open('/nothing')],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, act) => {
    const page = await openShared();
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);
