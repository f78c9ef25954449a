import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signUpFields } from '../support/accounts.ts';
import { requestOf } from '../support/authorization.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { addSession, signUpOn } from '../support/journey.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestSite } from '../support/site.ts';
import { mailSettings, verifyPathTo } from '../support/verification.ts';
import { addClient, addUser, authorizePath, signIn } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite(mailSettings);
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });

const newcomer = await addUser(service, { isVerified: false });
await postOwnForm(service, '/verify/resend', {}, await signIn(service, newcomer));
const path = await verifyPathTo(service, newcomer.email);
const client = await addClient(service, { name: 'Tidy Week' });
const request = `${authorizePath}?${new URLSearchParams(requestOf(client)).toString()}`;

const open =
  (at: string, as?: Parameters<typeof addSession>[2]) =>
  async (page: Page): Promise<void> => {
    if (as !== undefined) await addSession(page, service, as);
    await page.goto(`${appUrl}${at}`);
  };

test.each([
  ['the page after sign-up', open('/verify/sent')],
  ['the page after another link was sent', open('/verify/sent', newcomer)],
  ['the page of a link', open(path, newcomer)],
  ['the page of a link, signed out', open(path)],
  ['the page of a link of another account', open(path, await addUser(service))],
  ['the page before an app is approved', open(request, newcomer)],
  ['the profile of someone who is not verified', open('/settings/profile', newcomer)],
  ['the form for another address', open('/settings/profile/email', newcomer)],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, act) => {
    const page = await openShared();
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);

test('someone who comes from an app signs up, opens the link of the email, and is asked to approve the app', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  const fields = signUpFields();
  await page.goto(`${appUrl}${request}`);
  await page.getByRole('link', { name: 'Create an account' }).click();
  await signUpOn(page, fields);
  await page.getByRole('heading', { name: 'Check your email' }).waitFor();

  await page.goto(`${appUrl}${await verifyPathTo(service, fields.email)}`);
  await page.getByRole('button', { name: 'Verify email address' }).click();

  await page.getByRole('button', { name: 'Allow' }).waitFor();
  expect(new URL(page.url()).search).toBe(new URL(`${appUrl}${request}`).search);
  expect(await page.getByText(fields.email).isVisible()).toBe(true);
});
