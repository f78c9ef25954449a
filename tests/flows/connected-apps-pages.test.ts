import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { setClientStatus } from '../support/client-status.ts';
import { allowForGood, appsHome } from '../support/consent.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addTeam } from '../support/teams.ts';
import { dead, use } from '../support/tokens.ts';
import { addClient, addUser, connect, signIn, type TestUser } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });

/** The name is as long as one may be, without a place to break. */
const longName = 'W'.repeat(80);

/** A user with an app of every kind: for two accounts and remembered, not accepted any more, on the device, remembered only. */
async function addBusyPerson(): Promise<TestUser> {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  const team = await addTeam(service, user, 'owner', longName);
  const both = await addClient(service, { name: longName, scopes: ['PROFILE_READ', 'BOOKING_WRITE'] });
  await connect(service, both, cookie);
  await connect(service, both, cookie, { team_slug: team.slug });
  await allowForGood(service, both, cookie, {}, team.slug);
  const suspended = await addClient(service, { name: 'Suspended' });
  await connect(service, suspended, cookie);
  await setClientStatus(service.database.db, suspended.id, 'rejected');
  const onDevice = { type: 'public', redirectUris: ['http://localhost/callback'] } as const;
  await connect(service, await addClient(service, { name: 'Desktop', ...onDevice }), cookie);
  await allowForGood(service, await addClient(service, { name: 'Remembered' }), cookie);
  return user;
}

async function addCrowdedPerson(): Promise<TestUser> {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  for (let count = 0; count < 51; count += 1)
    await allowForGood(service, await addClient(service, { name: `App ${count}` }), cookie);
  return user;
}

test.each([
  ['the connected apps of every kind', addBusyPerson, appsHome],
  ['the last page of many apps', addCrowdedPerson, `${appsHome}?page=2`],
  ['the connected apps of a user without one', () => addUser(service), appsHome],
  ['the question before all are disconnected', addBusyPerson, `${appsHome}/disconnect-all`],
  ['that question where nothing is connected', () => addUser(service), `${appsHome}/disconnect-all`],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, addPerson, path) => {
    const page = await openShared();
    await addSession(page, service, await addPerson());
    await page.goto(`${appUrl}${path}`);

    expect(await findFaults(page)).toEqual([]);
  },
);

test('a user disconnects one app, then all others (contract §5)', async () => {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  const clients = [];
  for (const name of ['Alder', 'Birch', 'Cedar']) {
    const client = await addClient(service, { name });
    clients.push({ client, tokens: await connect(service, client, cookie) });
  }
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, user);
  await page.goto(`${appUrl}${appsHome}`);

  await page.getByRole('button', { name: 'Remove access for Birch' }).click();
  await page.getByRole('heading', { name: 'Birch' }).waitFor({ state: 'detached' });
  const left = await headingsOf(page);
  await page.getByRole('link', { name: 'Remove all access' }).click();
  await page.getByRole('button', { name: 'Remove all access' }).click();
  await page.getByText('No connected apps').waitFor();

  expect(left).toEqual(['Alder', 'Cedar']);
  for (const { client, tokens } of clients) expect(await use(service, client, tokens)).toEqual(dead);
});

async function headingsOf(page: Page): Promise<string[]> {
  return page.getByRole('heading', { level: 2 }).allInnerTexts();
}
