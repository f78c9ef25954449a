import { describe, expect, test } from 'vitest';
import { withoutTable } from '../support/database-faults.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { titleOf } from '../support/page-content.ts';
import { developerHome, postOwnForm, reviewHome } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';
import { addClient, addUser, postForm, startSession } from '../support/world.ts';

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
