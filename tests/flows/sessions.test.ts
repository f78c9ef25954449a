import { eq } from 'drizzle-orm';
import type { Cookie, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { sessions } from '../../src/accounts/tables.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { allowButton, authorizeAddress, openHome, signInOn, signOutOn } from '../support/journey.ts';
import { openTestSite, openTestSiteAt } from '../support/site.ts';
import { addClient, addUser } from '../support/world.ts';
import { startHttpsSite } from './https-site.ts';
import { startTlsFront } from './tls-front.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

const frontPort = await findFreePort();
const securePort = await findFreePort();
const secureService = await openTestSiteAt(securePort, `https://latchkey.example:${frontPort}`);
const front = await startTlsFront('latchkey.example', frontPort, securePort);
afterAll(front.close);

async function sessionCookieOf(page: Page, name: string): Promise<Cookie> {
  const cookie = (await page.context().cookies()).find((one) => one.name === name);
  if (cookie === undefined) throw new Error(`there is no cookie ${name}`);
  return cookie;
}

test('on http://localhost a browser keeps the session: HttpOnly, SameSite=Lax, of this host alone (security C29)', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });

  await openHome(page, service, user);

  expect(await sessionCookieOf(page, 'latchkey_session')).toMatchObject({
    domain: 'localhost',
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: false,
  });
  expect(await page.getByText(`Signed in as ${user.email}`).isVisible()).toBe(true);
});

test('a session id that was planted before sign-in opens nothing afterwards (security C29, ASVS 7.2.4)', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  const planted = { name: 'latchkey_session', value: 'planted', url: appUrl };
  await page.context().addCookies([planted]);
  await openHome(page, service, user);
  const { value } = await sessionCookieOf(page, 'latchkey_session');

  await page.context().addCookies([planted]);
  await page.reload();

  expect(value).not.toBe(planted.value);
  expect(await page.locator('main').getByRole('link', { name: 'Sign in' }).isVisible()).toBe(true);
});

test('signing out ends the session on the server, and the next sign-in has another id (security C29)', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  await openHome(page, service, user);
  const former = await sessionCookieOf(page, 'latchkey_session');

  await signOutOn(page);
  await page.context().addCookies([former]);
  await page.goto(appUrl);
  const isSignedOut = await page.locator('main').getByRole('link', { name: 'Sign in' }).isVisible();
  await openHome(page, service, user);

  expect(isSignedOut).toBe(true);
  expect((await sessionCookieOf(page, 'latchkey_session')).value).not.toBe(former.value);
});

test('a form sent after its session ended is kept, and sent on once its person has signed in (security C321)', async () => {
  const user = await addUser(service);
  const page = await openPage(browser, { origins: [appUrl] });
  await openHome(page, service, user);
  await page.goto(`${appUrl}/settings/profile`);
  await page.getByLabel('Name', { exact: true }).fill('Another Name');
  await service.database.db.delete(sessions).where(eq(sessions.userId, user.id));

  await page.getByRole('button', { name: 'Save' }).click();
  await signInOn(page, user);
  await page.getByText('Saved.').waitFor();

  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another Name');
});

test('on https the cookie is __Host- and Secure, and Allow leads to an https app (security C18, C29)', async () => {
  const site = await startHttpsSite('client.example');
  onTestFinished(site.close);
  const user = await addUser(secureService);
  const redirectUri = `${site.origin}/callback`;
  const client = await addClient(secureService, { redirectUris: [redirectUri] });
  const origins = [secureService.appUrl, site.origin];
  const page = await openPage(browser, { origins, ignoreHTTPSErrors: true });

  await page.goto(authorizeAddress(secureService, { client_id: client.id, redirect_uri: redirectUri }));
  await signInOn(page, user);
  await allowButton(page).click();
  await page.waitForURL(`${redirectUri}?**`);

  expect(await sessionCookieOf(page, '__Host-latchkey_session')).toMatchObject({
    domain: 'latchkey.example',
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    secure: true,
  });
  expect(new URL(page.url()).searchParams.get('iss')).toBe(secureService.appUrl);
});
