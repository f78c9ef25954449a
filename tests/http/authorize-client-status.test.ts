import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { setClientStatus } from '../support/client-status.ts';
import { expectErrorPage, titleOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  clientFields,
  openAuthorizePage,
  requestToken,
  startSession,
} from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const cookie = await startSession(service, await addUser(service));

describe.each(['rejected', 'pending'] as const)('a client that becomes %s', (status) => {
  test('before the page is opened is not shown (contract §2, security C44)', async () => {
    const client = await addClient(service);
    await setClientStatus(db, client.id, status);

    const page = await openAuthorizePage(service, requestOf(client), cookie);

    expectErrorPage(page, client.redirectUri);
    expect(titleOf(page)).toBe('This app isn’t available');
  });

  test.each(['allow', 'deny'] as const)(
    'between page and %s gets no answer, and nothing is stored (contract §2, security C44)',
    async (action) => {
      const client = await addClient(service);
      const form = await openDecision(service, requestOf(client), cookie);
      await setClientStatus(db, client.id, status);

      const answer = await decide(service, form, action, cookie);

      expectErrorPage(answer, client.redirectUri);
      expect(await grantsOf(service, client)).toEqual([]);
    },
  );

  test('between Allow and exchange gets no tokens (contract §2, security C44)', async () => {
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);
    const code = codeOf(await decide(service, form, 'allow', cookie));
    await setClientStatus(db, client.id, status);

    const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
    const answer = await requestToken(service, { ...clientFields(client), ...fields });

    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toEqual({
      error: 'invalid_client',
      error_description: 'client_not_accepted',
      error_uri: `${service.appUrl}/docs/errors#client_not_accepted`,
    });
    expect(await grantsOf(service, client)).toMatchObject([{ generation: 0 }]);
  });
});

test('a client that is accepted again may go on with a page that was open (contract §2)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  await setClientStatus(db, client.id, 'rejected');
  await setClientStatus(db, client.id, 'accepted');

  const answer = await decide(service, form, 'allow', cookie);

  expect(codeOf(answer)).toBeDefined();
});

test('an address that leaves the registration between page and Allow gets no answer (contract §3)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  await db
    .update(clients)
    .set({ redirectUris: ['https://app.example/moved'] })
    .where(eq(clients.id, client.id));

  const answer = await decide(service, form, 'allow', cookie);

  expectErrorPage(answer, client.redirectUri);
  expect(await grantsOf(service, client)).toEqual([]);
});

test('a client that is deleted between page and Allow gets no answer (contract §2)', async () => {
  const client = await addClient(service);
  const form = await openDecision(service, requestOf(client), cookie);
  await db.delete(clients).where(eq(clients.id, client.id));

  const answer = await decide(service, form, 'allow', cookie);

  expectErrorPage(answer, client.redirectUri);
  expect(titleOf(answer)).toBe('Unknown app');
});
