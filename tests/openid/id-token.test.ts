import { eq } from 'drizzle-orm';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { createCleanup } from '../../src/cleanup.ts';
import { clients } from '../../src/oauth/tables.ts';
import { openidRequests } from '../../src/openid/tables.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { eventsOf } from '../support/audit.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { addPerson } from '../support/groups.ts';
import { useUp } from '../support/guesser.ts';
import { addSignInClient, signInWith, verifyIdToken } from '../support/openid.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { developerHome, findClientRow, postOwnForm, submitClient } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { rotate } from '../support/tokens.ts';
import {
  addClient,
  type ClientOptions,
  callMe,
  connect,
  openAuthorizePage,
  refresh,
} from '../support/world.ts';

const service = await openTestService();
const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

describe('an app that is registered for openid and asks for it', () => {
  test('gets one without a scope, too, which means all that is registered (contract §6)', async () => {
    const { cookie } = await addPerson(service);

    const tokens = await signInWith(service, await addSignInClient(service), cookie, {});

    expect(tokens).toMatchObject({
      id_token: expect.any(String),
      scope: 'openid profile email BOOKING_READ',
    });
  });

  test('gets one of remembered consent, with the time of the sign-in and the nonce of this request (OpenID Connect Core, section 3.1.2.1)', async () => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const signedInAt = service.clock.now();
    await exchangeCode(
      service,
      client,
      codeOf(await allowForGood(service, client, cookie, { scope: 'openid', nonce: 'first' })),
    );
    service.clock.advance(3600);

    const code = codeOf(
      await visit(service, requestOf(client, { scope: 'openid', nonce: 'second' }), cookie),
    );
    const tokens = (await exchangeCode(service, client, code)).json();

    expect(await verifyIdToken(service, tokens, client.id)).toMatchObject({
      ...{ nonce: 'second', auth_time: seconds(signedInAt), iat: seconds(service.clock.now()) },
    });
  });

  test('gets none with a refresh (OpenID Connect Core, section 12.2)', async () => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const tokens = await signInWith(service, client, cookie);

    expect(await rotate(service, client, tokens)).not.toHaveProperty('id_token');
  });

  test('gets one ID token of a code, however often the code is sent (OpenID Connect Core, section 3.1.3.2)', async () => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const form = await openDecision(service, requestOf(client, { scope: 'openid', nonce: 'n' }), cookie);
    const code = codeOf(await decide(service, form, 'allow', cookie));

    const answers = await Promise.all([1, 2, 3, 4].map(() => exchangeCode(service, client, code)));

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 400, 400, 400]);
    expect(answers.filter(({ body }) => body.includes('id_token'))).toHaveLength(1);
  });

  test('allowed twice from one form has one nonce (security C285)', async () => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const form = await openDecision(service, requestOf(client, { scope: 'openid', nonce: 'n' }), cookie);
    const codes = [
      await decide(service, form, 'allow', cookie),
      await decide(service, form, 'allow', cookie),
    ];

    const tokens = (await exchangeCode(service, client, codeOf(codes[1] ?? expect.unreachable()))).json();

    expect(codeOf(codes[0] ?? expect.unreachable())).toBe(codeOf(codes[1] ?? expect.unreachable()));
    expect(await verifyIdToken(service, tokens, client.id)).toMatchObject({ nonce: 'n' });
  });

  test('reads nothing of a request whose form was changed (security C28)', async () => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const form = await openDecision(service, requestOf(client, { scope: 'openid', nonce: 'n' }), cookie);

    const answer = await decide(service, { ...form, nonce: 'of somebody else' }, 'allow', cookie);

    expect([answer.statusCode, codeOf(answer)]).toEqual([400, undefined]);
  });

  test('is told nothing of who was suspended before the exchange', async () => {
    const { user, cookie } = await addPerson(service);
    const client = await addSignInClient(service);
    const form = await openDecision(service, requestOf(client, { scope: 'openid' }), cookie);
    const code = codeOf(await decide(service, form, 'allow', cookie));
    const { db } = service.database;
    await db.update(users).set({ suspendedAt: service.clock.now() }).where(eq(users.id, user.id));

    const answer = await exchangeCode(service, client, code);

    expect(answer.json()).toMatchObject({ error_description: 'code_invalid_or_expired' });
  });
});

