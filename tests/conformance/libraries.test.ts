import * as oauth from 'openid-client';
import OAuth2Strategy from 'passport-oauth2';
import { AuthorizationCode } from 'simple-oauth2';
import { describe, expect, test } from 'vitest';
import { openTestSite } from '../support/site.ts';
import { addClient, authorizePath, callMe } from '../support/world.ts';
import { approveAt, openAuth } from './person.ts';

const service = await openTestSite();
const { appUrl } = service;
const approve = approveAt(service);
const endpoint = (name: string): string => `/v2/auth/oauth2/${name}`;

const statusOf = async (accessToken: unknown): Promise<number> =>
  (await callMe(service, String(accessToken))).statusCode;

test.each([
  ['confidential', 'bearer'],
  ['public', 'bearer'],
  ['public', 'dpop'],
] as const)(
  "openid-client, a %s client, %s: algorithm 'oauth2', the rest is discovered",
  async (type, tokenType) => {
    const client = await addClient(service, { type, scopes: ['PROFILE_READ', 'BOOKING_READ'] });
    const authentication =
      client.secret === undefined ? oauth.None() : oauth.ClientSecretBasic(client.secret);
    // The library's clock is the service's: proofs have a time.
    const clockSkew = Math.round((service.clock.now().getTime() - Date.now()) / 1000);
    const metadata = { [oauth.clockSkew]: clockSkew };
    const server = await oauth.discovery(new URL(appUrl), client.id, metadata, authentication, {
      algorithm: 'oauth2',
      execute: [oauth.allowInsecureRequests],
    });
    const options =
      tokenType === 'dpop' ? { DPoP: oauth.getDPoPHandle(server, await oauth.randomDPoPKeyPair()) } : {};
    const [verifier, state] = [oauth.randomPKCECodeVerifier(), oauth.randomState()];
    const address = oauth.buildAuthorizationUrl(server, {
      redirect_uri: client.redirectUri,
      scope: 'PROFILE_READ',
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });

    const checks = { pkceCodeVerifier: verifier, expectedState: state };
    const first = await oauth.authorizationCodeGrant(server, await approve(address), checks, {}, options);
    const next = await oauth.refreshTokenGrant(server, String(first.refresh_token), {}, options);
    const me = await oauth.fetchProtectedResource(
      server,
      next.access_token,
      new URL('/v2/me', appUrl),
      'GET',
      undefined,
      undefined,
      options,
    );
    const seen = type === 'public' ? undefined : await oauth.tokenIntrospection(server, next.access_token);
    await oauth.tokenRevocation(server, String(next.refresh_token));

    expect([first.token_type, next.token_type]).toEqual([tokenType, tokenType]);
    expect([first.scope, next.scope, me.status]).toEqual(['PROFILE_READ', 'PROFILE_READ', 200]);
    expect(seen?.active).toBe(type === 'public' ? undefined : true);
    expect(await statusOf(next.access_token)).toBe(401);
  },
);

test('simple-oauth2: four addresses; it refreshes, and revokes both tokens', async () => {
  const client = await addClient(service);
  const library = new AuthorizationCode({
    client: { id: client.id, secret: String(client.secret) },
    auth: {
      tokenHost: appUrl,
      tokenPath: endpoint('token'),
      revokePath: endpoint('revoke'),
      authorizePath,
    },
  });
  const { redirectUri: redirect_uri } = client;

  const returned = await approve(library.authorizeURL({ redirect_uri, state: 'a state' }));
  const first = await library.getToken({ redirect_uri, code: String(returned.searchParams.get('code')) });
  const next = await first.refresh();
  const status = await statusOf(next.token['access_token']);
  await next.revokeAll();

  expect(returned.searchParams.get('state')).toBe('a state');
  expect([first.expired(), status]).toEqual([false, 200]);
  expect(await statusOf(next.token['access_token'])).toBe(401);
});

test('passport-oauth2: two addresses, with pkce and state', async () => {
  const client = await addClient(service);
  const session = {};

  const sent = await authenticate({});
  const returned = await approve(String(sent));
  const user = await authenticate(Object.fromEntries(returned.searchParams));

  expect(new URL(String(sent)).searchParams.get('code_challenge_method')).toBe('S256');
  expect(user).toMatchObject({ refreshToken: expect.stringMatching(/^lkr_/), status: 200 });

  /** Passport's middleware makes a copy of the strategy for each request in the same way. */
  function authenticate(query: Readonly<Record<string, string>>): Promise<unknown> {
    const strategy = new OAuth2Strategy(
      {
        authorizationURL: `${appUrl}${authorizePath}`,
        tokenURL: `${appUrl}${endpoint('token')}`,
        clientID: client.id,
        clientSecret: String(client.secret),
        callbackURL: client.redirectUri,
        state: true,
        pkce: true,
      },
      (accessToken, refreshToken, _profile, done) => {
        statusOf(accessToken).then((status) => done(null, { refreshToken, status }), done);
      },
    );
    return new Promise((resolve, reject) => {
      Object.assign(strategy, { redirect: resolve, success: resolve, fail: reject, error: reject });
      strategy.authenticate({ query, session });
    });
  }
});

describe('Auth.js', () => {
  const own = 'https://app.example';

  test.each([
    ['PROFILE_READ', { scope: 'PROFILE_READ' }],
    ['the scopes that it sends by itself', { scope: 'openid profile email' }],
  ])('an oauth provider with issuer, three addresses and profile, asking for %s', async (_name, params) => {
    const client = await addClient(service, { redirectUris: [`${own}/auth/callback/latchkey`] });
    const visit = openAuth(own, {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oauth',
      issuer: appUrl,
      authorization: { url: `${appUrl}${authorizePath}`, params },
      token: `${appUrl}${endpoint('token')}`,
      userinfo: `${appUrl}/v2/me`,
      clientId: client.id,
      clientSecret: String(client.secret),
      checks: ['pkce', 'state'],
      profile: ({ data }: { data: { id: number; name: string; email: string } }) => ({
        ...{ id: String(data.id), name: data.name, email: data.email },
      }),
    });

    const sent = await visit('/auth/signin/latchkey', {});
    const returned = await approve(String(sent.headers.get('location')));
    const signedIn = await visit(`${returned.pathname}${returned.search}`);
    const session: unknown = await (await visit('/auth/session')).json();

    expect(signedIn.headers.get('location')).toBe(own);
    expect(session).toMatchObject({ user: { email: expect.stringContaining('@') } });
  });
});
