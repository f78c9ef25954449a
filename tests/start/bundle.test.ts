import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bundle } from '../../build.ts';
import { openEmptyDatabase } from '../support/database.ts';
import { icsOf } from '../support/feed-server.ts';
import { makeFolder, onPostgres, repository, startServer } from './server-process.ts';

/** Inside the repository, because the bundle looks for migrations, views and PGlite from where it stands. */
const folder = join(repository, 'node_modules/.cache', `latchkey-bundle-${randomUUID()}`);
const program = join(folder, 'server.js');
const database = await openEmptyDatabase();

beforeAll(() => bundle(folder));
afterAll(async () => {
  await rm(folder, { recursive: true });
  await database.close();
});

test.each([
  ['PostgreSQL', onPostgres(database.url)],
  ['its embedded database', {}],
])(
  'the bundle runs on %s, migrated, with pages, styles and API documentation',
  { timeout: 90_000 },
  async (_what, environment) => {
    const server = startServer({ folder: await makeFolder(), environment, program });
    const address = await server.listening();

    const page = await fetch(`${address}/signin`);
    const [, style = ''] = /href="(\/assets\/style\.css[^"]*)"/.exec(await page.text()) ?? [];
    const paths = ['/readyz', style, '/docs', '/docs/reader.js'];
    const answers = await Promise.all(paths.map((path) => fetch(`${address}${path}`)));
    server.signal('SIGTERM');

    expect([page, ...answers].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await server.ended).toBe(0);
  },
);

test('the bundle has the thread that reads calendars beside it', async () => {
  const thread = new Worker(join(folder, 'ics-worker.js'));
  const [start, end] = [Date.UTC(2031, 5, 2, 7), Date.UTC(2031, 5, 2, 8)];
  const range = { start: start - 3_600_000, end: end + 3_600_000 };
  const texts = [icsOf(['DTSTART;TZID=Europe/Berlin:20310602T090000', 'DURATION:PT1H'])];
  const [ready] = await once(thread, 'message');

  thread.postMessage({ texts, range, timeZone: 'UTC' });

  expect([ready, ...(await once(thread, 'message'))]).toEqual(['ready', [{ start, end }]]);
  await thread.terminate();
});
