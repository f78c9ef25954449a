import { expect, test } from 'vitest';
import { openTestService } from '../support/service.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';

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
