import { expect, test } from 'vitest';
import { basic } from '../support/basic.ts';
import { setClientStatus } from '../support/client-status.ts';
import { withoutTable } from '../support/database-faults.ts';
import {
  addOwnedClient,
  type ExplainedRequest,
  exchange,
  expectExplained,
  type Fail,
  readFailedRequests,
  storedFailedRequests,
} from '../support/failed-requests.ts';
import { sharedService } from '../support/service.ts';
import { issueCode, postBody, refreshFields, tokenPath } from '../support/tokens.ts';
import { refresh, requestToken, type TestClient } from '../support/world.ts';

const service = await sharedService();

const bodyOf = ({ id }: TestClient): string => `client_id=${id}&grant_type=authorization_code`;
const sendSecret =
  (spoil: (secret: string, id: string) => string): Fail =>
  (service, client) =>
    exchange({ client_secret: spoil(client.secret ?? '', client.id) })(service, client);

const requestRows: readonly ExplainedRequest[] = [
  {
    name: 'no code',
    fail: exchange({ code: '' }),
    error: 'code is required',
    says: /^The body had no code\. Send the code parameter of the URL/,
  },
  {
    name: 'no redirect_uri',
    fail: exchange({ redirect_uri: '' }),
    error: 'redirect_uri is required',
    says: /^The body had no redirect_uri\. Send exactly/,
  },
  {
    name: 'no refresh_token',
    fail: (service, client) => refresh(service, client, ''),
    error: 'refresh_token is required',
    says: /^The body had no refresh_token\. .* the latest response/,
  },
  {
    name: 'no grant_type',
    fail: exchange({ grant_type: '' }),
    error: 'grant_type must be',
    says: /^The body had no grant_type\. Send authorization_code to exchange/,
  },
  {
    name: 'a misspelt grant_type',
    fail: exchange({ grant_type: 'authorisation-code' }),
    error: 'grant_type must be',
    says: /^grant_type isn’t supported\. Send authorization_code/,
  },
  {
    name: 'another misspelt grant_type',
    fail: exchange({ grant_type: 'refreshToken' }),
    error: 'grant_type must be',
    says: /^grant_type isn’t supported\. .* or refresh_token to refresh/,
  },
  {
    name: 'a grant_type that could be anything',
    fail: exchange({ grant_type: 'x1<b>' }),
    error: 'grant_type must be',
    says: /^grant_type isn’t supported\. Send authorization_code to exchange a code, or refresh_token/,
  },
  {
    name: 'a code in the URL',
    fail: (service, client) => postBody(service, bodyOf(client), {}, `${tokenPath}?code=x`),
    error: 'code is required',
    says: /^The body had no code\. .* in the body and not in the URL/,
  },
  {
    name: 'every field in the URL, and no body',
    fail: (service, client) =>
      service.app.inject({ method: 'POST', url: `${tokenPath}?${bodyOf(client)}&code=x&redirect_uri=y` }),
    error: 'send the body as',
    says: /^Send one form or one JSON object, and nothing in the URL\. Set Content-Type/,
  },
  {
    name: 'every field in the URL, and an empty form',
    fail: (service, client) => postBody(service, '', {}, `${tokenPath}?${bodyOf(client)}`),
    error: 'client_id is required',
    says: /^The body had no client_id\. .* in the body and not in the URL/,
  },
  {
    name: 'two ways of authentication',
    fail: (service, client) => exchange({}, { authorization: basic(client.id, 'x') })(service, client),
    error: 'authenticate the client in one way only',
    says: /authenticated twice.* leave client_secret out/,
  },
  {
    name: 'two clients',
    fail: (service, client) =>
      exchange({ client_secret: '' }, { authorization: basic('another', 'x') })(service, client),
    error: 'another client_id',
    says: /different client ID.* same one in both/,
  },
  {
    name: 'a repeated field behind Basic',
    fail: (service, client) => postBody(service, 'a=1&a=2', { authorization: basic(client.id, 'x') }),
    error: 'more than once',
    says: /^Send each field once\. Only resource can be repeated\.$/,
  },
];

