import { expect, test } from 'vitest';
import { basic } from '../support/basic.ts';
import {
  type ExplainedFailure,
  exchange,
  expectExplained,
  type Fail,
} from '../support/explained-failures.ts';
import { addOwnedClient, keptFailures, readFailures } from '../support/failures.ts';
import { openTestService } from '../support/service.ts';
import { postBody, tokenPath } from '../support/tokens.ts';
import { refresh, type TestClient } from '../support/world.ts';

const service = await openTestService();

const refreshWith =
  (token: string): Fail =>
  async (_service, client) =>
    refresh(service, client, token);

const requestRows: readonly ExplainedFailure[] = [
  {
    name: 'no code',
    fail: exchange({ code: '' }),
    error: 'code is required',
    wrong: /The body had no code/,
    toDo: /parameter of the address that the person came back to/,
  },
  {
    name: 'no redirect_uri',
    fail: exchange({ redirect_uri: '' }),
    error: 'redirect_uri is required',
    wrong: /The body had no redirect_uri/,
    toDo: /character by character/,
  },
  {
    name: 'no refresh_token',
    fail: refreshWith(''),
    error: 'refresh_token is required',
    wrong: /The body had no refresh_token/,
    toDo: /last answer/,
  },
  {
    name: 'no grant_type',
    fail: exchange({ grant_type: '' }),
    error: 'grant_type must be',
    wrong: /The body had no grant_type/,
    toDo: /It is authorization_code to exchange/,
  },
  {
    name: 'a misspelt grant_type',
    fail: exchange({ grant_type: 'authorisation-code' }),
    error: 'grant_type must be',
    wrong: /grant_type was authorisation-code/,
    toDo: /Send authorization_code, written just like this/,
  },
  {
    name: 'another misspelt grant_type',
    fail: exchange({ grant_type: 'refreshToken' }),
    error: 'grant_type must be',
    wrong: /grant_type was refreshToken/,
    toDo: /Send refresh_token, written/,
  },
  {
    name: 'a grant_type that could be anything',
    fail: exchange({ grant_type: 'x1<b>' }),
    error: 'grant_type must be',
    wrong: /^grant_type had a value that/,
    toDo: /no other kinds/,
  },
  {
    name: 'a code in the address',
    fail: (service, client) => postBody(service, bodyOf(client), {}, `${tokenPath}?code=x`),
    error: 'code is required',
    wrong: /code stood in the address/,
    toDo: /in the body/,
  },
  {
    name: 'every field in the address, and no body',
    fail: (service, client) =>
      service.app.inject({ method: 'POST', url: `${tokenPath}?${bodyOf(client)}&code=x&redirect_uri=y` }),
    error: 'send the body as',
    wrong: /no body that can be read: its fields stood in the address/,
    toDo: /in the body/,
  },
  {
    name: 'every field in the address, and an empty form',
    fail: (service, client) => postBody(service, '', {}, `${tokenPath}?${bodyOf(client)}`),
    error: 'client_id is required',
    wrong: /client_id stood in the address/,
    toDo: /in the body/,
  },
  {
    name: 'two ways of authentication',
    fail: (service, client) => exchange({}, { authorization: basic(client.id, 'x') })(service, client),
    error: 'authenticate the client in one way only',
    wrong: /two ways at once/,
    toDo: /leave client_secret out/,
  },
  {
    name: 'two clients',
    fail: (service, client) =>
      exchange({ client_secret: '' }, { authorization: basic('another', 'x') })(service, client),
    error: 'another client_id',
    wrong: /another client ID/,
    toDo: /same client ID in both/,
  },
  {
    name: 'a repeated field behind Basic',
    fail: (service, client) => postBody(service, 'a=1&a=2', { authorization: basic(client.id, 'x') }),
    error: 'more than once',
    wrong: /could not be read; the error above says why/,
    toDo: /each field once/,
  },
];

function bodyOf({ id }: TestClient): string {
  return `client_id=${id}&grant_type=authorization_code`;
}

test.each(requestRows)('a request failed with $name: its owner reads why (contract §4)', (row) =>
  expectExplained(service, row),
);

test('the wire says no more than before of what the page explains (contract §4)', async () => {
  const { client } = await addOwnedClient(service);

  const answer = await exchange({ redirect_uri: 'https://app.example/Callback' })(service, client);

  expect(answer.json()).toEqual({ error: 'invalid_grant', error_description: 'redirect_uri_mismatch' });
});

test('an unknown client is told to nobody (contract §4, client_not_found)', async () => {
  const owned = await addOwnedClient(service);

  await exchange({ client_id: 'unknown' })(service, owned.client);
  await exchange({ client_id: 'unknown', code: '' })(service, owned.client);

  expect(await readFailures(service, owned)).toEqual([]);
  expect(await keptFailures(service, { id: 'unknown' })).toEqual([]);
});

test('a request that succeeds is no failure', async () => {
  const owned = await addOwnedClient(service);

  const answer = await exchange({})(service, owned.client);

  expect(answer.statusCode).toBe(200);
  expect(await readFailures(service, owned)).toEqual([]);
});
