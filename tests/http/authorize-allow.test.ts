import { describe, expect, test } from 'vitest';
import { decide, openDecision, redirectOf, requestOf } from '../support/authorization.ts';
import { openTestService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient, addUser, createPkce, startSession } from '../support/world.ts';

const appUrl = 'https://latchkey.example';
const service = await openTestService({ APP_URL: appUrl, API_URL: 'https://api.latchkey.example' });
const user = await addUser(service);
const cookie = await startSession(service, user);
const { issuer } = (await service.app.inject('/.well-known/oauth-authorization-server')).json();
const aCode = expect.stringMatching(/^lkc_[A-Za-z0-9_-]+$/);

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  test('gets code, state and iss, each once, by a 303 after Allow (contract §3, RFC 9207, security C15, C16)', async () => {
    const client = await addClient(service, { type });
    const form = await openDecision(service, requestOf(client, { state: 'a state' }), cookie);

    const answer = await decide(service, form, 'allow', cookie);

    expect(issuer).toBe(appUrl);
    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer)).toEqual({
      address: client.redirectUri,
      parameters: [
        ['code', aCode],
        ['state', 'a state'],
        ['iss', issuer],
      ],
    });
  });

  test('gets no state that it did not send (RFC 6749 §4.1.2)', async () => {
    const client = await addClient(service, { type });
    const form = await openDecision(service, requestOf(client), cookie);

    const answer = await decide(service, form, 'allow', cookie);

    expect(redirectOf(answer).parameters).toEqual([
      ['code', aCode],
      ['iss', issuer],
    ]);
  });

  test('hears user_denied after Deny, by a 303, and nothing is stored (contract §3, security C15, C16)', async () => {
    const client = await addClient(service, { type });
    const form = await openDecision(service, requestOf(client, { state: 'a state' }), cookie);

    const answer = await decide(service, form, 'deny', cookie);

    expect(answer.statusCode).toBe(303);
    expect(redirectOf(answer)).toEqual({
      address: client.redirectUri,
      parameters: [
        ['error', 'access_denied'],
        ['error_description', 'user_denied'],
        ['state', 'a state'],
        ['iss', issuer],
      ],
    });
    expect(await grantsOf(service, client)).toEqual([]);
  });
});

test.each(['allow', 'deny'] as const)(
  'the parameters of an answer to %s come behind the query that was registered (RFC 6749 §3.1.2, security C3)',
  async (action) => {
    const redirectUri = 'https://app.example/callback?tenant=a%20b&tenant=c+d&empty=';
    const client = await addClient(service, { redirectUris: [redirectUri] });
    const form = await openDecision(service, requestOf(client, { state: 'x' }), cookie);

    const answer = await decide(service, form, action, cookie);

    const location = String(answer.headers.location);
    expect(location.startsWith(`${redirectUri}&`)).toBe(true);
    expect(location.split('?')).toHaveLength(2);
    const registered = [...new URL(redirectUri).searchParams];
    expect(redirectOf(answer).parameters.slice(0, registered.length)).toEqual(registered);
    expect(redirectOf(answer).parameters.slice(registered.length).at(-1)).toEqual(['iss', issuer]);
  },
);

test('the grant is for the user, the address, the challenge and the scopes that were shown (contract §4, §6)', {
  tags: 'parts',
}, async () => {
  const client = await addClient(service, {
    type: 'public',
    scopes: ['PROFILE_READ', 'BOOKING_WRITE'],
    redirectUris: ['https://app.example/a', 'https://app.example/b'],
  });
  const { challenge } = createPkce();
  const request = { redirect_uri: 'https://app.example/b', code_challenge: challenge, scope: 'BOOKING_READ' };
  const form = await openDecision(service, requestOf(client, request), cookie);

  await decide(service, form, 'allow', cookie);

  expect(await grantsOf(service, client)).toMatchObject([
    {
      userId: user.id,
      teamId: null,
      redirectUri: 'https://app.example/b',
      codeChallenge: challenge,
      scopes: ['BOOKING_READ'],
      generation: 0,
      redeemedAt: null,
    },
  ]);
});
