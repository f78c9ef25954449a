import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { limitWriting } from '../../src/app.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { withoutTable } from '../support/database-faults.ts';
import { openTestService } from '../support/service.ts';
import { listen, openRequest, sendRaw, writeRequest } from '../support/socket.ts';
import { issueTokens, postBody, tokenPath } from '../support/tokens.ts';
import { addClient, authorizePath, callMe } from '../support/world.ts';

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

const port = await listen(service);

test.each([
  ['bytes that are no request', 'no request at all\r\n\r\n', 400],
  ['a header that never ends', writeRequest('GET /signin', [['X-Long', 'x'.repeat(70_000)]]), 431],
])(
  '%s: an answer with X-Request-Id that repeats none of it (contract §5, security C36)',
  async (_name, request, status) => {
    const answer = await sendRaw(port, request);

    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/\r\nX-Request-Id: [0-9a-f]{24}(\r\n|$)/);
    expect(answer.body).toBe('This request cannot be read.\n');
  },
);

test.each(['/signin', '/v2/auth/oauth2/token', '/v2/bookings', '/mcp'])(
  'a client that hangs up in the middle of its body at %s is no fault of the database, nor any other (security C212)',
  { tags: 'parts' },
  async (path) => {
    const before = service.logText().length;
    const headers = [
      ['Content-Length', '100'],
      ['Content-Type', path === '/signin' ? 'application/x-www-form-urlencoded' : 'application/json'],
    ] as const;
    const socket = await openRequest(port, `${writeRequest(`POST ${path}`, headers)}{"a`);
    await sleep(50);
    socket.destroy();

    const log = () => service.logText().slice(before);
    await expect.poll(log).toContain('"ECONNRESET"');
    expect(log()).not.toMatch(/"level":[56]0/);
  },
);

describe('a known path with another method is 405, and Allow names its methods (contract §5, RFC 9110 §15.5.6)', () => {
  test('the API says it in its own format, pages as a page', async () => {
    const api = await app.inject({ method: 'DELETE', url: '/v2/me?x=1' });
    const page = await app.inject({ method: 'DELETE', url: '/signin?x=1' });

    expect(api.json()).toMatchObject({ path: '/v2/me', error: { code: 'MethodNotAllowed' } });
    expect([api.headers.allow, page.headers.allow]).toEqual(['GET, HEAD, PATCH', 'GET, HEAD, POST']);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  test.each([
    '/v2/nowhere',
    '/v2/me/more',
    '/v2//me',
    '/.well-known/nowhere',
    '/a/b/c/d',
    '/v2/event-types/',
  ])('unknown paths are 404 as ever: %s', async (url) => {
    const { statusCode, headers } = await app.inject({ method: 'PUT', url });

    expect([statusCode, headers.allow]).toEqual([404, undefined]);
  });

  test.each([
    ['slashes', `/v2${'/'.repeat(60_000)}`],
    ['segments', `/v2${'/a'.repeat(30_000)}`],
    ['one long segment', `/v2/${'a'.repeat(60_000)}/`],
    ['dots of a name', `/${'a.'.repeat(30_000)}/b`],
  ])('many %s cost less than 5 ms', (_name, path) => {
    const started = process.cpuUsage();
    for (let count = 0; count < 10; count += 1) app.allowedMethods(path, '');
    const { user, system } = process.cpuUsage(started);

    expect((user + system) / 10 / 1000).toBeLessThan(5);
  });
});

const form = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}=b`).join('&');

const post = (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
  service.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });

describe('more than 1,000 parameters are refused before they are decoded (security C223)', () => {
  test.each(['/signin', '/forgot', authorizePath])('in a form of the page %s', async (path) => {
    expect((await post(path, form(1001))).statusCode).toBe(413);
    expect((await post(path, `${'&'.repeat(8000)}`)).statusCode).toBe(413);
    expect((await post(path, form(1000))).statusCode).not.toBe(413);
  });

  test('in a token request, as a form and as JSON', async () => {
    const members = (count: number) => Array.from({ length: count }, (_, index) => `"a${index}":1`);
    for (const answer of [
      await post(tokenPath, form(1001)),
      await post(tokenPath, `{${members(1001).join()}}`, 'application/json'),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toBe('invalid_request');
      expect(answer.json().error_description).toContain('read');
    }
    expect((await post(tokenPath, form(1000))).json().error_description).not.toContain('read');
  });

  test.each(['/signin', '/v2/slots', authorizePath])('in the address of %s', async (path) => {
    const { statusCode } = await service.app.inject({ url: `${path}?${form(1001)}` });
    expect(statusCode).toBe(413);
  });
});

describe('an answer that nobody reads (security C223)', () => {
  const long = 'x'.repeat(8 * 1024 * 1024);

  async function listen(ms: number) {
    const app = Fastify();
    limitWriting(app, ms);
    app.get('/', async () => long);
    await app.listen({ port: 0, host: '127.0.0.1' });
    atTheEnd(() => app.close());
    const bound = app.server.address();
    return { app, port: typeof bound === 'object' ? (bound?.port ?? 0) : 0 };
  }

  test('ends its connection, and one that is read comes whole', async () => {
    const { app, port } = await listen(300);
    const accepting = once(app.server, 'connection');
    const silent = connect({ port, host: '127.0.0.1' });
    silent.on('error', () => {});
    silent.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [accepted] = await accepting;
    await once(accepted, 'close');

    expect(accepted.destroyed).toBe(true);
    // However slow the machine.
    const other = await listen(20_000);
    const whole = await fetch(`http://127.0.0.1:${other.port}/`, { headers: { connection: 'close' } });
    expect((await whole.text()).length).toBe(long.length);
    silent.destroy();
  });

  test('and every connection of a process has an end', () => {
    expect(service.app.server.timeout).toBe(120_000);
    expect(service.app.server.requestTimeout).toBe(30_000);
  });
});
