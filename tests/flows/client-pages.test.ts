import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ReviewStatus } from '../../src/oauth/core/client.ts';
import { clients } from '../../src/oauth/tables.ts';
import { findFaults } from '../support/axe.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { openHome, sendUnchecked } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, connect, signIn, type TestClient } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

/** As long as names and addresses may be, without a place to break. */
const longName = 'W'.repeat(80);
const longAddress = `https://${'long-'.repeat(10)}name.example/${'path'.repeat(100)}`;
const longReason = 'This name says nothing, and it is too loud. '.repeat(10);

const newcomer = await addUser(service);
const developer = await addUser(service);
await addOwnClient('pending');
const accepted = await addOwnClient('accepted');
const rejected = await addOwnClient('rejected');
const person = await addUser(service);
const team = await addTeam(service, person, 'owner', longName);
await connect(service, accepted, await signIn(service, person), { team_slug: team.slug });

async function addOwnClient(status: ReviewStatus): Promise<TestClient> {
  const client = await addClient(service, {
    status,
    name: longName,
    redirectUris: [longAddress],
    scopes: status === 'pending' ? null : ['PROFILE_READ', 'BOOKING_WRITE'],
  });
  const rejectionReason = status === 'rejected' ? longReason : null;
  const owned = { ownerId: developer.id, websiteUrl: longAddress, rejectionReason };
  await service.database.db.update(clients).set(owned).where(eq(clients.id, client.id));
  return client;
}

const ownApps = `${appUrl}/settings/developer/oauth`;
const review = `${appUrl}/settings/admin/oauth`;
const connectedApps = `${appUrl}/settings/apps`;

const open =
  (address: string) =>
  async (page: Page): Promise<void> => {
    await page.goto(address);
  };

async function registerNothing(page: Page): Promise<void> {
  await page.goto(`${ownApps}/new`);
  await sendUnchecked(page, page.getByRole('button', { name: 'Submit for review' }));
}

async function registerClient(page: Page): Promise<void> {
  await page.goto(`${ownApps}/new`);
  await page.getByLabel('Name', { exact: true }).fill(longName);
  await page.getByLabel('Purpose').fill(longReason);
  await page.getByLabel('Redirect URIs').fill(longAddress);
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await page.locator('#client_secret').waitFor();
}

test.each([
  ['the list of no own apps', newcomer, open(ownApps)],
  ['the list of own apps', developer, open(ownApps)],
  ['the registration form', developer, open(`${ownApps}/new`)],
  ['the registration form with faults', developer, registerNothing],
  ['a new app with its secret', await addUser(service), registerClient],
  ['an accepted app', developer, open(`${ownApps}/${accepted.id}`)],
  ['a rejected app', developer, open(`${ownApps}/${rejected.id}`)],
  ['the review page for somebody else', person, open(review)],
  ['no connected apps', newcomer, open(connectedApps)],
  ['connected apps', person, open(connectedApps)],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, viewer, act) => {
    const page = await openPage(browser, { origins: [appUrl] });
    await openHome(page, service, viewer);
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);
