import { test } from 'vitest';
import { basic } from '../support/basic.ts';
import { setClientStatus } from '../support/client-status.ts';
import { withoutTable } from '../support/database-faults.ts';
import { type ExplainedFailure, exchange, expectExplained } from '../support/explained-failures.ts';
import { openTestService } from '../support/service.ts';
import { issueCode, refreshFields } from '../support/tokens.ts';
import { requestToken } from '../support/world.ts';

const service = await openTestService();

const clientRows: readonly ExplainedFailure[] = [
  {
    name: 'no secret',
    fail: exchange({ client_secret: '' }),
    error: 'invalid_client_credentials',
    wrong: /The body had no client_secret/,
    toDo: /HTTP Basic/,
  },
  {
    name: 'a wrong secret',
    options: { secret: 'lks_right-1234' },
    fail: exchange({ client_secret: 'wrong' }),
    error: 'invalid_client_credentials',
    wrong: /none of this app’s. Right would be the one that ends in 1234/,
    toDo: /last four characters/,
  },
  {
    name: 'the client ID as its secret',
    fail: (service, client) => exchange({ client_secret: client.id })(service, client),
    error: 'invalid_client_credentials',
    wrong: /is this app’s client ID/,
    toDo: /Put the secret where/,
  },
  {
    name: 'a token as the secret',
    fail: exchange({ client_secret: 'lkr_something' }),
    error: 'invalid_client_credentials',
    wrong: /had a refresh token of ours/,
    toDo: /begins with lks_/,
  },
  {
    name: 'a line break behind the secret',
    fail: (service, client) => exchange({ client_secret: `${client.secret}\n` })(service, client),
    error: 'invalid_client_credentials',
    wrong: /blanks or line breaks in it, and would have been right without/,
    toDo: /Trim the secret/,
  },
  {
    name: 'quotation marks around the secret',
    fail: (service, client) => exchange({ client_secret: `"${client.secret}"` })(service, client),
    error: 'invalid_client_credentials',
    wrong: /quotation marks around it, and would have been right without/,
    toDo: /Remove them/,
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
    wrong: /percent-encoded once too often, and would have been right/,
    toDo: /Encode it once/,
  },
  {
    name: 'a Basic header that cannot be read',
    fail: exchange({ client_secret: '' }, { authorization: 'Basic ???' }),
    error: 'invalid_client_credentials',
    wrong: /Authorization: Basic header could not be read/,
    toDo: /join them with a colon/,
  },
  ...(['pending', 'rejected'] as const).map(
    (status): ExplainedFailure => ({
      name: `a client that is ${status}`,
      fail: async (service, client) => {
        const request = await issueCode(service, client);
        await setClientStatus(service.database.db, client.id, status);
        return requestToken(service, request);
      },
      error: 'client_not_accepted',
      wrong: status === 'pending' ? /is in review/ : /was not accepted by a reviewer, or was suspended/,
      toDo: status === 'pending' ? /e-mail of the outcome/ : /submit it again/,
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
    wrong: /Too many requests with a wrong secret/,
    toDo: /the right secret are let through/,
  },
  {
    name: 'a fault of ours',
    fail: async (service, client) => {
      const request = await issueCode(service, client);
      return withoutTable(service.database, 'grants', () => requestToken(service, request));
    },
    error: 'internal_error',
    wrong: /wrong on our side/,
    toDo: /can still be used/,
  },
];

test.each(clientRows)('an authentication failed with $name: its owner reads why (contract §4)', (row) =>
  expectExplained(service, row),
);
