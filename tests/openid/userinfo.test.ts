import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { revokeUserGrants } from '../../src/oauth/revocation/store.ts';
import { clients } from '../../src/oauth/tables.ts';
import { contextOf } from '../support/audit.ts';
import { setClientStatus } from '../support/client-status.ts';
import { addPerson, addSignInClient, signInWith } from '../support/openid.ts';
import { openTestService } from '../support/service.ts';
import { addClient, connect } from '../support/world.ts';

const service = await openTestService();
const url = '/v2/auth/oauth2/userinfo';

const ask = (accessToken: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  service.app.inject({ method, url, headers: { authorization: `Bearer ${accessToken}` } });

test.each([
  ['openid', ['sub']],
  ['openid profile', ['sub', 'name', 'preferred_username', 'zoneinfo', 'updated_at']],
  ['openid email', ['sub', 'email', 'email_verified']],
])('with %j says %j (OpenID Connect Core, section 5.4)', async (scope, names) => {
  const { cookie } = await addPerson(service);
  const tokens = await signInWith(service, await addSignInClient(service), cookie, { scope });

  expect(Object.keys((await ask(tokens.access_token)).json())).toEqual(names);
});

test('names the language that is chosen, else the one that pages had, else how dates were written (OpenID Connect Core, section 5.1)', async () => {
  const { user, cookie } = await addPerson(service);
  const { access_token: token } = await signInWith(service, await addSignInClient(service), cookie);
  const { db } = service.database;
  const localeWith = async (set: Partial<typeof users.$inferInsert>): Promise<string> => {
    await db.update(users).set(set).where(eq(users.id, user.id));
    return (await ask(token)).json().locale;
  };

  // Pages in English write a German reader's dates as Germans who speak it do.
  expect(await localeWith({ dateLocale: 'en-DE' })).toBe('en-DE');
  expect(await localeWith({ lastLanguage: 'de' })).toBe('de');
  expect(await localeWith({ language: 'fr' })).toBe('fr');
});

test('answers GET, HEAD and POST, also with a form (OpenID Connect Core, section 5.3.1)', async () => {
  const { cookie } = await addPerson(service);
  const { access_token: token } = await signInWith(service, await addSignInClient(service), cookie);
  const form = await service.app.inject({
    ...{ method: 'POST', url, payload: 'schema=openid' },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
  });
  const answers = [await ask(token), await ask(token, 'POST'), form];

  expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(await ask(token, 'HEAD')).toMatchObject({ statusCode: 200, body: '' });
});

test('takes a token that is bound to a key with a proof alone (RFC 9449 §7)', async () => {
  const { cookie } = await addPerson(service);
  const client = await addSignInClient(service);
  const { access_token: token } = await signInWith(service, client, cookie);

  const answer = await service.app.inject({ url, headers: { authorization: `DPoP ${token}` } });

  expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
    401,
    expect.stringMatching(/^DPoP error="invalid_token"/),
  ]);
});

test('changes of the account move updated_at (OpenID Connect Core, section 5.1)', async () => {
  const { user, cookie } = await addPerson(service);
  const tokens = await signInWith(service, await addSignInClient(service), cookie);
  const { db } = service.database;
  const [before] = await db.select().from(users).where(eq(users.id, user.id));
  await db
    .update(users)
    .set({ updatedAt: new Date(0) })
    .where(eq(users.id, user.id));

  const first = (await ask(tokens.access_token)).json();
  await db.update(users).set({ name: 'Another name' }).where(eq(users.id, user.id));
  const second = (await ask(tokens.access_token)).json();

  expect(before?.updatedAt).toBeInstanceOf(Date);
  expect(first.updated_at).toBe(0);
  expect(second).toMatchObject({ name: 'Another name' });
  expect(Math.abs(second.updated_at - Date.now() / 1000)).toBeLessThan(60);
});

test('a token without openid is told which scope is missing (RFC 6750 §3.1)', async () => {
  const { cookie } = await addPerson(service);
  const tokens = await connect(service, await addSignInClient(service), cookie, { scope: 'BOOKING_READ' });

  const answer = await ask(tokens.access_token);

  expect(answer.statusCode).toBe(403);
  expect(answer.headers['www-authenticate']).toMatch(
    /^Bearer error="insufficient_scope", scope="BOOKING_READ openid", resource_metadata="/,
  );
});

