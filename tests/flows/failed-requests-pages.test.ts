import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openBrowser, openPage, sharePage } from '../support/browser.ts';
import { addOwnedClient, exchange, failedRequestsPath } from '../support/failed-requests.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { issueTokens, refreshFields } from '../support/tokens.ts';
import { requestToken } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const openShared = sharePage(browser, { origins: [appUrl] });

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
