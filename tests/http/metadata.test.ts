import { calculateJwkThumbprint, createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { describe, expect, test } from 'vitest';
import { scopeNames } from '../support/scopes.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { issueTokens } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  hiddenFieldsOf,
  openAuthorizePage,
  postForm,
  startSession,
} from '../support/world.ts';

const service = await openTestService({ APP_URL: 'https://auth.example', API_URL: 'https://api.example' });
const get = (path: string) => service.app.inject(path);
const authorizationServer = '/.well-known/oauth-authorization-server';
const protectedResource = '/.well-known/oauth-protected-resource';
const jwksPath = '/.well-known/jwks.json';
const scopes = [...scopeNames];

test('the authorization server describes itself (RFC 8414 §2, contract §7)', { tags: 'parts' }, async () => {
  const answer = await get(authorizationServer);

  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.json()).toMatchObject({
    issuer: 'https://auth.example',
    authorization_endpoint: 'https://auth.example/auth/oauth2/authorize',
    token_endpoint: 'https://api.example/v2/auth/oauth2/token',
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint: 'https://api.example/v2/auth/oauth2/revoke',
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint: 'https://api.example/v2/auth/oauth2/introspect',
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    jwks_uri: 'https://auth.example/.well-known/jwks.json',
    service_documentation: 'https://auth.example/docs',
    scopes_supported: [...scopes, 'openid', 'profile', 'email'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
});

test('the protected resource names itself and its authorization server (RFC 9728 §2, contract §7)', {
  tags: 'parts',
}, async () => {
  const answer = await get(protectedResource);

  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.json()).toMatchObject({
    resource: 'https://api.example',
    authorization_servers: ['https://auth.example'],
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
  });
});

test('every endpoint that the metadata names is there (RFC 8414 §2)', async () => {
  const metadata: Record<string, unknown> = (await get(authorizationServer)).json();
  const endpoints = Object.entries(metadata).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));

  for (const [, address] of endpoints) {
    const answer = await get(new URL(String(address)).pathname);
    expect(answer.statusCode).not.toBe(404);
  }
  expect(endpoints.length).toBeGreaterThanOrEqual(4);
});

test('the JWKS holds public members alone, and thumbprints for kids (RFC 7517 §4, RFC 7638)', async () => {
  const answer = await get(jwksPath);

  const { keys } = answer.json();
  expect(answer.headers['content-type']).toMatch(/^application\/jwk-set\+json/);
  expect(keys).not.toEqual([]);
  for (const key of keys) {
    const ofKind =
      key.kty === 'RSA'
        ? { alg: 'RS256', e: 'AQAB', n: expect.stringMatching(/^[\w-]{342}$/) }
        : {
            ...{ alg: 'ES256', crv: 'P-256' },
            ...{ x: expect.stringMatching(/^[\w-]{43}$/), y: expect.stringMatching(/^[\w-]{43}$/) },
          };
    const { kty } = key;
    expect(key).toEqual({ kty, ...ofKind, kid: await calculateJwkThumbprint(key), use: 'sig' });
  }
});

test.each([authorizationServer, protectedResource, jwksPath])(
  '%s may be cached, for less long than a key is published ahead (architecture §2)',
  async (path) => {
    const { headers } = await get(path);

    const [, seconds] = /^public, max-age=(\d+)$/.exec(String(headers['cache-control'])) ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThan(24 * 3600);
  },
);

test('anyone with the metadata and the JWKS verifies an access token offline (RFC 9068 §4, contract §5)', async () => {
  const { access_token: token } = await issueTokens(service, await addClient(service));
  const { issuer } = (await get(authorizationServer)).json();
  const { resource } = (await get(protectedResource)).json();
  const keys = createLocalJWKSet((await get(jwksPath)).json());

  const verified = await jwtVerify(token, keys, {
    issuer,
    audience: resource,
    typ: 'at+jwt',
    algorithms: ['ES256'],
    currentDate: service.clock.now(),
  });

  expect(verified.payload.iss).toBe(issuer);
});

test('two instances publish the same keys (architecture §2)', async () => {
  const another = await openAnotherInstance(service);

  const [first, second] = [await get(jwksPath), await another.app.inject(jwksPath)];

  expect(second.json()).toEqual(first.json());
});

describe('the issuer is the configured origin, however it is written (contract §1)', () => {
  test.each([
    ['https://auth.example/', 'https://auth.example'],
    ['HTTPS://Auth.Example', 'https://auth.example'],
    ['https://auth.example:443', 'https://auth.example'],
    ['http://localhost:8080', 'http://localhost:8080'],
  ])('APP_URL %s', async (APP_URL, issuer) => {
    const instance = await openAnotherInstance(service, { APP_URL });

    const metadata = await instance.app.inject(authorizationServer);
    const resource = await instance.app.inject(protectedResource);

    expect(metadata.json().issuer).toBe(issuer);
    expect(resource.json()).toMatchObject({ resource: issuer, authorization_servers: [issuer] });
  });
});

