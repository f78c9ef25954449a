import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openTestService } from '../support/service.ts';
import { listen, openRequest, sendRaw, writeRequest } from '../support/socket.ts';

const service = await openTestService();
const port = await listen(service);

test.each([
  ['bytes that are no request', 'no request at all\r\n\r\n', 400],
  ['a header that never ends', writeRequest('GET /signin', [['X-Long', 'x'.repeat(70_000)]]), 431],
])(
  '%s: an answer with X-Request-Id that repeats none of it (contract §5, security C36)',
  async (_name, request, status) => {
    const answer = await sendRaw(port, request);

    expect(answer.status).toBe(status);
    expect(answer.head).toMatch(/\r\nX-Request-Id: [0-9a-f]{24}(\r\n|$)/);
    expect(answer.body).toBe('This request cannot be read.\n');
  },
);

test('the process goes on after requests that nobody can read (security C36)', async () => {
  await sendRaw(port, 'no request at all\r\n\r\n');

  expect((await sendRaw(port, writeRequest('GET /healthz', []))).status).toBe(200);
});

test.each(['/signin', '/v2/auth/oauth2/token', '/v2/bookings', '/mcp'])(
  'a client that hangs up in the middle of its body at %s is no fault of the database, nor any other (security C212)',
  { tags: 'parts' },
  async (path) => {
    const before = service.logText().length;
    const headers = [
      ['Content-Length', '100'],
      ['Content-Type', path === '/signin' ? 'application/x-www-form-urlencoded' : 'application/json'],
    ] as const;
    const socket = await openRequest(port, `${writeRequest(`POST ${path}`, headers)}{"a`);
    await sleep(50);
    socket.destroy();

    const log = () => service.logText().slice(before);
    await expect.poll(log).toContain('"ECONNRESET"');
    expect(log()).not.toMatch(/"level":[56]0/);
  },
);
