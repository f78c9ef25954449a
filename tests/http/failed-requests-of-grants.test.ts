import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { memberships } from '../../src/accounts/tables.ts';
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
import { few, sharedService, sparingService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { issueCode, issueTokens, postBody, refreshFields, rotate, tokenPath } from '../support/tokens.ts';
import {
  addUser,
  connect,
  createPkce,
  hiddenFieldsOf,
  obtainCode,
  postForm,
  refresh,
  requestToken,
  startSession,
  type TestClient,
} from '../support/world.ts';

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
    says: /^The body had no code\. Send the code parameter of the URL/,
  },
  {
    name: 'no redirect_uri',
    fail: exchange({ redirect_uri: '' }),
    says: /^The body had no redirect_uri\. Send exactly/,
  },
  {
    name: 'no refresh_token',
    fail: (service, client) => refresh(service, client, ''),
    says: /^The body had no refresh_token\. .* the latest response/,
  },
  {
    name: 'no grant_type',
    fail: exchange({ grant_type: '' }),
    says: /^The body had no grant_type\. Send authorization_code to exchange/,
  },
  {
    name: 'a grant_type that could be anything',
    fail: exchange({ grant_type: 'x1<b>' }),
    says: /^grant_type isn’t supported\. Send authorization_code to exchange a code, or refresh_token/,
  },
  {
    name: 'a code in the URL',
    fail: (service, client) => postBody(service, bodyOf(client), {}, `${tokenPath}?code=x`),
    says: /^The body had no code\. .* in the body and not in the URL/,
  },
  {
    name: 'every field in the URL, and no body',
    fail: (service, client) =>
      service.app.inject({ method: 'POST', url: `${tokenPath}?${bodyOf(client)}&code=x&redirect_uri=y` }),
    says: /^Send one form or one JSON object, and nothing in the URL\. Set Content-Type/,
  },
  {
    name: 'every field in the URL, and an empty form',
    fail: (service, client) => postBody(service, '', {}, `${tokenPath}?${bodyOf(client)}`),
    says: /^The body had no client_id\. .* in the body and not in the URL/,
  },
  {
    name: 'two ways of authentication',
    fail: (service, client) => exchange({}, { authorization: basic(client.id, 'x') })(service, client),
    says: /authenticated twice.* leave client_secret out/,
  },
  {
    name: 'two clients',
    fail: (service, client) =>
      exchange({ client_secret: '' }, { authorization: basic('another', 'x') })(service, client),
    says: /different client ID.* same one in both/,
  },
  {
    name: 'a repeated field behind Basic',
    fail: (service, client) => postBody(service, 'a=1&a=2', { authorization: basic(client.id, 'x') }),
    says: /^Send each field once\. Only resource can be repeated\.$/,
  },
];

