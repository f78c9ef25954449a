import { connect } from 'node:net';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { usualCost } from '../../src/accounts/passwords/password.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { findAccountRow } from '../support/accounts.ts';
import { formTokenOf } from '../support/registration.ts';
import { openTestSite } from '../support/site.ts';
import { addUser, signIn } from '../support/world.ts';
import { crowdPasswords } from './crowd.ts';

const service = await openTestSite({ TRUSTED_PROXIES: '127.0.0.1' }, undefined, {
  passwordCost: usualCost,
});

test('a caller who leaves while waiting is passed over, and nothing is looked at for them', async () => {
  const hash = await service.app.passwords.hash('the right password');
  const leaving = new AbortController();
  const { signal } = leaving;
  const waiting = Array.from({ length: 30 }, (_, index) =>
    service.app.passwords.isRight('the right password', hash, {
      networks: [`network ${index}`, `around ${index}`],
      isKnown: false,
      signal,
    }),
  );
  const staying = service.app.passwords.isRight('the right password', hash);
  const settled = Promise.allSettled(waiting);

  leaving.abort();

  const outcomes = (await settled).map((one) => (one.status === 'rejected' ? one.reason.name : one.value));
  // One was under way already.
  expect(outcomes.filter((outcome) => outcome === 'AbortError').length).toBeGreaterThanOrEqual(29);
  expect(await staying).toBe(true);
});

/** Sends a wrong password for an account of its own, from a network of its own. */
function sendGuess(index: number) {
  const body = `email=nobody-${index}%40example.com&password=wrong`;
  return sendForm('/signin', body, '', `10.${index}.0.1`);
}

/** Sends a form through a connection that can be hung up. */
function sendForm(path: string, body: string, cookie = '', address = '203.0.113.200') {
  const headers = [
    `Host: ${new URL(service.appUrl).host}`,
    `Origin: ${service.appUrl}`,
    `X-Forwarded-For: ${address}`,
    `Cookie: ${cookie}`,
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
  ];
  const socket = connect(Number(new URL(service.appUrl).port), '127.0.0.1');
  socket.write(`POST ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`);
  return socket;
}

async function countFailures(): Promise<number> {
  const [counted] = await service.database.db
    .select({ sum: sql<number>`coalesce(sum(${rateLimits.count}), 0)::int` })
    .from(rateLimits);
  return counted?.sum ?? 0;
}

/** Until the service has seen that all have hung up. */
const untilGone = () =>
  expect.poll(() => promisify(service.app.server.getConnections.bind(service.app.server))()).toBe(0);

test('a browser that hangs up leaves the queue, and that is no failure', async () => {
  const guesses = 20;
  // Whoever comes after it still waits while they hang up.
  const disperse = crowdPasswords(service, 8);
  const sockets = Array.from({ length: guesses }, (_, index) => sendGuess(index));
  // A guess is counted by address and by account before it waits.
  await vi.waitFor(async () => expect(await countFailures()).toBe(2 * guesses), {
    interval: 2,
    timeout: 20_000,
  });

  for (const socket of sockets) socket.destroy();
  await untilGone();
  await disperse();

  const logged = (words: string): number => service.logText().split(words).length - 1;
  await vi.waitFor(() => expect(logged('a page was refused')).toBe(guesses), { timeout: 20_000 });
  await vi.waitFor(async () => expect(await countFailures()).toBe(0), { timeout: 20_000 });
});

test('a caller who hangs up while a password is being changed leaves the queue, and that is no wrong one', async () => {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  const form = new URLSearchParams({
    form_token: await formTokenOf(service, cookie),
    current_password: user.password,
    new_password: 'another password of mine',
  });
  const before = await findAccountRow(service, user.email);
  const counted = await countFailures();
  const disperse = crowdPasswords(service, 8);
  const socket = sendForm('/settings/password', form.toString(), cookie);
  await vi.waitFor(async () => expect(await countFailures()).toBe(counted + 1), {
    interval: 2,
    timeout: 20_000,
  });

  socket.destroy();
  await untilGone();
  await disperse();

  await vi.waitFor(async () => expect(await countFailures()).toBe(counted), { timeout: 20_000 });
  expect(await findAccountRow(service, user.email)).toEqual(before);
});
