import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { grants } from '../../src/oauth/tables.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import {
  addApp,
  addSession,
  authorizeAddress,
  connectLink,
  denyButton,
  signInOn,
} from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser, type ClientOptions } from '../support/world.ts';
import { startHttpsSite } from './https-site.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

async function countGrants(clientId: string): Promise<number> {
  return service.database.db.$count(grants, eq(grants.clientId, clientId));
}

test('Deny leads back with access_denied, user_denied, and allows nothing (contract §3)', async () => {
  const user = await addUser(service);
  const { client, app } = await addApp(service);
  const page = await openPage(browser, { origins: [appUrl, app.url] });

  await page.goto(app.url);
  await connectLink(page).click();
  await signInOn(page, user);
  await denyButton(page).click();
  await page.getByRole('heading', { name: 'You said no, and that is fine' }).waitFor();

  const answer = new URL(page.url());
  expect(`${answer.origin}${answer.pathname}`).toBe(app.redirectUri);
  expect(Object.fromEntries(answer.searchParams)).toEqual({
    error: 'access_denied',
    error_description: 'user_denied',
    state: expect.stringMatching(/./),
    iss: appUrl,
  });
  expect(await countGrants(client.id)).toBe(0);
});

const strayAddress = 'https://stray.example/callback';

test.each([
  ['an unknown client', undefined, 'Unknown app'],
  ['a pending client', { status: 'pending' }, 'This app isn’t available'],
  ['a rejected client', { status: 'rejected' }, 'This app isn’t available'],
  ['a redirect_uri that is not registered', {}, 'The redirect URI doesn’t match'],
] as const satisfies readonly (readonly [string, ClientOptions | undefined, string])[])(
  '%s keeps the person on the page: no redirect, no link to the given address (contract §3, RFC 6749 §3.1.2.4)',
  async (_case, options, heading) => {
    const user = await addUser(service);
    const client = options === undefined ? undefined : await addClient(service, options);
    const isStray = client === undefined || heading === 'The redirect URI doesn’t match';
    const redirectUri = isStray ? strayAddress : client.redirectUri;
    const address = authorizeAddress(service, {
      client_id: client?.id ?? 'nobody',
      redirect_uri: redirectUri,
      state: 'kept',
    });
    const page = await openPage(browser, { origins: [appUrl] });
    await addSession(page, service, user);

    const answer = await page.goto(address);

    expect(answer?.status()).toBe(400);
    expect(page.url()).toBe(address);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe(heading);
    expect(await page.locator(`a[href*="${new URL(redirectUri).host}"]`).count()).toBe(0);
    expect(await page.locator('form[action]:not([action^="/"])').count()).toBe(0);
  },
);

test.each([
  ['a public client without code_challenge', {}, 'invalid_request', 'code_challenge_required'],
  [
    'a team that the person does not manage',
    { code_challenge: 'a'.repeat(43), team_slug: 'not-theirs' },
    'access_denied',
    'team_not_found_or_no_access',
  ],
] as const)(
  '%s is told so at its redirect URI, and only once the person has signed in (contract §3, RFC 9700 §4.11.2)',
  async (_case, parameters, error, description) => {
    const site = await startHttpsSite('client.example');
    onTestFinished(site.close);
    const user = await addUser(service);
    const redirectUri = `${site.origin}/callback`;
    const client = await addClient(service, { type: 'public', redirectUris: [redirectUri] });
    const request = { client_id: client.id, redirect_uri: redirectUri, state: 'kept', ...parameters };
    const page = await openPage(browser, { origins: [appUrl, site.origin], ignoreHTTPSErrors: true });

    await page.goto(authorizeAddress(service, request));
    const visitsBefore = [...site.visits];
    await signInOn(page, user);
    await page.waitForURL(`${redirectUri}?**`);

    expect(visitsBefore).toEqual([]);
    expect(site.visits).toHaveLength(1);
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      error,
      error_description: description,
      state: 'kept',
      iss: appUrl,
    });
  },
);