test.each(['/register', '/auth/oauth2/register'])(
  'a program that registers itself at %s is told how apps are registered, in JSON (RFC 7591 §3.2.2, contract §2)',
  { tags: 'parts' },
  async (url) => {
    for (const [type, payload] of [
      ['application/json', '{"redirect_uris":["http://127.0.0.1/cb"]}'],
      ['text/plain', 'x'],
    ] as const) {
      const answer = await service.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': type, origin: 'https://app.example' },
        payload,
      });

      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual({
        error: 'registration_not_supported',
        error_description: expect.stringMatching(
          /https:\/\/auth\.example\/settings\/developer\/oauth\/new, .* metadata document as client_id\.$/,
        ),
        error_uri: 'https://auth.example/docs',
      });
    }
  },
);

const client = await addClient(service);
const cookie = await startSession(service, await addUser(service));
const request = { client_id: client.id, redirect_uri: client.redirectUri };

async function readIssuer(): Promise<string> {
  const { issuer } = (await service.app.inject('/.well-known/oauth-authorization-server')).json();
  return issuer;
}

/** The `iss` of an answer that goes back to the client, every one of them. */
const issuersOf = (location: unknown): string[] => new URL(String(location)).searchParams.getAll('iss');

describe('iss is the metadata’s issuer, byte for byte, once (RFC 9207 §2.4, security C15)', () => {
  test.each(['allow', 'deny'])('in the answer to %s', async (action) => {
    const page = await openAuthorizePage(service, request, cookie);
    const answer = await postForm(service, authorizePath, { ...hiddenFieldsOf(page.body), action }, cookie);

    expect(issuersOf(answer.headers.location)).toEqual([await readIssuer()]);
  });

  test('in an error', async () => {
    const answer = await openAuthorizePage(service, { ...request, response_type: 'token' }, cookie);

    expect(issuersOf(answer.headers.location)).toEqual([await readIssuer()]);
  });

  test('in an access token', async () => {
    const tokens = await issueTokens(service, client);

    expect(decodeJwt(tokens.access_token).iss).toBe(await readIssuer());
  });
});

describe('Host and X-Forwarded-* change nothing (contract §1, security C40)', () => {
  const spoofed = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    'x-forwarded-port': '666',
    'x-forwarded-prefix': '/evil',
    'x-forwarded-for': '6.6.6.6',
    'x-original-url': '/evil',
    'x-rewrite-url': '/evil',
    forwarded: 'host=evil.example;proto=http',
  };

  test.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/jwks.json',
  ])('at %s', async (url) => {
    const plain = await service.app.inject({ url });
    const answer = await service.app.inject({ url, headers: spoofed });

    expect(answer.body).toBe(plain.body);
  });

  test('in the challenge of a 401', async () => {
    const plain = await service.app.inject({ url: '/v2/me' });
    const answer = await service.app.inject({ url: '/v2/me', headers: spoofed });

    expect(answer.headers['www-authenticate']).toBe(plain.headers['www-authenticate']);
  });

  test('in the way back to the client and in its tokens', async () => {
    const page = await openAuthorizePage(service, request, cookie);
    const decided = await service.app.inject({
      method: 'POST',
      url: authorizePath,
      headers: {
        ...spoofed,
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      payload: new URLSearchParams({ ...hiddenFieldsOf(page.body), action: 'allow' }).toString(),
    });
    const location = new URL(String(decided.headers.location));
    const exchanged = await service.app.inject({
      method: 'POST',
      url: '/v2/auth/oauth2/token',
      headers: { ...spoofed, 'content-type': 'application/json' },
      payload: JSON.stringify({
        ...request,
        client_secret: client.secret,
        grant_type: 'authorization_code',
        code: location.searchParams.get('code'),
      }),
    });

    expect(`${location.origin}${location.pathname}`).toBe(client.redirectUri);
    expect(issuersOf(location.href)).toEqual(['https://auth.example']);
    expect(decodeJwt(exchanged.json().access_token)).toMatchObject({
      iss: 'https://auth.example',
      aud: 'https://api.example',
    });
  });

  test.each([`${authorizePath}?${new URLSearchParams(request).toString()}`, '/settings/apps'])(
    'in the way to the sign-in page: %.20s',
    async (url) => {
      const answer = await service.app.inject({ url, headers: spoofed });

      expect(answer.statusCode).toBe(303);
      expect(answer.headers.location).toMatch(/^\/signin\?/);
      expect(answer.headers.location).not.toContain('evil');
    },
  );

  test('on the pages', async () => {
    const answer = await service.app.inject({ url: '/signin', headers: spoofed });

    expect(`${JSON.stringify(answer.headers)}${answer.body}`).not.toContain('evil');
  });
});
