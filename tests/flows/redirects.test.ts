import { expect, onTestFinished, test } from 'vitest';
import { openBrowser, openPage } from '../support/browser.ts';
import { addSession, allowButton, authorizeAddress, denyButton } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser, createPkce } from '../support/world.ts';
import { startHttpsSite } from './https-site.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

/**
 * Chromium asks for the address that the form's answer names only if the page's CSP lets it through; otherwise it cancels the form
 * and writes an error to the console. So the request itself is the proof, whether a user answers there or not.
 */
test.each([
  ['http on localhost', 'http://localhost/callback', 'http://localhost:49152/callback'],
  ['http on 127.0.0.1', 'http://127.0.0.1/callback', 'http://127.0.0.1:49152/callback'],
  ['http on [::1]', 'http://[::1]/callback', 'http://[::1]:49152/callback'],
  ['a private-use scheme', 'com.example.app:/callback', 'com.example.app:/callback'],
  ['a scheme without a dot', 'cursor://editor.tools/callback', 'cursor://editor.tools/callback'],
])(
  'the consent page lets the code through to %s (security C18, RFC 8252 §7)',
  async (_kind, registered, requested) => {
    const user = await addUser(service);
    const client = await addClient(service, { type: 'public', redirectUris: [registered] });
    const { origin, protocol } = new URL(requested);
    const origins = [appUrl, origin === 'null' ? protocol : origin];
    const page = await openPage(browser, { origins });
    const { challenge } = createPkce();
    await addSession(page, service, user);
    const request = { client_id: client.id, redirect_uri: requested, code_challenge: challenge };
    await page.goto(authorizeAddress(service, request));

    const arriving = page.waitForRequest((sent) => sent.url().startsWith(requested));
    await allowButton(page).click();
    const arrived = new URL((await arriving).url());

    expect(arrived.searchParams.get('code')).toMatch(/./);
    expect(arrived.searchParams.get('iss')).toBe(appUrl);
  },
);

/** An app at an https address, which leads on to its home; its request's page is open. */
async function openRequest(parameters: Readonly<Record<string, string>>, javaScriptEnabled = true) {
  const home = await startHttpsSite('home.example');
  onTestFinished(home.close);
  const callback = await startHttpsSite('callback.example', `${home.origin}/welcome`);
  onTestFinished(callback.close);
  const user = await addUser(service);
  const redirectUri = `${callback.origin}/callback?kept=1`;
  const client = await addClient(service, { redirectUris: [redirectUri] });
  const origins = [appUrl, callback.origin, home.origin];
  const page = await openPage(browser, { origins, ignoreHTTPSErrors: true, javaScriptEnabled });
  await addSession(page, service, user);
  const request = { client_id: client.id, redirect_uri: redirectUri, ...parameters };
  await page.goto(authorizeAddress(service, request));
  return { page, home, callback };
}

test.each([
  ['Allow', allowButton, 'code'],
  ['Deny', denyButton, 'error'],
] as const)(
  '%s leads to an https address, and from there on to another site (security C18)',
  async (_decision, button, parameter) => {
    const { page, home, callback } = await openRequest({});

    await button(page).click();
    await page.getByRole('heading', { name: 'Arrived' }).waitFor();

    expect(page.url()).toBe(`${home.origin}/welcome`);
    expect(callback.visits).toEqual([expect.stringMatching(`^/callback\\?kept=1&${parameter}=[^&]`)]);
    expect(home.visits).toEqual(['/welcome']);
  },
);

test.each([
  ['by itself', true],
  ['by its button, without JavaScript', false],
] as const)(
  'form_post brings the answer to an https address %s, and from there on to another site (security C18, C350)',
  async (_how, javaScriptEnabled) => {
    const state = 'a state & "more" ä';
    const asked = { response_mode: 'form_post', state };
    const { page, home, callback } = await openRequest(asked, javaScriptEnabled);

    await allowButton(page).click();
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Arrived' }).waitFor();

    const [form] = callback.forms;
    expect(callback.visits).toEqual(['/callback?kept=1']);
    expect([...(form?.fields.keys() ?? [])]).toEqual(['code', 'state', 'iss']);
    expect([form?.fields.get('state'), form?.origin]).toEqual([state, appUrl]);
    expect(home.visits).toEqual(['/welcome']);
  },
);

test('a fragment stays in the browser: no server is sent the code (OAuth 2.0 Multiple Response Types, section 2.1)', async () => {
  const callback = await startHttpsSite('callback.example');
  onTestFinished(callback.close);
  const user = await addUser(service);
  const redirectUri = `${callback.origin}/callback`;
  const client = await addClient(service, { redirectUris: [redirectUri] });
  const page = await openPage(browser, { origins: [appUrl, callback.origin], ignoreHTTPSErrors: true });
  await addSession(page, service, user);
  const request = { client_id: client.id, redirect_uri: redirectUri, response_mode: 'fragment' };
  await page.goto(authorizeAddress(service, request));

  await allowButton(page).click();
  await page.getByRole('heading', { name: 'Arrived' }).waitFor();

  expect(callback.visits).toEqual(['/callback']);
  expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('code')).toMatch(/./);
});