test('what an exchange needs of its request is deleted once no code can be exchanged (security C285)', async () => {
  const { cookie } = await addPerson(service);
  const { db } = service.database;
  await allowForGood(service, await addSignInClient(service), cookie, { scope: 'openid', nonce: 'kept' });
  const keptAfter = async (seconds: number): Promise<number> => {
    service.clock.advance(seconds);
    await createCleanup(service.app).run();
    return db.$count(openidRequests, eq(openidRequests.nonce, 'kept'));
  };

  expect([await keptAfter(0), await keptAfter(59), await keptAfter(2)]).toEqual([1, 1, 0]);
});

describe('an app that does not ask for openid, or is not registered for it', () => {
  const asked = { scope: 'openid profile email offline_access', nonce: 'n', login_hint: 'ann@example.com' };
  const other = { max_age: '0', request: 'a.b.c', claims: '{}', nonce: 'x'.repeat(3000) };

  test('gets the answers of a service without OpenID Connect, byte for byte (contract §6, security C282)', async () => {
    const { user, cookie } = await addPerson(service);
    const plain = await openAnotherInstance(service, { PARTS: '-openid' });
    const client = await addClient(service, { scopes: ['BOOKING_READ'] });
    const full = await addClient(service);
    const neutral = (text: string) =>
      text.replaceAll(/name="decision" value="[^"]+"|name="form_token" value="[^"]+"/g, '');

    for (const app of [client, full])
      for (const changes of [asked, { ...asked, prompt: 'login' }, { ...asked, prompt: 'none' }, other]) {
        const request = requestOf(app, changes);
        const [here, there] = [
          await openAuthorizePage(service, request, cookie),
          await openAuthorizePage(plain, request, cookie),
        ];
        const [signIn, signInThere] = [
          await openAuthorizePage(service, request),
          await openAuthorizePage(plain, request),
        ];
        expect([here.statusCode, neutral(here.body)]).toEqual([there.statusCode, neutral(there.body)]);
        expect(here.headers.location).toBe(there.headers.location);
        expect(signIn.headers.location).toBe(signInThere.headers.location);
        expect(String(signIn.headers.location)).not.toMatch(/nonce|login_hint/);
      }
    // With a nonce, it would be nothing but a sign-in (security C306).
    const { nonce: _, ...plainly } = asked;
    const tokens = await connect(service, client, cookie, plainly);
    expect(Object.keys(tokens)).toEqual([
      ...['access_token', 'refresh_token', 'token_type', 'expires_in', 'scope'],
    ]);
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: String(user.id), scope: 'BOOKING_READ' });
  });

  test('costs no statement more, at an exchange and at a refresh (architecture §2, security C282)', async () => {
    const { cookie } = await addPerson(service);
    const signIn = await addSignInClient(service);
    const client = await addClient(service, { scopes: ['BOOKING_READ'] });
    const statementsOf = async (act: () => Promise<unknown>) => {
      service.takeStatements();
      await act();
      return service.takeStatements().length;
    };
    const codeFor = async (app: typeof client, scope: string) => {
      const form = await openDecision(service, requestOf(app, { scope }), cookie);
      return codeOf(await decide(service, form, 'allow', cookie));
    };
    const plainCode = await codeFor(client, 'BOOKING_READ');
    const unasked = await codeFor(signIn, 'BOOKING_READ');
    const openCode = await codeFor(signIn, 'openid');

    expect(await statementsOf(() => exchangeCode(service, client, plainCode))).toBe(1);
    expect(await statementsOf(() => exchangeCode(service, signIn, unasked))).toBe(1);
    expect(await statementsOf(() => exchangeCode(service, signIn, openCode))).toBe(3);
    const tokens = await signInWith(service, signIn, cookie);
    expect(await statementsOf(() => refresh(service, signIn, tokens.refresh_token))).toBe(1);
  });
});

