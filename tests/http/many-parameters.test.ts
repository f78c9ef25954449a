import { once } from 'node:events';
import { connect } from 'node:net';
import Fastify from 'fastify';
import { describe, expect, test } from 'vitest';
import { limitWriting } from '../../src/app.ts';
import { atTheEnd } from '../support/at-the-end.ts';
import { sharedService } from '../support/service.ts';
import { tokenPath } from '../support/tokens.ts';
import { authorizePath } from '../support/world.ts';

const service = await sharedService();

const form = (count: number): string => Array.from({ length: count }, (_, index) => `a${index}=b`).join('&');
const post = (url: string, payload: string, type = 'application/x-www-form-urlencoded') =>
  service.app.inject({ method: 'POST', url, headers: { 'content-type': type }, payload });

describe('more than 1,000 parameters are refused before they are decoded (security C223)', () => {
  test.each(['/signin', '/forgot', authorizePath])('in a form of the page %s', async (path) => {
    expect((await post(path, form(1001))).statusCode).toBe(413);
    expect((await post(path, `${'&'.repeat(8000)}`)).statusCode).toBe(413);
    expect((await post(path, form(1000))).statusCode).not.toBe(413);
  });

  test('in a token request, as a form and as JSON', async () => {
    const members = (count: number) => Array.from({ length: count }, (_, index) => `"a${index}":1`);
    for (const answer of [
      await post(tokenPath, form(1001)),
      await post(tokenPath, `{${members(1001).join()}}`, 'application/json'),
    ]) {
      expect(answer.statusCode).toBe(400);
      expect(answer.json().error).toBe('invalid_request');
      expect(answer.json().error_description).toContain('read');
    }
    expect((await post(tokenPath, form(1000))).json().error_description).not.toContain('read');
  });

  test.each(['/signin', '/v2/slots', authorizePath])('in the address of %s', async (path) => {
    const { statusCode } = await service.app.inject({ url: `${path}?${form(1001)}` });
    expect(statusCode).toBe(413);
  });
});

describe('an answer that nobody reads (security C223)', () => {
  const long = 'x'.repeat(8 * 1024 * 1024);

  async function listen(ms: number) {
    const app = Fastify();
    limitWriting(app, ms);
    app.get('/', async () => long);
    await app.listen({ port: 0, host: '127.0.0.1' });
    atTheEnd(() => app.close());
    const bound = app.server.address();
    return { app, port: typeof bound === 'object' ? (bound?.port ?? 0) : 0 };
  }

  test('ends its connection, and one that is read comes whole', async () => {
    const { app, port } = await listen(300);
    const accepting = once(app.server, 'connection');
    const silent = connect({ port, host: '127.0.0.1' });
    silent.on('error', () => {});
    silent.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const [accepted] = await accepting;
    await once(accepted, 'close');

    expect(accepted.destroyed).toBe(true);
    // However slow the machine.
    const other = await listen(20_000);
    const whole = await fetch(`http://127.0.0.1:${other.port}/`, { headers: { connection: 'close' } });
    expect((await whole.text()).length).toBe(long.length);
    silent.destroy();
  });

  test('and every connection of a process has an end', () => {
    expect(service.app.server.timeout).toBe(120_000);
    expect(service.app.server.requestTimeout).toBe(30_000);
  });
});
