import { describe, expect, test } from 'vitest';
import { withoutTable } from '../support/database-faults.ts';
import { openTestService } from '../support/service.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';
import { issueTokens, postBody, tokenPath } from '../support/tokens.ts';
import { addClient, callMe } from '../support/world.ts';

const service = await openTestService();
const { app } = service;

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const shapeOf = (code: string, path: string) => ({
  status: 'error',
  timestamp: instant,
  path,
  error: { code, message: expect.stringMatching(/^[A-Z].*\.$/), details: {} },
});

describe('the general error shape (contract §5)', () => {
  test.each([
    ['GET', '/v2/nowhere'],
    ['POST', '/v2/nowhere'],
    ['DELETE', '/v2/nowhere/at/all'],
    ['GET', '/v2'],
    ['GET', '/v2/'],
    ['POST', '/v2/auth/oauth2/token/'],
    ['GET', '/v2/auth/oauth2/clients'],
    ['GET', '/.well-known/nothing'],
  ] as const)('is what 404 has: %s %s', async (method, url) => {
    const answer = await app.inject({ method, url });

    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual(shapeOf('NotFound', url));
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each(['/v2/me', '/v2/auth/oauth2/clients/x', '/.well-known/jwks.json'])(
    'is what 405 has: POST %s',
    async (url) => {
      const { statusCode, headers, json } = await app.inject({ method: 'POST', url });

      expect([statusCode, headers['cache-control']]).toEqual([405, 'no-store']);
      expect(json()).toEqual(shapeOf('MethodNotAllowed', url));
    },
  );

  test.each([
    ['a slash too many', '/v2/me/', '{}', 'application/json', / Remove the slash at its end\.$/],
    ['no JSON', '/v2/nowhere', '{', 'application/json', /^The body isn’t valid JSON\.$/],
    [
      'a form',
      '/v2/bookings',
      'a=b',
      'application/x-www-form-urlencoded',
      /Content-Type: application\/json\.$/,
    ],
  ])('says what to do about %s', { tags: 'parts' }, async (_what, url, body, contentType, sentence) => {
    const answer = await postBody(service, body, { 'content-type': contentType }, url);

    expect(answer.json().error.message).toMatch(sentence);
  });

  test('names the path without its query, which may hold secrets', async () => {
    const answer = await app.inject('/v2/nowhere?access_token=canary#canary');

    expect(answer.json().path).toBe('/v2/nowhere');
    expect(answer.body).not.toContain('canary');
  });

  test.each(['/v2/%zz', '/v2/auth/oauth2/clients/%', '/v2/auth/oauth2/clients/%C3%28', '/.well-known/%zz'])(
    'is what 400 has when the address cannot be read: %s',
    async (url) => {
      const answer = await app.inject(url);

      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toEqual(shapeOf('BadRequest', url));
    },
  );

  test.each([
    [400, 'BadRequest', 'a broken body', '{'],
    [413, 'PayloadTooLarge', 'a body that is too large', JSON.stringify('x'.repeat(64 * 1024))],
  ])('is what %i has: %s for %s', async (status, code, _name, body) => {
    const answer = await postBody(service, body, { 'content-type': 'application/json' }, '/v2/nowhere');

    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual(shapeOf(code, '/v2/nowhere'));
  });

  test('is what 401 has', async () => {
    const answer = await app.inject('/v2/me');

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual(shapeOf('Unauthorized', '/v2/me'));
  });

  test('is what 500 has, and it tells nothing', async () => {
    const tokens = await issueTokens(service, await addClient(service));

    const answer = await withoutTable(service.database, 'grants', () => callMe(service, tokens.access_token));

    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual(shapeOf('InternalServerError', '/v2/me'));
    expect(answer.body).not.toMatch(/grants|relation|select|postgres|drizzle/i);
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  });

  test.each(['/nowhere', '/v2x', '/auth/oauth2/nowhere'])('is not for people: %s is a page', async (url) => {
    const answer = await app.inject(url);

    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('X-Request-Id (contract §5)', () => {
  const requests = [
    [200, 'GET', '/healthz', {}],
    [200, 'GET', '/.well-known/jwks.json', {}],
    [200, 'HEAD', '/.well-known/jwks.json', {}],
    [200, 'GET', '/signin', {}],
    [204, 'OPTIONS', tokenPath, { origin: 'https://app.example', 'access-control-request-method': 'POST' }],
    [303, 'GET', '/settings/apps', {}],
    [400, 'GET', '/auth/oauth2/authorize', {}],
    [400, 'GET', '/%zz', {}],
    [400, 'GET', '/v2/%zz', {}],
    [400, 'GET', '/v2/a%00b', {}],
    [401, 'GET', '/v2/me', {}],
    [404, 'GET', '/nowhere', {}],
    [404, 'GET', '/v2/nowhere', {}],
    [405, 'GET', tokenPath, {}],
    [415, 'POST', tokenPath, {}],
  ] as const;

  test.each(requests)('is on a %i: %s %s', async (status, method, url, headers) => {
    const answer = await app.inject({ method, url, headers });

    expect(answer.statusCode).toBe(status);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f]{24}$/);
  });

  test('is another one each time, ours and not the caller’s, and stands in the log', async () => {
    const headers = { 'x-request-id': 'chosen-by-the-caller' };

    const answers = [
      await app.inject({ url: '/v2/me', headers }),
      await app.inject({ url: '/v2/me', headers }),
    ];

    const ids = answers.map((answer) => String(answer.headers['x-request-id']));
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(service.logText()).toContain(`"reqId":"${id}"`);
    expect(service.logText()).not.toContain('chosen-by-the-caller');
  });

  test('is on an answer over a real connection, too', async () => {
    const answer = await sendRaw(await listen(service), writeRequest('GET /v2/nowhere', []));

    expect(answer.head).toMatch(/^x-request-id: [0-9a-f]{24}$/im);
  });
});