test('nobody is told to create a personal token for it: none has openid (contract §5, §6)', async () => {
  const { cookie } = await addPerson(service);
  const ofApp = await connect(service, await addSignInClient(service), cookie, { scope: 'BOOKING_READ' });
  const profile = await connect(service, await addSignInClient(service), cookie, { scope: 'BOOKING_READ' });
  const headers = { authorization: `Bearer ${profile.access_token}` };
  const me = await service.app.inject({ url: '/v2/me', headers });

  expect((await ask(ofApp.access_token)).json().error.message).toBe(
    'This access token doesn’t have the scope openid. Register an app for it and ask the user again.',
  );
  expect(me.json().error.message).toMatch(/or create a token that has it\.$/);
});

test.each([
  ['no token', '', /^Bearer resource_metadata=/],
  ['a wrong one', 'Bearer wrong', /error="invalid_token"/],
])('%s is refused with a challenge (RFC 6750 §3)', async (_name, authorization, challenge) => {
  const answer = await service.app.inject({ url, headers: authorization === '' ? {} : { authorization } });

  expect(answer.statusCode).toBe(401);
  expect(answer.headers['www-authenticate']).toMatch(challenge);
});

test('a token in the query or the body isn’t read (RFC 6750 §2)', async () => {
  const { cookie } = await addPerson(service);
  const { access_token: token } = await signInWith(service, await addSignInClient(service), cookie);
  const payload = `access_token=${token}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };

  const answers = [
    await service.app.inject(`${url}?access_token=${token}`),
    await service.app.inject({ method: 'POST', url, headers, payload }),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401]);
});

test.each([
  [
    'the access is removed',
    401,
    async ({ userId }: Ended) =>
      service.database.db.transaction((tx) =>
        revokeUserGrants(tx, service.app.parts, userId, 'user', contextOf(service)),
      ),
  ],
  [
    'the app is suspended',
    401,
    async ({ clientId }: Ended) => setClientStatus(service.database.db, clientId, 'rejected'),
  ],
  [
    'openid is narrowed away',
    403,
    async ({ clientId }: Ended) =>
      service.database.db
        .update(clients)
        .set({ scopes: ['BOOKING_READ'] })
        .where(eq(clients.id, clientId)),
  ],
] as const)('once %s, the answer is %s (security C286)', async (_name, status, end) => {
  const { user, cookie } = await addPerson(service);
  const client = await addSignInClient(service);
  const { access_token: token } = await signInWith(service, client, cookie);

  await end({ userId: user.id, clientId: client.id });

  expect((await ask(token)).statusCode).toBe(status);
});

interface Ended {
  readonly userId: number;
  readonly clientId: string;
}

test('what is narrowed away isn’t said any more (contract §6)', async () => {
  const { cookie } = await addPerson(service);
  const client = await addSignInClient(service);
  const { access_token: token } = await signInWith(service, client, cookie);
  const { db } = service.database;
  await db
    .update(clients)
    .set({ scopes: ['openid'] })
    .where(eq(clients.id, client.id));

  expect(Object.keys((await ask(token)).json())).toEqual(['sub']);
});

test('counts as a request to the API (security C54)', async () => {
  const { cookie } = await addPerson(service);
  const { access_token: token } = await signInWith(service, await addSignInClient(service), cookie);

  const [first, second] = [await ask(token), await ask(token)];

  expect(Number(first.headers['ratelimit-remaining']) - Number(second.headers['ratelimit-remaining'])).toBe(
    1,
  );
});

test('says of a managed user, whose address nobody has shown to be theirs, that it isn’t verified (contract §8)', async () => {
  const { user, cookie } = await addPerson(service);
  const { access_token: token } = await signInWith(service, await addSignInClient(service), cookie);
  const { id } = await addClient(service);

  const before = (await ask(token)).json();
  await service.database.db.update(users).set({ managingClientId: id }).where(eq(users.id, user.id));

  expect([before.email_verified, (await ask(token)).json().email_verified]).toEqual([true, false]);
});
