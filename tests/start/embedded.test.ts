import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openDataDirectory } from '../../src/platform/data-directory.ts';
import { makeFolder, openPages, startServer } from './server-process.ts';

/** A database is made from nothing, and other test files are busy at the same time. */
const patient = { timeout: 90_000 } as const;

const folder = await makeFolder(afterAll);
const server = startServer({ folder, cleanUp: afterAll });
const address = await server.listening();

test('an empty directory is all that a start of the bundle needs (contract §1)', async () => {
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  expect(await openPages(address)).toEqual([200, 200, 200, 200, 200]);
  expect(server.errors()).toBe('');
});

test('SIGTERM ends the process with 0 and leaves the directory free (security C47)', patient, async () => {
  const own = await makeFolder();
  const stopped = startServer({ folder: own });
  await stopped.listening();

  stopped.signal('SIGTERM');

  expect(await stopped.ended).toBe(0);
  expect(stopped.errors()).toBe('');
  openDataDirectory(join(own, 'data')).release();
});

test('a first start takes below 300 MB, at its height, and so does the next one', patient, async () => {
  const own = await makeFolder();
  for (const _ of ['first', 'next']) {
    const started = startServer({ folder: own });
    await started.listening();

    const kilobytes = /VmHWM:\s+(\d+) kB/.exec(await readFile(`/proc/${started.id}/status`, 'utf8'))?.[1];
    started.signal('SIGTERM');

    expect(await started.ended).toBe(0);
    expect(Number(kilobytes) / 1024).toBeLessThan(300);
  }
});

test.each([0, 100, 300])(
  'a first start that is killed %i ms after it has begun to make the database starts again (security C49)',
  patient,
  async (delayMs) => {
    const own = await makeFolder();
    const unfinished = join(own, 'data/database.unfinished');
    const killed = startServer({ folder: own });
    while (!existsSync(unfinished)) await sleep(5);
    await sleep(delayMs);
    killed.signal('SIGKILL');
    await killed.ended;

    expect(await openPages(await startServer({ folder: own }).listening())).toEqual([
      200, 200, 200, 200, 200,
    ]);
    expect(existsSync(unfinished)).toBe(false);
  },
);

test('after kill -9 everything that was acknowledged is there (security C49)', patient, async () => {
  const own = await makeFolder();
  const killed = startServer({ folder: own });
  const account = { email: 'ann@example.com', password: 'a password for tests only' };
  const form = await (await fetch(`${await killed.listening()}/signup`)).text();
  expect(form).toContain('The first account administers this installation');
  const signedUp = await postForm(await killed.listening(), '/signup', {
    ...account,
    name: 'Ann',
    time_zone: 'UTC',
  });
  killed.signal('SIGKILL');
  await killed.ended;

  const again = await startServer({ folder: own }).listening();

  const [cookie = ''] = (signedUp.headers.get('set-cookie') ?? '').split(';');
  const home = await fetch(again, { headers: { cookie } });
  const signedIn = await postForm(again, '/signin', account);
  const review = await fetch(`${again}/settings/admin/oauth`, { headers: { cookie } });
  expect([signedUp.status, home.status, signedIn.status]).toEqual([303, 200, 303]);
  // The first account is an admin (contract §1).
  expect(killed.output()).toContain('the first account that signs up administers this installation');
  expect(review.status).toBe(200);
  expect(await home.text()).toContain(account.email);
});

async function postForm(address: string, path: string, fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams(fields);
  return fetch(`${address}${path}`, { method: 'POST', body, redirect: 'manual' });
}
