import { describe, expect, test } from 'vitest';
import { listPages } from '../support/every-page.ts';
import { policyOf } from '../support/page-content.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';

const service = await openTestService();
const secure = await openAnotherInstance(service, { APP_URL: 'https://latchkey.example' });
const pages = await listPages(service);
const securePages = await listPages(secure);

describe.each(pages)('$name', ({ status, show, referrerPolicy = 'same-origin' }) => {
  test(`answers ${status} with the headers of every page (security C17, C19)`, async () => {
    const { statusCode, headers } = await show();

    expect(statusCode).toBe(status);
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': referrerPolicy,
      'cache-control': 'no-store',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{24}$/),
    });
  });

  test('may not be framed, and runs and loads nothing but our own files (security C17, C19)', async () => {
    const policy = policyOf(await show());

    expect(policy).toMatchObject({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'"],
      'base-uri': ["'none'"],
      'frame-ancestors': ["'none'"],
    });
    expect(policy['form-action']?.[0]).toBe("'self'");
    expect(Object.values(policy).flat().join(' ')).not.toMatch(/unsafe|\*(?!$| )|data:/);
  });

  test('is open to no other origin, and tells nothing of its making (security C39)', async () => {
    const { headers } = await show();

    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

test('every answer has an id of its own, whatever the caller sends (contract §5)', async () => {
  const headers = { 'x-request-id': 'chosen', 'request-id': 'chosen' };

  const ids = await Promise.all(
    Array.from(
      { length: 5 },
      async () => (await service.app.inject({ url: '/', headers })).headers['x-request-id'],
    ),
  );

  expect(new Set(ids).size).toBe(5);
  expect(ids).not.toContain('chosen');
});

test.each(['/', '/signin', '/auth/oauth2/authorize', '/settings/developer/oauth/new'])(
  'a preflight to %s allows nothing (security C39)',
  async (url) => {
    const answer = await service.app.inject({
      method: 'OPTIONS',
      url,
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });

    expect(answer.statusCode).toBe(405);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  },
);

test.each(securePages)('on https $name keeps browsers there', async ({ show, status }) => {
  const answer = await show();

  expect(answer.statusCode).toBe(status);
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
});

test.each([
  '/v2/me',
  '/v2/auth/oauth2/token',
  '/.well-known/oauth-authorization-server',
  '/healthz',
  '/openapi.json',
])('on https %s keeps clients there too (RFC 6797)', async (url) => {
  const answer = await secure.app.inject(url);

  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
});

test('on plain http no page demands https', async () => {
  const page = await service.app.inject('/');

  expect(page.headers).not.toHaveProperty('strict-transport-security');
});
