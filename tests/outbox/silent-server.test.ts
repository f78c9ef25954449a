import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { deliverDue } from '../../src/outbox/delivery.ts';
import { openMailroom } from './mailroom.ts';

const { deliverer, post, read } = await openMailroom();

test('a server that never says anything is given up well within the lease, and loses nothing', {
  timeout: 40_000,
}, async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await once(silent, 'listening');
  const address = silent.address();
  const { id } = await post();

  await deliverDue(
    deliverer({ smtpUrl: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` }),
  );

  expect(await read(id)).toMatchObject({ attempts: 1, sentAt: null, lastFailure: 'ETIMEDOUT' });
});
