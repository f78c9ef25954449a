import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openTestService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await openTestService({ API_URL: 'https://api.example', APP_URL: 'https://app.example' });
const page = await service.app.inject('/docs');
/** The headers in which two pages may differ. */
const varying = {
  'content-security-policy': '',
  'content-length': '',
  'x-request-id': '',
  date: '',
} as const;

describe('/docs (contract §7)', () => {
  test('runs scripts of ours alone, and sends requests to us alone (security C19)', () => {
    const policy = String(page.headers['content-security-policy']).split('; ');

    expect(page.statusCode).toBe(200);
    expect(policy).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "font-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self' https://api.example",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(page.body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  test('says who is signed in by a link, since it may send no form', async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);

    const { body } = await service.app.inject({ url: '/docs', headers: { cookie } });

    expect(body).toContain('href="/settings/profile"><bdi>');
    expect(body).not.toContain('<form');
  });

  test('is the one page with a policy of its own', async () => {
    const { headers } = await service.app.inject('/');

    expect(headers['content-security-policy']).toContain("style-src 'self'");
    expect({ ...page.headers, ...varying }).toEqual({ ...headers, ...varying });
  });

  test('tells the reader to ask nobody else, and where to send people back to', () => {
    const [, written = ''] = /data-configuration="([^"]*)"/.exec(page.body) ?? [];
    const configuration: unknown = JSON.parse(written.replaceAll('&quot;', '"'));

    expect(configuration).toMatchObject({
      url: '/openapi.json',
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      oauth2RedirectUri: 'https://app.example/docs',
    });
    expect(configuration).not.toHaveProperty('proxyUrl');
  });

  test.each([
    ['0123456789abcdef0123456789abcdef', true],
    ['"><script>', false],
    ['a'.repeat(20_000), false],
  ])('fills in a client ID, and nothing else: %.40s', async (sent, isFilledIn) => {
    const { body, statusCode } = await service.app.inject({ url: '/docs', query: { client_id: sent } });

    expect([statusCode, body.includes('x-scalar-client-id')]).toEqual([200, isFilledIn]);
    expect(body.includes(sent)).toBe(isFilledIn);
  });

  test.each(['code=abc&state=xyz', 'error=access_denied&state=xyz'])(
    'is a page without the reader for the popup that an authorization response came to: ?%s',
    async (query) => {
      const { body, headers, statusCode } = await service.app.inject(`/docs?${query}`);

      expect(statusCode).toBe(200);
      expect(headers['content-security-policy']).toBe(page.headers['content-security-policy']);
      expect(body).toContain('You can close this window');
      expect(body).not.toContain('<script');
    },
  );

  test('has the reader’s script, compressed and to be cached', async () => {
    const { headers, rawPayload } = await service.app.inject({
      url: '/docs/reader.js',
      headers: { 'accept-encoding': 'gzip' },
    });

    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      vary: expect.stringContaining('accept-encoding'),
      'cache-control': 'public, max-age=86400',
    });
    expect(rawPayload.length).toBeLessThan(1_500_000);
    expect(gunzipSync(rawPayload).toString()).toContain('api-reference');
  });

  test.each(['/', '/signin', '/nowhere'])('is linked at the foot of %s', async (url) => {
    const { body } = await service.app.inject(url);

    expect(body).toMatch(/<footer>.*<a [^>]*href="\/docs">API documentation<\/a>.*<\/footer>/s);
  });
});
