import { expect, test } from 'vitest';
import type { AuthorizationFields } from '../support/authorization.ts';
import { codeOf, decide, decisionFormOf, redirectOf, requestOf } from '../support/authorization.ts';
import { exchangeCode, visit } from '../support/consent.ts';
import { addSignInClient } from '../support/openid.ts';
import { sharedService } from '../support/service.ts';
import { addUser, authorizePath, callMe, createPkce, refresh, type TestClient } from '../support/world.ts';
import { openRelyingParty, type PersonHere } from './relying-party.ts';

/**
 * The modules of `oidcc-basic-certification-test-plan` of the OpenID Foundation's conformance suite,
 * by their names: response type `code`, a client of a fixed registration.
 */
const service = await sharedService();

async function openApp(scopes: readonly string[] = ['openid', 'profile', 'email']) {
  const client = await addSignInClient(service, { scopes: [...scopes] });
  const person: PersonHere = { user: await addUser(service), cookie: undefined };
  return { client, person, app: openRelyingParty(service, client, person) };
}

const postUserinfo = (accessToken: string) =>
  service.app.inject({
    ...{ method: 'POST', url: '/v2/auth/oauth2/userinfo' },
    headers: { authorization: `Bearer ${accessToken}` },
  });
const nowInSeconds = (): number => Math.floor(service.clock.now().getTime() / 1000);

test('oidcc-server: a sign-in, its tokens and userinfo', async () => {
  const { app, person } = await openApp();

  const { tokens, claims, seen } = await app.signIn();

  expect(seen).toEqual(['/signin']);
  expect(claims).toMatchObject({ sub: String(person.user.id), auth_time: nowInSeconds() });
  expect(await app.userinfo(tokens.access_token)).toEqual({ sub: claims.sub });
});

test('oidcc-response-type-missing: invalid_request or unsupported_response_type, and no code', async () => {
  const { app } = await openApp();

  const { parameters } = await app.authorize({ response_type: '' });

  expect(parameters['error']).toMatch(/^(?:invalid_request|unsupported_response_type)$/);
});

test('oidcc-idtoken-signature: RS256 for an app that chose nothing else', async () => {
  const { app } = await openApp();

  expect((await app.signIn()).algorithm).toBe('RS256');
});

test('oidcc-idtoken-unsigned: no ID token is without a signature', async () => {
  const document = (await service.app.inject('/.well-known/openid-configuration')).json();

  expect(document.id_token_signing_alg_values_supported).not.toContain('none');
});

test('oidcc-userinfo-get, oidcc-userinfo-post-header: the same, with the token in the header', async () => {
  const { app, person } = await openApp();
  const { tokens, claims } = await app.signIn({ scope: 'openid profile email' });

  const posted = await postUserinfo(tokens.access_token);

  expect(posted.headers['content-type']).toMatch(/^application\/json/);
  expect(posted.json()).toEqual(await app.userinfo(tokens.access_token));
  expect(posted.json()).toMatchObject({ sub: claims.sub, email: person.user.email });
  expect(posted.json().updated_at).toSatisfy(Number.isInteger);
});

test('oidcc-userinfo-post-body: no token in the body is read, which section 2.2 of RFC 6750 leaves open', async () => {
  const { app } = await openApp();
  const { tokens } = await app.signIn();

  const answer = await service.app.inject({
    ...{ method: 'POST', url: '/v2/auth/oauth2/userinfo' },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ access_token: tokens.access_token }).toString(),
  });

  expect(answer.statusCode).toBe(401);
});

test('oidcc-ensure-request-without-nonce-succeeds-for-code-flow: the ID token has none, either', async () => {
  const { app } = await openApp();

  expect((await app.signIn({ nonce: '' })).claims).not.toHaveProperty('nonce');
});

test.each([
  [
    'oidcc-scope-profile',
    'openid profile',
    ['name', 'preferred_username', 'zoneinfo', 'locale', 'updated_at'],
  ],
  ['oidcc-scope-email', 'openid email', ['email', 'email_verified']],
  ['oidcc-alternate-happy-flow', 'email openid', ['email', 'email_verified']],
])('%s: %j gives what is known of its claims', async (_module, scope, names) => {
  const { app } = await openApp();

  const { tokens, claims } = await app.signIn({ scope });
  const seen = await app.userinfo(tokens.access_token);

  expect(Object.keys(seen)).toEqual(['sub', ...names]);
  expect(claims).toMatchObject(seen);
});

