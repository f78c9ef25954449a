import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { clientSecrets } from '../../src/oauth/tables.ts';
import { nodeHash } from '../../src/platform/secrets.ts';
import { withoutTable } from '../support/database-faults.ts';
import {
  addOwnedClient,
  exchange,
  failedRequestsOn,
  failedRequestsPath,
  openFailedRequests,
  readFailedRequests,
} from '../support/failed-requests.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { skeletonOf, textOf, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { issueCode } from '../support/tokens.ts';
import { addUser, requestToken, startSession } from '../support/world.ts';

const service = await sharedService();
const redirectTo = (uri: string) => exchange({ redirect_uri: uri });

describe('the page of failed requests', () => {
  test('says what will be shown as long as nothing failed, and offers no search', async () => {
    const page = await openFailedRequests(service, await addOwnedClient(service));

    expect(page.statusCode).toBe(200);
    expect(textOf(page.body)).toContain('When a token request of this app fails, you’ll see why here');
    expect(page.body).not.toContain('role="search"');
  });

  test('says what is kept, and for how long', async () => {
    const page = await openFailedRequests(service, await addOwnedClient(service));

    const text = textOf(page.body);
    expect(text).toContain('Kept for 7 days; secrets, codes and tokens are never stored.');
  });

  test.each([
    ['another owner', async () => startSession(service, await addUser(service))],
    [
      'an admin who does not own it',
      async () => startSession(service, await addUser(service, { isAdmin: true })),
    ],
  ])('is not there for %s', async (_who, comeIn) => {
    const { client } = await addOwnedClient(service);
    await redirectTo('https://app.example/secretive')(service, client);

    const page = await openFailedRequests(service, { client, cookie: await comeIn() });

    expect(page.statusCode).toBe(404);
    expect(titleOf(page)).toBe('Page not found');
    expect(page.body).not.toContain('secretive');
  });

  test.each(['unknown', 'x'.repeat(200), '%F0%9F%97%9D', '..%2F..'])(
    'is not there for the client %s',
    async (id) => {
      const { client, cookie } = await addOwnedClient(service);

      const page = await openFailedRequests(service, { client: { ...client, id }, cookie });

      expect(page.statusCode).toBe(404);
    },
  );

  test('asks a signed-out user to sign in, and leads back with the search', async () => {
    const { client } = await addOwnedClient(service);

    const answer = await service.app.inject({ url: `${failedRequestsPath(client)}?request_id=ab` });

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toContain(
      encodeURIComponent(`${failedRequestsPath(client)}?request_id=ab`),
    );
  });

  test('has the newest first, each with its time and a place of its own to link to', async () => {
    const owned = await addOwnedClient(service);
    const ids: unknown[] = [];
    for (const path of ['first', 'second', 'third']) {
      const answer = await redirectTo(`https://app.example/${path}`)(service, owned.client);
      ids.unshift(answer.headers['x-request-id']);
      service.clock.advance(1);
    }

    const failed = await readFailedRequests(service, owned);

    expect(failed.map(({ requestId }) => requestId)).toEqual(ids);
    const newest = new Date(service.clock.now().getTime() - 1000).toISOString();
    expect(failed[0]?.html).toContain(`<time datetime="${newest}">`);
    expect(failed[0]?.html).toContain(`data-copy="${ids[0]}"`);
  });
});

test('the tab counts them, on every page of the app, once they are stored', async () => {
  const owned = await addOwnedClient(service);
  const tabOn = (body: string): string =>
    textOf(/<a href="[^"]*\/failed-requests"[^>]*>(.*?)<\/a>/s.exec(body)?.[1] ?? '').trim();
  const before = tabOn((await openFailedRequests(service, owned)).body);
  await redirectTo('https://app.example/first')(service, owned.client);
  await redirectTo('https://app.example/second')(service, owned.client);

  const page = await openFailedRequests(service, owned);
  const url = `/settings/developer/oauth/${owned.client.id}`;
  const overview = await service.app.inject({ url, headers: { cookie: owned.cookie } });

  expect(before).toBe('Failed requests');
  expect(tabOn(page.body)).toBe('Failed requests 2');
  expect(tabOn(overview.body)).toBe('Failed requests 2');
});

test('each row has its cause in words, then the error; the newest and the one searched for are open', async () => {
  const owned = await addOwnedClient(service);
  const first = await redirectTo('https://app.example/first')(service, owned.client);
  service.clock.advance(1);
  const answer = await redirectTo('https://app.example/other')(service, owned.client);

  const all = await openFailedRequests(service, owned);
  const found = await openFailedRequests(service, owned, `?request_id=${first.headers['x-request-id']}`);

  expect(all.body.match(/<details class="card row".*?>/g)).toEqual([
    ...['<details class="card row" open>', '<details class="card row">'],
  ]);
  const [row = ''] = /<summary>.*?<\/summary>/s.exec(all.body) ?? [];
  expect(textOf(row)).toMatch(/^redirect_uri has another path: .*400 invalid_grant redirect_uri_mismatch/);
  expect(all.body.indexOf(`${answer.headers['x-request-id']}`)).toBeLessThan(
    all.body.indexOf(`${first.headers['x-request-id']}`),
  );
  expect(found.body).toContain('<details class="card row" open>');
});

