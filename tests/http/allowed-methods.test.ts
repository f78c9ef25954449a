import { describe, expect, test } from 'vitest';
import { listRoutes } from '../support/routes.ts';
import { sharedService } from '../support/service.ts';
import { introspectionPath, revocationPath, tokenPath } from '../support/tokens.ts';

const service = await sharedService();
const { app } = service;
const routes = listRoutes(app);
const paths = [...new Set(routes.map(({ path }) => path))];

/** With something in place of each parameter, that fits its expression. */
const filled = (path: string): string => path.replaceAll(/\{\w+\}(?:\(.*\$\))?/g, 'ann');

describe('a known path with another method is 405, and Allow names its methods (contract §5, RFC 9110 §15.5.6)', () => {
  // These paths answer in OAuth's and MCP's own formats (tests/http/token-cache, tests/mcp/mcp).
  const own: readonly string[] = [tokenPath, revocationPath, introspectionPath, '/mcp', '*'];
  const others = paths.filter((path) => !own.includes(path));

  test.each(others)('%s', async (path) => {
    const methods = routes.flatMap((route) => (route.path === path ? [route.method] : []));
    const other = methods.includes('PUT') ? 'DELETE' : 'PUT';

    const { statusCode, headers } = await app.inject({ method: other, url: filled(path) });

    expect(statusCode).toBe(405);
    expect(String(headers.allow).split(', ')).toEqual(expect.arrayContaining(methods));
    expect(headers.allow).not.toContain(other);
  });

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
