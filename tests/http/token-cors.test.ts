import { describe, expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import { issueTokens, postBody, revocationPath, tokenPath } from '../support/tokens.ts';
import { addClient } from '../support/world.ts';

const service = await sharedService();
const { app } = service;
const origin = 'https://app.example';

const listOf = (header: unknown): string[] => String(header).toLowerCase().split(/, */);

describe('programs in a browser may call (security C39)', () => {
  test.each([
    ['POST', tokenPath],
    ['POST', revocationPath],
    ['GET', '/v2/me'],
    ['GET', '/v2/auth/oauth2/clients/x'],
    ['GET', '/.well-known/oauth-authorization-server'],
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/.well-known/jwks.json'],
  ])('%s %s, as its preflight says', async (method, url) => {
    const answer = await app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      },
    });

    expect(answer.statusCode).toBe(204);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(listOf(answer.headers['access-control-allow-methods'])).toContain(method.toLowerCase());
    expect(listOf(answer.headers['access-control-allow-headers'])).toEqual(
      expect.arrayContaining(['authorization', 'content-type']),
    );
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each([
    [200, 'GET', '/.well-known/jwks.json'],
    [401, 'GET', '/v2/me'],
    [404, 'GET', '/v2/nowhere'],
    [405, 'GET', tokenPath],
    [415, 'POST', tokenPath],
    [415, 'POST', revocationPath],
  ] as const)('and read a %i of %s %s', async (status, method, url) => {
    const answer = await app.inject({ method, url, headers: { origin } });

    expect(answer.statusCode).toBe(status);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(listOf(answer.headers['access-control-expose-headers'])).toEqual(
      expect.arrayContaining(['x-request-id', 'www-authenticate', 'retry-after', 'cal-api-version']),
    );
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each([
    '/v2/event-types/%',
    '/v2/%zz?x=1',
    `/v2/event-types/${'x'.repeat(9000)}`,
    '/v2/event-types/%00',
    '/mcp/%',
    '/.well-known/%c3',
  ])('and read that %.40s is no address, as its preflight says', { tags: 'parts' }, async (url) => {
    const preflight = await app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'dpop' },
    });
    const answer = await app.inject({ url, headers: { origin } });

    expect([preflight.statusCode, preflight.headers['access-control-allow-headers']]).toEqual([204, 'dpop']);
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    for (const { headers } of [preflight, answer]) expect(headers['access-control-allow-origin']).toBe('*');
    expect(answer.json()).toMatchObject({ status: 'error' });
  });

  test('and read tokens and refusals', async () => {
    const client = await addClient(service, { type: 'public' });
    const { refresh_token: token } = await issueTokens(service, client);
    const send = (refreshToken: string) =>
      postBody(service, `client_id=${client.id}&grant_type=refresh_token&refresh_token=${refreshToken}`, {
        origin,
      });

    const answers = [await send(token), await send('unknown')];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400]);
    for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe('*');
  });
});

test.each([
  ['JSON that is none', 'application/json', '{'],
  ['another type', 'text/xml', '<a/>'],
])('a preflight with %s is answered all the same (security C39)', async (_name, type, payload) => {
  const headers = { origin, 'access-control-request-method': 'POST', 'content-type': type };

  const answer = await app.inject({ method: 'OPTIONS', url: tokenPath, headers, payload });

  expect(answer.statusCode).toBe(204);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
});

describe('a preflight allows the headers that it asks for (security C39)', () => {
  const preflight = async (asked: string) => {
    const { headers } = await app.inject({
      method: 'OPTIONS',
      url: '/v2/me',
      headers: { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': asked },
    });
    return headers;
  };
  const many = (count: number): string => Array.from({ length: count }, (_, at) => `x-${at}`).join(',');

  test.each([
    'mcp-protocol-version',
    'authorization,cal-api-version,dpop,idempotency-key,mcp-session-id',
    'X-Cal-Client-Id, X-Cal-Secret-Key',
    many(32),
  ])('%s', async (asked) => {
    const headers = await preflight(asked);

    expect(headers['access-control-allow-headers']).toBe(asked);
    expect(listOf(headers.vary)).toContain('access-control-request-headers');
  });

  test.each([
    ['a wildcard', '*'],
    ['text that is no name', 'x-a, <script>'],
    ['a line break', 'x-a\r\nset-cookie: a'],
    ['a name of 65 characters', 'x'.repeat(65)],
    ['33 names', many(33)],
    ['60 KB', many(8000)],
    ['nothing', ''],
  ])('but not %s', async (_name, asked) => {
    const headers = await preflight(asked);

    expect(headers).not.toHaveProperty('access-control-allow-headers');
    expect(headers['access-control-allow-origin']).toBe('*');
  });
});

describe('pages allow no other origin (security C39)', () => {
  const pages = [
    '/',
    '/signin',
    '/signup',
    '/auth/oauth2/authorize',
    '/settings/apps',
    '/nowhere',
    '/assets/style.css',
  ];

  test.each(pages)('%s', async (url) => {
    const shown = await app.inject({ url, headers: { origin } });
    const preflight = await app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin, 'access-control-request-method': 'POST' },
    });

    for (const { headers } of [shown, preflight])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(preflight.statusCode).toBeGreaterThanOrEqual(400);
  });
});
