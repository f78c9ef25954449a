import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { usualConnections } from '../../src/platform/connections.ts';
import { openTestService } from '../support/service.ts';
import { writeRequest } from '../support/socket.ts';
import { authorizePath } from '../support/world.ts';

const limits = { max: 20, ofNetwork: 5, beyond: 3 };
const proxy = '127.0.0.99';
const service = await openTestService({ TRUSTED_PROXIES: proxy }, undefined, undefined, {
  ...{ httpConnections: limits, connections: 3 * limits.max },
});
const { port } = new URL(await service.app.listen({ host: '127.0.0.1', port: 0 }));

interface Line {
  readonly socket: Socket;
  readonly read: () => string;
  readonly isOpen: () => boolean;
}

/** Every address of 127.0.0.0/8 is this machine, so a connection may come from any network. */
async function openFrom(localAddress: string): Promise<Line> {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  let [text, isOpen] = ['', true];
  socket
    .on('error', () => {})
    .on('close', () => {
      isOpen = false;
    })
    .setEncoding('utf8')
    .on('data', (chunk: string) => {
      text += chunk;
    });
  onTestFinished(() => {
    socket.destroy();
  });
  await once(socket, 'connect');
  return { socket, read: () => text, isOpen: () => isOpen };
}

const openMany = (count: number, addressOf: (index: number) => string) =>
  Promise.all(Array.from({ length: count }, (_, index) => openFrom(addressOf(index))));
const countOpen = (lines: readonly Line[]): number => lines.filter(({ isOpen }) => isOpen()).length;

async function ask(address: string, path: string): Promise<string> {
  const line = await openFrom(address);
  line.socket.write(writeRequest(`GET ${path}`, []));
  if (line.isOpen()) await once(line.socket, 'close');
  return /^HTTP\/1\.1 (\d{3})/.exec(line.read())?.[1] ?? 'cut';
}

/** The body never comes whole. */
const begin = ({ socket }: Line): boolean =>
  socket.write('POST /signin HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nx');

const unknownApp = () => `${authorizePath}?client_id=${randomUUID()}&redirect_uri=https://app.example`;

/** A request that is under way until the returned function ends it. */
async function hold(lines: readonly Line[]): Promise<() => Promise<void>> {
  const { db } = service.database;
  const held = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const locking = db.transaction(async (tx) => {
    await tx.execute('lock table clients in access exclusive mode');
    isLocked.resolve();
    await held.promise;
  });
  await isLocked.promise;
  for (const { socket } of lines) socket.write(`GET ${unknownApp()} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const waiting = sql`pg_locks where not granted`;
  const countWaiting = async () =>
    (await db.select({ count: sql<number>`count(*)::int` }).from(waiting))[0]?.count;
  await expect.poll(countWaiting, { timeout: 10_000 }).toBeGreaterThanOrEqual(lines.length);
  return async () => {
    held.resolve();
    await locking;
  };
}

describe('connections of a process have a limit by which silence keeps nobody out of (security C331)', () => {
  test('a network has a part, and its oldest silent connection gives way to its next one', async () => {
    const silent = await openMany(12, () => '127.0.0.2');

    expect(await ask('127.0.0.2', '/signin')).toBe('200');
    expect(await ask('127.0.0.3', '/signin')).toBe('200');
    await expect.poll(() => countOpen(silent)).toBeLessThan(6);
    expect(silent.slice(0, 7).some(({ isOpen }) => isOpen())).toBe(false);
    expect(silent.at(-1)?.isOpen()).toBe(true);
  });

  test.each([
    ['that say nothing', () => true],
    ['whose headers don’t end', ({ socket }: Line) => socket.write('GET / HTTP/1.1\r\nHost: x\r\n')],
    ['whose body doesn’t end', begin],
    [
      'whose body came after the answer',
      ({ socket }: Line) => {
        socket.write('POST /signin HTTP/1.1\r\nHost: x\r\nContent-Type: x/y\r\nContent-Length: 2\r\n\r\nx');
        setTimeout(() => socket.write('x'), 100);
      },
    ],
    ['that were answered', ({ socket }: Line) => socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')],
  ])('of many networks, those %s give way, the oldest first', async (_name, say) => {
    const silent = await openMany(limits.max, (index) => `127.0.1.${index + 1}`);
    for (const line of silent) say(line);
    await sleep(200);

    expect(await ask('127.0.0.3', '/signin')).toBe('200');

    await expect.poll(() => countOpen(silent)).toBe(limits.max - 1);
  });

  test('what is under way gives no place, and a probe is answered beyond the limit', async () => {
    const busy = await openMany(limits.max, (index) => `127.0.2.${index + 1}`);
    const end = await hold(busy);

    const answers = [
      await ask('127.0.0.3', '/signin'),
      await ask('127.0.0.3', '/healthz'),
      await ask('127.0.0.3', '/readyz'),
    ];
    // Nobody takes the places of probes either.
    const silent = await openMany(10, (index) => `127.0.3.${index + 1}`);
    answers.push(await ask('127.0.0.3', '/healthz'));
    await end();

    expect(answers).toEqual(['503', '200', '200', '200']);
    await expect.poll(() => busy.every(({ read }) => read().startsWith('HTTP/1.1 400'))).toBe(true);
    expect(countOpen(silent)).toBeLessThanOrEqual(limits.beyond);
    expect(service.takeLog()).toContain('connections were refused: all places are taken');
    expect(await ask('127.0.0.3', '/signin')).toBe('200');
  });

  test('a probe from a network whose part is taken is answered', async () => {
    const busy = await openMany(limits.ofNetwork, () => '127.0.0.4');
    const end = await hold(busy);

    const answers = [await ask('127.0.0.4', '/healthz'), await ask('127.0.0.4', '/signin')];
    answers.push(await ask('127.0.0.5', '/signin'));
    await end();

    expect(answers).toEqual(['200', '503', '200']);
  });

  test('a trusted proxy carries everybody, so it has no share', async () => {
    const carried = await openMany(limits.max - 2, () => proxy);

    expect(await ask(proxy, '/signin')).toBe('200');
    expect(countOpen(carried)).toBe(limits.max - 2);
  });

  test('a connection that is kept serves one request after another, at the limit too', async () => {
    const kept = await openFrom('127.0.0.6');
    await openMany(limits.max - 1, (index) => `127.0.4.${index + 1}`);
    for (const count of [1, 2, 3]) {
      kept.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      await expect.poll(() => kept.read().match(/HTTP\/1\.1 200/g)?.length).toBe(count);
      await openFrom(`127.0.5.${count}`);
    }
    expect(kept.isOpen()).toBe(true);
  });
});

test('a process has 4,096 connections, and a network 1,024 of them (security C331)', () => {
  expect(usualConnections).toEqual({ max: 4096, ofNetwork: 1024, beyond: 64 });
});
