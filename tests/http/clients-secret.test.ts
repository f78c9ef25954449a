import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { setClientStatus } from '../support/client-status.ts';
import { readTables } from '../support/database-content.ts';
import { developerHome, register, registeredId, registration, secretsOf } from '../support/registration.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { addUser, requestToken, startSession } from '../support/world.ts';
import { createVisitor, type Visitor } from './visitor.ts';

const service = await openTestService();

async function enter(at: TestService = service): Promise<Visitor> {
  const { email, password } = await addUser(service);
  const visitor = createVisitor(at);
  await visitor.fillIn('/signin', { email, password });
  return visitor;
}

function secretOn(html: string): string | undefined {
  return /id="client_secret">(lks_[\w-]{43})</.exec(html)?.[1];
}

test('a confidential client has a secret that is shown once: on the page after registration (contract §2)', async () => {
  const visitor = await enter();

  const registered = await visitor.fillIn(`${developerHome}/new`, registration);
  const first = await visitor.follow(registered);
  const second = await visitor.follow(registered);

  const secret = secretOn(first.body) ?? '';
  expect(secret).not.toBe('');
  expect(first.body).toContain('You won’t be able to see it again.');
  expect(secretOn(second.body)).toBeUndefined();
  expect(second.body).not.toContain(secret);
  expect(second.body).toContain(`…${secret.slice(-4)}`);
  expect(registered.body + JSON.stringify(registered.headers)).not.toContain(secret);
});

test('the secret that was shown is the one that works (contract §4)', async () => {
  const visitor = await enter();
  const registered = await visitor.fillIn(`${developerHome}/new`, registration);
  const clientId = registeredId(registered);
  const secret = secretOn((await visitor.follow(registered)).body) ?? '';
  await setClientStatus(service.database.db, clientId, 'accepted');
  const ask = (clientSecret: string) =>
    requestToken(service, {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: 'refresh_token',
      refresh_token: 'none',
    });

  expect((await ask(secret)).json()).toMatchObject({ error_description: 'invalid_refresh_token' });
  expect((await ask(`${secret}x`)).json()).toMatchObject({ error_description: 'invalid_client_credentials' });
});

test('only a hash of the secret is stored, and it never reaches the log (contract §2, security C25)', async () => {
  const visitor = await enter();

  const registered = await visitor.fillIn(`${developerHome}/new`, registration);
  const secret = secretOn((await visitor.follow(registered)).body) ?? '';

  const secretHash = createHash('sha256').update(secret).digest('base64url');
  expect(await secretsOf(service, registeredId(registered))).toMatchObject([
    { secretHash, hint: secret.slice(-4) },
  ]);
  expect(JSON.stringify(await readTables(service.database)).includes(secret)).toBe(false);
  expect(service.logText().includes(secret)).toBe(false);
});

test('a public client has none (contract §2)', async () => {
  const visitor = await enter();

  const registered = await visitor.fillIn(`${developerHome}/new`, { ...registration, client_type: 'public' });
  const page = await visitor.follow(registered);

  expect(page.statusCode).toBe(200);
  expect(page.body).not.toContain('lks_');
  expect(page.body).not.toContain('Client secret');
  expect(registered.headers).not.toHaveProperty('set-cookie');
  expect(await secretsOf(service, registeredId(registered))).toEqual([]);
});

describe('the cookie that carries the secret to its page', () => {
  async function carriedBy(at: TestService) {
    const cookie = await startSession(at, await addUser(service));
    const answer = await register(at, cookie);
    const [pair = '', ...attributes] = String(answer.headers['set-cookie']).split('; ');
    return { cookie, pair, attributes, path: String(answer.headers.location) };
  }

  test('is sealed, HttpOnly, SameSite=Strict, and sent to that page alone for five minutes', async () => {
    const { pair, attributes, path } = await carriedBy(service);

    const carried = Buffer.from(pair.split('=')[1] ?? '', 'base64url');
    expect(pair).toMatch(/^latchkey_secret=/);
    expect(attributes.toSorted()).toEqual(['HttpOnly', 'Max-Age=300', `Path=${path}`, 'SameSite=Strict']);
    expect(carried.length).toBeGreaterThan(80);
    expect(carried.toString('latin1')).not.toContain('lks_');
  });

  test('on https is Secure and named so', async () => {
    const secure = await openAnotherInstance(service, { APP_URL: 'https://latchkey.example' });

    const { pair, attributes } = await carriedBy(secure);

    expect(pair).toMatch(/^__Secure-latchkey_secret=/);
    expect(attributes).toContain('Secure');
  });

  test('shows nothing to another user, who finds no page', async () => {
    const { pair, path } = await carriedBy(service);
    const stranger = await startSession(service, await addUser(service));

    const page = await service.app.inject({ url: path, headers: { cookie: `${stranger}; ${pair}` } });

    expect(page.statusCode).toBe(404);
    expect(page.body).not.toContain('lks_');
  });

  test("shows nothing on another client's page", async () => {
    const { cookie, pair } = await carriedBy(service);
    const other = registeredId(await register(service, cookie));

    const page = await service.app.inject({
      url: `${developerHome}/${other}`,
      headers: { cookie: `${cookie}; ${pair}` },
    });

    expect(page.statusCode).toBe(200);
    expect(secretOn(page.body)).toBeUndefined();
  });

  test('shows nothing after its five minutes, even if it was kept', async () => {
    const { cookie, pair, path } = await carriedBy(service);
    service.clock.advance(301);

    const page = await service.app.inject({ url: path, headers: { cookie: `${cookie}; ${pair}` } });

    expect(page.statusCode).toBe(200);
    expect(secretOn(page.body)).toBeUndefined();
  });

  test.each(['', 'x', 'AAAA', 'A'.repeat(200), '%00'])(
    'with the value "%s" is ignored and removed',
    async (value) => {
      const { cookie, path } = await carriedBy(service);

      const page = await service.app.inject({
        url: path,
        headers: { cookie: `${cookie}; latchkey_secret=${value}` },
      });

      expect(page.statusCode).toBe(200);
      expect(secretOn(page.body)).toBeUndefined();
      expect(String(page.headers['set-cookie'])).toContain('latchkey_secret=; Max-Age=0');
    },
  );
});
