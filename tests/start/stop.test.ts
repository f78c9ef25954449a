import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { addToOutbox } from '../../src/platform/mail/store.ts';
import { openTestDatabase } from '../support/database.ts';
import { anEmail } from '../support/email.ts';
import { openHealthProxy } from '../support/health-proxy.ts';
import { startMailServer } from '../support/mail-server.ts';
import { startInstance } from './server-process.ts';

const patient = { timeout: 180_000 } as const;

test(
  'rolling restarts of two instances behind a proxy that checks health lose no request, and end with 0 (security C66)',
  patient,
  async () => {
    const database = await openTestDatabase();
    onTestFinished(database.close);
    const start = () =>
      startInstance(database.url, { SHUTDOWN_DELAY_SECONDS: '2', TRUSTED_PROXIES: '127.0.0.1' });
    let [current, other] = await Promise.all([start(), start()]);
    const proxy = await openHealthProxy([current, other]);
    const statuses = new Map<number, number>();
    let [isOver, networks] = [false, 0];
    const load = async (path: string, status: number): Promise<void> => {
      while (!isOver) {
        // Each request comes from another network, so that no limit refuses it.
        networks += 1;
        const headers = {
          'x-forwarded-for': `10.${networks >> 16}.${(networks >> 8) & 255}.${networks & 255}`,
        };
        const answer = await fetch(`${proxy.address}${path}`, { headers });
        await answer.arrayBuffer();
        const key = answer.status === status ? 200 : answer.status;
        statuses.set(key, (statuses.get(key) ?? 0) + 1);
        await sleep(20);
      }
    };
    const paths = [
      ['/signin', 200],
      ['/.well-known/jwks.json', 200],
      ['/v2/me', 401],
      ['/v2/slots', 400],
    ] as const;
    const loads = paths.map(([path, status]) => load(path, status));

    const ended = [];
    for (let restarts = 0; restarts < 2; restarts += 1) {
      const fresh = await start();
      proxy.add(fresh);
      current.server.signal('SIGTERM');
      ended.push(await current.server.ended);
      proxy.remove(current);
      [current, other] = [other, fresh];
    }
    isOver = true;
    await Promise.all(loads);

    expect(ended).toEqual([0, 0]);
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(200);
  },
);

test(
  'on SIGTERM a request in flight is answered, as is what follows on a kept connection during the pause; a request and a mail server that hang are left in time (security C47, C66)',
  patient,
  async () => {
    const database = await openTestDatabase();
    onTestFinished(database.close);
    const asked = Promise.withResolvers<undefined>();
    const mail = await startMailServer({
      judge: () => {
        asked.resolve(undefined);
        return new Promise(() => {});
      },
    });
    onTestFinished(mail.close);
    await addToOutbox(database.db, [anEmail()], new Date(0));
    const { server, address } = await startInstance(database.url, {
      SHUTDOWN_DELAY_SECONDS: '2',
      SMTP_URL: mail.smtpUrl,
      MAIL_FROM: 'no-reply@cal.example',
    });
    await asked.promise;
    const head = 'POST /v2/auth/oauth2/token HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n';
    const slow = await openConnection(address, `${head}content-length: 2\r\n\r\n{`);
    await openConnection(address, `${head}content-length: 2\r\n\r\n{`);
    const kept = await openConnection(address, 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await expect.poll(kept.text).toContain('alive');

    server.signal('SIGTERM');
    await expect.poll(server.output).toContain('stopping');
    const signalledAt = Date.now();
    kept.write('GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n');
    slow.write('}');
    await Promise.all([kept.closed, slow.closed]);

    expect(kept.text()).toMatch(/HTTP\/1\.1 503 .*connection: close.*\{"status":"stopping"\}/s);
    expect(slow.text()).toMatch(/HTTP\/1\.1 400 .*"client_id is required"/s);
    expect(await server.ended).toBe(0);
    expect(Date.now() - signalledAt).toBeLessThan(12_000);
    expect(server.output()).toContain('connections that are still in use are closed');
  },
);

async function openConnection(address: string, text: string) {
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let received = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    received += part;
  });
  socket.on('error', () => {});
  socket.write(text);
  return {
    text: () => received,
    closed: once(socket, 'close'),
    write: (more: string) => void socket.write(more),
  };
}
