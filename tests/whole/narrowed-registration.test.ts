import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import type { GrantedScopes } from '../../src/oauth/core/scope.ts';
import { clients } from '../../src/oauth/tables.ts';
import { textOf } from '../support/page-content.ts';
import { reviewDecisions } from '../support/registration.ts';
import { submitEdit } from '../support/review.ts';
import { openTestService } from '../support/service.ts';
import { grantsOf, issueCode, issueTokens, refreshFields, refusalOf, rotate } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  refresh,
  requestToken,
  startSession,
  type TestClient,
} from '../support/world.ts';

const service = await openTestService();
const adminCookie = await startSession(service, await addUser(service, { isAdmin: true }));

/** An owner's edit of the scopes that a reviewer approves. */
async function edit({ id }: TestClient, scopes: GrantedScopes): Promise<void> {
  await submitEdit(service, id, { scopes: scopes === null ? null : [...scopes] });
  const answer = await reviewDecisions.accept(service, id, adminCookie);
  if (answer.statusCode !== 303) throw new Error(`the review answered ${answer.statusCode}`);
}

test.each([
  ['one of two', ['PROFILE_READ', 'BOOKING_READ'], ['BOOKING_READ'], 'BOOKING_READ'],
  ['READ of WRITE', ['BOOKING_WRITE', 'PROFILE_READ'], ['BOOKING_READ'], 'BOOKING_READ'],
  ['some of full access', null, ['BOOKING_READ', 'PROFILE_READ'], 'PROFILE_READ BOOKING_READ'],
  ['WRITE for READ', ['BOOKING_READ'], ['BOOKING_WRITE'], 'BOOKING_READ'],
  ['full access for some', ['BOOKING_READ'], null, 'BOOKING_READ'],
  ['more than before', ['BOOKING_READ'], ['BOOKING_READ', 'PROFILE_READ'], 'BOOKING_READ'],
] as const)(
  'a refresh after an edit to %s gives what was granted and is still registered (contract §6, security C60)',
  async (_name, before, after, expected) => {
    const client = await addClient(service, { scopes: before });
    const tokens = await issueTokens(service, client);
    await edit(client, after);

    const rotated = await rotate(service, client, tokens);
    const repeated = await rotate(service, client, tokens);

    for (const { scope, access_token: token } of [rotated, repeated])
      expect([scope, decodeJwt(token)['scope']]).toEqual([expected, expected]);
  },
);

test('an exchange of a code from before the edit gives no more than the registration (security C60)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const request = await issueCode(service, client);
  await edit(client, ['BOOKING_READ']);

  const answer = await requestToken(service, request);

  expect(answer.json()).toMatchObject({ scope: 'BOOKING_READ' });
});

test('an access token from before the edit loses what is no longer registered, immediately (contract §5, security C60)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const tokens = await issueTokens(service, client);
  const before = await callMe(service, tokens.access_token);
  await edit(client, ['BOOKING_READ']);

  const after = await callMe(service, tokens.access_token);

  expect([before.statusCode, after.statusCode]).toEqual([200, 403]);
  expect(after.headers['www-authenticate']).toContain(
    'error="insufficient_scope", scope="PROFILE_READ BOOKING_READ"',
  );
  expect(after.json()).toMatchObject({
    error: { code: 'Forbidden', message: expect.stringContaining('the scope PROFILE_READ.') },
  });
});

test('full access from before the edit can be used for the registered scopes alone (contract §6, security C60)', async () => {
  const client = await addClient(service);
  const tokens = await issueTokens(service, client);
  await edit(client, ['BOOKING_READ']);

  const bookings = await service.app.inject({
    url: '/v2/bookings',
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });

  expect(bookings.statusCode).toBe(200);
  expect((await callMe(service, tokens.access_token)).statusCode).toBe(403);
});

test('a scope that is no longer registered is too much at refresh, and spends nothing (contract §4, security C60)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const { refresh_token: token } = await issueTokens(service, client);
  await edit(client, ['BOOKING_READ']);

  const answer = await requestToken(service, { ...refreshFields(client, token), scope: 'PROFILE_READ' });

  expect(refusalOf(answer)).toEqual([400, 'invalid_scope', 'scope_exceeds_grant']);
  expect((await refresh(service, client, token)).statusCode).toBe(200);
});

test('where nothing of the grant is registered any more, codes and refresh tokens are refused until it is again (contract §4, security C60)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ'] });
  const code = await issueCode(service, client);
  const { refresh_token: token } = await issueTokens(service, client);
  await edit(client, ['BOOKING_READ']);

  const refused = [await requestToken(service, code), await refresh(service, client, token)];
  await edit(client, ['PROFILE_READ', 'BOOKING_READ']);
  const given = [await requestToken(service, code), await refresh(service, client, token)];

  expect(refused.map(refusalOf)).toEqual(refused.map(() => [400, 'invalid_scope', 'scope_exceeds_grant']));
  expect(given.map((answer) => answer.json().scope)).toEqual(['PROFILE_READ', 'PROFILE_READ']);
});

test('an edit that waits narrows nothing (contract §2)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const tokens = await issueTokens(service, client);

  await submitEdit(service, client.id, { scopes: ['BOOKING_READ'] });

  expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  expect((await rotate(service, client, tokens)).scope).toBe('PROFILE_READ BOOKING_READ');
});

test('the user reads what is left of the access, and the grant keeps what was approved (contract §6)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const cookie = await startSession(service, await addUser(service));
  await connect(service, client, cookie);
  await edit(client, ['BOOKING_READ']);

  const read = async () =>
    textOf((await service.app.inject({ url: '/settings/apps', headers: { cookie } })).body);

  const narrowed = await read();
  await edit(client, ['SCHEDULE_READ']);

  expect(narrowed).toContain('See your bookings');
  expect(narrowed).not.toContain('See your name');
  expect(await read()).toContain('the app no longer uses the permissions that you approved');
  expect(await grantsOf(service, client)).toMatchObject([{ scopes: ['PROFILE_READ', 'BOOKING_READ'] }]);
});

test('a narrowed refresh and a narrowed call cost no more statements (architecture §2, contract §5)', async () => {
  const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
  const tokens = await issueTokens(service, client);
  await service.database.db
    .update(clients)
    .set({ scopes: ['PROFILE_READ'] })
    .where(eq(clients.id, client.id));
  const countOf = async (request: () => Promise<unknown>): Promise<number> => {
    service.takeStatements();
    await request();
    return service.takeStatements().length;
  };

  const counts = [
    await countOf(() => rotate(service, client, tokens)),
    await countOf(() => callMe(service, tokens.access_token)),
  ];

  expect(counts).toEqual([1, 1]);
});
