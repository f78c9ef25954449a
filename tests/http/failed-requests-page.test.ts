import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startFailedRequestRecorder } from '../../src/oauth/failed-requests/recorder.ts';
import { failedTokenRequests } from '../../src/oauth/failed-requests/tables.ts';
import { collectPermissions } from '../../src/oauth/permissions.ts';
import { clientSecrets } from '../../src/oauth/tables.ts';
import { openService } from '../../src/open-service.ts';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { deleteBatch, pastLife } from '../../src/platform/retention/store.ts';
import { nodeHash } from '../../src/platform/runtime.ts';
import { refuse } from '../../src/result.ts';
import { profileScopes } from '../../src/v2/me/routes.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { openTestDatabase } from '../support/database.ts';
import { refusingInserts, withoutTable } from '../support/database-faults.ts';
import {
  addOwnedClient,
  exchange,
  openFailedRequests,
  readFailedRequests,
  storedFailedRequests,
} from '../support/failed-requests.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { skeletonOf, textOf, titleOf } from '../support/page-content.ts';
import { queryRows } from '../support/query-rows.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { issueCode, issueTokens, refreshFields, refusalOf, type TokenFields } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  createPkce,
  requestToken,
  startSession,
  type TestClient,
} from '../support/world.ts';

const service = await openTestService();
const redirectTo = (uri: string) => exchange({ redirect_uri: uri });

