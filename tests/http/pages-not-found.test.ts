import { describe, expect, test } from 'vitest';
import { titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';

const service = await sharedService();

describe('an address that leads nowhere', () => {
  test.each([
    '/nowhere',
    '/settings/nowhere',
    '/settings/nothing',
    '/auth/oauth2',
    '/v3/me',
    '/v',
    '/assets/nowhere.css',
  ])('is a page for people: %s', async (url) => {
    const answer = await service.app.inject(url);

    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(titleOf(answer)).toBe('Page not found');
  });

  test.each(['/v2', '/v2/', '/v2/nowhere', '/v2/me/nowhere', '/v2/auth/oauth2/nowhere'])(
    'is the general error for programs below /v2: %s (contract §5)',
    async (url) => {
      const answer = await service.app.inject(`${url}?secret=x`);

      expect(answer.statusCode).toBe(404);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()).toEqual({
        status: 'error',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        path: url,
        error: { code: 'NotFound', message: expect.any(String), details: {} },
      });
    },
  );

  test('below /.well-known is an error for programs that no cache keeps', async () => {
    const answer = await service.app.inject('/.well-known/nowhere');

    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ error: { code: 'NotFound' } });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test.each([
    ['a broken escape', '%zz'],
    ['a percent sign', '%'],
    ['bytes that are no UTF-8', '%c3%28'],
    ['NUL', '%00'],
    ['3000 characters', 'x'.repeat(3000)],
  ] as const)(
    'or cannot be read is the general error for programs below /v2: %s (contract §5)',
    async (_name, part) => {
      const answer = await service.app.inject(`/v2/auth/oauth2/clients/${part}`);

      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json()).toMatchObject({ status: 'error', error: { code: expect.any(String) } });
    },
  );
});
