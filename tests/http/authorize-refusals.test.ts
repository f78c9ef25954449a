import { describe, expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { expectErrorPage, policyOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  createPkce,
  openAuthorizePage,
  postForm,
  startSession,
} from '../support/world.ts';

const service = await sharedService();
const user = await addUser(service);
const cookie = await startSession(service, user);
const { challenge } = createPkce();
const joined = await addTeam(service, user, 'member');
const foreign = await addTeam(service, await addUser(service));
const { issuer } = (await service.app.inject('/.well-known/oauth-authorization-server')).json();

const challengeRequired = ['invalid_request', 'code_challenge_required'] as const;
const mustBeS256 = ['invalid_request', 'code_challenge_method_must_be_S256'] as const;
const malformed = ['invalid_request', 'code_challenge_must_be_43_base64url_characters'] as const;
const noSuchTeam = ['access_denied', 'team_not_found_or_no_access'] as const;
const mustBeCode = ['unsupported_response_type', "response_type must be 'code'"] as const;
const wrongScope = ['invalid_scope', 'scope_unknown_or_not_registered'] as const;
const [plain, S256] = [{ code_challenge_method: 'plain' }, { code_challenge_method: 'S256' }] as const;

const refusals: readonly (readonly [
  string,
  ClientType,
  Record<string, string>,
  readonly [string, string],
])[] = [
  ['no code_challenge', 'public', { code_challenge: '' }, challengeRequired],
  ['S256 without a challenge', 'confidential', S256, challengeRequired],
  ['plain without a challenge', 'confidential', plain, mustBeS256],
  ['the method plain', 'confidential', { code_challenge: challenge, ...plain }, mustBeS256],
  ['the method S512', 'public', { code_challenge_method: 'S512' }, mustBeS256],
  ['a challenge with +', 'confidential', { code_challenge: `${challenge.slice(1)}+` }, malformed],
  ['response_type token', 'confidential', { response_type: 'token' }, mustBeCode],
  ['an unknown scope', 'confidential', { scope: 'NONSENSE' }, wrongScope],
  ['a scope not registered', 'confidential', { scope: 'BOOKING_READ' }, wrongScope],
  ['several, none registered', 'public', { scope: 'openid BOOKING_READ SCHEDULE_READ' }, wrongScope],
  ['an unknown team', 'confidential', { team_slug: 'unknown' }, noSuchTeam],
  ["another user's team", 'public', { team_slug: foreign.slug }, noSuchTeam],
  ['a team of which one is a mere member', 'confidential', { team_slug: joined.slug }, noSuchTeam],
];

describe.each(['GET', 'POST'] as const)('%s', (method) => {
  test.each(refusals)(
    'with %s a %s client hears of it (contract §3, security C7, C15, C16)',
    async (_situation, type, changes, [error, description]) => {
      const client = await addClient(service, { type, scopes: ['PROFILE_READ'] });
      const request = requestOf(client, { state: 'a state', ...changes });

      const answer =
        method === 'GET'
          ? await openAuthorizePage(service, request, cookie)
          : await postForm(service, authorizePath, { ...request, action: 'allow' }, cookie);

      expect(answer.statusCode).toBe(303);
      expect(redirectOf(answer)).toEqual({
        address: client.redirectUri,
        parameters: [
          ['error', error],
          ['error_description', description],
          ['state', 'a state'],
          ['iss', issuer],
        ],
      });
      expect(await grantsOf(service, client)).toEqual([]);
    },
  );
});

test('a confidential client that requires PKCE hears of invalid_request, code_challenge_required on the page and on Allow (contract §3, security C7)', async () => {
  const client = await addClient(service, { requiresPkce: true });
  const request = requestOf(client);

  const answers = [
    await openAuthorizePage(service, request, cookie),
    await postForm(service, authorizePath, { ...request, action: 'allow' }, cookie),
  ];

  for (const answer of answers) {
    expect(answer.statusCode).toBe(303);
    expect(Object.fromEntries(redirectOf(answer).parameters)).toMatchObject({
      error: 'invalid_request',
      error_description: 'code_challenge_required',
    });
  }
  expect(await grantsOf(service, client)).toEqual([]);
});

test('without state there is none in the error (RFC 6749 §4.1.2.1)', async () => {
  const client = await addClient(service);

  const answer = await openAuthorizePage(service, requestOf(client, { response_type: 'token' }), cookie);

  expect(redirectOf(answer).parameters.map(([name]) => name)).toEqual(['error', 'error_description', 'iss']);
});

const client = await addClient(service, {
  redirectUris: [
    'https://app.example/callback',
    'https://app.example/a%2Fb/~me',
    'https://xn--bcher-kva.example/callback',
    'http://127.0.0.1/callback',
  ],
});

/** A few of each kind; `core/redirect-uri-match` has all spellings. */
const spoilt = {
  'another case of the path': 'https://app.example/Callback',
  'a trailing slash': 'https://app.example/callback/',
  'a query': 'https://app.example/callback?x=1',
  'our host as the user': 'https://app.example@evil.example/callback',
  'CRLF and a header': 'https://app.example/callback\r\nLocation: https://evil.example',
  NUL: 'https://app.example/callback\0',
  'two addresses': 'https://app.example/callback https://evil.example/',
  'a port of a confidential client on loopback': 'http://127.0.0.1:8080/callback',
  '8 KB': `https://app.example/callback?${'x'.repeat(8192)}`,
} as const;

describe.each(['GET', 'POST'] as const)('%s', (method) => {
  test.each(Object.entries(spoilt))(
    'a redirect_uri with %s is not the registered one: the page says so and sends nobody anywhere (contract §3, security C1)',
    async (_name, redirectUri) => {
      const request = { ...requestOf(client), redirect_uri: redirectUri };

      const answer =
        method === 'GET'
          ? await openAuthorizePage(service, request, cookie)
          : await postForm(service, authorizePath, { ...request, action: 'allow' }, cookie);

      expectErrorPage(answer, redirectUri);
      expect(await grantsOf(service, client)).toEqual([]);
    },
  );
});

const policyApp = await addClient(service, {
  type: 'public',
  redirectUris: [
    'https://app.example:8443/callback',
    'http://localhost/callback',
    'http://127.0.0.1:9000/callback',
    'http://[::1]/callback',
    'com.example.app:/callback',
    'cursor://editor.tools/cb',
  ],
});

test.each([
  ['https', 'https://app.example:8443/callback', ["'self'", 'https:']],
  [
    'loopback http',
    'http://localhost:49152/callback',
    ["'self'", 'http://localhost:49152', 'http://localhost:*', 'https:'],
  ],
  [
    'loopback http by number',
    'http://127.0.0.1:9000/callback',
    ["'self'", 'http://127.0.0.1:9000', 'http://127.0.0.1:*', 'https:'],
  ],
  ['loopback http by IPv6', 'http://[::1]:49152/callback', ["'self'", 'http:', 'https:']],
  ['a private-use scheme', 'com.example.app:/callback', ["'self'", 'com.example.app:', 'https:']],
  ['a scheme without a dot', 'cursor://editor.tools/cb', ["'self'", 'cursor:', 'https:']],
] as const)(
  "the page's form-action lets the answer through to %s (contract §3, security C18)",
  async (_name, redirectUri, sources) => {
    const page = await openAuthorizePage(
      service,
      requestOf(policyApp, { redirect_uri: redirectUri }),
      cookie,
    );

    expect(page.statusCode).toBe(200);
    expect(policyOf(page)['form-action']).toEqual(sources);
  },
);

test('only form-action is widened; everything else stays closed (security C17, C19)', async () => {
  const page = await openAuthorizePage(service, requestOf(policyApp), cookie);

  const { 'form-action': _formAction, ...others } = policyOf(page);
  expect(others).toEqual({
    'default-src': ["'none'"],
    'style-src': ["'self'"],
    'script-src': ["'self'"],
    'img-src': ["'self'"],
    'font-src': ["'self'"],
    'base-uri': ["'none'"],
    'frame-ancestors': ["'none'"],
  });
});

test('the answers to the form widen nothing (security C18)', async () => {
  const form = await openDecision(service, requestOf(policyApp), cookie);

  const outdated = await decide(service, { ...form, decision: '' }, 'allow', cookie);
  const allowed = await decide(service, form, 'allow', cookie);

  expect([outdated.statusCode, allowed.statusCode]).toEqual([400, 303]);
  for (const answer of [outdated, allowed]) expect(policyOf(answer)['form-action']).toEqual(["'self'"]);
});
