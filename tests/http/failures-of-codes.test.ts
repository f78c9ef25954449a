import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { test } from 'vitest';
import { grants } from '../../src/oauth/tables.ts';
import { type ExplainedFailure, exchange, expectExplained } from '../support/explained-failures.ts';
import { openTestService } from '../support/service.ts';
import { issueCode } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  clientFields,
  connect,
  hiddenFieldsOf,
  obtainCode,
  postForm,
  requestToken,
  signIn,
  type TestClient,
} from '../support/world.ts';

const service = await openTestService();
const { clock } = service;

const twice = async (fail: () => Promise<LightMyRequestResponse>, seconds: number) => {
  await fail();
  clock.advance(seconds);
  return fail();
};

async function disconnect(cookie: string, { id }: TestClient): Promise<void> {
  const page = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
  await postForm(service, `/settings/apps/${id}/disconnect`, hiddenFieldsOf(page.body), cookie);
}

const codeRows: readonly ExplainedFailure[] = [
  {
    name: 'a code that was used',
    fail: async (service, client) => {
      const request = await issueCode(service, client);
      return twice(() => requestToken(service, request), 3.2);
    },
    error: 'code_invalid_or_expired',
    wrong: /The code was used 3.2 seconds before/,
    toDo: /sends it twice/,
  },
  {
    name: 'a replay',
    fail: async (service, client) => {
      const request = await issueCode(service, client);
      return twice(() => requestToken(service, request), 45);
    },
    error: 'code_invalid_or_expired',
    wrong: /used 45 seconds before.* this was a replay, and all tokens of this permission were revoked/,
    toDo: /sends it twice/,
  },
  {
    name: 'an expired code',
    fail: async (service, client) => {
      const request = await issueCode(service, client);
      clock.advance(65);
      return requestToken(service, request);
    },
    error: 'code_invalid_or_expired',
    wrong: /expired 5 seconds before. A code lives for 60 seconds/,
    toDo: /as soon as the person comes back/,
  },
  {
    name: 'a code of another client',
    fail: async (service, client) => {
      const other = await issueCode(service, await addClient(service));
      return requestToken(service, { ...other, ...clientFields(client) });
    },
    error: 'code_invalid_or_expired',
    wrong: /issued to another client/,
    toDo: /client ID with which the person was sent/,
  },
  {
    name: 'a code of an ended permission',
    fail: async (service, client) => {
      const user = await addUser(service);
      const cookie = await signIn(service, user);
      const code = await obtainCode(service, cookie, client);
      await connect(service, client, cookie);
      await disconnect(cookie, client);
      clock.advance(30);
      return exchange({ code })(service, client);
    },
    error: 'code_invalid_or_expired',
    wrong: /revoked 30 seconds before this request, by the person, who disconnected your app/,
    toDo: /authorization page again/,
  },
  {
    name: 'a code whose permission is gone',
    fail: async (service, client) => {
      const request = await issueCode(service, client);
      await service.database.db.delete(grants).where(eq(grants.clientId, client.id));
      return requestToken(service, request);
    },
    error: 'code_invalid_or_expired',
    wrong: /does not exist any more/,
    toDo: /authorization page again/,
  },
  ...(
    [
      ['a refresh token', 'lkr_x', /had a refresh token of ours/],
      ['an access token', 'eyJhbGciOiJFUzI1NiJ9.e30.x', /had an access token/],
      ['a code that was cut off', 'lkc_AAAA', /was cut off/],
      ['a code with more behind it', `lkc_${'A'.repeat(70)}&state=x`, /something behind it/],
      ['a code of another environment', `lkc_${'A'.repeat(70)}`, /right form, but none that we made/],
      ['a code with a blank', 'lkc_AAAA ', /blanks or line breaks/],
      ['a percent-encoded code', 'lkc%5FAAAA', /percent-encoded once too often/],
      ['a code in quotes', '"lkc_AAAA"', /quotation marks/],
      ['something else', 'banana', /nothing that we make/],
    ] as const
  ).map(
    ([name, code, wrong]): ExplainedFailure => ({
      name: `${name} instead of a code`,
      fail: exchange({ code }),
      error: 'code_invalid_or_expired',
      wrong,
      toDo: /begins with lkc_/,
    }),
  ),
  ...(
    [
      ['case', 'https://app.example/Callback', /capital and small letters alone/],
      ['a trailing slash', 'https://app.example/callback/', /a slash at the end alone/],
      ['the scheme', 'http://app.example/callback', /scheme alone/],
      ['the port', 'https://app.example:8443/callback', /port alone/],
      ['the host', 'https://www.app.example/callback', /host alone/],
      ['the path', 'https://app.example/return', /path alone/],
      ['the query', 'https://app.example/callback?x=1', /query alone/],
      ['the encoding', 'https://app.example/%63allback', /percent-encoding alone/],
      ['a blank', 'https://app.example/callback ', /blanks or line breaks around it/],
      [
        'the answer in it',
        'https://app.example/callback?code=lkc_x&state=y',
        /came back to, with the answer/,
      ],
      ['everything', 'http://localhost:3000/', /is another address/],
    ] as const
  ).map(
    ([name, redirectUri, wrong]): ExplainedFailure => ({
      name: `a redirect_uri that differs: ${name}`,
      fail: exchange({ redirect_uri: redirectUri }),
      error: 'redirect_uri_mismatch',
      wrong,
      toDo: /The code was not spent/,
    }),
  ),
  {
    name: 'another registered redirect_uri',
    options: { redirectUris: ['https://app.example/callback', 'https://app.example/other'] },
    fail: exchange({ redirect_uri: 'https://app.example/other' }),
    error: 'redirect_uri_mismatch',
    wrong: /one of this app’s registered addresses/,
    toDo: /Send the same text/,
  },
];

test.each(codeRows)('an exchange failed with $name: its owner reads why (contract §4)', (row) =>
  expectExplained(service, row),
);
