import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { layDatabaseLine } from '../support/database-line.ts';
import { queryRows } from '../support/query-rows.ts';
import { openTestService } from '../support/service.ts';
import { addUser } from '../support/world.ts';
import { startProxy } from './debian-proxy.ts';
import { startInstance } from './server-process.ts';

const patient = { timeout: 90_000 } as const;

/** A visitor of 127.0.0.2 who also says what only a proxy may. */
async function visit(port: number, path: string, form?: Readonly<Record<string, string>>) {
  const body = form === undefined ? undefined : new URLSearchParams(form).toString();
  const asked = request({
    ...{ host: '127.0.0.1', localAddress: '127.0.0.2', servername: 'cal.example', rejectUnauthorized: false },
    ...{ port, path, method: body === undefined ? 'GET' : 'POST' },
    headers: {
      ...{ host: 'cal.example', 'x-forwarded-for': '198.51.100.7', 'x-request-id': 'of-the-visitor' },
      ...(body === undefined
        ? {}
        : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
    },
  });
  asked.end(body);
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

describe.each(['nginx', 'haproxy', 'caddy'] as const)('behind %s, as deploy/proxies sets it up', (name) => {
  test(
    'pages, long states and the visitor’s address pass, and the 503 of a lost database is Latchkey’s (operations)',
    patient,
    async () => {
      const service = await openTestService();
      const { database } = service;
      const line = await layDatabaseLine(database.url);
      const { address } = await startInstance(line.url, {
        APP_URL: 'https://cal.example',
        TRUSTED_PROXIES: '127.0.0.1',
      });
      const port = await startProxy(name, Number(new URL(address).port));
      const user = await addUser(service);

      const page = await visit(port, '/signin');
      const long = await visit(port, `/settings/apps?state=${randomBytes(6144).toString('base64url')}`);
      const signedIn = await visit(port, '/signin', { email: user.email, password: user.password });
      await line.cut();
      await expect.poll(async () => (await visit(port, '/readyz')).status, { timeout: 20_000 }).toBe(503);
      const away = await visit(port, '/signin', { email: user.email, password: user.password });

      expect([page.status, long.status, signedIn.status]).toEqual([200, 303, 303]);
      expect(page.headers['x-request-id']).toEqual(expect.stringMatching(/^[\w-]{16,}$/));
      expect(page.headers['x-request-id']).not.toBe('of-the-visitor');
      const sessions = `select host(address::inet) as address from sessions where user_id = ${user.id}`;
      expect(await queryRows(database.url, sessions)).toEqual([{ address: '127.0.0.2' }]);
      expect([away.status, away.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect(away.body).toContain('Latchkey');
    },
  );
});