test.each([
  ['openid', 'Use your account to sign you in'],
  ['openid email', 'Use your account to sign you in, and see your email address'],
  [
    'openid profile',
    'Use your account to sign you in, and see your name, username, time zone and language, and when they last changed',
  ],
  [
    'openid profile email',
    'Use your account to sign you in, and see your name, email address, username, time zone and language, and when they last changed',
  ],
])('for %j the page says in one line: %s (contract §3)', async (scope, words) => {
  const { cookie } = await addPerson(service);

  const page = await openAuthorizePage(service, requestOf(await addSignInClient(service), { scope }), cookie);

  const [, list = ''] = /<ul class="permissions">(.*?)<\/ul>/s.exec(page.body) ?? [];
  expect(textOf(list).trim()).toBe(`Sign in ${words}`);
  expect(page.body).not.toContain('See or change your profile');
});

test('openid changes nothing, so an older sign-in is enough; with a scope that does, it is not (contract §1)', async () => {
  const { cookie } = await addPerson(service);
  const client = await addSignInClient(service, { scopes: ['openid', 'profile', 'email', 'BOOKING_WRITE'] });
  service.clock.advance(3600);

  const [reading, changing] = [
    await openAuthorizePage(service, requestOf(client, { scope: 'openid profile email' }), cookie),
    await openAuthorizePage(service, requestOf(client, { scope: 'openid BOOKING_WRITE' }), cookie),
  ];

  expect(reading.statusCode).toBe(200);
  expect([changing.statusCode, changing.headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/signin\/confirm\?/),
  ]);
});

const { db } = service.database;

/** An app that signs people in, and its owner. */
async function addOwnClient(options: ClientOptions = {}) {
  const [client, owner] = [await addSignInClient(service, options), await addPerson(service)];
  await db.update(clients).set({ ownerId: owner.user.id }).where(eq(clients.id, client.id));
  const path = `${developerHome}/${client.id}/sign-in`;
  const choose = (algorithm: string, cookie = owner.cookie) =>
    postOwnForm(service, path, { algorithm }, cookie);
  const open = (cookie = owner.cookie) => service.app.inject({ url: path, headers: { cookie } });
  const algorithmOf = async () => (await findClientRow(service, client.id))?.idTokenAlgorithm;
  return { client, owner, path, choose, open, algorithmOf };
}

describe('ID tokens (OpenID Connect Core, section 15.1, Registration, section 2)', () => {
  test('of an app that is registered now are signed with RS256, those of earlier ones with ES256 (contract §4)', async () => {
    const registered = await submitClient(service, { scopes: 'openid' });
    const [earlier] = await db
      .insert(clients)
      .values({
        ...{ id: 'earlier', name: 'Earlier', purpose: 'x', type: 'public', redirectUris: [] },
        ...{ createdAt: service.clock.now(), submittedAt: service.clock.now() },
      })
      .returning({ idTokenAlgorithm: clients.idTokenAlgorithm });

    expect(await findClientRow(service, registered.id)).toMatchObject({ idTokenAlgorithm: 'RS256' });
    expect(earlier).toEqual({ idTokenAlgorithm: 'ES256' });
  });

  test.each([
    ['RS256', 'RSA'],
    ['ES256', 'EC'],
  ] as const)('with %s are verified by a published key of that kind', async (algorithm, kty) => {
    const client = await addSignInClient(service, { idTokenAlgorithm: algorithm });
    const { user, cookie } = await addPerson(service);

    const tokens = await signInWith(service, client, cookie);
    const [idToken, accessToken] = [tokens.id_token ?? '', tokens.access_token].map(decodeProtectedHeader);
    const { keys } = (await service.app.inject('/.well-known/jwks.json')).json();

    expect(await verifyIdToken(service, tokens, client.id, algorithm)).toMatchObject({
      sub: String(user.id),
    });
    expect(idToken).toMatchObject({ alg: algorithm, typ: 'JWT' });
    expect(accessToken).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(keys.find(({ kid }: { kid: string }) => kid === idToken?.kid)).toMatchObject({
      ...{ kty, alg: algorithm, use: 'sig' },
    });
    expect((await callMe(service, tokens.id_token ?? '')).statusCode).toBe(401);
    expect(
      await service.app.inject({
        url: '/v2/auth/oauth2/userinfo',
        headers: { authorization: `Bearer ${tokens.access_token}` },
      }),
    ).toMatchObject({ statusCode: 200 });
  });
});

