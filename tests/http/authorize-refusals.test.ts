import { describe, expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { redirectOf, requestOf } from '../support/authorization.ts';
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

interface Refusal {
  readonly situation: string;
  readonly type: ClientType;
  readonly changes: Readonly<Record<string, string>>;
  readonly error: string;
  readonly description: string;
}

function refusal(
  situation: string,
  type: ClientType,
  changes: Readonly<Record<string, string>>,
  [error, description]: readonly [string, string],
): Refusal {
  return { situation, type, changes, error, description };
}

const challengeRequired = ['invalid_request', 'code_challenge_required'] as const;
const mustBeS256 = ['invalid_request', 'code_challenge_method_must_be_S256'] as const;
const malformed = ['invalid_request', 'code_challenge_must_be_43_base64url_characters'] as const;
const noSuchTeam = ['access_denied', 'team_not_found_or_no_access'] as const;
const mustBeCode = ['unsupported_response_type', "response_type must be 'code'"] as const;
const wrongScope = ['invalid_scope', 'scope_unknown_or_not_registered'] as const;
const [plain, S256] = [{ code_challenge_method: 'plain' }, { code_challenge_method: 'S256' }] as const;

const refusals = [
  refusal('no code_challenge', 'public', { code_challenge: '' }, challengeRequired),
  refusal('S256 without a challenge', 'public', { code_challenge: '', ...S256 }, challengeRequired),
  refusal('S256 without a challenge', 'confidential', S256, challengeRequired),
  refusal('plain without a challenge', 'confidential', plain, mustBeS256),
  refusal('the method plain', 'public', plain, mustBeS256),
  refusal('the method plain', 'confidential', { code_challenge: challenge, ...plain }, mustBeS256),
  refusal('the method s256', 'public', { code_challenge_method: 's256' }, mustBeS256),
  refusal('the method S512', 'public', { code_challenge_method: 'S512' }, mustBeS256),
  refusal('a challenge of 42 characters', 'public', { code_challenge: challenge.slice(1) }, malformed),
  refusal('a challenge of 44 characters', 'public', { code_challenge: `${challenge}A` }, malformed),
  refusal('a padded challenge', 'public', { code_challenge: `${challenge.slice(1)}=` }, malformed),
  refusal('a challenge with +', 'confidential', { code_challenge: `${challenge.slice(1)}+` }, malformed),
  refusal('response_type token', 'confidential', { response_type: 'token' }, mustBeCode),
  refusal('response_type code token', 'public', { response_type: 'code token' }, mustBeCode),
  refusal('response_type Code', 'confidential', { response_type: 'Code' }, mustBeCode),
  refusal('an unknown scope', 'confidential', { scope: 'NONSENSE' }, wrongScope),
  refusal('a scope in lower case', 'confidential', { scope: 'profile_read' }, wrongScope),
  refusal('a scope not registered', 'confidential', { scope: 'BOOKING_READ' }, wrongScope),
  refusal('an unknown scope like a known one', 'confidential', { scope: 'PROFILE_DELETE' }, wrongScope),
  refusal('several, none registered', 'public', { scope: 'openid BOOKING_READ SCHEDULE_READ' }, wrongScope),
  refusal('an unknown team', 'confidential', { team_slug: 'unknown' }, noSuchTeam),
  refusal("another user's team", 'public', { team_slug: foreign.slug }, noSuchTeam),
  refusal('a team of which one is a mere member', 'confidential', { team_slug: joined.slug }, noSuchTeam),
];

describe.each(['GET', 'POST'] as const)('%s', (method) => {
  test.each(refusals)(
    'a $type client with $situation hears of $error, $description (contract §3, security C7, C15, C16)',
    async ({ type, changes, error, description }) => {
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

test.each([
  ['absent parameters', 'confidential', {}],
  ['response_type code', 'confidential', { response_type: 'code' }],
  ['a challenge without a method', 'public', { code_challenge: challenge }],
  ['a challenge with S256', 'public', { code_challenge: challenge, ...S256 }],
  ['a challenge of its own accord', 'confidential', { code_challenge: challenge, ...S256 }],
  ['the registered scope', 'confidential', { scope: 'PROFILE_READ' }],
  ['the registered scope, repeated with commas', 'public', { scope: 'PROFILE_READ,,PROFILE_READ ' }],
] as const)(
  'a request with %s by a %s client gets the page (contract §3, §6)',
  async (_name, type, changes) => {
    const client = await addClient(service, { type, scopes: ['PROFILE_READ'] });

    const page = await openAuthorizePage(service, requestOf(client, changes), cookie);

    expect(page.statusCode).toBe(200);
  },
);
