import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ReviewStatus } from '../../src/oauth/core/client.ts';
import { clients } from '../../src/oauth/tables.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { addOwnedClient, exchange, failedRequestsPath } from '../support/failed-requests.ts';
import { addSession } from '../support/journey.ts';
import { logoPath, makePng, makePngOfBytes, uploadLogo } from '../support/pictures.ts';
import { type Owned, openOwned } from '../support/secrets.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser, type TestClient } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const { db } = service.database;

const developer = await addUser(service);
const [pending, accepted] = [await addOwnClient('pending'), await addOwnClient('accepted')];

async function addOwnClient(status: ReviewStatus): Promise<TestClient> {
  const client = await addClient(service, { status });
  await db.update(clients).set({ ownerId: developer.id }).where(eq(clients.id, client.id));
  return client;
}

const ownApps = `${appUrl}/settings/developer/oauth`;

test('the overview of a usual app fits a screen of 1280 by 800', async () => {
  const page = await openPage(browser, { origins: [appUrl], viewport: { width: 1280, height: 800 } });
  const owner = await addUser(service);
  const { id } = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_WRITE'] });
  await db.update(clients).set({ ownerId: owner.id }).where(eq(clients.id, id));
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
  await page.getByRole('button', { name: 'Copy all' }).click();
  const program = await copied();
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download quickstart.mjs' }).click();
  const saved = await (await saving).createReadStream();

  expect(id).toBe(accepted.id);
  expect(program).toBe(await page.locator('.steps pre').first().textContent());
  expect(await text(saved)).toBe(`${program}\n`);
});

test('the quickstart hears of a token request while it is looked at', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, developer);
  await page.clock.install();
  await page.goto(`${ownApps}/${accepted.id}/quickstart`);
  const line = page.getByRole('status');
  await exchange({ code: 'nonsense' })(service, accepted);
  await page.clock.runFor(5000);

  await expect.poll(() => line.textContent()).toContain('Your last token request failed');
});

test('what users will see follows what is typed', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, developer);
  await page.goto(`${ownApps}/new`);
  const card = page.locator('.preview .consent');
  const addresses = page.getByRole('textbox', { name: 'Redirect URI' });

  await page.getByRole('textbox', { name: 'Name' }).fill('Desk <b>');
  await page.getByRole('group', { name: 'Bookings' }).getByRole('radio', { name: 'Write' }).check();
  await addresses.first().fill('https://desk.example/a');
  await expect.poll(() => card.innerText()).toMatch(/Desk <b> wants access.*Read and change.*desk\.example/s);
  await page.getByRole('button', { name: 'Add redirect URI' }).click();
  const isFocused = () => addresses.nth(1).evaluate((one) => one.matches(':focus'));
  await expect.poll(isFocused).toBe(true);
  await addresses.nth(1).fill('https://desk.example/b');
  await page.getByRole('button', { name: 'Remove redirect URI 1' }).click();

  await expect.poll(() => addresses.count()).toBe(1);
  expect(await addresses.inputValue()).toBe('https://desk.example/b');
  expect(await card.innerText()).toContain('Desk <b> wants access');

  const scopes = page.getByRole('group', { name: 'Scopes' });
  await page.getByRole('radio', { name: 'Sign-in only' }).check();
  await expect.poll(() => card.innerText()).toContain('Sign in to Desk <b>');
  expect(await scopes.isVisible()).toBe(false);
  await page.getByRole('radio', { name: 'Browser or mobile' }).check();
  await expect.poll(() => card.innerText()).toMatch(/Desk <b> wants access.*Read and change/s);
  expect(await scopes.isVisible()).toBe(true);
  expect(await page.getByText('PKCE', { exact: true }).isVisible()).toBe(false);
});

test('a card that can’t be shown while one types has its button', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, developer);
  await page.goto(`${ownApps}/new`);
  const button = page.getByRole('button', { name: 'Preview' });
  expect(await button.isVisible()).toBe(false);

  await page.route(`${ownApps}/new`, (route) => route.fulfill({ body: '<p>Confirm it’s you</p>' }));
  await page.getByRole('textbox', { name: 'Name' }).fill('Desk');

  await expect.poll(() => button.isVisible()).toBe(true);
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

async function openAs(
  { owner }: Owned,
  options: { readonly javaScriptEnabled?: boolean } = {},
): Promise<Page> {
  const page = await openPage(browser, { origins: [appUrl], ...options });
  await addSession(page, service, owner);
  return page;
}

const uploadButton = (page: Page): Locator => page.getByRole('button', { name: 'Upload logo' });
const logoAddress = ({ clientId }: Owned): string => `${appUrl}${logoPath(clientId)}`;

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

test('a file of 8 MB is refused with a sentence that the browser shows, and the present logo stays', async () => {
  const owned = await openOwned(service);
  const page = await openAs(owned);
  await db.update(clients).set({ status: 'pending' }).where(eq(clients.id, owned.clientId));
  await uploadLogo(service, owned.clientId, owned.cookie, makePng(64, 64));
  await page.goto(logoAddress(owned));
  const before = await page.getByRole('img', { name: 'Logo', exact: true }).getAttribute('src');

  const buffer = makePngOfBytes(8 * 1024 * 1024);
  await page.getByLabel('New logo').setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer });
  await uploadButton(page).click();

  await page.getByText('This file is larger than 256 KB. Choose a smaller one.').waitFor();
  expect(await page.getByRole('img', { name: 'Logo', exact: true }).getAttribute('src')).toBe(before);
});

test('a link with a request ID leads to its failed request', async () => {
  const failing = await addOwnedClient(service);
  const answer = await exchange({ redirect_uri: 'https://app.example/Callback' })(service, failing.client);
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, failing.owner);

  await page.goto(`${appUrl}${failedRequestsPath(failing.client)}#${String(answer.headers['x-request-id'])}`);

  expect(await page.locator(':target').isVisible()).toBe(true);
  expect(await page.locator('details:has(:target) summary .line code').first().innerText()).toBe(
    '400 invalid_grant',
  );
});
