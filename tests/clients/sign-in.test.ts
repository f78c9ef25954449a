import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { approveAt } from '../conformance/person.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { addPerson } from '../support/groups.ts';
import { hostPath } from '../support/host-path.ts';
import { addSignInClient } from '../support/openid.ts';
import { createTestClock } from '../support/service.ts';
import { openTestSite } from '../support/site.ts';
import { makeTemporaryDirectory } from '../support/temporary-directory.ts';

/** Clients of OpenID Connect as they are released, by their own discovery. Their clocks are real. */
const packages = [
  ...['next-auth@4.24.14', 'better-auth@1.7.25', 'remix-auth@4.2.0', 'remix-auth-oauth2@3.4.1'],
  ...['remix-auth-openid@0.3.0', '@openid/appauth@1.4.0', 'get-jwks@11.0.3', 'fast-jwt@6.3.6'],
  ...['passport-openidconnect@0.1.2', 'react@19.3.1'],
];

const run = promisify(execFile);
const service = await openTestSite({}, createTestClock(new Date()));
const { appUrl } = service;
const approve = approveAt(service);
const own = 'https://app.example';

const folder = await makeTemporaryDirectory(atTheEnd);
await writeFile(join(folder, 'package.json'), '{"private":true}');
// next-auth would bring Next.js along, which its own handler doesn't need.
const quiet = ['--legacy-peer-deps', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
await run('npm', ['install', ...packages, ...quiet], {
  cwd: folder,
  env: { ...process.env, PATH: hostPath },
});

const load = createRequire(join(folder, 'x.js'));
const importOf = async (name: string) => import(pathToFileURL(load.resolve(name)).href);
const person = { email: expect.stringContaining('@example.com'), name: expect.stringMatching(/^Test user-/) };

/** A browser keeps cookies like this. */
function openBrowser() {
  const cookies = new Map<string, string>();
  return {
    header: () => [...cookies].map((pair) => pair.join('=')).join('; '),
    keep(lines: readonly string[]): void {
      for (const line of lines) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
    },
  };
}

test('next-auth 4: an oauth provider with wellKnown', async () => {
  // Without NEXTAUTH_URL it is there.
  const client = await addSignInClient(service, {
    redirectUris: ['http://localhost:3000/api/auth/callback/latchkey'],
  });
  // The exports name only what Next.js uses.
  const { AuthHandler } = load(join(folder, 'node_modules/next-auth/core/index.js'));
  const browser = openBrowser();
  const options = {
    secret: 'a secret of the app itself, long enough',
    providers: [
      {
        ...{
          id: 'latchkey',
          name: 'Latchkey',
          type: 'oauth',
          idToken: true,
          checks: ['pkce', 'state', 'nonce'],
        },
        ...{ wellKnown: `${appUrl}/.well-known/openid-configuration` },
        ...{ clientId: client.id, clientSecret: client.secret },
        authorization: { params: { scope: 'openid email profile' } },
        profile: ({ sub: id, name, email }: Record<string, string>) => ({ id, name, email }),
      },
    ],
  };
  const ask = async (action: string, more: object) => {
    const request = { action, method: 'GET', query: {}, headers: {}, origin: own, ...more };
    const cookies = Object.fromEntries(
      browser
        .header()
        .split('; ')
        .map((pair) => pair.split('=').map(decodeURIComponent)),
    );
    const answer = await AuthHandler({ req: { ...request, cookies }, options });
    for (const { name, value } of answer.cookies ?? [])
      browser.keep([`${name}=${encodeURIComponent(value)}`]);
    return answer;
  };
  const { body: csrf } = await ask('csrf', {});
  const sent = await ask('signin', {
    ...{ method: 'POST', providerId: 'latchkey', body: { csrfToken: csrf.csrfToken, callbackUrl: own } },
  });

  const returned = await approve(sent.redirect);
  const query = Object.fromEntries(returned.searchParams);
  await ask('callback', { providerId: 'latchkey', query });
  const { body: session } = await ask('session', {});

  expect(session).toMatchObject({ user: person });
});

test('better-auth: genericOAuth with discoveryUrl and scopes', async () => {
  const client = await addSignInClient(service, { redirectUris: [`${own}/api/auth/callback/latchkey`] });
  const { betterAuth } = await importOf('better-auth');
  const { genericOAuth } = await importOf('better-auth/plugins');
  const auth = betterAuth({
    ...{ baseURL: own, secret: 'a secret of the app itself, long enough', logger: { disabled: true } },
    plugins: [
      genericOAuth({
        config: [
          {
            ...{ providerId: 'latchkey', clientId: client.id, clientSecret: client.secret, pkce: true },
            discoveryUrl: `${appUrl}/.well-known/openid-configuration`,
            scopes: ['openid', 'profile', 'email'],
          },
        ],
      }),
    ],
  });
  const browser = openBrowser();
  const ask = async (path: string, body?: object): Promise<Response> => {
    const answer: Response = await auth.handler(
      new Request(new URL(path, own), {
        headers: { cookie: browser.header(), 'content-type': 'application/json', origin: own },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      }),
    );
    browser.keep(answer.headers.getSetCookie());
    return answer;
  };

  const { url } = await (
    await ask('/api/auth/sign-in/social', { provider: 'latchkey', callbackURL: '/' })
  ).json();
  const returned = await approve(url);
  const signedIn = await ask(`${returned.pathname}${returned.search}`);
  const session = await (await ask('/api/auth/get-session')).json();

  expect(signedIn.headers.get('location')).toBe('/');
  expect(session).toMatchObject({ user: { ...person, emailVerified: true } });
});

test.each([
  [
    'remix-auth-oauth2: discover with the issuer, and userinfo by hand',
    async (client: { id: string; secret: string | undefined }, redirectURI: string) => {
      const { OAuth2Strategy } = await importOf('remix-auth-oauth2');
      return OAuth2Strategy.discover(
        appUrl,
        {
          clientId: client.id,
          clientSecret: client.secret,
          redirectURI,
          scopes: ['openid', 'email', 'profile'],
        },
        async ({ tokens }: { tokens: { accessToken(): string } }) => {
          const { userinfo_endpoint: address } = await (
            await fetch(`${appUrl}/.well-known/openid-configuration`)
          ).json();
          return (
            await fetch(address, { headers: { authorization: `Bearer ${tokens.accessToken()}` } })
          ).json();
        },
      );
    },
  ],
  [
    'remix-auth-openid: the issuer',
    async (client: { id: string; secret: string | undefined }, redirectURI: string) => {
      const { OIDCStrategy } = await importOf('remix-auth-openid');
      return OIDCStrategy.init(
        {
          ...{ issuer: appUrl, client_id: client.id, client_secret: client.secret },
          ...{ redirect_uris: [redirectURI], response_type: 'code', scopes: ['openid', 'email', 'profile'] },
        },
        async ({ tokens }: { tokens: { claims(): object } }) => tokens.claims(),
      );
    },
  ],
])('%s', async (_name, open) => {
  const redirectUri = `${own}/callback`;
  const client = await addSignInClient(service, { redirectUris: [redirectUri] });
  const strategy = await open(client, redirectUri);
  const sent: Response = await strategy
    .authenticate(new Request(`${own}/login`))
    .catch((one: Response) => one);
  const browser = openBrowser();
  browser.keep(sent.headers.getSetCookie());

  const returned = await approve(String(sent.headers.get('location')));
  const user = await strategy.authenticate(new Request(returned, { headers: { cookie: browser.header() } }));

  expect(user).toMatchObject({ ...person, sub: expect.stringMatching(/^\d+$/) });
});

test('AppAuth-JS: fetchFromIssuer, and userinfo', async () => {
  const client = await addSignInClient(service, { type: 'public' });
  // The modules are for a bundler.
  const contents = `
    export { AuthorizationServiceConfiguration } from '@openid/appauth';
    export { NodeRequestor } from '@openid/appauth/built/src/node_support/node_requestor';`;
  const outfile = join(folder, 'appauth.cjs');
  await build({ stdin: { contents, resolveDir: folder }, bundle: true, platform: 'node', outfile });
  const { AuthorizationServiceConfiguration, NodeRequestor } = load(outfile);

  const found = await AuthorizationServiceConfiguration.fetchFromIssuer(appUrl, new NodeRequestor());

  expect(client.secret).toBeUndefined();
  expect(found).toMatchObject({
    authorizationEndpoint: `${appUrl}/auth/oauth2/authorize`,
    tokenEndpoint: `${appUrl}/v2/auth/oauth2/token`,
    revocationEndpoint: `${appUrl}/v2/auth/oauth2/revoke`,
    userInfoEndpoint: `${appUrl}/v2/auth/oauth2/userinfo`,
    endSessionEndpoint: `${appUrl}/auth/oauth2/logout`,
  });
});

test('get-jwks with providerDiscovery, and fast-jwt: ID tokens and access tokens verify by the issuer', async () => {
  const { signInWith } = await import('../support/openid.ts');
  const client = await addSignInClient(service);
  const { cookie } = await addPerson(service);
  const tokens = await signInWith(service, client, cookie);
  const buildGetJwks = load('get-jwks');
  const { createVerifier } = load('fast-jwt');
  const jwks = buildGetJwks({ providerDiscovery: true });
  const verify = createVerifier({
    key: async ({ header, payload }: { header: { kid: string; alg: string }; payload: { iss: string } }) =>
      jwks.getPublicKey({ kid: header.kid, alg: header.alg, domain: payload.iss }),
    allowedIss: appUrl,
  });

  expect(await verify(tokens.id_token)).toMatchObject({ aud: client.id, ...person });
  expect(await verify(tokens.access_token)).toMatchObject({ client_id: client.id });
});

test('passport-openidconnect: addresses by name; it reads userinfo', async () => {
  const client = await addSignInClient(service);
  const Strategy = load('passport-openidconnect');
  const session = {};
  const authenticate = (query: Readonly<Record<string, string>>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const strategy = new Strategy(
        {
          ...{ issuer: appUrl, clientID: client.id, clientSecret: client.secret },
          authorizationURL: `${appUrl}/auth/oauth2/authorize`,
          tokenURL: `${appUrl}/v2/auth/oauth2/token`,
          userInfoURL: `${appUrl}/v2/auth/oauth2/userinfo`,
          ...{ callbackURL: client.redirectUri, scope: ['openid', 'email', 'profile'], nonce: true },
        },
        (_issuer: string, profile: object, done: (error: unknown, user: object) => void) =>
          done(null, profile),
      );
      Object.assign(strategy, { redirect: resolve, success: resolve, fail: reject, error: reject });
      strategy.authenticate({ query, session });
    });

  const returned = await approve(String(await authenticate({})));
  const profile = await authenticate(Object.fromEntries(returned.searchParams));

  expect(profile).toMatchObject({
    id: expect.stringMatching(/^\d+$/),
    ...{ displayName: person.name, emails: [{ value: person.email }] },
  });
});
