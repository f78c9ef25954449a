import type { Cookie, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { allowButton, authorizeAddress, openHome, signInOn } from '../support/journey.ts';
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
  expect(await page.getByRole('heading', { name: 'Hello, ' }).isVisible()).toBe(true);
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
