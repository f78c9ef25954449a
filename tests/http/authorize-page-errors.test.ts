import { describe, expect, test } from 'vitest';
import { requestOf } from '../support/authorization.ts';
import { expectErrorPage, textOf, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  openAuthorizePage,
  postForm,
  startSession,
} from '../support/world.ts';

const service = await sharedService();
const cookie = await startSession(service, await addUser(service));
const redirectUri = 'https://app.example/callback';
const accepted = await addClient(service);
const pending = await addClient(service, { status: 'pending' });
const rejected = await addClient(service, { status: 'rejected' });

const situations = [
  ['an unknown client', 'Unknown app', { client_id: 'unknown', redirect_uri: redirectUri }],
  ['no client', 'Unknown app', { redirect_uri: redirectUri }],
  ['no parameter at all', 'Unknown app', {}],
  ['a pending client', 'This app isn’t available', requestOf(pending)],
  ['a rejected client', 'This app isn’t available', requestOf(rejected)],
  ['no redirect_uri', 'Incomplete request', { client_id: accepted.id }],
  ['an empty redirect_uri', 'Incomplete request', { client_id: accepted.id, redirect_uri: '' }],
  [
    'another redirect_uri',
    'The redirect URI doesn’t match',
    { client_id: accepted.id, redirect_uri: 'https://evil.example/callback' },
  ],
] as const;

test.each([
  ['an app that is known', { client_id: accepted.id }, 'Sign in with the account that registered it'],
  ['no known app', { client_id: 'unknown' }, 'Check that client_id'],
  ['a repeated parameter', { client_id: accepted.id, state: 's'.repeat(8193) }, 'Send each parameter once'],
])('a refusal for %s tells a developer what to do (contract §3)', async (_name, request, words) => {
  const page = await openAuthorizePage(service, request);

  expect(textOf(page.body)).toContain(words);
});

test.each([
  ['pending', pending],
  ['rejected, or suspended after it was accepted', rejected],
])(
  'a client that is %s: what the page says is true, and sends nobody back to try again',
  async (_, client) => {
    const said = textOf((await openAuthorizePage(service, requestOf(client), cookie)).body);

    expect(said).toContain('It isn’t approved at the moment. Nothing was shared. Contact the developer.');
    expect(said).not.toMatch(/try again|waiting|was not accepted/);
  },
);

describe.each([
  ['signed in', cookie],
  ['signed out', undefined],
] as const)('%s', (_name, session) => {
  test.each(situations)(
    'a request with %s stays on the page: %s (contract §3, security C2)',
    async (_situation, title, request) => {
      const page = await openAuthorizePage(service, { ...request, state: 'kept' }, session);

      expectErrorPage(page, 'example/callback');
      expect(titleOf(page)).toBe(title);
    },
  );

  test.each(situations)(
    'a decision with %s stays on the page: %s (contract §3, security C2)',
    async (_situation, title, request) => {
      const answer = await postForm(service, authorizePath, { ...request, action: 'allow' }, session);

      expectErrorPage(answer, 'example/callback');
      expect(titleOf(answer)).toBe(title);
    },
  );
});

test.each([
  ['the scope is wrong', { scope: 'NONSENSE' }],
  ['the response_type is wrong', { response_type: 'token' }],
  ['the code_challenge_method is wrong', { code_challenge_method: 'plain' }],
  ['the team is unknown', { team_slug: 'unknown' }],
] as const)(
  'a client that is not accepted is not redirected to when %s too (contract §3, security C2)',
  async (_name, changes) => {
    const page = await openAuthorizePage(service, requestOf(pending, changes), cookie);

    expectErrorPage(page, pending.redirectUri);
    expect(await grantsOf(service, pending)).toEqual([]);
  },
);
