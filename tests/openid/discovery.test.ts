import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { describeLimits, describePermissions } from '../../src/oauth/permissions.ts';
import { revokeUserGrants } from '../../src/oauth/revocation/store.ts';
import { clients } from '../../src/oauth/tables.ts';
import { claimNames } from '../../src/openid/claims.ts';
import { contextOf } from '../support/audit.ts';
import { redirectOf, requestOf } from '../support/authorization.ts';
import { setClientStatus } from '../support/client-status.ts';
import { addPerson } from '../support/groups.ts';
import { addSignInClient, signInWith } from '../support/openid.ts';
import { textOf } from '../support/page-content.ts';
import { developerHome, submitClient } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, connect, openAuthorizePage } from '../support/world.ts';

const service = await openTestService();
const read = async (name: string, from = service) => from.app.inject(`/.well-known/${name}`);

test('the document says what there is, and what isn’t (OpenID Connect Discovery, section 3, contract §7)', async () => {
  const answer = await read('openid-configuration');

  expect(answer.headers).toMatchObject({
    'content-type': expect.stringMatching(/^application\/json/),
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
  });
  // `openid/config-op` has what is required of it.
  expect(answer.json()).toMatchObject({
    issuer: service.appUrl,
    userinfo_endpoint: `${service.appUrl}/v2/auth/oauth2/userinfo`,
    end_session_endpoint: `${service.appUrl}/auth/oauth2/logout`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'ES256'],
    claim_types_supported: ['normal'],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  });
});

test('it says the same as the metadata of RFC 8414, and more', async () => {
  const [document, metadata] = [await read('openid-configuration'), await read('oauth-authorization-server')];

  expect(document.json()).toMatchObject(metadata.json());
});

test('it names the languages that ui_locales can ask for (section 3)', async () => {
  expect((await read('openid-configuration')).json().ui_locales_supported).toEqual([
    ...['en', 'de', 'es', 'fr', 'pt-BR', 'ja', 'ar'],
  ]);
});

test('without the part there is no document, no userinfo, no logout, and no scope (contract §1)', async () => {
  const plain = await openAnotherInstance(service, { PARTS: '-openid' });
  const answers = [
    await read('openid-configuration', plain),
    await plain.app.inject('/v2/auth/oauth2/userinfo'),
    await plain.app.inject('/auth/oauth2/logout'),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  expect((await plain.app.inject('/openapi.json')).body).not.toContain('id_token');
  expect((await service.app.inject('/openapi.json')).body).toContain('id_token');
  expect((await read('jwks.json', plain)).json().keys.map(({ alg }: { alg: string }) => alg)).toEqual([
    'ES256',
  ]);
  expect((await read('oauth-authorization-server', plain)).json().scopes_supported).not.toContain('openid');
  expect((await read('oauth-authorization-server')).json().scopes_supported).toContain('openid');
});

const url = '/v2/auth/oauth2/userinfo';

const ask = (accessToken: string, method: 'GET' | 'POST' | 'HEAD' = 'GET') =>
  service.app.inject({ method, url, headers: { authorization: `Bearer ${accessToken}` } });

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
  expect(second.updated_at).toBeGreaterThan(0);
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

const without = await openAnotherInstance(service, { PARTS: 'all,-openid' });
const { cookie } = await addPerson(service);

async function ownApp() {
  const { id, cookie: owner } = await submitClient(service, { scopes: 'BOOKING_READ' });
  await setClientStatus(service.database.db, id, 'accepted');
  const request = { client_id: id, redirect_uri: 'https://desk.example/callback', response_type: 'code' };
  const read = async (path = '', at = service) =>
    (await at.app.inject({ url: `${developerHome}/${id}${path}`, headers: { cookie: owner } })).body;
  return { id, request, read };
}

describe('openid that an app isn’t registered for (security C306)', () => {
  test.each([{ nonce: 'n' }, { prompt: 'none' }, { id_token_hint: 'a.b.c' }])(
    'is invalid_scope in a request that is nothing but a sign-in: %j',
    async (sign) => {
      const client = await addClient(service, { scopes: ['BOOKING_READ'] });
      const asked = requestOf(client, {
        scope: 'openid BOOKING_READ',
        response_type: 'code',
        state: 's',
        ...sign,
      });

      for (const at of [service, without]) {
        const answer = await openAuthorizePage(at, asked, cookie);

        expect(Object.fromEntries(redirectOf(answer).parameters)).toMatchObject({
          error: 'invalid_scope',
          error_description: 'openid_not_registered',
          state: 's',
        });
      }
    },
  );

  test('is refused to nobody who isn’t signed in but silently, as no error is (contract §3, RFC 9700 §4.11.2)', async () => {
    const client = await addClient(service, { scopes: ['BOOKING_READ'] });
    const asked = (changes: Record<string, string>) =>
      openAuthorizePage(service, requestOf(client, { scope: 'openid', response_type: 'code', ...changes }));

    const [shown, silent] = [await asked({ nonce: 'n' }), await asked({ prompt: 'none' })];

    expect(shown.headers.location).toMatch(/^\/signin/);
    expect(silent.headers.location).toContain('error=invalid_scope');
  });

  test('counts as absent in every other request, and full access signs nobody in (contract §6)', async () => {
    const [some, full] = [await addClient(service, { scopes: ['BOOKING_READ'] }), await addClient(service)];

    for (const client of [some, full]) {
      const page = await openAuthorizePage(
        service,
        requestOf(client, { scope: 'openid profile email' }),
        cookie,
      );
      expect(page.statusCode).toBe(200);
    }
  });

  test('is told to the owner, with the link that mends it, until it is registered', async () => {
    const { id, request, read } = await ownApp();
    const before = await read();
    await openAuthorizePage(service, { ...request, scope: 'openid' }, cookie);
    await openAuthorizePage(service, { ...request, scope: 'openid', nonce: 'n' }, cookie);

    const [page, failed] = [await read(), await read('/failed-requests')];

    expect(textOf(before)).not.toContain('asked for openid');
    expect(textOf(page)).toContain('asked for openid, which it isn’t registered for');
    expect(page).toContain(`<a href="${developerHome}/${id}/edit">Register it for openid</a>`);
    expect(textOf(failed)).toContain('so it was refused');
    expect(textOf(failed)).toContain('so it went on without, and there is no id_token');
    expect(failed).toContain(`<a href="${developerHome}/${id}/edit">Edit the app’s scopes</a>`);
    expect(textOf(await read('', without))).not.toContain('asked for openid');
  });

  test('is told of no more often than a limit, as anybody can send such requests (security C306)', async () => {
    const { request, read } = await ownApp();
    for (let index = 0; index < 40; index += 1)
      await openAuthorizePage(service, { ...request, scope: 'openid', prompt: 'none' });

    const failed = await read('/failed-requests');

    expect(failed.split('so it was refused').length - 1).toBe(20);
  });
});

const claimWords: Readonly<Record<(typeof claimNames)['profile' | 'email'][number], RegExp>> = {
  name: /name/,
  preferred_username: /username/,
  zoneinfo: /time zone/,
  locale: /language/,
  updated_at: /last changed/,
  email: /email address/,
  email_verified: /email address/,
};

test.each(['profile', 'email'] as const)('the words of %s name each of its claims (contract §6)', (scope) => {
  const [said = ''] = describePermissions(service.app.permissions, ['openid', scope]);

  for (const claim of claimNames[scope]) expect(said).toMatch(claimWords[claim]);
  expect(describeLimits(service.app.permissions, ['openid', scope]).join('\n')).not.toMatch(
    /see or change your profile/i,
  );
});