describe('the page of an app that signs people in (contract §2)', () => {
  test('chooses the algorithm, without a review, for the next sign-in', async () => {
    const { client, owner, path, choose, open, algorithmOf } = await addOwnClient();
    const { cookie } = await addPerson(service);
    const before = await open();

    const answer = await choose('ES256');
    const shown = await service.app.inject({
      url: String(answer.headers.location),
      headers: { cookie: owner.cookie },
    });
    const tokens = await signInWith(service, client, cookie);

    expect(before.body).toMatch(/value="RS256" required checked/);
    expect(textOf(before.body)).toContain(service.appUrl);
    expect(answer.headers.location).toBe(`${path}?done=saved`);
    expect(textOf(shown.body)).toContain('The next ID tokens are signed that way');
    expect(shown.body).toMatch(/value="ES256" required checked/);
    expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe('ES256');
    expect(await findClientRow(service, client.id)).toMatchObject({ status: 'accepted', revision: 1 });
    expect(await eventsOf(service, owner.user)).toMatchObject([
      { action: 'client.edited', clientId: client.id, reason: 'ID tokens: ES256' },
    ]);
    await choose('ES256');
    expect(await eventsOf(service, owner.user)).toHaveLength(1);
    expect(await algorithmOf()).toBe('ES256');
  });

  test.each(['none', 'HS256', 'PS256', '', 'rs256'])('refuses %j, and changes nothing', async (algorithm) => {
    const { choose, algorithmOf } = await addOwnClient();

    const answer = await choose(algorithm);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'algorithm')).toBe('Choose an algorithm.');
    expect(await algorithmOf()).toBe('RS256');
  });

  test('is its owner’s alone, and takes a recent sign-in (security C74)', async () => {
    const { path, open, choose, algorithmOf, owner } = await addOwnClient();
    const other = await addPerson(service);

    const others = [await open(other.cookie), await choose('ES256', other.cookie)];
    service.clock.advance(10 * 60);
    const late = await choose('ES256');

    expect(others.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect(late.headers.location).toMatch(/^\/signin\/confirm\?form=/);
    expect(decodeURIComponent(String(late.headers.location))).toContain(path);
    expect((await open(owner.cookie)).statusCode).toBe(200);
    expect(await algorithmOf()).toBe('RS256');
  });

  test('is one of an owner’s changes of a day (security C54)', async () => {
    const { choose, algorithmOf, owner } = await addOwnClient();
    await useUp(service, counted('changes', ['client', owner.user.id]), 1);

    const answers = [await choose('ES256'), await choose('RS256')];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 429]);
    expect(await algorithmOf()).toBe('ES256');
  });

  test('says what an app lacks that isn’t registered for openid, with the link that adds it', async () => {
    const [plain, signing] = [
      await addOwnClient({ scopes: ['BOOKING_READ'] }),
      await addOwnClient({ scopes: ['openid', 'profile', 'email'] }),
    ];

    const page = await plain.open();

    expect(titleOf(page)).toBe('Test app');
    expect(textOf(page.body)).toContain('isn’t registered for openid');
    expect(page.body).toContain(`href="${developerHome}/${plain.client.id}/edit"`);
    expect(textOf((await signing.open()).body)).not.toContain('isn’t registered for openid');
  });

  test('isn’t there without the part, and no tab leads to it (contract §1)', async () => {
    const { client, owner, path } = await addOwnClient();
    const plain = await openAnotherInstance(service, { PARTS: '-openid' });
    const headers = { cookie: owner.cookie };

    const page = await plain.app.inject({ url: path, headers });
    const overview = await plain.app.inject({ url: `${developerHome}/${client.id}`, headers });

    expect([page.statusCode, overview.statusCode]).toEqual([404, 200]);
    expect(overview.body).not.toContain(path);
  });
});