const clientRows: readonly ExplainedRequest[] = [
  {
    name: 'no secret',
    fail: exchange({ client_secret: '' }),
    says: /^The body had no client_secret\. Send your app’s secret, in the body and not in the URL\. Or authenticate with HTTP Basic\. /,
  },
  {
    name: 'a wrong secret',
    options: { secret: 'lks_right-1234' },
    fail: exchange({ client_secret: 'wrong' }),
    says: /^That client secret doesn’t belong to this app\. The active secret ends in 1234\./,
  },
  {
    name: 'the client ID as its secret',
    fail: sendSecret((_secret, id) => id),
    says: /is this app’s client ID\. Send the secret instead/,
  },
  {
    name: 'a token as the secret',
    fail: exchange({ client_secret: 'lkr_something' }),
    says: /it looks like a refresh token\. A client secret starts with lks_/,
  },
  {
    name: 'a line break behind the secret',
    fail: sendSecret((secret) => `${secret}\n`),
    says: /contains whitespace.* Trim it where you read it/,
  },
  {
    name: 'a secret that was encoded twice, in Basic',
    options: { secret: 'with/slash+plus' },
    fail: async (service, client) => {
      const { client_id: _id, client_secret: _secret, ...fields } = await issueCode(service, client);
      const authorization = basic(client.id, encodeURIComponent(client.secret ?? ''));
      return requestToken(service, fields, { headers: { authorization } });
    },
    says: /or percent-encoding/,
  },
  {
    name: 'a Basic header that cannot be read',
    fail: exchange({ client_secret: '' }, { authorization: 'Basic ???' }),
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
    says: /Too many requests with a wrong secret.* right secret still succeed/,
  },
  {
    name: 'a fault of ours',
    fail: async (service, client) => {
      const request = await issueCode(service, client);
      return withoutTable(service.database, 'grants', () => requestToken(service, request));
    },
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

const { clock } = service;
const { db } = service.database;
const _day = 86_400;

const twice = async (fail: () => Promise<LightMyRequestResponse>, seconds: number) => {
  await fail();
  clock.advance(seconds);
  return fail();
};

async function disconnect(cookie: string, { id }: TestClient): Promise<void> {
  const page = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
  await postForm(service, `/settings/apps/${id}/disconnect`, hiddenFieldsOf(page.body), cookie);
}

/** A refresh with a token of which `spend` has made something. */
const refreshAfter =
  (spend: (client: TestClient) => Promise<string>): Fail =>
  async (_service, client) =>
    refresh(service, client, await spend(client));

/** A public client's exchange whose verifier is made of the right one, its challenge, and what made that. */
const verify =
  (
    spoil: (verifier: string, challenge: string) => string,
    challengeOf?: (verifier: string) => string,
  ): Fail =>
  async (_service, client) => {
    const made = createPkce();
    const challenge = challengeOf?.(made.verifier) ?? made.challenge;
    const request = await issueCode(service, client, { pkce: { ...made, challenge } });
    return requestToken(service, { ...request, code_verifier: spoil(made.verifier, challenge) });
  };

const codeRows: readonly ExplainedRequest[] = [
  {
    name: 'a code that was used',
    fail: async (service, client) => {
      const request = await issueCode(service, client, { pkce: createPkce() });
      return twice(() => requestToken(service, request), 3.2);
    },
    says: /^The code was already used 3\.2 seconds earlier\. Find what sends it twice/,
  },
  {
    name: 'a code of access that was removed',
    fail: async (service, client) => {
      const cookie = await startSession(service, await addUser(service));
      const code = await obtainCode(service, cookie, client);
      await connect(service, client, cookie);
      await disconnect(cookie, client);
      clock.advance(30);
      return exchange({ code })(service, client);
    },
    says: /revoked 30 seconds earlier by the user, who disconnected.* authorization page again/,
  },
  {
    name: 'a wrong verifier',
    type: 'public',
    fail: verify((_verifier, challenge) => challenge),
    says: /^code_verifier \(43 characters\) is the code_challenge itself/,
  },
];

const refreshRows: readonly ExplainedRequest[] = [
  {
    name: 'a spent token of a public client',
    type: 'public',
    fail: refreshAfter(async (client) => {
      const first = await issueTokens(service, client);
      await rotate(service, client, await rotate(service, client, first));
      clock.advance(300);
      return first.refresh_token;
    }),
    says: /replaced: 2 newer, the latest 5 minutes earlier\. .*we revoked access\..* one process refresh at a time/,
  },
  {
    name: 'a token for a team that the user has left',
    fail: async (service, client) => {
      const person = await addUser(service);
      const team = await addTeam(service, person);
      const tokens = await connect(service, client, await startSession(service, person), {
        team_slug: team.slug,
      });
      await db.delete(memberships).where(eq(memberships.groupId, team.id));
      return refresh(service, client, tokens.refresh_token);
    },
    says: /^The access this refresh token stood for is gone:.* no longer manages the team/,
  },
  {
    name: 'a scope that is too wide',
    options: { scopes: ['PROFILE_READ'] },
    fail: async (service, client) => {
      const tokens = await issueTokens(service, client);
      const request = { ...refreshFields(client, tokens.refresh_token), scope: 'BOOKING_READ everything' };
      return requestToken(service, request);
    },
    says: /registered for them\. Not approved: BOOKING_READ\. Leave it out, or ask for PROFILE_READ or less/,
  },
  {
    name: 'a resource that was not approved',
    fail: async (service, client) => {
      const tokens = await issueTokens(service, client);
      const request = { ...refreshFields(client, tokens.refresh_token), resource: 'https://evil.example' };
      return requestToken(service, request);
    },
    says: /^resource names something that the user didn’t approve\. Leave it out, or send http:\/\/localhost:3000\. Nothing was used up/,
  },
];

const flood: ExplainedRequest = {
  name: 'a flood of refreshes',
  fail: async (service, client) => {
    const tokens = await issueTokens(service, client);
    for (let sent = 0; sent <= few; sent += 1) {
      const answer = await refresh(service, client, tokens.refresh_token);
      if (answer.statusCode === 429) return answer;
    }
    throw new Error('nothing was limited');
  },
  says: /Too many requests for the same user.* until it expires/,
};

test.each(codeRows)('an exchange failed with $name: its owner reads why (contract §4)', (row) =>
  expectExplained(service, row),
);

test.each(refreshRows)(
  'a refresh failed with $name: its owner reads why (contract §4)',
  { tags: 'parts' },
  (row) => expectExplained(service, row),
);

test('a refresh failed with a flood of refreshes: its owner reads why (contract §4)', async () =>
  expectExplained(await sparingService(), flood));