describe('nothing of the presented redirect URI is shown', () => {
  test.each(Object.entries(hostileTexts))('with %s in it (security C33)', async (_name, text) => {
    const owned = await addOwnedClient(service);
    await redirectTo('https://app.example/plain')(service, owned.client);
    const plain = (await readFailedRequests(service, owned))[0]?.html ?? '';
    service.clock.advance(1);
    await redirectTo(`https://app.example/${text}`)(service, owned.client);

    const [failed] = await readFailedRequests(service, owned);

    expect(skeletonOf(failed?.html ?? '')).toEqual(skeletonOf(plain));
    expect(failed?.sentence).toMatch(/^redirect_uri .*: at character \d+, we expected callback after/);
    expect(failed?.html).not.toContain(text);
  });

  test('with NUL in it the request is refused before it names a client (security C35)', async () => {
    const owned = await addOwnedClient(service);

    const answer = await redirectTo('https://app.example/\0')(service, owned.client);

    expect(answer.statusCode).toBe(400);
    expect(await readFailedRequests(service, owned)).toEqual([]);
  });

  test('with half a character, which PostgreSQL would not take', async () => {
    const owned = await addOwnedClient(service);
    const right = await issueCode(service, owned.client);

    await requestToken(service, { ...right, redirect_uri: 'https://app.example/\ud800' }, { json: true });

    expect((await readFailedRequests(service, owned))[0]?.sentence).toContain('outside ASCII');
  });
});

describe('the search by request ID', () => {
  test('finds the one, and offers the way back to all', async () => {
    const owned = await addOwnedClient(service);
    await redirectTo('https://app.example/one')(service, owned.client);
    const answer = await redirectTo('https://app.example/two')(service, owned.client);
    const id = String(answer.headers['x-request-id']);

    const page = await openFailedRequests(service, owned, `?request_id=%20${id}`);

    expect(failedRequestsOn(page).map(({ requestId }) => requestId)).toEqual([id]);
    expect(page.body).toContain(
      `<a class="button plain" href="${failedRequestsPath(owned.client)}">Show all</a>`,
    );
  });

  test('does not find what another client’s owner may read', async () => {
    const [owned, other] = [await addOwnedClient(service), await addOwnedClient(service)];
    const answer = await redirectTo('https://app.example/other')(service, other.client);
    await readFailedRequests(service, other);

    const page = await openFailedRequests(service, owned, `?request_id=${answer.headers['x-request-id']}`);

    expect(failedRequestsOn(page)).toEqual([]);
    expect(textOf(page.body)).toContain('No failed request with this ID');
  });

  test.each(['x%20y', '%00', '<script>', 'a&request_id=b', 'a'.repeat(65)])(
    'answers 400 to %s, which is no request ID, and says so beside the field',
    async (typed) => {
      const owned = await addOwnedClient(service);

      const page = await openFailedRequests(service, owned, `?request_id=${typed}`);

      expect(page.statusCode).toBe(400);
      expect(page.body).toContain('id="request_id-fault"');
      expect(page.body).toContain('aria-invalid="true"');
      expect(page.body).not.toContain('<script>');
    },
  );

  test('with nothing typed shows all', async () => {
    const owned = await addOwnedClient(service);
    await redirectTo('https://app.example/one')(service, owned.client);

    expect(await readFailedRequests(service, owned, '?request_id=')).toHaveLength(1);
  });
});

test('a deleted secret that an app still sends is named by its hint and its age', async () => {
  const owned = await addOwnedClient(service);
  const secret = 'lks_the-old-one-abcd';
  await exchange({ client_secret: secret })(service, owned.client);
  const deletedAt = new Date(service.clock.now().getTime() - 3 * 86_400_000);
  const secretHash = Buffer.from(nodeHash.sha256(Buffer.from(secret))).toString('base64url');
  const row = { id: randomUUID(), clientId: owned.client.id, secretHash, hint: 'abcd' };
  await service.database.db.insert(clientSecrets).values({ ...row, createdAt: deletedAt, deletedAt });

  const [failed] = await readFailedRequests(service, owned);

  expect(failed?.sentence).toMatch(
    /^Your app uses the secret that ends in abcd, deleted 3 days earlier\. .*some instance still uses the old/,
  );
});

test('the page answers 500 in plain words while its table is away, and is back by itself', async () => {
  const owned = await addOwnedClient(service);

  const away = await withoutTable(service.database, 'failed_token_requests', () =>
    openFailedRequests(service, owned),
  );

  expect(away.statusCode).toBe(500);
  expect(titleOf(away)).toBe('Something went wrong');
  expect((await openFailedRequests(service, owned)).statusCode).toBe(200);
});
