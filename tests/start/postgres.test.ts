import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openEmptyDatabase } from '../support/database.ts';
import { makeFolder, onPostgres, startServer } from './server-process.ts';

const patient = { timeout: 90_000 } as const;

test(
  'four processes at the same time on an empty database all get ready and share one key of each kind (architecture §3)',
  patient,
  async () => {
    const database = await openEmptyDatabase();
    onTestFinished(database.close);
    const folder = await makeFolder();

    const servers = Array.from({ length: 4 }, () =>
      startServer({ folder, environment: onPostgres(database.url) }),
    );
    const addresses = await Promise.all(servers.map((server) => server.listening()));

    const ready = await Promise.all(
      addresses.map(async (address) => (await fetch(`${address}/readyz`)).status),
    );
    const keyIds = await Promise.all(addresses.map(readKeyIds));
    expect(ready).toEqual([200, 200, 200, 200]);
    // One signs access tokens, the other ID tokens with RS256.
    expect(keyIds[0]).toHaveLength(2);
    expect(new Set(keyIds.map(String)).size).toBe(1);
  },
);

async function readKeyIds(address: string): Promise<string[]> {
  const answer = await fetch(`${address}/.well-known/jwks.json`);
  return [...(await answer.text()).matchAll(/"kid":"([^"]+)"/g)].map(([, id = '']) => id);
}

test('SIGTERM ends a start that waits for PostgreSQL with 0 (security C47)', patient, async () => {
  const door = await openLate('postgres://127.0.0.1:9/nowhere', Number.POSITIVE_INFINITY);
  const server = startServer({ folder: await makeFolder(), environment: onPostgres(door.url) });
  await expect.poll(door.closedTo, { timeout: 60_000 }).toBeGreaterThan(0);

  server.signal('SIGTERM');

  expect(await server.ended).toBe(0);
});

/** A way to the database that shuts out the first callers, as a server does that is still starting. */
async function openLate(
  databaseUrl: string,
  callersShutOut: number,
): Promise<{ readonly url: string; readonly closedTo: () => number }> {
  const target = new URL(databaseUrl);
  let closedTo = 0;
  const door = createServer((near) => {
    near.on('error', () => near.destroy());
    if (closedTo < callersShutOut) {
      closedTo += 1;
      near.destroy();
      return;
    }
    const far = connect(Number(target.port), target.hostname);
    far.on('error', () => near.destroy());
    near.on('close', () => far.destroy());
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void door.close());
  await once(door, 'listening');
  const address = door.address();
  if (address === null || typeof address === 'string') throw new Error('the door has no port');
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  return { url: url.href, closedTo: () => closedTo };
}
