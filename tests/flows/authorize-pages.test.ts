import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { clients, logos } from '../../src/oauth/tables.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { accountLabel, asksForMore, leadsTo } from '../support/consent.ts';
import { addApp, addSession, allowButton, authorizeAddress, denyButton } from '../support/journey.ts';
import { makePng } from '../support/pictures.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestSite } from '../support/site.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, connect, signIn, type TestClient } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const { db } = service.database;
const openShared = sharePage(browser, { origins: [appUrl] });

/** The name is as long as one may be, without a place to break. */
const longName = 'W'.repeat(80);

const person = await addUser(service);
const team = await addTeam(service, person, 'owner', longName);
const scopes = ['PROFILE_READ', 'EVENT_TYPE_WRITE', 'BOOKING_WRITE', 'SCHEDULE_WRITE'] as const;
const limited = await addClient(service, {
  name: longName,
  scopes,
  redirectUris: [`https://${'long-'.repeat(11)}name.example/callback`],
});
const unlimited = await addClient(service);

const asking =
  ({ id, redirectUri }: TestClient, parameters: Readonly<Record<string, string>> = {}) =>
  async (page: Page): Promise<void> => {
    const request = { client_id: id, redirect_uri: redirectUri, ...parameters };
    await page.goto(authorizeAddress(service, request));
  };

async function askManager(page: Page): Promise<void> {
  const manager = await addUser(service);
  for (let count = 0; count < 6; count += 1) await addTeam(service, manager, 'owner', longName);
  await page.context().clearCookies();
  await addSession(page, service, manager);
  await asking(unlimited)(page);
}

async function askAgainForMore(page: Page): Promise<void> {
  const cookie = await signIn(service, person);
  await connect(service, limited, cookie, { scope: 'PROFILE_READ' });
  await asking(limited)(page);
  await page.getByText(asksForMore).waitFor();
}

/** consent.js leaves the page like this for a moment, but axe itself needs time. */
async function askWithHeldAllow(page: Page): Promise<void> {
  await asking(unlimited)(page);
  await page.locator('button[value="allow"]:not([aria-disabled])').waitFor();
  await allowButton(page).evaluate((button) => button.setAttribute('aria-disabled', 'true'));
}

test.each([
  ['a request for single scopes', asking(limited)],
  ['a request to a user with many teams', askManager],
  ['a request for something else than before', askAgainForMore],
  ['a request with Allow held back', askWithHeldAllow],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, open) => {
    const page = await openShared();
    await addSession(page, service, person);
    await open(page);

    expect(await findFaults(page)).toEqual([]);
  },
);

test.each([
  [1280, 800, 'all scopes', scopeNames],
  [390, 844, 'all scopes', scopeNames],
  [1366, 657, 'full access', null],
  [320, 568, 'full access', null],
  [320, 568, 'two scopes', ['PROFILE_READ', 'BOOKING_READ']],
  [320, 568, 'full access', null, 'W'.repeat(24)],
  [320, 568, 'full access', null, longName],
  [390, 844, 'full access', null, longName],
  [1280, 720, 'full access', null, longName],
] as const)(
  'the first screen at %i × %i px, with %s, a logo and a team choice, answers who asks, for whom, for what, where it leads and how it ends (contract §3)',
  async (width, height, _words, scopes, name = 'Nina Notes for Teams') => {
    const client = await addClient(service, { name, scopes });
    const logo = {
      id: client.id,
      clientId: client.id,
      mediaType: 'image/png',
      createdAt: service.clock.now(),
    } as const;
    await db.insert(logos).values({ ...logo, content: makePng(64, 64) });
    const values = { logoId: logo.id, websiteUrl: 'https://nina-notes.example/' };
    await db.update(clients).set(values).where(eq(clients.id, client.id));
    const page = await openShared();
    await addSession(page, service, person);
    await page.setViewportSize({ width, height });
    await asking(client)(page);

    const bar = page.locator('.decide');
    const barTop = (await bar.boundingBox())?.y ?? 0;
    // Nobody is asked to allow what isn't in sight.
    for (const answer of [
      page.getByRole('heading', { name: `${name} wants access` }),
      page.locator('.account'),
      page.locator('.permissions li').first(),
    ])
      expect(await bottomOf(answer)).toBeLessThanOrEqual(barTop);
    const [leads, ends] = [leadsTo, 'Remove access anytime in Settings → Connected apps.'];
    for (const answer of [bar.getByText(leads), bar.getByText(ends), denyButton(page), allowButton(page)])
      expect(await bottomOf(answer)).toBeLessThanOrEqual(height);

    const remember = page.getByLabel('Don’t ask again');
    await remember.focus();
    expect(await bottomOf(remember)).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0);
  },
);

async function bottomOf(answer: Locator): Promise<number> {
  const box = await answer.boundingBox();
  if (box === null) throw new Error('the answer is not to be seen');
  return box.y + box.height;
}

test.each([
  ['before', async () => {}],
  [
    'after Allow',
    async (page: Page) => {
      await page.getByRole('link', { name: 'Connect your calendar' }).click();
      await page.getByLabel(accountLabel).selectOption(team.slug);
      await allowButton(page).click();
      await page.getByRole('heading', { name: 'You are connected' }).waitFor();
    },
  ],
  [
    'after Deny',
    async (page: Page) => {
      await page.getByRole('link', { name: 'Connect your calendar' }).click();
      await denyButton(page).click();
      await page.getByRole('heading', { name: 'You said no' }).waitFor();
    },
  ],
] as const)(
  'axe finds nothing in the example app %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_when, act) => {
    const { app } = await addApp(service);
    const page = await openPage(browser, { origins: [appUrl, app.url] });
    await addSession(page, service, person);
    await page.goto(app.url);
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);
