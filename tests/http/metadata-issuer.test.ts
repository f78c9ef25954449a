import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { openTestService } from '../support/service.ts';
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
