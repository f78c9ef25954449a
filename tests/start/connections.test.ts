import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { connectionsWithin, usualConnections } from '../../src/platform/connections.ts';
import { openTestDatabase } from '../support/database.ts';
import { makeFolder, onPostgres, startInstance, startServer } from './server-process.ts';

test('4,096 silent connections and more keep no person and no probe out of a process (security C331)', async () => {
  const database = await openTestDatabase();
  onTestFinished(database.close);
  const { address } = await startInstance(database.url);
  const { hostname: host, port } = new URL(address);
  const silent: Socket[] = [];
  onTestFinished(() => {
    for (const socket of silent) socket.destroy();
  });
  let closed = 0;
  /** Every address of 127.0.0.0/8 is this machine. */
  const openSilent = async (count: number, localAddress: string): Promise<void> => {
    // More at once than wait to be accepted are lost by the system, which tells their clients nothing.
    for (let left = count; left > 0; left -= 100) {
      await openTogether(Math.min(left, 100), localAddress);
      await sleep(20);
    }
  };
  const openTogether = async (count: number, localAddress: string): Promise<void> => {
    const opened = Array.from({ length: count }, () => connect({ host, port: Number(port), localAddress }));
    silent.push(...opened);
    for (const socket of opened)
      socket
        .on('error', () => {})
        .on('close', () => {
          closed += 1;
        });
    await Promise.all(opened.map((socket) => once(socket, 'connect')));
  };
  const ask = (path: string, localAddress: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ host, port, path, localAddress, agent: false }, (answer) => {
        resolve(answer.resume().statusCode);
      })
        .on('error', reject)
        .end();
    });

  await openSilent(2000, '127.0.0.2');
  const ofOneNetwork = [await ask('/signin', '127.0.0.2'), await ask('/signin', '127.0.0.3')];
  await expect.poll(() => silent.length - closed).toBe(1023);
  for (const last of [4, 5, 6, 7]) await openSilent(1020, `127.0.0.${last}`);
  const ofMany = await Promise.all(
    ['/signin', '/healthz', '/readyz'].map((path, index) => ask(path, `127.0.1.${index + 1}`)),
  );

  expect(ofOneNetwork).toEqual([200, 200]);
  expect(ofMany).toEqual([200, 200, 200]);
  // A request takes a silent connection's place, unless the one before it has left already.
  const isBounded = (): boolean => silent.length - closed <= 4096 && silent.length - closed >= 4093;
  await expect.poll(isBounded).toBe(true);
});

test.each(['DATA_DIR', 'DATABASE_URL'])(
  'a process that may open few files and keeps its database in %s answers beyond them, and says why it takes few connections (security C380)',
  async (kind) => {
    const folder = await makeFolder();
    const database = await openTestDatabase();
    onTestFinished(database.close);
    const environment = kind === 'DATA_DIR' ? {} : onPostgres(database.url);
    const server = startServer({ folder, environment, maxFiles: 150 });
    const { hostname: host, port } = new URL(await server.listening());
    const silent = Array.from({ length: 300 }, () =>
      connect({ host, port: Number(port) }).on('error', () => {}),
    );
    onTestFinished(() => {
      for (const socket of silent) socket.destroy();
    });
    await Promise.all(silent.map((socket) => once(socket, 'connect')));

    const answers = await Promise.all(
      ['/signin', '/healthz', '/readyz'].map((path) => fetch(`http://${host}:${port}${path}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(server.output()).toMatch(/"maxFiles":150,"connections":\d+,"msg":"[^"]*raise ulimit -n/);
  },
);

test.each([
  [1_048_576, 10, usualConnections],
  [undefined, 10, usualConnections],
  [1024, 10, { max: 822, ofNetwork: 206, beyond: 64 }],
  [64, 10, { max: 12, ofNetwork: 3, beyond: 4 }],
])('of %o files and %i database connections, %o are left (security C380)', (files, pool, limits) => {
  expect(connectionsWithin(files, pool)).toEqual(limits);
});
