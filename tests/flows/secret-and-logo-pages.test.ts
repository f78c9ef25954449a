import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { EditStatus } from '../../src/oauth/clients/status.ts';
import type { ReviewStatus } from '../../src/oauth/core/client.ts';
import { clientEdits, clientSecrets, clients } from '../../src/oauth/tables.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { addSession, sendUnchecked } from '../support/journey.ts';
import { logoPath, makePng, makePngOfBytes, uploadLogo } from '../support/pictures.ts';
import { secretsOf } from '../support/registration.ts';
import { addOnPage, eventsOf, liveHints, type Owned, openOwned, tryOut } from '../support/secrets.ts';
import { openTestSite } from '../support/site.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });
const { db } = service.database;

/** The name is as long as one may be, without a place to break. */
const longName = 'W'.repeat(80);
const slowLine = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 } as const;

async function openAs(
  { owner }: Owned,
  options: { readonly javaScriptEnabled?: boolean } = {},
): Promise<Page> {
  const page = await openPage(browser, { origins: [appUrl], ...options });
  await addSession(page, service, owner);
  return page;
}

const addButton = (page: Page): Locator => page.getByRole('button', { name: 'Add secret' });
const deleteLink = (page: Page, secret: string): Locator =>
  page.getByRole('link', { name: `Delete the secret that ends in ${secret.slice(-4)}` });
const deleteButton = (page: Page): Locator => page.getByRole('button', { name: 'Delete secret' });
const uploadButton = (page: Page): Locator => page.getByRole('button', { name: 'Upload logo' });
const logoAddress = ({ clientId }: Owned): string => `${appUrl}${logoPath(clientId)}`;

async function showSecrets(page: Page, { path }: Owned): Promise<void> {
  await page.goto(`${appUrl}${path}`);
}

async function showNewSecret(page: Page, owned: Owned): Promise<void> {
  await page.goto(`${appUrl}${owned.path}`);
  await addButton(page).click();
  await page.locator('#client_secret').waitFor();
}

async function showTwoSecrets(page: Page, owned: Owned): Promise<void> {
  await addOnPage(service, owned);
  await db
    .update(clientSecrets)
    .set({ lastUsedAt: new Date() })
    .where(eq(clientSecrets.clientId, owned.clientId));
  await page.goto(`${appUrl}${owned.path}`);
}

async function showNoSecrets(page: Page, owned: Owned): Promise<void> {
  await db
    .update(clientSecrets)
    .set({ deletedAt: new Date() })
    .where(eq(clientSecrets.clientId, owned.clientId));
  await page.goto(`${appUrl}${owned.path}`);
}

async function showDeletion(page: Page, owned: Owned): Promise<void> {
  await page.goto(`${appUrl}${owned.path}`);
  await deleteLink(page, owned.secret).click();
  await deleteButton(page).waitFor();
}

const showLogo =
  (status: ReviewStatus, withLogo: boolean) =>
  async (page: Page, owned: Owned): Promise<void> => {
    await db.update(clients).set({ status: 'pending' }).where(eq(clients.id, owned.clientId));
    if (withLogo) await uploadLogo(service, owned.clientId, owned.cookie, makePng(64, 64));
    await db.update(clients).set({ status }).where(eq(clients.id, owned.clientId));
    await page.goto(logoAddress(owned));
  };

const showEdit =
  (status: EditStatus) =>
  async (page: Page, owned: Owned): Promise<void> => {
    await showLogo('accepted', true)(page, owned);
    await uploadLogo(service, owned.clientId, owned.cookie, makePng(300, 40, { shade: 40 }));
    await db.update(clientEdits).set({ status }).where(eq(clientEdits.clientId, owned.clientId));
    await page.goto(logoAddress(owned));
  };

async function uploadNothing(page: Page, owned: Owned): Promise<void> {
  await page.goto(logoAddress(owned));
  await sendUnchecked(page, uploadButton(page));
}

test.each([
  ['one secret', showSecrets],
  ['two secrets', showTwoSecrets],
  ['no secret', showNoSecrets],
  ['a new secret', showNewSecret],
  ['the deletion of the only secret', showDeletion],
  ['no logo', showLogo('accepted', false)],
  ['a logo', showLogo('pending', true)],
  ['the logo of a rejected app', showLogo('rejected', true)],
  ['a logo and one that waits', showEdit('pending')],
  ['a logo and one that was rejected', showEdit('rejected')],
  ['an upload without a file', uploadNothing],
] as const)(
  'axe finds nothing on the page of %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, show) => {
    const owned = await openOwned(service, { name: longName });
    const page = await openShared();
    await addSession(page, service, owned.owner);

    await show(page, owned);

    expect(await findFaults(page)).toEqual([]);
  },
);

