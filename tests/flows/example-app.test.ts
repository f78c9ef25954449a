import { expect, test } from 'vitest';
import { openBrowser } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { addApp, connectApp, startApp } from '../support/journey.ts';
import { openTestService } from '../support/service.ts';
import { openTestSite } from '../support/site.ts';
import { addClient } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;
const latePort = await findFreePort();
/** Does not listen yet. */
const lateService = await openTestService({
  PORT: String(latePort),
  APP_URL: `http://localhost:${latePort}`,
});

test('a user takes the permission back on the service, and the app says that it has ended (contract §4)', async () => {
  const { app, page } = await connectApp(browser, service, { name: 'Tidy Week' });

  await page.goto(`${appUrl}/settings/apps`);
  await page.getByRole('button', { name: 'Remove access for Tidy Week' }).click();
  await page.getByText('No connected apps').waitFor();
  await page.goto(app.url);

  expect(page.url()).toBe(`${app.url}/?done=ended`);
  expect(await page.getByRole('status').innerText()).toContain('Access was removed');
});

test('the browser of a connected person holds no token: neither in the page nor in a cookie (RFC 9700 §4.10)', async () => {
  const { user, app, page } = await connectApp(browser, service);

  const held = (await page.content()) + JSON.stringify(await page.context().cookies(app.url));

  expect(held).toContain(user.email);
  expect(held).toContain('tidy_week');
  expect(held).not.toMatch(/eyJ|lk[a-z]_/);
});

/** Connects as far as the authorization page, without a browser. */
async function startConnecting(url: string): Promise<{ readonly cookie: string; readonly request: URL }> {
  const answer = await fetch(`${url}/connect`, { redirect: 'manual' });
  const [cookie = ''] = answer.headers.getSetCookie();
  return { cookie: cookie.split(';')[0] ?? '', request: new URL(answer.headers.get('location') ?? 'none:') };
}

test.each([
  ['another state', { state: 'another' }, 400],
  ['another iss', { iss: 'https://attacker.example' }, 502],
])(
  'the app refuses an answer with %s, and stays unconnected (RFC 9700 §4.4, §4.7)',
  async (_case, changed, status) => {
    const { app } = await addApp(service);
    const { cookie, request } = await startConnecting(app.url);
    const state = request.searchParams.get('state') ?? '';
    const parameters = new URLSearchParams({ code: 'any', state, iss: appUrl, ...changed });

    const answer = await fetch(`${app.redirectUri}?${parameters.toString()}`, {
      headers: { cookie },
      redirect: 'manual',
    });
    const home = await fetch(app.url, { headers: { cookie } });

    expect(answer.status).toBe(status);
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(await home.text()).toContain('Connect your calendar');
  },
);

test.each(['/refresh', '/disconnect', '/book', '/bookings/any/cancel'])(
  'the app refuses POST %s from another site (OWASP CSRF)',
  async (path) => {
    const { app } = await addApp(service);

    const answer = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-site' },
      redirect: 'manual',
    });

    expect(answer.status).toBe(403);
  },
);

test('while the service is away the app says so kindly, and asks again once it is back (RFC 8414)', async () => {
  const port = await findFreePort();
  const { appUrl: issuer } = lateService;
  const client = await addClient(lateService, { redirectUris: [`http://localhost:${port}/callback`] });
  const app = await startApp(lateService, client, port);

  const whileAway = await fetch(`${app.url}/connect`, { redirect: 'manual' });
  await lateService.app.listen({ host: '127.0.0.1', port: latePort });
  const afterwards = await fetch(`${app.url}/connect`, { redirect: 'manual' });

  expect(whileAway.status).toBe(502);
  expect(await whileAway.text()).toContain('Try again in a minute');
  expect(afterwards.status).toBe(303);
  expect(afterwards.headers.get('location')).toContain(`${issuer}/auth/oauth2/authorize?`);
});
