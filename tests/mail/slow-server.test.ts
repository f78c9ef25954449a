import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { deliverDue, leaseSeconds } from '../../src/platform/mail/delivery.ts';
import { smtpTimeoutMs } from '../../src/platform/mail/smtp.ts';
import { openMailroom, sendThrough } from './mailroom.ts';

const { deliverer, post, read } = await openMailroom();

test('a server that never says anything is given up well within the lease, and loses nothing', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  await once(silent, 'listening');
  const address = silent.address();
  const { id } = await post();

  const smtpUrl = `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;

  await deliverDue({ ...deliverer(), send: sendThrough({ smtpUrl }, 500) });

  expect(await read(id)).toMatchObject({ attempts: 1, sentAt: null, lastFailure: 'ETIMEDOUT' });
  // Each of connecting, greeting and every answer may take that long.
  expect(3 * smtpTimeoutMs).toBeLessThan(leaseSeconds * 1000);
});