const clientRows: readonly ExplainedRequest[] = [
  {
    name: 'no secret',
    fail: exchange({ client_secret: '' }),
    error: 'invalid_client_credentials',
    says: /^The body had no client_secret\. Send your app’s secret, in the body and not in the URL\. Or authenticate with HTTP Basic\. /,
  },
  {
    name: 'a wrong secret',
    options: { secret: 'lks_right-1234' },
    fail: exchange({ client_secret: 'wrong' }),
    error: 'invalid_client_credentials',
    says: /^That client secret doesn’t belong to this app\. The active secret ends in 1234\./,
  },
  {
    name: 'the client ID as its secret',
    fail: sendSecret((_secret, id) => id),
    error: 'invalid_client_credentials',
    says: /is this app’s client ID\. Send the secret instead/,
  },
  {
    name: 'a token as the secret',
    fail: exchange({ client_secret: 'lkr_something' }),
    error: 'invalid_client_credentials',
    says: /it looks like a refresh token\. A client secret starts with lks_/,
  },
  {
    name: 'a line break behind the secret',
    fail: sendSecret((secret) => `${secret}\n`),
    error: 'invalid_client_credentials',
    says: /contains whitespace.* Trim it where you read it/,
  },
  {
    name: 'quotation marks around the secret',
    fail: sendSecret((secret) => `"${secret}"`),
    error: 'invalid_client_credentials',
    says: /contains whitespace, quotation marks or/,
  },
  {
    name: 'a secret that was encoded twice, in Basic',
    options: { secret: 'with/slash+plus' },
    fail: async (service, client) => {
      const { client_id: _id, client_secret: _secret, ...fields } = await issueCode(service, client);
      const authorization = basic(client.id, encodeURIComponent(client.secret ?? ''));
      return requestToken(service, fields, { headers: { authorization } });
    },
    error: 'invalid_client_credentials',
    says: /or percent-encoding/,
  },
  {
    name: 'a Basic header that cannot be read',
    fail: exchange({ client_secret: '' }, { authorization: 'Basic ???' }),
    error: 'invalid_client_credentials',
    says: /Authorization: Basic header couldn’t be read\. .*join them with a colon/,
  },
  ...(['pending', 'rejected'] as const).map(
    (status): ExplainedRequest => ({
      name: `a client that is ${status}`,
      fail: async (service, client) => {
        const request = await issueCode(service, client);
        await setClientStatus(service.database.db, client.id, status);
        return requestToken(service, request);
      },
      error: 'client_not_accepted',
      says:
        status === 'pending'
          ? /is in review.* gets tokens once it’s approved/
          : /rejected or suspended.* submit it again/,
    }),
  ),
  {
    name: 'a burst of wrong secrets',
    fail: async (service, client) => {
      const request = { ...refreshFields(client, 'x'), client_secret: 'wrong' };
      for (let sent = 0; sent < 60; sent += 1) await requestToken(service, request);
      return requestToken(service, request);
    },
    error: 'too many requests',
    says: /Too many requests with a wrong secret.* right secret still succeed/,
  },
  {
    name: 'a fault of ours',
    fail: async (service, client) => {
      const request = await issueCode(service, client);
      return withoutTable(service.database, 'grants', () => requestToken(service, request));
    },
    error: 'internal_error',
    says: /on our side\. .*still works/,
  },
];

test.each([...requestRows, ...clientRows])(
  'a token request failed with $name: its owner reads why (contract §4)',
  (row) => expectExplained(service, row),
);

test('the wire says no more than before of what the page explains (contract §4)', async () => {
  const { client } = await addOwnedClient(service);

  const answer = await exchange({ redirect_uri: 'https://app.example/Callback' })(service, client);

  expect(answer.json()).toEqual({
    error: 'invalid_grant',
    error_description: 'redirect_uri_mismatch',
    error_uri: `${service.appUrl}/docs/errors#redirect_uri_mismatch`,
  });
});

test('an unknown client is told to nobody (contract §4, client_not_found)', async () => {
  const owned = await addOwnedClient(service);

  await exchange({ client_id: 'unknown' })(service, owned.client);
  await exchange({ client_id: 'unknown', code: '' })(service, owned.client);

  expect(await readFailedRequests(service, owned)).toEqual([]);
  expect(await storedFailedRequests(service, { id: 'unknown' })).toEqual([]);
});

test('a request that succeeds is no failed request', async () => {
  const owned = await addOwnedClient(service);

  const answer = await exchange({})(service, owned.client);

  expect(answer.statusCode).toBe(200);
  expect(await readFailedRequests(service, owned)).toEqual([]);
});
