import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { sessions } from '../../src/accounts/tables.ts';
import { signUpFields } from '../support/accounts.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { fromAddress, guess, newAddress, signInFrom, useUp } from '../support/guesser.ts';
import { openHome, signInOn, signOutOn, signUpOn } from '../support/journey.ts';
import { mailTo } from '../support/registration.ts';
import { openTestSite } from '../support/site.ts';
import { addUser, type TestUser } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const sessionsPage = `${appUrl}/settings/sessions`;
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

const openOwnPage = () => openPage(browser, { origins: [appUrl] });

async function openSessions(page: Page, user: TestUser): Promise<void> {
  await openHome(page, service, user);
  await page.goto(sessionsPage);
}

async function confirmWrongly(page: Page): Promise<void> {
  await openHome(page, service, await addUser(service));
  service.clock.advance(600);
  await page.goto(`${appUrl}/signin/confirm`);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Incorrect password.').waitFor();
}

async function confirmWithForm(page: Page): Promise<void> {
  await openHome(page, service, await addUser(service));
  await page.goto(`${appUrl}/settings/teams/new`);
  await page.getByLabel('Name').fill('Garden Club');
  service.clock.advance(600);
  await page.getByRole('button', { name: 'Create team' }).click();
  await page.getByText('What you typed is kept').waitFor();
}

async function showOneSession(page: Page): Promise<void> {
  await openSessions(page, await addUser(service));
}

async function showSeveralSessions(page: Page): Promise<void> {
  const user = await addUser(service);
  await signInFrom(service, user, {
    userAgent: safari,
    remoteAddress: '2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff',
  });
  await signInFrom(service, user, { userAgent: 'curl/8.1', remoteAddress: '198.51.100.7' });
  await openSessions(page, user);
}

async function failTooOften(page: Page): Promise<void> {
  const user = await addUser(service);
  await guess(service, user, 10, { remoteAddress: newAddress() });
  await page.goto(`${appUrl}/signin`);
  await signInOn(page, user);
  await page.getByRole('alert').waitFor();
}

async function signUpTooOften(page: Page): Promise<void> {
  await useUp(service, fromAddress('strangers', '127.0.0.1'), 100);
  await page.goto(`${appUrl}/signup`);
  await signUpOn(page, signUpFields());
  await page.getByRole('alert').waitFor();
}

test.each([
  ['the sessions page with this browser alone', showOneSession],
  ['the sessions page with several browsers', showSeveralSessions],
  ['the page that asks who it is, after a wrong password', confirmWrongly],
  ['the page that asks who it is, with a form', confirmWithForm],
  ['the sign-in page after too many failures', failTooOften],
  ['the sign-up page after too many accounts', signUpTooOften],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, act) => {
    const page = await openOwnPage();
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);

test("the owner's browser gets in while strangers guess, another browser is asked to wait (security C48)", async () => {
  const user = await addUser(service);
  const [own, unknown] = [await openOwnPage(), await openOwnPage()];
  await openHome(own, service, user);
  await signOutOn(own);
  await guess(service, user, 12, { remoteAddress: newAddress() });

  await unknown.goto(`${appUrl}/signin`);
  await signInOn(unknown, user);
  await unknown.getByRole('alert').waitFor();
  await openHome(own, service, user);

  expect(await unknown.getByRole('alert').textContent()).toContain('Try again in 15 minutes.');
  expect(await own.getByText(`Signed in as ${user.email}`).isVisible()).toBe(true);
});

test('people see their browsers and sign one out, then all others', async () => {
  const user = await addUser(service);
  const here = await openPage(browser, { origins: [appUrl] });
  const phone = await openPage(browser, { origins: [appUrl], userAgent: safari });
  const desk = await openOwnPage();
  for (const page of [here, phone, desk]) await openHome(page, service, user);
  await here.goto(sessionsPage);
  const phoneItem = here.getByRole('listitem').filter({ hasText: 'Safari on iOS' });

  await phoneItem.getByRole('button', { name: 'Sign out' }).click();
  await phoneItem.waitFor({ state: 'detached' });
  await phone.goto(sessionsPage);
  await desk.goto(sessionsPage);
  const deskAddress = desk.url();
  await here.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await here.getByText('No other active sessions.').waitFor();
  await desk.reload();

  expect(phone.url()).toContain('/signin?return_to=');
  expect(deskAddress).toBe(sessionsPage);
  expect(desk.url()).toContain('/signin?return_to=');
  expect(await here.getByText('This browser', { exact: true }).isVisible()).toBe(true);
});

test('the email about a new browser names it and leads to the sessions', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl], userAgent: safari });
  await openHome(page, service, user);
  const [sent] = await mailTo(service, user.email);
  const [address = ''] = new RegExp(`${appUrl}/settings/sessions`).exec(sent?.text ?? '') ?? [];

  await page.goto(address);

  expect(sent?.text).toContain('Safari on iOS');
  expect(await page.getByRole('listitem').filter({ hasText: 'Safari on iOS' }).isVisible()).toBe(true);
});

test.each([true, false])(
  'what was typed is sent once its person has confirmed or signed in, with JavaScript: %s (security C321)',
  async (javaScriptEnabled) => {
    const page = await openPage(browser, { origins: [appUrl], javaScriptEnabled });
    const user = await addUser(service);
    await openHome(page, service, user);
    await page.goto(`${appUrl}/settings/teams/new`);
    await page.getByLabel('Name').fill('Garden Club & Söhne');
    service.clock.advance(600);

    await page.getByRole('button', { name: 'Create team' }).click();
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('heading', { name: 'Garden Club & Söhne' }).waitFor();

    await page.goto(`${appUrl}/settings/teams/new`);
    await page.getByLabel('Name').fill('Second Club');
    await service.database.db.delete(sessions).where(eq(sessions.userId, user.id));
    await page.getByRole('button', { name: 'Create team' }).click();
    await page.getByText('You were signed out.').waitFor();
    await page.getByLabel('Email address').fill(user.email);
    await page.getByLabel('Password').fill(user.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Second Club' }).waitFor();
  },
);