test.each([
  ['oidcc-scope-address', 'address'],
  ['oidcc-scope-phone', 'phone'],
  ['oidcc-scope-all', 'profile email address phone'],
])('%s: what isn’t announced is left out, and the rest is given', async (_module, scope) => {
  const { app } = await openApp();
  const document = (await service.app.inject('/.well-known/openid-configuration')).json();

  const { tokens } = await app.signIn({ scope: `openid ${scope}` });

  for (const name of ['address', 'phone']) {
    expect(document.scopes_supported).not.toContain(name);
    expect(tokens.scope?.split(' ')).not.toContain(name);
  }
  expect(tokens.scope?.split(' ')).toContain('openid');
});

test.each([
  ['oidcc-display-page', { display: 'page' }],
  ['oidcc-display-popup', { display: 'popup' }],
  ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
  ['oidcc-ui-locales', { ui_locales: 'se' }],
  ['oidcc-claims-locales', { claims_locales: 'se' }],
  ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
  ['oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
] as const)('%s: %j does no harm', async (_module, changes: AuthorizationFields) => {
  const { app } = await openApp();

  const { tokens, claims } = await app.signIn(changes);

  expect(await app.userinfo(tokens.access_token)).toEqual({ sub: claims.sub });
});

test('oidcc-login-hint: the sign-in page has the address', async () => {
  const { app, client, person } = await openApp();
  const { email } = person.user;
  const asked = await visit(service, requestOf(client, { scope: 'openid', login_hint: email }), '');

  const page = await service.app.inject(String(asked.headers.location));
  const { claims } = await app.signIn({ login_hint: email });

  expect(page.body).toContain(`value="${email}"`);
  expect(claims.sub).toBe(String(person.user.id));
});

test.each([
  ['oidcc-prompt-login', { prompt: 'login' }, 1],
  ['oidcc-max-age-1', { max_age: '1' }, 2],
] as const)('%s: %j takes another sign-in, which is newer', async (_module, changes, seconds) => {
  const { app } = await openApp();
  const first = await app.signIn();
  service.clock.advance(seconds);

  const second = await app.signIn(changes);

  expect(second.seen).toEqual(['/signin/confirm']);
  expect(second.claims.auth_time - first.claims.auth_time).toBeGreaterThanOrEqual(seconds);
  expect(second.claims.sub).toBe(first.claims.sub);
});

test('oidcc-max-age-10000: takes no other sign-in, and auth_time stays', async () => {
  const { app } = await openApp();
  const first = await app.signIn();
  service.clock.advance(60);

  const second = await app.signIn({ max_age: '10000' });

  expect(second.seen).toEqual([]);
  expect(second.claims.auth_time).toBe(first.claims.auth_time);
});

test('oidcc-prompt-none-not-logged-in: login_required', async () => {
  const { app } = await openApp();

  const { parameters, seen } = await app.authorize({ prompt: 'none' });

  expect([parameters['error'], seen]).toEqual(['login_required', []]);
});

test('oidcc-prompt-none-logged-in, oidcc-id-token-hint: answers at once, with the same sub and auth_time', async () => {
  const { app } = await openApp();
  const first = await app.signIn();
  const hints: AuthorizationFields[] = [{}, { id_token_hint: first.tokens.id_token }];

  for (const hint of hints) {
    const silent = await app.signIn({ prompt: 'none', ...hint });

    expect(silent.seen).toEqual([]);
    expect(silent.claims).toMatchObject({
      sub: first.claims.sub,
      auth_time: first.claims.auth_time,
    });
  }
});

test.each([
  ['oidcc-codereuse', 0],
  ['oidcc-codereuse-30seconds', 30],
])('%s: invalid_grant, and the access token ends', async (_module, seconds) => {
  const { app, client } = await openApp(['openid', 'PROFILE_READ']);
  const { parameters, tokens } = await app.signIn({ scope: 'openid PROFILE_READ' });
  service.clock.advance(seconds);

  const again = await app.exchange(parameters['code']);

  expect([again.statusCode, again.json().error]).toEqual([400, 'invalid_grant']);
  expect(again.headers['content-type']).toMatch(/^application\/json/);
  expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
  expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(400);
});

test.each([
  ['oidcc-ensure-registered-redirect-uri', {}],
  ['oidcc-ensure-request-object-with-redirect-uri', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
])('%s: an address that isn’t registered is a page', async (_module, changes: AuthorizationFields) => {
  const { client } = await openApp();
  const redirect_uri = `${client.redirectUri}-other`;

  const answer = await visit(service, requestOf(client, { scope: 'openid', redirect_uri, ...changes }), '');

  expect([answer.statusCode, answer.headers.location]).toEqual([400, undefined]);
  expect(answer.body).toContain('redirect');
});

test('oidcc-ensure-post-request-succeeds: a posted request is the same as one in the query', async () => {
  const { app, client, person } = await openApp();
  await app.signIn();
  const request = requestOf(client, { response_type: 'code', scope: 'openid', state: 's' });

  const posted = await service.app.inject({
    ...{ method: 'POST', url: authorizePath, payload: new URLSearchParams(request).toString() },
    headers: {
      ...{ cookie: person.cookie, 'content-type': 'application/x-www-form-urlencoded' },
      ...{ 'sec-fetch-site': 'cross-site', origin: new URL(client.redirectUri).origin },
    },
  });
  const answer = await service.app.inject({
    ...{ url: String(posted.headers.location), headers: { cookie: person.cookie } },
  });

  expect(codeOf(answer)).toBeDefined();
});

test('oidcc-server-client-secret-post: the secret in the body', async () => {
  const { app, client } = await openApp();

  const { parameters } = await app.authorize();

  expect((await exchangeCode(service, client, parameters['code'])).statusCode).toBe(200);
});

test.each([
  ['oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported', 'request_uri'],
  ['oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported', 'request'],
] as const)('%s: %s is refused by its own error', async (_module, name) => {
  const { app } = await openApp();
  const value = name === 'request' ? 'eyJhbGciOiJub25lIn0.e30.' : 'https://app.example/request.jwt';

  const { parameters } = await app.authorize({ [name]: value });

  expect(parameters['error']).toBe(`${name}_not_supported`);
});

test('oidcc-refresh-token: of its own client alone, with other tokens', async () => {
  const { app, client } = await openApp();
  const { tokens } = await app.signIn({ scope: 'openid offline_access', prompt: 'consent' });
  const other: TestClient = await addSignInClient(service);
  service.clock.advance(1);

  const ofAnother = await refresh(service, other, tokens.refresh_token);
  const next = await refresh(service, client, tokens.refresh_token);

  expect([ofAnother.statusCode, ofAnother.json().error]).toEqual([400, 'invalid_grant']);
  expect([next.statusCode, next.headers['cache-control']]).toEqual([200, 'no-store']);
  expect(next.json().access_token).not.toBe(tokens.access_token);
  expect(await app.userinfo(next.json().access_token)).toHaveProperty('sub');
});

test('oidcc-ensure-request-with-valid-pkce-succeeds: the verifier is asked for', async () => {
  const { app, client, person } = await openApp();
  await app.signIn();
  const { verifier, challenge } = createPkce();
  const request = requestOf(client, {
    ...{ scope: 'openid', code_challenge: challenge, code_challenge_method: 'S256', prompt: 'consent' },
  });
  const page = await visit(service, request, person.cookie ?? '');
  const allowed = await decide(service, decisionFormOf(page.body), 'allow', person.cookie ?? '');
  const { parameters } = redirectOf(allowed);
  const code = Object.fromEntries(parameters)['code'];

  const without = await exchangeCode(service, client, code);
  const withIt = await service.app.inject({
    ...{ method: 'POST', url: '/v2/auth/oauth2/token' },
    payload: {
      ...{ grant_type: 'authorization_code', client_id: client.id, client_secret: client.secret },
      ...{ code, redirect_uri: client.redirectUri, code_verifier: verifier },
    },
  });

  expect([without.statusCode, withIt.statusCode]).toEqual([400, 200]);
});
