import { describe, expect, test } from 'vitest';
import { decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { withoutTable } from '../support/database-faults.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { addressesOn, isOwnAddress, titleOf } from '../support/page-content.ts';
import {
  developerHome,
  formTokenOf,
  mailTo,
  newRegistrationKey,
  postOwnForm,
  registration,
  reviewHome,
} from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';
import { addClient, addUser, authorizePath, postForm, startSession } from '../support/world.ts';

const service = await openTestService();
const cookie = await startSession(service, await addUser(service));
const adminCookie = await startSession(service, await addUser(service, { isAdmin: true }));

describe('an error page knows who is signed in', async () => {
  const client = await addClient(service);
  const send = (type: string, payload: string) => () =>
    service.app.inject({
      method: 'POST',
      url: `${developerHome}/new`,
      headers: { cookie, 'content-type': type, 'sec-fetch-site': 'same-origin' },
      payload,
    });

  test.each([
    ['no such page', 404, () => service.app.inject({ url: '/nowhere', headers: { cookie } })],
    ['no such client', 404, () => service.app.inject({ url: `${developerHome}/x`, headers: { cookie } })],
    ['for admins', 403, () => service.app.inject({ url: reviewHome, headers: { cookie } })],
    ['an outdated form', 403, () => postForm(service, `${developerHome}/new`, {}, cookie)],
    [
      'reviewed already',
      409,
      () =>
        postOwnForm(service, `${reviewHome}/${client.id}/accept`, { revision: '1', scopes: '' }, adminCookie),
    ],
    ['too large', 413, send('application/x-www-form-urlencoded', 'x'.repeat(70_000))],
    ['another type', 415, send('application/json', '{}')],
    [
      'a fault',
      500,
      () =>
        withoutTable(service.database, 'clients', () =>
          service.app.inject({ url: developerHome, headers: { cookie } }),
        ),
    ],
  ] as const)('%s', async (_name, status, show) => {
    const page = await show();

    expect(page.statusCode).toBe(status);
    expect(page.body).toContain('action="/signout"');
    expect(page.body).not.toContain('href="/signin"');
  });
});

test('an error page offers to sign in to who is not', async () => {
  const page = await service.app.inject('/nowhere');

  expect(page.body).toContain('href="/signin"');
  expect(page.body).not.toContain('action="/signout"');
});

test('a fault is told in plain words, names nothing of ours, and is logged once with its cause (contract §4)', async () => {
  const before = service.logText().length;

  const page = await withoutTable(service.database, 'clients', () =>
    service.app.inject({ url: developerHome, headers: { cookie } }),
  );

  const log = service.logText().slice(before);
  expect(page.statusCode).toBe(500);
  expect(titleOf(page)).toBe('Something went wrong');
  expect(page.body).not.toMatch(/clients|relation|select|postgres|drizzle|\.ts\b|node_modules/i);
  expect(log.match(/"level":50/g)).toHaveLength(1);
  expect(log).toContain('42P01');
  expect(log).toContain(String(page.headers['x-request-id']));
});

test('while the database is away pages ask to come back, and work again by themselves (security C46)', async () => {
  const line = await layDatabaseLine(service.database.url);
  const far = await openAnotherInstance(service, { DATABASE_URL: line.url });
  await line.cut();

  const own = await far.app.inject({ url: developerHome, headers: { cookie } });
  const signingIn = await postForm(far, '/signin', { email: 'a@example.com', password: 'x' });
  const home = await far.app.inject('/');
  await line.mend();
  const back = await far.app.inject({ url: developerHome, headers: { cookie } });

  for (const page of [own, signingIn]) {
    expect(page.statusCode).toBe(503);
    expect(page.headers).toMatchObject({ 'retry-after': '5', 'cache-control': 'no-store' });
    expect(titleOf(page)).toBe('We’ll be back in a moment');
  }
  expect(home.statusCode).toBe(200);
  expect(back.statusCode).toBe(200);
});

test('the style sheet and icon of an error page need no database, for any caller (security C46)', async () => {
  service.takeStatements();

  const assets = await withoutTable(service.database, 'sessions', () =>
    Promise.all(
      ['/assets/style.css', '/assets/favicon.svg'].map((url) =>
        service.app.inject({ url, headers: { cookie } }),
      ),
    ),
  );

  expect(assets.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(service.takeStatements()).toEqual([]);
});

describe('on the wire', async () => {
  const port = await listen(service);

  test.each([
    ['a broken header', 'GET / HTTP/1.1\r\nHost: localhost\r\nbroken\r\n\r\n', 400],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['NUL in the address', writeRequest('GET /\0', []), 400],
    [
      'two lengths',
      writeRequest('POST /signin', [
        ['Content-Length', '1'],
        ['Content-Length', '2'],
      ]),
      400,
    ],
    [
      'a length and chunks',
      writeRequest('POST /signin', [
        ['Content-Length', '5'],
        ['Transfer-Encoding', 'chunked'],
      ]),
      400,
    ],
  ] as const)('%s is refused, and the service goes on', async (_name, request, status) => {
    const refused = await sendRaw(port, request);
    const next = await sendRaw(port, writeRequest('GET /healthz', []));

    expect(refused.status).toBe(status);
    expect(next.status).toBe(200);
  });
});

const admin = await addUser(service, { isAdmin: true });
const client = await addClient(service);

const spoofs = [
  ['Host', { host: 'evil.example' }],
  ['X-Forwarded-Host', { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '444' }],
  ['X-Forwarded-Proto', { 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }],
  ['Forwarded', { forwarded: 'host=evil.example;proto=https;for=203.0.113.9' }],
  ['X-Original-URL', { 'x-original-url': '/settings/admin/oauth', 'x-rewrite-url': '/settings/admin/oauth' }],
] as const;

describe.each(spoofs)('a spoofed %s', (_name, headers) => {
  const form = { ...headers, cookie: adminCookie, 'content-type': 'application/x-www-form-urlencoded' };

  test('does not move pages, redirects or cookies (security C40)', async () => {
    const plain = await service.app.inject('/signin');
    const page = await service.app.inject({ url: '/signin', headers });
    const redirect = await service.app.inject({ url: developerHome, headers });
    const signedIn = await service.app.inject({
      method: 'POST',
      url: '/signin',
      headers: { ...form, cookie: '' },
      payload: new URLSearchParams({ email: admin.email, password: admin.password }).toString(),
    });

    expect(page.body).toBe(plain.body);
    expect(addressesOn(page.body).filter((address) => !isOwnAddress(address))).toEqual([]);
    expect(redirect.headers.location).toBe(`/signin?return_to=${encodeURIComponent(developerHome)}`);
    expect(signedIn.headers['set-cookie']).toEqual([
      expect.stringMatching(/^latchkey_session=[^;]*; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(/^latchkey_device=[^;]*; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('does not move the issuer (security C15, C40)', async () => {
    const decision = await openDecision(service, requestOf(client), adminCookie);

    const metadata = await service.app.inject({ url: '/.well-known/oauth-authorization-server', headers });
    const answer = await service.app.inject({
      method: 'POST',
      url: authorizePath,
      headers: form,
      payload: new URLSearchParams({ ...decision, action: 'deny' }).toString(),
    });
    const allowed = await decide(service, decision, 'allow', adminCookie);

    expect(metadata.json()).toMatchObject({ issuer: service.appUrl });
    for (const redirect of [answer, allowed])
      expect(redirectOf(redirect).parameters.at(-1)).toEqual(['iss', service.appUrl]);
  });

  test('does not move the links in mails (security C40)', async () => {
    const name = `Desk ${Object.keys(headers).join(' ')}`;
    const fields = {
      form_token: await formTokenOf(service, adminCookie),
      registration_key: newRegistrationKey(),
      ...registration,
      name,
    };

    await service.app.inject({
      method: 'POST',
      url: `${developerHome}/new`,
      headers: form,
      payload: new URLSearchParams(fields).toString(),
    });

    const mail = (await mailTo(service, admin.email)).find(({ subject }) => subject.endsWith(name));
    expect(mail?.text).toContain(`${service.appUrl}${reviewHome}`);
    expect(mail?.text).not.toContain('evil.example');
  });
});

describe('an address that leads nowhere', () => {
  test.each([
    '/nowhere',
    '/settings/nowhere',
    '/settings/nothing',
    '/auth/oauth2',
    '/v3/me',
    '/v',
    '/assets/nowhere.css',
  ])('is a page for people: %s', async (url) => {
    const answer = await service.app.inject(url);

    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(titleOf(answer)).toBe('Page not found');
  });
});
