import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { nodeHash } from '../../src/io/root-secret.ts';
import { clientSecrets, failedTokenRequests } from '../../src/oauth/tables.ts';
import { withoutTable } from '../support/database-faults.ts';
import { exchange } from '../support/explained-failures.ts';
import { addOwnedClient, failuresOn, failuresPath, openFailures, readFailures } from '../support/failures.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { skeletonOf, textOf, titleOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { issueCode } from '../support/tokens.ts';
import { addUser, requestToken, signIn } from '../support/world.ts';

const service = await openTestService();
const redirectTo = (uri: string) => exchange({ redirect_uri: uri });

describe('the page of failed requests', () => {
  test('says what will be shown as long as nothing failed, and offers no search', async () => {
    const page = await openFailures(service, await addOwnedClient(service));

    expect(page.statusCode).toBe(200);
    expect(textOf(page.body)).toContain('When a token request of this app fails');
    expect(page.body).not.toContain('role="search"');
  });

  test('says what is kept, for how long, and for whom', async () => {
    const page = await openFailures(service, await addOwnedClient(service));

    const text = textOf(page.body);
    expect(text).toContain('We keep them for 7 days, 20 of one kind and 100 in all at most');
    expect(text).toContain('never with a secret, a code or a token. Only you see them.');
  });

  test.each([
    ['another owner', async () => signIn(service, await addUser(service))],
    ['an admin who does not own it', async () => signIn(service, await addUser(service, { isAdmin: true }))],
  ])('is not there for %s', async (_who, comeIn) => {
    const { client } = await addOwnedClient(service);
    await redirectTo('https://app.example/secretive')(service, client);

    const page = await openFailures(service, { client, cookie: await comeIn() });

    expect(page.statusCode).toBe(404);
    expect(titleOf(page)).toBe('There is no such page');
    expect(page.body).not.toContain('secretive');
  });

  test.each(['unknown', 'x'.repeat(200), '%F0%9F%97%9D', '..%2F..'])(
    'is not there for the client %s',
    async (id) => {
      const { client, cookie } = await addOwnedClient(service);

      const page = await openFailures(service, { client: { ...client, id }, cookie });

      expect(page.statusCode).toBe(404);
    },
  );

  test('asks whoever is signed out to sign in, and leads back with the search', async () => {
    const { client } = await addOwnedClient(service);

    const answer = await service.app.inject({ url: `${failuresPath(client)}?request_id=ab` });

    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toContain(encodeURIComponent(`${failuresPath(client)}?request_id=ab`));
  });

  test('has the newest first, each with its time and a place of its own to link to', async () => {
    const owned = await addOwnedClient(service);
    const ids: unknown[] = [];
    for (const path of ['first', 'second', 'third']) {
      const answer = await redirectTo(`https://app.example/${path}`)(service, owned.client);
      ids.unshift(answer.headers['x-request-id']);
      service.clock.advance(1);
    }

    const failures = await readFailures(service, owned);

    expect(failures.map(({ requestId }) => requestId)).toEqual(ids);
    const newest = new Date(service.clock.now().getTime() - 1000).toISOString();
    expect(failures[0]?.html).toContain(`<time class="soft" datetime="${newest}">`);
    expect(failures[0]?.html).toContain(`data-copy="${ids[0]}"`);
  });
});

