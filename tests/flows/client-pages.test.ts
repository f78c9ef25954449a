import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { EditStatus } from '../../src/oauth/clients/status.ts';
import type { ReviewStatus } from '../../src/oauth/core/client.ts';
import { clientEdits, clientSecrets, clients } from '../../src/oauth/tables.ts';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { setClientStatus } from '../support/client-status.ts';
import { addOwnedClient, exchange, failedRequestsPath } from '../support/failed-requests.ts';
import { addSession, sendUnchecked } from '../support/journey.ts';
import { logoPath, makePng, makePngOfBytes, uploadLogo } from '../support/pictures.ts';
import { secretsOf } from '../support/registration.ts';
import { addOnPage, eventsOf, liveHints, type Owned, openOwned, tryOut } from '../support/secrets.ts';
import { openTestSite } from '../support/site.ts';
import { addTeam } from '../support/teams.ts';
import { issueTokens, refreshFields } from '../support/tokens.ts';
import { addClient, addUser, connect, requestToken, signIn, type TestClient } from '../support/world.ts';
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

const { db } = service.database;
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

/** The address is as long as one may be, without a place to break. */
const longPath = 'callback'.repeat(40);

const failing = await addOwnedClient(service, {
  name: 'W'.repeat(80),
  redirectUris: ['https://app.example/callback', `https://app.example/${longPath}`],
});

const quiet = await addOwnedClient(service, { name: 'Quiet app' });

const answers = [
  await exchange({ redirect_uri: `https://app.example/${longPath}/` })(service, failing.client),
  await exchange({ redirect_uri: 'https://app.example/Callback' })(service, failing.client),
  await exchange({ code: 'lkr_x' })(service, failing.client),
  await requestToken(service, {
    ...refreshFields(failing.client, (await issueTokens(service, failing.client)).refresh_token),
    client_secret: 'wrong',
  }),
];

const requestIds = answers.map(({ headers }) => String(headers['x-request-id']));

const addressOf = ({ client }: typeof failing, rest = ''): string =>
  `${appUrl}${failedRequestsPath(client)}${rest}`;

test.each([
  ['no failed requests', quiet, ''],
  ['failed requests', failing, ''],
  ['a failed request that was searched for', failing, `?request_id=${requestIds[1]}`],
  ['a search that finds nothing', failing, '?request_id=ab'],
  ['a search for what is no request ID', failing, '?request_id=xyz'],
] as const)(
  'axe finds nothing on %s, and nothing is cut off: 320 and 1280 px, light and dark (WCAG 2.2 AA)',
  async (_name, owned, rest) => {
    const page = await openShared();
    await addSession(page, service, owned.owner);
    await page.goto(addressOf(owned, rest));

    expect(await findFaults(page)).toEqual([]);
  },
);

/** Comes to the failed requests of an app from the start, with a request ID in hand. */
async function findByRequestId(page: Page, requestId: string): Promise<void> {
  await addSession(page, service, failing.owner);
  await page.goto(addressOf(failing));
  await page.getByLabel('Request ID', { exact: true }).fill(requestId);
  await page.getByRole('button', { name: 'Find' }).click();
  await page.getByRole('link', { name: 'Show all' }).waitFor();
}

test('a developer finds a failed request by its ID and reads why it failed', async () => {
  const page = await openPage(browser, { origins: [appUrl] });

  await findByRequestId(page, requestIds[1] ?? '');

  const article = page.getByRole('article');
  expect(await article.count()).toBe(1);
  expect(await page.locator('details summary').textContent()).toContain(
    'differs in upper and lower case: at character 21',
  );
  expect(await article.getByRole('button', { name: 'Copy request ID' }).count()).toBe(1);
  await page.getByRole('link', { name: 'Show all' }).click();
  await page.locator('summary', { hasText: 'invalid_' }).nth(3).waitFor();
});

test('a link with a request ID leads to its failed request', async () => {
  const page = await openPage(browser, { origins: [appUrl] });
  await addSession(page, service, failing.owner);

  await page.goto(addressOf(failing, `#${requestIds[0]}`));

  expect(await page.locator(':target').isVisible()).toBe(true);
  expect(await page.locator('details:has(:target) summary .line code').first().innerText()).toBe(
    '400 invalid_grant',
  );
});