test('an owner swaps the secret without an outage (contract §2)', async () => {
  const owned = await openOwned(service);
  const page = await openAs(owned);
  await page.goto(`${appUrl}${owned.path}`);

  await addButton(page).click();
  const secret = (await page.locator('#client_secret').textContent()) ?? '';
  const both = await Promise.all([owned.secret, secret].map((one) => tryOut(service, owned.clientId, one)));
  await deleteLink(page, owned.secret).click();
  await deleteButton(page).click();
  await page.waitForURL(`${appUrl}${owned.path}?done=secret_deleted`);

  expect(both).toEqual(['works', 'works']);
  expect(await page.getByRole('rowheader').allTextContents()).toEqual([`Ends in …${secret.slice(-4)}`]);
  expect(await tryOut(service, owned.clientId, owned.secret)).toBe('401 invalid_client');
  expect(await tryOut(service, owned.clientId, secret)).toBe('works');
});

test.each(['image/png', 'image/jpeg', 'image/webp'])(
  'a picture that Chromium itself made, %s, becomes the logo, and Chromium shows it (contract §2)',
  async (mimeType) => {
    const buffer = await paint(mimeType);
    const owned = await openOwned(service);
    await db.update(clients).set({ status: 'pending' }).where(eq(clients.id, owned.clientId));
    const page = await openAs(owned);
    await page.goto(logoAddress(owned));

    await page.getByLabel('New logo').setInputFiles({ name: 'picture', mimeType, buffer });
    await uploadButton(page).click();
    const logo = page.getByRole('img', { name: 'Logo', exact: true });
    await logo.waitFor();

    const row = await service.app.inject(String(await logo.getAttribute('src')));
    expect(row.headers['content-type']).toBe(mimeType);
    expect(row.rawPayload.equals(buffer)).toBe(true);
    await expect
      .poll(() =>
        logo.evaluate((image) => [Reflect.get(image, 'naturalWidth'), Reflect.get(image, 'complete')]),
      )
      .toEqual([96, true]);
    await page.getByRole('link', { name: 'Remove logo' }).click();
    await page.getByRole('button', { name: 'Remove logo' }).click();
    await page.getByText('Your app has no logo.').waitFor();
  },
);
/** Paints 96 × 64 pixels, and encodes them as the browser does. */
const painting = (mimeType: string): string => `(async () => {
  const canvas = new OffscreenCanvas(96, 64);
  const context = canvas.getContext('2d');
  context.fillStyle = '#3346c9';
  context.fillRect(8, 8, 60, 40);
  const picture = await canvas.convertToBlob({ type: '${mimeType}' });
  return [...new Uint8Array(await picture.arrayBuffer())];
})()`;

async function paint(mimeType: string): Promise<Buffer> {
  const page = await openPage(browser, { origins: [appUrl] });
  return Buffer.from(await page.evaluate<readonly number[]>(painting(mimeType)));
}

test('the copy button copies the new secret', async () => {
  const owned = await openOwned(service);
  const page = await openAs(owned);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: appUrl });
  await showNewSecret(page, owned);

  await page.getByRole('button', { name: 'Copy new client secret' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();

  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  expect(copied).toBe(await page.locator('#client_secret').textContent());
});

test('two quick clicks add one secret, and it is shown', async () => {
  const owned = await openOwned(service);
  const page = await openAs(owned);
  await page.goto(`${appUrl}${owned.path}`);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', slowLine);

  await addButton(page).dblclick();
  await page.locator('#client_secret').waitFor();

  const secret = (await page.locator('#client_secret').textContent()) ?? '';
  expect(await tryOut(service, owned.clientId, secret)).toBe('works');
  expect(await liveHints(service, owned.clientId)).toHaveLength(2);
  expect(await eventsOf(service, owned.clientId)).toEqual(['submitted', 'secret_added']);
});

test('back to the page of a secret that was deleted, its button does no harm', async () => {
  const owned = await openOwned(service);
  const page = await openAs(owned);
  await showDeletion(page, owned);
  await deleteButton(page).click();
  await page.getByText('Your app has no secret').waitFor();

  await page.goBack();
  if (await deleteButton(page).isVisible()) await deleteButton(page).click();

  await page.getByText('Your app has no secret').waitFor();
  expect(await eventsOf(service, owned.clientId)).toEqual(['submitted', 'secret_deleted']);
  expect(await secretsOf(service, owned.clientId)).toHaveLength(1);
});

test('a file of 8 MB is refused with a sentence that the browser shows, and the present logo stays', async () => {
  const owned = await openOwned(service);
  const page = await openAs(owned);
  await showLogo('pending', true)(page, owned);
  const before = await page.getByRole('img', { name: 'Logo', exact: true }).getAttribute('src');

  const buffer = makePngOfBytes(8 * 1024 * 1024);
  await page.getByLabel('New logo').setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer });
  await uploadButton(page).click();

  await page.getByText('This file is larger than 256 KB. Choose a smaller one.').waitFor();
  expect(await page.getByRole('img', { name: 'Logo', exact: true }).getAttribute('src')).toBe(before);
});
