import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ReviewStatus } from '../../src/oauth/core/client.ts';
import { clientEdits, clients } from '../../src/oauth/tables.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { setClientStatus } from '../support/client-status.ts';
import { addSession, sendUnchecked } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, connect, signIn, type TestClient } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });

/** Names and addresses are as long as they may be, without a place to break. */
const longName = 'W'.repeat(80);
const longAddress = `https://${'long-'.repeat(10)}name.example/${'path'.repeat(100)}`;
const longReason = 'This name says nothing, and it is too loud. '.repeat(10);

const newcomer = await addUser(service);
const developer = await addUser(service);
const pending = await addOwnClient('pending');
const accepted = await addOwnClient('accepted');
const rejected = await addOwnClient('rejected');
const changing = await addOwnClient('accepted');
const refused = await addOwnClient('accepted');
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

/** Every field of it is changed. */
async function addEdit({ id }: TestClient, status: 'pending' | 'rejected'): Promise<void> {
  await service.database.db.insert(clientEdits).values({
    clientId: id,
    name: `${longName.slice(1)}M`,
    purpose: longReason,
    redirectUris: [longAddress, 'https://second.example/callback'],
    websiteUrl: null,
    scopes: null,
    logoId: null,
    status,
    rejectionReason: status === 'rejected' ? longReason : null,
    submittedAt: service.clock.now(),
  });
}

await addEdit(changing, 'pending');
await addEdit(refused, 'rejected');

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
  await sendUnchecked(page, page.getByRole('button', { name: 'Register app' }));
}

async function registerClient(page: Page): Promise<void> {
  await page.goto(`${ownApps}/new`);
  await page.getByLabel('Name', { exact: true }).fill(longName);
  await page.getByLabel('Purpose').fill(longReason);
  await page.getByLabel('Redirect URIs').fill(longAddress);
  await page.getByRole('radio', { name: 'Full access' }).check();
  await page.getByRole('button', { name: 'Register app' }).click();
  await page.locator('#client_secret').waitFor();
}

async function openWholeClient(page: Page): Promise<void> {
  await page.goto(`${ownApps}/${accepted.id}`);
  for (const summary of await page.locator('main summary').all()) {
    const isOpen = await summary.evaluate((element) => element.parentElement?.hasAttribute('open'));
    if (isOpen !== true) await summary.click();
  }
}

async function editToNothing(page: Page): Promise<void> {
  await page.goto(`${ownApps}/${pending.id}/edit`);
  await page.getByLabel('Name', { exact: true }).fill('');
  await page.getByLabel('Redirect URIs').fill(`${longAddress}#x\njavascript:alert(1)`);
  await sendUnchecked(page, page.getByRole('button', { name: 'Save changes' }));
}

async function deleteWithoutName(page: Page): Promise<void> {
  await page.goto(`${ownApps}/${pending.id}/delete`);
  await sendUnchecked(page, page.getByRole('button', { name: 'Delete app' }));
}

test.each([
  ['the list of no own apps', newcomer, open(ownApps)],
  ['the list of own apps', developer, open(ownApps)],
  ['the registration form', developer, open(`${ownApps}/new`)],
  ['the registration form with faults', developer, registerNothing],
  ['a new app with its secret', await addUser(service), registerClient],
  ['an accepted app with everything open', developer, openWholeClient],
  ['the quickstart', developer, open(`${ownApps}/${accepted.id}/quickstart`)],
  ['the quickstart in Python', developer, open(`${ownApps}/${accepted.id}/quickstart?language=python`)],
  ['a rejected app', developer, open(`${ownApps}/${rejected.id}`)],
  ['an app with changes that wait', developer, open(`${ownApps}/${changing.id}?done=edit_submitted`)],
  ['an app with changes that were not accepted', developer, open(`${ownApps}/${refused.id}`)],
  ['the edit of a pending app', developer, open(`${ownApps}/${pending.id}/edit`)],
  ['the edit of a rejected app', developer, open(`${ownApps}/${rejected.id}/edit`)],
  ['the edit of changes that were not accepted', developer, open(`${ownApps}/${refused.id}/edit`)],
  ['an edit with faults', developer, editToNothing],
  ['a deletion', developer, open(`${ownApps}/${accepted.id}/delete`)],
  ['a deletion without the name', developer, deleteWithoutName],
  ['the review page for another user', person, open(review)],
  ['no connected apps', newcomer, open(connectedApps)],
  ['connected apps', person, open(connectedApps)],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, viewer, act) => {
    const page = await openShared();
    await addSession(page, service, viewer);
    await act(page);

    expect(await findFaults(page)).toEqual([]);
  },
);

