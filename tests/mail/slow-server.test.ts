import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { deliverDue, leaseSeconds } from '../../src/platform/mail/delivery.ts';
import { smtpLimits } from '../../src/platform/mail/smtp.ts';
import { openMailroom, sendThrough } from './mailroom.ts';

const { deliverer, post, read, clock } = await openMailroom();

/** A mail server that does with each line what the test says, after it has greeted. */
async function startServer(greeting: string, onLine: (line: string, socket: Socket) => void) {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.write(greeting);
    createInterface({ input: socket }).on('line', (line) => onLine(line, socket));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  return { smtpUrl: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` };
}

/** Takes every message, and counts it; `onMessage` answers. */
async function startTakingServer(onMessage: (socket: Socket) => void) {
  let taken = 0;
  const server = await startServer('220 hello\r\n', (line, socket) => {
    if (/^(EHLO|MAIL|RCPT) /.test(line)) socket.write('250 ok\r\n');
    if (line === 'DATA') socket.write('354 go on\r\n');
    if (line !== '.') return;
    taken += 1;
    onMessage(socket);
  });
  return { ...server, taken: () => taken };
}

test('a server that never says anything is given up soon, and loses nothing', async () => {
  const server = await startServer('', () => {});
  const { id } = await post();

  await deliverDue({ ...deliverer(), send: sendThrough(server, { connectMs: 500, attemptMs: 30_000 }) });

  expect(await read(id)).toMatchObject({ attempts: 1, sentAt: null, lastFailure: 'ETIMEDOUT' });
});

test('a server that drips ends neither the attempt nor the lease late', async () => {
  const server = await startServer('220 hello\r\n', (_line, socket) => {
    const timer = setInterval(() => socket.write('250-one moment\r\n'), 50);
    socket.on('close', () => clearInterval(timer));
  });
  const { id } = await post();

  await deliverDue({ ...deliverer(), send: sendThrough(server, { connectMs: 30_000, attemptMs: 500 }) });

  expect(await read(id)).toMatchObject({ attempts: 1, sentAt: null, lastFailure: 'ETIMEDOUT' });
  // Time enough to write down what became of it.
  expect(smtpLimits.attemptMs + 15_000).toBeLessThan(leaseSeconds * 1000);
  expect(smtpLimits.connectMs).toBeLessThan(smtpLimits.attemptMs);
});

test('a server that takes its time to accept a message gets it once (RFC 5321 §4.5.3.2.6)', async () => {
  const server = await startTakingServer((socket) => {
    setTimeout(() => socket.write('250 accepted\r\n'), 1000);
  });
  const { id } = await post();
  const delivering = { ...deliverer(), send: sendThrough(server, { connectMs: 500, attemptMs: 30_000 }) };

  await deliverDue(delivering);
  clock.advance(3600);
  await deliverDue(delivering);

  expect(server.taken()).toBe(1);
  expect(await read(id)).toMatchObject({ attempts: 1, sentAt: expect.any(Date) });
});

test('a server that hangs up without an answer gets one copy an attempt', async () => {
  const server = await startTakingServer((socket) => socket.destroy());
  const { id } = await post();

  await deliverDue({ ...deliverer(), send: sendThrough(server) });

  expect(server.taken()).toBe(1);
  expect(await read(id)).toMatchObject({ attempts: 1, sentAt: null, lastFailure: 'ECONNECTION' });
});
