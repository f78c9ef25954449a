import { connect } from 'node:net';
import { sql } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { hashPassword, isPassword } from '../../src/accounts/password.ts';
import { signInFailures } from '../../src/accounts/tables.ts';
import { openTestSite } from '../support/site.ts';

const service = await openTestSite();

test('whoever leaves while waiting is passed over, and nothing is looked at for them', async () => {
  const hash = await hashPassword('the right password');
  const leaving = new AbortController();
  const waiting = Array.from({ length: 30 }, () => isPassword('the right password', hash, leaving.signal));
  const staying = isPassword('the right password', hash, new AbortController().signal);
  const settled = Promise.allSettled(waiting);

  leaving.abort();

  const outcomes = (await settled).map((one) => (one.status === 'rejected' ? one.reason.name : one.value));
  // Two were under way already.
  expect(outcomes.filter((outcome) => outcome === 'AskerLeft').length).toBeGreaterThanOrEqual(28);
  expect(await staying).toBe(true);
});

/** Sends a wrong password for an account of its own. */
function sendGuess(index: number) {
  const body = `email=nobody-${index}%40example.com&password=wrong`;
  const type = 'Content-Type: application/x-www-form-urlencoded';
  const socket = connect(Number(new URL(service.appUrl).port), '127.0.0.1');
  socket.write(
    `POST /signin HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
}

async function countFailures(): Promise<number> {
  const [counted] = await service.database.db
    .select({ sum: sql<number>`coalesce(sum(${signInFailures.count}), 0)::int` })
    .from(signInFailures);
  return counted?.sum ?? 0;
}

test('a browser that hangs up leaves the queue, and that is no failure', async () => {
  const guesses = 45;
  const sockets = Array.from({ length: guesses }, (_, index) => sendGuess(index));
  // Each is counted by its address and by its account before it waits.
  await vi.waitFor(async () => expect(await countFailures()).toBe(2 * guesses), {
    interval: 2,
    timeout: 10_000,
  });

  for (const socket of sockets) socket.destroy();

  const logged = (words: string): number => service.logText().split(words).length - 1;
  await vi.waitFor(() => expect(logged('a page was refused')).toBeGreaterThan(0), { timeout: 10_000 });
  await vi.waitFor(
    async () => expect(await countFailures()).toBe(2 * (guesses - logged('a page was refused'))),
    { timeout: 10_000 },
  );
});