test('a developer registers an app, mends its addresses, changes it, withdraws and deletes it (contract §2)', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, await addUser(service));
  const fields = { name: page.getByLabel('Name', { exact: true }), uris: page.getByLabel('Redirect URIs') };

  await page.goto(ownApps);
  await page.getByRole('link', { name: 'Register app' }).click();
  await fields.name.fill('Tidy Shelf');
  await page.getByLabel('Purpose').fill('Keeps shelves tidy.');
  await fields.uris.fill('https://shelf.example/callback\nhttp://shelf.example/');
  await page.getByRole('radio', { name: 'Full access' }).check();
  await page.getByRole('button', { name: 'Register app' }).click();
  const fault = await page.locator('#redirect_uris-fault').innerText();
  await fields.uris.fill('https://shelf.example/callback');
  await page.getByRole('button', { name: 'Register app' }).click();
  const id = await page.locator('#client_id').innerText();
  await setClientStatus(service.database.db, id, 'accepted');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await fields.name.fill('Tidier Shelf');
  await page.getByRole('button', { name: 'Submit changes' }).click();
  const waiting = await page.getByRole('region', { name: 'Changes in review' }).innerText();
  await page.getByRole('link', { name: 'Withdraw changes' }).click();
  await page.getByRole('button', { name: 'Withdraw changes' }).click();
  const withdrawn = await page.getByRole('status').innerText();
  await page.getByRole('link', { name: 'Delete app' }).click();
  await page.getByLabel(/^To confirm, enter/).fill('Tidy Shelf');
  await page.getByRole('button', { name: 'Delete app' }).click();

  expect(fault).toMatch(/^Line 2: http:\/\/shelf\.example\/ can use http only on localhost/);
  expect(waiting).toContain('Tidier Shelf');
  expect(waiting).not.toContain('Purpose');
  expect(withdrawn).toBe('Changes withdrawn. Your app stays as it is.');
  expect(page.url()).toBe(`${ownApps}?done=deleted`);
  expect(await page.getByRole('status').innerText()).toBe('App deleted. All its tokens have been revoked.');
  expect(await page.locator('main').innerText()).toContain('No apps yet');
});
test('the button that is pressed twice registers one app, and its secret is there', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  const owner = await addUser(service);
  await addSession(page, service, owner);
  await page.goto(`${ownApps}/new`);
  await page.getByLabel('Name', { exact: true }).fill('Tidy Shelf');
  await page.getByLabel('Purpose').fill('Keeps shelves tidy.');
  await page.getByLabel('Redirect URIs').fill('https://shelf.example/callback');
  await page.getByRole('radio', { name: 'Full access' }).check();

  await page.getByRole('button', { name: 'Register app' }).dblclick();
  await page.locator('#client_secret').waitFor();

  expect(await service.database.db.$count(clients, eq(clients.ownerId, owner.id))).toBe(1);
  expect(await page.locator('#client_secret').innerText()).toMatch(/^lks_[\w-]{43}$/);
});

test('the overview of a usual app fits a screen of 1280 by 800', async () => {
  const page = await openPage(browser, { origins: [appUrl], viewport: { width: 1280, height: 800 } });
  const owner = await addUser(service);
  const { id } = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_WRITE'] });
  await service.database.db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, id));
  await addSession(page, service, owner);

  await page.goto(`${ownApps}/${id}`);
  const facts = await page.locator('.facts').boundingBox();

  expect((facts?.y ?? 800) + (facts?.height ?? 0)).toBeLessThanOrEqual(800);
});

test('a value and a snippet are copied as they stand', async () => {
  const page = await openPage(browser, {
    origins: [appUrl],
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await addSession(page, service, developer);
  await page.goto(`${ownApps}/${accepted.id}`);
  const copied = () => page.evaluate('navigator.clipboard.readText()');

  await page.getByRole('button', { name: 'Copy client ID' }).click();
  const id = await copied();
  await page.getByRole('link', { name: 'Open quickstart' }).click();
  await page.getByRole('button', { name: 'Copy Exchange the code for tokens' }).click();
  const snippet = await copied();

  expect(id).toBe(accepted.id);
  expect(snippet).toBe(await page.locator('pre').nth(1).textContent());
});

test('a changed form asks before it is left, and does not when it is sent', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, developer);
  await page.goto(`${ownApps}/${pending.id}/edit`);
  const asked: string[] = [];
  page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await dialog.dismiss();
  });

  await page.getByLabel('Purpose').fill('Not sent yet.');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect.poll(() => asked).toEqual(['beforeunload']);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.waitForURL(`${ownApps}/${pending.id}?done=changed`);

  expect(asked).toEqual(['beforeunload']);
});
