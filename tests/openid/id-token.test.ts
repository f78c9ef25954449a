import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { createCleanup } from '../../src/cleanup.ts';
import { openidRequests } from '../../src/openid/tables.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { addPerson, addSignInClient, signInWith, verifyIdToken } from '../support/openid.ts';
import { textOf } from '../support/page-content.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { rotate } from '../support/tokens.ts';
import { addClient, connect, openAuthorizePage, refresh } from '../support/world.ts';

const service = await openTestService();
const seconds = (instant: Date): number => Math.floor(instant.getTime() / 1000);

describe('an app that is registered for openid and asks for it', () => {
  test.each([
    ['openid', []],
    ['openid email', ['email', 'email_verified']],
    ['openid profile', ['name', 'preferred_username', 'updated_at', 'zoneinfo']],
  ])('with %j sees these claims of the user: %j (OpenID Connect Core, section 5.4)', async (scope, names) => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service);

    const claims = await verifyIdToken(
      service,
      await signInWith(service, client, cookie, { scope }),
      client.id,
    );

    const own = ['iss', 'sub', 'aud', 'iat', 'exp', 'auth_time', 'at_hash'];
    expect(
      Object.keys(claims)
        .filter((name) => !own.includes(name))
        .toSorted(),
    ).toEqual(names);
  });

  test('gets one without a scope, too, which means all that is registered (contract §6)', async () => {
    const { cookie } = await addPerson(service);

    const tokens = await signInWith(service, await addSignInClient(service), cookie, {});

    expect(tokens).toMatchObject({
      id_token: expect.any(String),
      scope: 'openid profile email BOOKING_READ',
    });
  });

  test('gets one where nothing else is registered (contract §6)', async () => {
    const { cookie } = await addPerson(service);
    const client = await addSignInClient(service, { scopes: ['openid'] });

    expect(await signInWith(service, client, cookie, { scope: 'openid' })).toHaveProperty('id_token');
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