describe('a redirect URI is laid beside the expected one', () => {
  test('with its letters marked, and in words for those who do not see the marks (WCAG 1.3.1)', async () => {
    const owned = await addOwnedClient(service, { redirectUris: ['https://app.example/callback'] });
    await redirectTo('https://app.example/calback/')(service, owned.client);

    const [failure] = await readFailures(service, owned);

    expect(failure?.html).toContain('https://app.example/cal<ins>l</ins>back<del>/</del>');
    expect(failure?.changes).toEqual([
      'From character 24: l is missing.',
      'From character 28: / should not be there.',
    ]);
  });

  test('with a letter that only looks the same told by its number', async () => {
    const owned = await addOwnedClient(service);
    await redirectTo('https://app.exаmple/callback')(service, owned.client);

    const [failure] = await readFailures(service, owned);

    expect(failure?.changes).toEqual(['From character 15: \\u{430} should be a.']);
  });

  test.each(Object.entries(hostileTexts))('with %s it stays a text (checks C33)', async (_name, text) => {
    const owned = await addOwnedClient(service);
    await redirectTo('https://app.example/plain')(service, owned.client);
    const plain = (await readFailures(service, owned))[0]?.html ?? '';
    service.clock.advance(1);
    await redirectTo(`https://app.example/${text}`)(service, owned.client);

    const [failure] = await readFailures(service, owned);

    const tags = new Set(skeletonOf(plain));
    expect(
      skeletonOf(failure?.html ?? '').filter((tag) => !tags.has(tag) && !/^\/?(ins|del)$/.test(tag)),
    ).toEqual([]);
    expect(failure?.html).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200d\ufeff]/);
    expect(failure?.wrong).toMatch(/^redirect_uri /);
  });

  test('with NUL in it the request is refused before it names a client, and nothing breaks (checks C35)', async () => {
    const owned = await addOwnedClient(service);

    const answer = await redirectTo('https://app.example/\0')(service, owned.client);

    expect(answer.statusCode).toBe(400);
    expect(await readFailures(service, owned)).toEqual([]);
  });

  test('with half a character, which PostgreSQL would not take, it is told by its number', async () => {
    const owned = await addOwnedClient(service);
    const right = await issueCode(service, owned.client);

    await requestToken(service, { ...right, redirect_uri: 'https://app.example/\ud800' }, { json: true });

    expect((await readFailures(service, owned))[0]?.html).toContain('\\u{d800}');
  });
});

describe('the search by request ID', () => {
  test('finds the one, and offers the way back to all', async () => {
    const owned = await addOwnedClient(service);
    await redirectTo('https://app.example/one')(service, owned.client);
    const answer = await redirectTo('https://app.example/two')(service, owned.client);
    const id = String(answer.headers['x-request-id']);

    const page = await openFailures(service, owned, `?request_id=%20${id}`);

    expect(failuresOn(page).map(({ requestId }) => requestId)).toEqual([id]);
    expect(page.body).toContain(`<a class="button plain" href="${failuresPath(owned.client)}">Show all</a>`);
  });

  test('does not find what another client’s owner may read', async () => {
    const [owned, other] = [await addOwnedClient(service), await addOwnedClient(service)];
    const answer = await redirectTo('https://app.example/other')(service, other.client);
    await readFailures(service, other);

    const page = await openFailures(service, owned, `?request_id=${answer.headers['x-request-id']}`);

    expect(failuresOn(page)).toEqual([]);
    expect(textOf(page.body)).toContain('No failed request with this ID');
  });

  test.each(['x-y', '%00', '<script>', 'a&request_id=b', 'a'.repeat(41)])(
    'answers 400 to %s, which is no request ID, and says so beside the field',
    async (typed) => {
      const owned = await addOwnedClient(service);

      const page = await openFailures(service, owned, `?request_id=${typed}`);

      expect(page.statusCode).toBe(400);
      expect(page.body).toContain('id="request_id-fault"');
      expect(page.body).toContain('aria-invalid="true"');
      expect(page.body).not.toContain('<script>');
    },
  );

  test('with nothing typed shows all', async () => {
    const owned = await addOwnedClient(service);
    await redirectTo('https://app.example/one')(service, owned.client);

    expect(await readFailures(service, owned, '?request_id=')).toHaveLength(1);
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

  const [failure] = await readFailures(service, owned);

  expect(failure?.wrong).toBe(
    'The app sends the secret that ends in abcd, which was deleted 3 days before this request.',
  );
  expect(failure?.toDo).toContain('some instance still has the old one');
});

test('what another release has stored in its own way is left out, and the rest is shown', async () => {
  const owned = await addOwnedClient(service);
  await redirectTo('https://app.example/one')(service, owned.client);
  const at = service.clock.now();
  const row = { clientId: owned.client.id, requestId: 'ab', at };
  await service.database.db.insert(failedTokenRequests).values([
    { ...row, id: randomUUID(), reason: 'code_required', explanation: { kind: 'new' } },
    { ...row, id: randomUUID(), reason: 'constructor', explanation: { wrong: 'x', toDo: 'y' } },
  ]);

  expect(await readFailures(service, owned)).toHaveLength(1);
});

test('the page answers 500 in plain words while its table is away, and is back by itself', async () => {
  const owned = await addOwnedClient(service);

  const away = await withoutTable(service.database, 'failed_token_requests', () =>
    openFailures(service, owned),
  );

  expect(away.statusCode).toBe(500);
  expect(titleOf(away)).toBe('Something went wrong');
  expect((await openFailures(service, owned)).statusCode).toBe(200);
});