describe('the page of failed requests', () => {
  test('says what will be shown as long as nothing failed', async () => {
    const page = await openFailedRequests(service, await addOwnedClient(service));

    expect(page.statusCode).toBe(200);
    expect(textOf(page.body)).toContain('When a token request of this app fails, you’ll see why here');
    expect(textOf(page.body)).toContain('Kept for 7 days; secrets, codes and tokens are never stored.');
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

test('each row has its cause in words, then the error; the newest is open', async () => {
  const owned = await addOwnedClient(service);
  const first = await redirectTo('https://app.example/first')(service, owned.client);
  service.clock.advance(1);
  const answer = await redirectTo('https://app.example/other')(service, owned.client);

  const all = await openFailedRequests(service, owned);

  expect(all.body.match(/<details class="card row".*?>/g)).toEqual([
    ...['<details class="card row" open>', '<details class="card row">'],
  ]);
  const [row = ''] = /<summary>.*?<\/summary>/s.exec(all.body) ?? [];
  expect(textOf(row)).toMatch(/^redirect_uri differs: .*400 invalid_grant redirect_uri_mismatch/);
  expect(all.body.indexOf(`${answer.headers['x-request-id']}`)).toBeLessThan(
    all.body.indexOf(`${first.headers['x-request-id']}`),
  );
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
    expect(failed?.sentence).toMatch(/^redirect_uri differs: at character \d+, we expected callback after/);
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

    expect((await readFailedRequests(service, owned))[0]?.sentence).toContain('at character 21');
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

const owned = await addOwnedClient(service, { scopes: ['PROFILE_READ'] });
const { client } = owned;
const exchangeFields = await issueCode(service, client, { pkce: createPkce() });
const tokens = await issueTokens(service, client);

/** What the table holds, and what its page shows. */
async function readEverything(): Promise<string> {
  const page = await openFailedRequests(service, owned);
  const rows = await service.database.db.execute(sql`select t::text as row from failed_token_requests t`);
  return `${JSON.stringify(rows)}\n${page.body}`;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

const random = (length: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: length, maxLength: length });

/** Secrets, codes, tokens and verifiers, ours and others', as they come. */
const canaries = fc.oneof(
  random(70).map((text) => `lkc_${text}`),
  random(70).map((text) => `lkr_${text}`),
  random(43).map((text) => `lks_${text}`),
  random(43),
  random(43).map((text) => `${text}=`),
  fc.tuple(random(40), random(80), random(86)).map(([head, body, mac]) => `eyJ${head}.${body}.${mac}`),
);

/** The ways in which a value gets into a redirect URI by mistake. */
const redirectUris: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => `${client.redirectUri}?code=${value}&state=x`,
  (value) => `${client.redirectUri}#access_token=${value}`,
  (value) => `${client.redirectUri}?${value}`,
  (value) => encodeURIComponent(`${client.redirectUri}?code=${value}`),
  (value) => encodeURIComponent(encodeURIComponent(`${client.redirectUri}?code=${value}`)),
  (value) => `https://user:${value}@app.example/callback`,
  (value) => `${client.redirectUri}/${value}`,
  (value) => `https://${value}.example/callback`,
  (value) => `${client.redirectUri}?a=1;code=${value}`,
  (value) => ` ${value} `,
];

/** A canary in a field of a request that would be right without it. */
const requests = fc
  .tuple(
    canaries,
    fc.constantFrom(
      'client_secret',
      'grant_type',
      'code',
      'redirect_uri',
      'code_verifier',
      'refresh_token',
      'scope',
    ),
    fc.constantFrom<TokenFields>(exchangeFields, refreshFields(client, tokens.refresh_token)),
    fc.constantFrom(...redirectUris),
  )
  .map(([canary, field, right, place]) => ({
    canary,
    fields: { ...right, [field]: field === 'redirect_uri' ? place(canary) : canary },
  }));

test('no secret, code, token or verifier is kept or shown, in whatever field it comes (contract §4, security C25)', async () => {
  const sent: string[] = [];
  await fc.assert(
    fc.asyncProperty(requests, async ({ canary, fields }) => {
      sent.push(canary);
      await requestToken(service, fields);
      service.clock.advance(4);
      if (sent.length % 20 === 0) {
        const everything = await readEverything();
        expect(sent.filter((one) => everything.includes(one.slice(4, 24)))).toEqual([]);
      }
    }),
    { numRuns: 200 },
  );

  expect(await storedFailedRequests(service, client)).not.toEqual([]);
});

test('secrets in the address of the request are not kept', async () => {
  const answer = await service.app.inject({
    method: 'POST',
    url: `/v2/auth/oauth2/token?client_id=${client.id}&client_secret=canary-4711&code=canary-4712&canary-4713=1`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  });

  expect(answer.statusCode).toBe(400);
  const everything = await readEverything();
  expect(everything).toContain(answer.headers['x-request-id']);
  expect(everything).not.toContain('canary-47');
});

const { clock } = service;
const mismatch = exchange({ redirect_uri: 'https://app.example/Callback' });

const refreshWrongly = (at: TestService, client: TestClient) =>
  requestToken(at, refreshFields(client, 'unknown'));

const failWithout = (at: TestService, { id }: TestClient, field: string) =>
  requestToken(at, { client_id: id, ...withoutField[field] });

const withoutField: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  code: { grant_type: 'authorization_code', redirect_uri: 'x' },
  redirect_uri: { grant_type: 'authorization_code', code: 'x' },
  refresh_token: { grant_type: 'refresh_token' },
  grant_type: { code: 'x' },
};

/** A recorder of its own, to be looked at. */
function startRecorder(delayMs: number) {
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const { db } = service.database;
  const recorder = startFailedRequestRecorder(
    { db, runtime: clock, log, permissions: collectPermissions([profileScopes], []) },
    delayMs,
  );
  const record = (clientId: string, requestId = 'ab') =>
    recorder.record({
      requestId,
      at: clock.now(),
      refusal: refuse('code_required'),
      fields: { client_id: clientId },
      basic: undefined,
      query: {},
    });
  return { recorder, record, lines };
}

describe('writing', () => {
  test('happens by itself a moment later, together', async () => {
    const client = await addClient(service);
    const { recorder, record } = startRecorder(50);
    for (const id of ['a1', 'a2', 'a3']) record(client.id, id);

    await expect
      .poll(async () =>
        (await storedFailedRequests(service, client)).map(({ requestId }) => requestId).toSorted(),
      )
      .toEqual(['a1', 'a2', 'a3']);
    expect(new Set((await rowTransactions(client)).map(({ xmin }) => xmin)).size).toBe(1);
    await recorder.close();
  });

  test('happens at the close of the service, before its database closes', async () => {
    const database = await openTestDatabase();
    atTheEnd(database.close);
    const config = readConfig({ DATABASE_URL: database.url, SECRET: 'a-secret-of-its-own-0123456789abcdef' });
    const latchkey = await openService(config, {
      log: pino({ level: 'silent' }),
      storeFailedRequestsAfterMs: 60_000,
    });
    const own = { ...service, database, app: latchkey.app };
    const client = await addClient(own);
    await refreshWrongly(own, client);
    expect(await storedFailedRequests(own, client)).toEqual([]);

    await latchkey.close();

    expect(await storedFailedRequests(own, client)).toHaveLength(1);
  });

  test('ends with the close: what comes later is not kept, and nothing breaks', async () => {
    const client = await addClient(service);
    const { recorder, record } = startRecorder(60_000);
    await recorder.close();

    record(client.id);
    await recorder.flush();

    expect(await storedFailedRequests(service, client)).toEqual([]);
  });

  test('costs the request no statement (architecture §2)', async () => {
    const client = await addClient(service);
    service.takeStatements();

    await refreshWrongly(service, client);

    expect(service.takeStatements()).toHaveLength(1);
  });
});

async function rowTransactions(client: TestClient) {
  return queryRows(
    service.database.url,
    `select xmin::text from failed_token_requests where client_id = '${client.id}'`,
  );
}

describe('a recorder in trouble', () => {
  test.each([
    ['its table is away', withoutTable],
    ['its table takes nothing', refusingInserts],
  ] as const)('leaves the answers as they are when %s, and says so in the log', async (_name, trouble) => {
    const owned = await addOwnedClient(service);
    const { recorder, record, lines } = startRecorder(60_000);

    const answer = await trouble(service.database, 'failed_token_requests', async () => {
      record(owned.client.id);
      await recorder.flush();
      return mismatch(service, owned.client);
    });

    expect(refusalOf(answer)).toEqual([400, 'invalid_grant', 'redirect_uri_mismatch']);
    expect(lines.join('')).toContain('failed token requests could not be stored');
    expect(await readFailedRequests(service, owned)).toHaveLength(1);
  });

  test('drops what is too much and says once how much', async () => {
    const client = await addClient(service);
    const { recorder, record, lines } = startRecorder(60_000);
    for (let sent = 0; sent < memoryLimits.failed_requests.max + 20; sent += 1) record(client.id);

    await recorder.flush();

    expect(lines.filter((line) => line.includes('too many'))).toHaveLength(1);
    expect(lines.join('')).toContain('"dropped":20');
  });

  test('keeps room for clients that have proved themselves, whatever ids are made up', async () => {
    const { client } = await addOwnedClient(service);
    const { recorder, record } = startRecorder(60_000);
    for (let sent = 0; sent < 2000; sent += 1) record(`made-up-${sent}`);
    recorder.record({
      requestId: 'ab',
      at: clock.now(),
      refusal: { ...refuse('invalid_refresh_token'), cause: { kind: 'token_unreadable' } },
      fields: { client_id: client.id, refresh_token: 'x' },
      basic: undefined,
      query: {},
    });

    await recorder.close();

    expect(await storedFailedRequests(service, client)).toHaveLength(1);
    expect(await storedFailedRequests(service, { id: 'made-up-1' })).toEqual([]);
  });
});

describe('a client’s rows are bounded', () => {
  test('to 20 of one reason, the newest', async () => {
    const owned = await addOwnedClient(service);
    const last: unknown[] = [];
    for (let sent = 0; sent < 25; sent += 1) {
      const answer = await refreshWrongly(service, owned.client);
      last.unshift(answer.headers['x-request-id']);
      clock.advance(3);
    }

    const failed = await readFailedRequests(service, owned);

    expect(failed.map(({ requestId }) => requestId)).toEqual(last.slice(0, 20));
    expect(await storedFailedRequests(service, owned.client)).toHaveLength(20);
  });

  test('to 100 in all, of which a flood of many kinds leaves the few of another', async () => {
    const owned = await addOwnedClient(service);
    const right = await issueCode(service, owned.client);
    for (const path of ['a', 'b'])
      await requestToken(service, { ...right, redirect_uri: `https://app.example/${path}` });
    clock.advance(1);
    for (let sent = 0; sent < 25; sent += 1) {
      await refreshWrongly(service, owned.client);
      for (const field of Object.keys(withoutField)) await failWithout(service, owned.client, field);
      await requestToken(service, { ...right, client_secret: 'wrong' });
      await requestToken(service, right, { headers: { authorization: 'Basic eDp5' } });
    }

    const failed = await readFailedRequests(service, owned);

    expect(failed).toHaveLength(100);
    expect(failed.filter(({ answer }) => answer.includes('redirect_uri_mismatch'))).toHaveLength(2);
  });

  test('also where two instances write at the same time', async () => {
    const owned = await addOwnedClient(service);
    const other = await openAnotherInstance(service);
    for (let sent = 0; sent < 20; sent += 1) {
      await refreshWrongly(service, owned.client);
      await refreshWrongly(other, owned.client);
    }

    await Promise.all([openFailedRequests(service, owned), openFailedRequests(other, owned)]);

    expect(await storedFailedRequests(service, owned.client)).toHaveLength(20);
  });

  test('and one client’s flood leaves another’s rows alone', async () => {
    const [owned, other] = [await addOwnedClient(service), await addOwnedClient(service)];
    await mismatch(service, other.client);
    for (let sent = 0; sent < 60; sent += 1) await refreshWrongly(service, owned.client);

    expect(await readFailedRequests(service, other)).toHaveLength(1);
  });
});

test('after seven days a failed request is read no more, and deleted', async () => {
  const owned = await addOwnedClient(service);
  await mismatch(service, owned.client);
  clock.advance(7 * 86_400 - 1);
  expect(await readFailedRequests(service, owned)).toHaveLength(1);

  clock.advance(1);

  expect(await readFailedRequests(service, owned)).toEqual([]);
  expect(await storedFailedRequests(service, owned.client)).toHaveLength(1);
  clock.advance(1);
  await deleteBatch(service.database.db, pastLife(failedTokenRequests.at, 7)(clock.now()));
  expect(await storedFailedRequests(service, owned.client)).toEqual([]);
});

test('a client that is deleted takes its failed requests along', async () => {
  const owned = await addOwnedClient(service);
  await mismatch(service, owned.client);
  await readFailedRequests(service, owned);

  await service.database.db.execute(`delete from clients where id = '${owned.client.id}'`);

  expect(await storedFailedRequests(service, owned.client)).toEqual([]);
});
