import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { passkeys, sessions } from '../../src/accounts/tables.ts';
import { addOnPage as addPasskeyOnPage, createAuthenticator } from '../support/authenticator.ts';
import { decide, openDecision, requestOf } from '../support/authorization.ts';
import { holdPermissions } from '../support/held.ts';
import { formTokenOf, postOwnForm } from '../support/registration.ts';
import { liveHints, newForm, type Owned, openOwned } from '../support/secrets.ts';
import { openTestService } from '../support/service.ts';
import { listen, openRequest, writeRequest } from '../support/socket.ts';
import { grantsOf } from '../support/tokens.ts';
import { addClient } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const port = await listen(service);

/** A new password ends sessions in this way. */
const endSessions = ({ owner }: Owned) => db.delete(sessions).where(eq(sessions.userId, owner.id));

/** What a thief would keep after a new password has ended their session, and how much of it there is. */
const powers: readonly (readonly [
  string,
  (owned: Owned) => Promise<readonly [() => Promise<LightMyRequestResponse>, () => Promise<number>]>,
])[] = [
  [
    'an approval',
    async ({ cookie }) => {
      const client = await addClient(service);
      const form = await openDecision(service, requestOf(client), cookie);
      return [
        () => decide(service, form, 'allow', cookie),
        async () => (await grantsOf(service, client)).length,
      ];
    },
  ],
  [
    'a client secret',
    async ({ path, cookie, clientId }) => [
      () => postOwnForm(service, path, newForm(), cookie),
      async () => (await liveHints(service, clientId)).length - 1,
    ],
  ],
  [
    'a passkey',
    async ({ owner, cookie }) => [
      () => addPasskeyOnPage(service, cookie, createAuthenticator(service)),
      () => db.$count(passkeys, eq(passkeys.userId, owner.id)),
    ],
  ],
];

describe('a session that ends during a request (security C57)', () => {
  test.each(powers)('leaves nothing behind: %s', { tags: 'parts' }, async (_name, prepare) => {
    const owned = await openOwned(service);
    const [act, count] = await prepare(owned);
    const held = await holdPermissions(service, owned.owner);

    const acting = act();
    await held.untilWaiting(1);
    await endSessions(owned);
    await held.release();

    const { statusCode, headers } = await acting;
    expect(statusCode === 403 || String(headers.location).startsWith('/signin?')).toBe(true);
    expect(await count()).toBe(0);
  });

  test('opens nothing to a form whose body arrives afterwards', async () => {
    const owned = await openOwned(service);
    const fields = { ...newForm(), form_token: await formTokenOf(service, owned.cookie) };
    const body = new URLSearchParams(fields).toString();
    const request = writeRequest(
      `POST ${owned.path}`,
      [
        ['Content-Type', 'application/x-www-form-urlencoded'],
        ['Sec-Fetch-Site', 'same-origin'],
        ['Cookie', owned.cookie],
      ],
      body,
    );
    service.takeStatements();
    const socket = await openRequest(port, request.slice(0, -1));
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      answer += text;
    });
    // The request's headers were read, and its session was found.
    await expect.poll(() => service.takeStatements().some((text) => text.includes('"sessions"'))).toBe(true);

    await endSessions(owned);
    socket.write(request.slice(-1));

    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 307 .*location: \/signin\?form=/is);
    expect(await liveHints(service, owned.clientId)).toHaveLength(1);
  });
});
