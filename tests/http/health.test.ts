import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { layDatabaseLine } from '../support/database-line.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';

const packageFile = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
const packageVersion: unknown = JSON.parse(packageFile).version;
const service = await openTestService();
const line = await layDatabaseLine(service.database.url);
const far = await openAnotherInstance(service, { DATABASE_URL: line.url });

test.each([
  ['/healthz', { status: 'alive', version: packageVersion }],
  ['/readyz', { status: 'ready', clockSkewSeconds: 0, timeZoneData: process.versions['tz'] }],
] as const)('%s answers 200 in JSON from no cache (contract §7)', async (url, body) => {
  const answer = await service.app.inject(url);

  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual(body);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{24}$/),
  });
});

test.each(['/healthz', '/readyz'])('%s may be asked by HEAD', async (url) => {
  const answer = await service.app.inject({ method: 'HEAD', url });

  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe('');
});

test('/healthz asks nobody: no statement is sent', async () => {
  service.takeStatements();

  await service.app.inject('/healthz');

  expect(service.takeStatements()).toEqual([]);
});

test('without its database the process is alive and not ready, and ready again by itself (contract §7, security C46)', async () => {
  await line.cut();
  const [alive, unready] = [await far.app.inject('/healthz'), await far.app.inject('/readyz')];
  await line.mend();

  expect(alive.statusCode).toBe(200);
  expect(unready.statusCode).toBe(503);
  expect(unready.json()).toEqual({ status: 'not ready' });
  expect(unready.headers['cache-control']).toBe('no-store');
  // A connection may not have noticed yet that it was cut.
  await expect.poll(async () => (await far.app.inject('/readyz')).statusCode).toBe(200);
});
