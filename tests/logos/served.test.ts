import { describe, expect, test } from 'vitest';
import { withoutTable } from '../support/database-faults.ts';
import { makeJpeg, makePng, makeWebp, uploadLogo } from '../support/pictures.ts';
import { findClientRow, submitClient } from '../support/registration.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';

const service = await sharedService();
const { id, cookie } = await submitClient(service);

async function addLogo(file: Buffer): Promise<string> {
  await uploadLogo(service, id, cookie, file);
  return `/logos/${(await findClientRow(service, id))?.logoId ?? 'none'}`;
}

test.each([
  ['image/png', 'logo.png', makePng(64, 64)],
  ['image/jpeg', 'logo.jpg', makeJpeg(64, 64)],
  ['image/webp', 'logo.webp', makeWebp(64, 64)],
])(
  'a logo is answered to anybody as %s, and nothing in it can run (contract §2)',
  async (type, name, file) => {
    const url = await addLogo(file);

    const answer = await service.app.inject({ url, headers: { origin: 'https://evil.example' } });

    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(file)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'content-length': String(file.length),
      'content-disposition': `inline; filename="${name}"`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-request-id': expect.stringMatching(/^[0-9a-f]{24}$/),
    });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers).not.toHaveProperty('server');
  },
);

test('nobody is looked up for a logo: one statement, signed in or not', async () => {
  const url = await addLogo(makePng(64, 64));
  service.takeStatements();

  await service.app.inject({ url, headers: { cookie } });

  expect(service.takeStatements()).toHaveLength(1);
});

describe('an address without a logo', () => {
  test.each([
    ['unknown', `/logos/${'0'.repeat(32)}`, 1],
    ['in capitals', `/logos/${'A'.repeat(32)}`, 0],
    ['no id', '/logos/unknown', 0],
    ['empty', '/logos/', 0],
    ['long', `/logos/${'a'.repeat(3000)}`, 0],
    ['with a blank', '/logos/%20', 0],
    ['with a way out', '/logos/..%2fassets%2fstyle.css', 0],
  ])('that is %s is answered 404, and not cached', async (_name, url, statements) => {
    service.takeStatements();

    const answer = await service.app.inject(url);

    expect(answer.statusCode).toBe(404);
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    expect(service.takeStatements()).toHaveLength(statements);
  });

  test('NUL is answered 400 (security C35)', async () => {
    const answer = await service.app.inject(`/logos/${'0'.repeat(31)}%00`);

    expect(answer.statusCode).toBe(400);
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

test('a fault of ours names no table and is not cached', async () => {
  const url = await addLogo(makePng(64, 64));

  const answer = await withoutTable(service.database, 'logos', () => service.app.inject(url));

  expect(answer.statusCode).toBe(500);
  expect(answer.body).toBe('This image can’t be shown.\n');
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('on https a logo keeps browsers there', async () => {
  const secure = await openAnotherInstance(service, { APP_URL: 'https://latchkey.example' });

  const answer = await secure.app.inject(await addLogo(makePng(64, 64)));

  expect(answer.statusCode).toBe(200);
  expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
});
