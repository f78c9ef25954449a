import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { grants } from '../../src/oauth/tables.ts';
import { requestOf } from '../support/authorization.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { accountLabel } from '../support/consent.ts';
import {
  addApp,
  addSession,
  allowButton,
  connectApp,
  connectLink,
  denyButton,
  signInOn,
} from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, authorizePath } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

async function countGrants(clientId: string): Promise<number> {
  return service.database.db.$count(grants, eq(grants.clientId, clientId));
}

/** The first answer is still on its way when the second click comes. */
const slowLine = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 } as const;

const enoughTabs = 20;

/** Allow is held back for a moment after the page appears; Playwright's own clicks wait for that, keys and the bare mouse do not. */
async function untilReady(page: Page): Promise<void> {
  await page.locator('button[value="allow"]:not([aria-disabled])').waitFor();
}

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < enoughTabs; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === element.ownerDocument.activeElement)) return;
  }
  throw new Error('Tab does not reach the element');
}

test('a user signs in, chooses a team and allows with the keyboard alone (WCAG 2.2, 2.1.1)', async () => {
  const user = await addUser(service);
  const team = await addTeam(service, user);
  const { app } = await addApp(service);
  const page = await openPage(browser, { origins: [appUrl, app.url] });
  const { keyboard } = page;
  await page.goto(app.url);

  await tabTo(page, connectLink(page));
  await keyboard.press('Enter');
  await page.waitForURL(`${appUrl}/signin?**`);
  await tabTo(page, page.getByLabel('Email address'));
  await keyboard.type(user.email);
  await tabTo(page, page.getByLabel('Password'));
  await keyboard.type(user.password);
  await keyboard.press('Enter');
  await allowButton(page).waitFor();
  await tabTo(page, page.getByLabel(accountLabel));
  await keyboard.press('ArrowDown');
  await tabTo(page, denyButton(page));
  await tabTo(page, allowButton(page));
  await untilReady(page);
  await keyboard.press('Enter');
  await page.waitForURL(`${app.url}/?done=connected`);

  expect(await page.locator('dl').innerText()).toContain(`the team ${team.name}`);
});

test('without the script a double click on Allow sends the form twice and connects once (contract §3)', async () => {
  const user = await addUser(service);
  const { client, app } = await addApp(service);
  const page = await openPage(browser, { origins: [appUrl, app.url] });
  await addSession(page, service, user);
  await page.route(/consent\.js/, async (route) => route.fulfill({ contentType: 'text/javascript' }));
  await page.goto(`${app.url}/connect`);
  await allowButton(page).scrollIntoViewIfNeeded();
  await allowButton(page).click({ trial: true });
  const { x, y } = await centreOf(allowButton(page));
  const line = await page.context().newCDPSession(page);
  await line.send('Network.emulateNetworkConditions', slowLine);

  for (const _click of ['first', 'second']) {
    const sent = page.waitForRequest((request) => request.method() === 'POST');
    await page.mouse.click(x, y);
    await sent;
  }
  await page.getByRole('heading', { name: 'You are connected' }).waitFor();

  expect(await page.locator('dl').innerText()).toContain(user.email);
  expect(await countGrants(client.id)).toBe(1);
});

test.each([
  ['Allow', allowButton],
  ['Deny', denyButton],
] as const)(
  'after %s both buttons are held, and a page that stays says that it can be closed (contract §3)',
  async (_name, button) => {
    const client = await addClient(service, { type: 'public', redirectUris: ['com.example.app:/cb'] });
    const page = await openPage(browser, { origins: [appUrl, 'com.example.app:'] });
    await addSession(page, service, await addUser(service));
    await page.goto(`${appUrl}${authorizePath}?${new URLSearchParams(requestOf(client)).toString()}`);
    const arriving = page.waitForRequest('com.example.app:/cb?**');
    await button(page).click();
    await arriving;
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));

    for (const held of [allowButton(page), denyButton(page)]) {
      await held.press('Enter');
      expect(await held.isDisabled()).toBe(true);
    }

    await page.getByRole('status').getByText('You can close this page once it’s open.').waitFor();
    expect(sent).toEqual([]);
  },
);

async function centreOf(target: Locator): Promise<{ readonly x: number; readonly y: number }> {
  const box = await target.boundingBox();
  if (box === null) throw new Error('the element is not to be seen');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

test('Back after Allow shows the request again, and a second Allow ends at the app all the same (contract §3)', async () => {
  const { user, app, page } = await connectApp(browser, service);

  await page.goBack();
  await allowButton(page).click();
  await page.getByRole('heading', { name: 'This answer is not for this browser' }).waitFor();
  await page.goto(app.url);

  expect(await page.locator('dl').innerText()).toContain(user.email);
});

test('going back twice from the authorization page leaves the sign-in behind (contract §3)', async () => {
  const user = await addUser(service);
  const { app } = await addApp(service);
  const page = await openPage(browser, { origins: [appUrl, app.url] });
  await page.goto(app.url);
  await connectLink(page).click();
  await signInOn(page, user);
  await allowButton(page).waitFor();

  await page.goBack();
  await page.goBack();

  expect(page.url()).toBe(`${app.url}/`);
});

describe('Allow is held back for half a second (double clickjacking)', () => {
  test('after the page appears and whenever it gets the focus; Deny never is', async () => {
    const user = await addUser(service);
    const { client, app } = await addApp(service);
    const page = await openPage(browser, { origins: [appUrl, app.url] });
    await addSession(page, service, user);
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    await page.goto(`${app.url}/connect`);
    const pressAllow = async (): Promise<void> => {
      await allowButton(page).focus();
      await page.keyboard.press('Enter');
    };

    await pressAllow();
    await page.clock.runFor(499);
    await pressAllow();
    await page.clock.runFor(1);
    await untilReady(page);
    await page
      .locator('html')
      .evaluate((html) => html.ownerDocument.defaultView?.dispatchEvent(new Event('focus')));
    await pressAllow();
    const grantsMeanwhile = await countGrants(client.id);
    const isDenyHeld = await denyButton(page).isDisabled();
    await page.clock.runFor(500);
    await untilReady(page);
    await pressAllow();
    await page.waitForURL(`${app.url}/?done=connected`);

    expect(grantsMeanwhile).toBe(0);
    expect(isDenyHeld).toBe(false);
    expect(await countGrants(client.id)).toBe(1);
  });

  test('without JavaScript too, from the first moment on which it is to be seen', async () => {
    const user = await addUser(service);
    const { app } = await addApp(service);
    const page = await openPage(browser, { origins: [appUrl, app.url] });
    await addSession(page, service, user);
    await page.goto(`${app.url}/connect`);

    const [during, after] = await allowButton(page).evaluate((button) => {
      const events = () => button.ownerDocument.defaultView?.getComputedStyle(button).pointerEvents;
      button.style.animation = 'none';
      const afterwards = events();
      button.style.animation = '';
      return [events(), afterwards];
    });

    expect([during, after]).toEqual(['none', 'auto']);
  });
});
