import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { startFailedRequestRecorder } from '../../src/oauth/failed-requests/recorder.ts';
import { failedTokenRequests } from '../../src/oauth/failed-requests/tables.ts';
import { collectPermissions } from '../../src/oauth/permissions.ts';
import { deleteBatch, pastLife } from '../../src/platform/retention/store.ts';
import { refuse } from '../../src/result.ts';
import { openService } from '../../src/service.ts';
import { profileScopes } from '../../src/v2/scopes.ts';
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
import { queryRows } from '../support/query-rows.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { issueCode, refreshFields, refusalOf } from '../support/tokens.ts';
import { addClient, requestToken, type TestClient } from '../support/world.ts';

const service = await openTestService();
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

    expect(await storedFailedRequests(service, client)).toEqual([]);
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
    for (let sent = 0; sent < 50; sent += 1) record(client.id);

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

test('what one instance noted is read at another as soon as it is written', async () => {
  const owned = await addOwnedClient(service);
  const other = await openAnotherInstance(service);
  const answer = await mismatch(other, owned.client);
  await openFailedRequests(other, owned);

  const [failed] = await readFailedRequests(service, owned);

  expect(failed?.requestId).toBe(answer.headers['x-request-id']);
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
