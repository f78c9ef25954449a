import { describe, expect, test } from 'vitest';
import { setClientStatus } from '../support/client-status.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';
import {
  issueCode,
  issueTokens,
  refreshFields,
  revoke,
  rotate,
  type TokenFields,
} from '../support/tokens.ts';
import {
  addClient,
  callMe,
  clientFields,
  createPkce,
  requestToken,
  type TestClient,
  type Tokens,
} from '../support/world.ts';

const service = await sharedService();

const start = async (type: 'confidential' | 'public') => {
  const client = await addClient(service, { type });
  return { client, request: await issueCode(service, client, { pkce: createPkce() }) };
};

const spent = async (client: TestClient): Promise<TokenFields> => {
  const first = await issueTokens(service, client);
  await rotate(service, client, first);
  return refreshFields(client, first.refresh_token);
};

const old = async (client: TestClient): Promise<TokenFields> => {
  const first = await issueTokens(service, client);
  await rotate(service, client, await rotate(service, client, first));
  return refreshFields(client, first.refresh_token);
};

const exchanged = async (request: TokenFields, seconds: number): Promise<TokenFields> => {
  await requestToken(service, request);
  service.clock.advance(seconds);
  return request;
};

type Make = (type: 'confidential' | 'public') => Promise<TokenFields>;

const exchange =
  (changes: TokenFields = {}): Make =>
  async (type) => ({ ...(await start(type)).request, ...changes });
const refreshOf =
  (fieldsOf: (client: TestClient) => Promise<TokenFields> | TokenFields): Make =>
  async (type) =>
    fieldsOf(await addClient(service, { type }));

const current = async (client: TestClient): Promise<TokenFields> =>
  refreshFields(client, (await issueTokens(service, client)).refresh_token);
const unproven: Make = async (type) => ({
  ...(await exchanged((await start(type)).request, 11)),
  code_verifier: createPkce().verifier,
});
const expired: Make = async (type) => {
  const { request } = await start(type);
  service.clock.advance(60);
  return request;
};
const another: Make = async (type) => ({
  ...(await start(type)).request,
  ...clientFields(await addClient(service, { type })),
});
const notAccepted: Make = async (type) => {
  const { client, request } = await start(type);
  await setClientStatus(service.database.db, client.id, 'pending');
  return request;
};

/** Requests, each with its status and the number of statements that it may cost at most. */
const requests: readonly (readonly [string, number, number, Make])[] = [
  ['an exchange', 200, 1, exchange()],
  ['a refresh', 200, 1, refreshOf(current)],
  ['a refresh that is repeated', 200, 3, refreshOf(spent)],
  ['a theft, which is recorded', 400, 6, refreshOf(old)],
  ['a double submit', 400, 2, async (type) => exchanged((await start(type)).request, 0)],
  ['a replay, which is recorded', 400, 6, async (type) => exchanged((await start(type)).request, 11)],
  ['a replay that proves nothing', 400, 2, unproven],
  ['a wrong verifier', 400, 1, exchange({ code_verifier: 'wrong' })],
  ['an unknown code', 400, 1, exchange({ code: 'unknown' })],
  ['an expired code', 400, 2, expired],
  ['an unknown refresh token', 400, 1, refreshOf((client) => refreshFields(client, 'unknown'))],
  ["another client's code", 400, 2, another],
  ['an unknown client', 401, 2, exchange({ client_id: 'unknown' })],
  ['a client that is not accepted', 401, 2, notAccepted],
  ['a missing field', 400, 0, exchange({ code: '' })],
];

describe.each(['confidential', 'public'] as const)('a token request of a %s client costs', (type) => {
  test.each(requests)(
    '%s, answering %i: %i statements at most (architecture §2)',
    async (_name, status, most, make) => {
      const request = await make(type);
      service.takeStatements();

      const answer = await requestToken(service, request);

      expect(answer.statusCode).toBe(status);
      expect(service.takeStatements().length).toBeLessThanOrEqual(most);
    },
  );
});

describe('with DATABASE_GROUPING=off', () => {
  test('each request has statements of its own, each of one grant by its id (docs/scaling.md)', async () => {
    const single = await openAnotherInstance(service, { DATABASE_GROUPING: 'off' });
    const { request } = await start('confidential');
    single.takeStatements();

    const tokens: Tokens = (await requestToken(single, request)).json();
    await Promise.all([1, 2, 3].map(() => callMe(single, tokens.access_token)));

    const statements = single.takeStatements().filter((text) => text.includes('"grants"'));
    expect(statements).toHaveLength(2 + 3);
    expect(statements.filter((text) => text.includes('json_to_recordset'))).toEqual([]);
  });
});

test('a wrong secret costs two statements (architecture §2)', async () => {
  const { request } = await start('confidential');
  service.takeStatements();

  await requestToken(service, { ...request, client_secret: 'wrong' });

  expect(service.takeStatements()).toHaveLength(2);
});

test('fifty exchanges of one code at the same time cost two statements each at most, the losers too (architecture §2)', async () => {
  const { request } = await start('confidential');
  service.takeStatements();

  const answers = await Promise.all(Array.from({ length: 50 }, () => requestToken(service, request)));

  expect(answers).toHaveLength(50);
  expect(service.takeStatements().length).toBeLessThanOrEqual(100);
});

test('a revocation costs two statements, and three for its record (architecture §2)', async () => {
  const client = await addClient(service);
  const tokens = await issueTokens(service, client);
  service.takeStatements();

  await revoke(service, client, tokens.refresh_token);

  expect(service.takeStatements()).toHaveLength(5);
});

test('a request with an access token costs one statement, its check included (contract §5)', async () => {
  const tokens = await issueTokens(service, await addClient(service));
  service.takeStatements();

  await callMe(service, tokens.access_token);

  expect(service.takeStatements()).toHaveLength(1);
});
