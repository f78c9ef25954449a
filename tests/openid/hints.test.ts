import fc from 'fast-check';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { rotateKeys } from '../../src/oauth/keyring.ts';
import {
  type AuthorizationFields,
  codeOf,
  decide,
  openDecision,
  redirectOf,
  requestOf,
} from '../support/authorization.ts';
import { allowForGood, exchangeCode, visit } from '../support/consent.ts';
import { addPerson } from '../support/groups.ts';
import { addSignInClient, signInWith } from '../support/openid.ts';
import { textOf, titleOf, typedIn } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { readServiceKey, signAgain } from '../support/signing.ts';
import { hiddenFieldsOf, openAuthorizePage, postForm, signIn, type TestClient } from '../support/world.ts';

const service = await openTestService();
const scope = 'openid profile email';

type Person = Awaited<ReturnType<typeof addPerson>>;
type Answer = Parameters<typeof codeOf>[0];

/** The ID token of a person who signed in to the app, which has remembered consent from then on. */
async function idTokenOf(client: TestClient, { cookie }: Person, asked = scope): Promise<string> {
  const code = codeOf(await allowForGood(service, client, cookie, { scope: asked, prompt: 'consent' }));
  return String((await exchangeCode(service, client, code)).json().id_token);
}

const errorOf = (answer: Answer) => Object.fromEntries(redirectOf(answer).parameters);

/** Whom an answer gives tokens for; undefined where it has no code. */
async function subjectOf(client: TestClient, answer: Answer): Promise<string | undefined> {
  const code = codeOf(answer);
  if (code === undefined) return undefined;
  return decodeJwt((await exchangeCode(service, client, code)).json().id_token).sub;
}

const textIn = ({ body }: Answer): string => textOf(/<main.*<\/main>/s.exec(body)?.[0] ?? '');
const follow = ({ headers: { location } }: Answer, cookie?: string) =>
  service.app.inject({ url: String(location), headers: cookie === undefined ? {} : { cookie } });

/** Presses *Use another account*; answers the sign-in page. */
async function useAnotherAccount(page: Answer, cookie: string): Promise<Answer> {
  const [, form = ''] = /<form method="post" action="\/signout">(.*?)<\/form>/s.exec(page.body) ?? [];
  const request = await follow(await postForm(service, '/signout', hiddenFieldsOf(form), cookie));
  return follow(request);
}

/** Signs in with what the page has filled in already; answers what the app's request leads to then. */
async function signInOn(page: Answer, { user }: Person, address = typedIn(page, 'email') ?? '') {
  const { return_to: to = '' } = hiddenFieldsOf(page.body);
  const cookie = await signIn(service, { email: address, password: user.password });
  return { cookie, answer: await service.app.inject({ url: to, headers: { cookie } }) };
}

/** Two people and an app that both have approved for good. */
async function meet(isRemembered = true, asked = scope) {
  const client = await addSignInClient(service);
  const [ann, bob] = [await addPerson(service), await addPerson(service)];
  const ofBob = await idTokenOf(client, bob, asked);
  if (isRemembered) await idTokenOf(client, ann, asked);
  return { client, ann, bob, ofBob };
}

describe('the ID token of somebody else as a hint (OpenID Connect Core, sections 3.1.2.1, 3.1.2.2)', () => {
  const requests: readonly AuthorizationFields[] = [
    {},
    { prompt: 'login' },
    { prompt: 'consent' },
    { prompt: 'select_account' },
    { max_age: '0' },
    { scope: 'openid BOOKING_READ' },
  ];

  test.each(
    requests.flatMap((changes) => [true, false].map((isRemembered) => [changes, isRemembered] as const)),
  )('with %j gives no code of who is signed in, remembered: %s', async (changes, isRemembered) => {
    const { client, ann, bob, ofBob } = await meet(isRemembered);
    const request = requestOf(client, { scope, ...changes, id_token_hint: ofBob });

    const page = await visit(service, request, ann.cookie);

    expect([page.statusCode, titleOf(page)]).toEqual([200, 'Use another account']);
    expect(textIn(page)).toContain(`asks you to sign in as ${bob.user.email}`);
    expect(textIn(page)).toContain(ann.user.email);
    expect(page.body).not.toContain('name="decision"');
  });

  test('with prompt=none gives login_required, remembered or not, and to who isn’t signed in', async () => {
    for (const isRemembered of [true, false]) {
      const { client, ann, ofBob } = await meet(isRemembered);
      const request = requestOf(client, { scope, prompt: 'none', id_token_hint: ofBob, state: 's' });

      const [annas, strangers] = [
        await visit(service, request, ann.cookie),
        await openAuthorizePage(service, request),
      ];

      expect(errorOf(annas)).toMatchObject({ error: 'login_required', state: 's', iss: service.appUrl });
      expect(errorOf(strangers)).toEqual(errorOf(annas));
    }
  });

  test('leads to the sign-in of that person, whose address is filled in, and to nobody else’s tokens', async () => {
    const { client, ann, bob, ofBob } = await meet();
    const request = requestOf(client, { scope, id_token_hint: ofBob });
    const page = await visit(service, request, ann.cookie);

    const signInPage = await useAnotherAccount(page, ann.cookie);
    const again = await signInOn(signInPage, ann, ann.user.email);
    const once = await useAnotherAccount(again.answer, again.cookie);
    const { answer } = await signInOn(once, bob);

    expect(typedIn(signInPage, 'email')).toBe(bob.user.email);
    expect(titleOf(again.answer)).toBe('Use another account');
    expect(await subjectOf(client, answer)).toBe(String(bob.user.id));
  });

  test('leads back to the app, which hears that a sign-in is needed', async () => {
    const { client, ann, ofBob } = await meet();
    const page = await visit(service, requestOf(client, { scope, id_token_hint: ofBob }), ann.cookie);
    const [, back = ''] = /href="(\/auth\/oauth2\/authorize[^"]*)"/.exec(page.body) ?? [];

    const answer = await service.app.inject({ url: textOf(back), headers: { cookie: ann.cookie } });

    expect(redirectOf(answer).address).toBe(client.redirectUri);
    expect(errorOf(answer)).toMatchObject({ error: 'login_required' });
  });

  test('is taken at Allow, too: no form decides a request with another hint', async () => {
    const { client, ann, ofBob } = await meet(false);
    const form = await openDecision(service, requestOf(client, { scope }), ann.cookie);

    const answer = await decide(service, { ...form, id_token_hint: ofBob }, 'allow', ann.cookie);

    expect([answer.statusCode, codeOf(answer)]).toEqual([200, undefined]);
  });

  test('of the person who is signed in gives their code at once, however old it is', async () => {
    const { client, bob, ofBob } = await meet();
    service.clock.advance(40 * 60);

    for (const prompt of ['', 'none']) {
      const answer = await visit(
        service,
        requestOf(client, { scope, prompt, id_token_hint: ofBob }),
        bob.cookie,
      );
      expect(await subjectOf(client, answer)).toBe(String(bob.user.id));
    }
  });

  test('counts for as long as it may be the newest, whatever became of its key (contract §3)', async () => {
    const { client, ann, bob, ofBob } = await meet();
    const app = { db: service.database.db, runtime: service.clock, secrets: service.rootSecret };
    service.clock.advance(1);
    for (const algorithm of ['ES256', 'RS256'] as const) await rotateKeys(app, true, algorithm);
    await service.app.keys.renew();
    service.clock.advance(26 * 3600);
    await service.app.keys.renew();

    const request = requestOf(client, { scope, prompt: 'none', id_token_hint: ofBob });
    const [bobs, annas] = [
      await visit(service, request, bob.cookie),
      await visit(service, request, ann.cookie),
    ];
    const out = new URLSearchParams({ id_token_hint: ofBob, post_logout_redirect_uri: client.redirectUri });
    const loggedOut = await service.app.inject(`/auth/oauth2/logout?${out.toString()}`);

    expect(await subjectOf(client, bobs)).toBe(String(bob.user.id));
    expect(errorOf(annas)).toMatchObject({ error: 'login_required' });
    expect(loggedOut.headers.location).toBe(client.redirectUri);
  });

  test('without an email claim fills in nothing, since its app may not know the address (security C340)', async () => {
    const { client, ann, bob, ofBob } = await meet(true, 'openid');
    const request = requestOf(client, { scope: 'openid', id_token_hint: ofBob });

    const page = await visit(service, request, ann.cookie);
    const signInPage = await useAnotherAccount(page, ann.cookie);

    expect(textIn(page)).toContain('asks you to sign in with another account');
    expect(typedIn(signInPage, 'email')).toBe('');
    for (const { body } of [page, signInPage]) expect(body).not.toContain(bob.user.email);
  });
});

describe('a hint that isn’t an ID token of the app', () => {
  test('of another app says nothing of who is signed in, with prompt=none and without (security C340)', async () => {
    const { client, ann } = await meet();
    const other = await meet();
    const { id_token: ofAnn = '' } = await signInWith(service, other.client, ann.cookie, { scope });
    const ask = (prompt: string, hint: string) => requestOf(client, { scope, prompt, id_token_hint: hint });

    for (const hint of [ofAnn, other.ofBob]) {
      const [silent, stranger, page] = [
        await visit(service, ask('none', hint), ann.cookie),
        await openAuthorizePage(service, ask('none', hint)),
        await visit(service, ask('', hint), ann.cookie),
      ];
      expect(errorOf(silent)).toMatchObject({ error: 'login_required' });
      expect(errorOf(stranger)).toEqual(errorOf(silent));
      expect([page.statusCode, titleOf(page)]).toEqual([200, 'Sign in to Test app']);
      expect(page.body).toContain('<title>Sign in to Test app · ');
      expect(page.body).not.toContain(other.bob.user.email);
    }
  });

  test('is for nobody, whatever it is: login_required with prompt=none, and the page without (security C340)', async () => {
    const { client, bob, ofBob } = await meet();
    const { privateKey } = await readServiceKey(service, 'ID tokens');
    const { access_token: accessToken } = await signInWith(service, client, bob.cookie, {
      ...{ scope, prompt: 'consent' },
    });
    const again = (change: Parameters<typeof signAgain>[2]) => signAgain(ofBob, privateKey, change);
    const hints = [
      ...['x', 'not.one.atall', `${ofBob}x`, ofBob.split('.').slice(0, 2).join('.'), accessToken],
      await again({ claims: { iss: 'https://other.example' } }),
      await again({ claims: { sub: 'bob' } }),
      await again({ claims: { aud: [client.id, 'other'] } }),
      await again({ header: { kid: 'unknown' } }),
      await again({ header: { kid: '\0' } }),
      `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${ofBob.split('.')[1]}.`,
    ];

    for (const hint of hints) {
      const request = requestOf(client, { scope, id_token_hint: hint });
      const page = await visit(service, request, bob.cookie);
      const silent = await visit(service, { ...request, prompt: 'none' }, bob.cookie);
      expect([hint, page.statusCode, errorOf(silent)['error']]).toEqual([hint, 200, 'login_required']);
    }
  });

  test('of an app that doesn’t sign people in changes nothing (contract §3)', async () => {
    const client = await addSignInClient(service, { scopes: ['BOOKING_READ'] });
    const { cookie } = await addPerson(service);

    const page = await visit(
      service,
      requestOf(client, { scope: 'BOOKING_READ', id_token_hint: 'x' }),
      cookie,
    );

    expect(page.statusCode).toBe(200);
  });
});

describe('login_hint of somebody else (OpenID Connect Core, section 3.1.2.1)', () => {
  test('asks on the page, which names both accounts, where consent is remembered', async () => {
    const { client, ann, bob } = await meet();
    const request = requestOf(client, { scope, login_hint: bob.user.email });

    const page = await visit(service, request, ann.cookie);
    const signInPage = await useAnotherAccount(page, ann.cookie);
    const [, signUp = ''] = /href="(\/signup[^"]*)"/.exec(signInPage.body) ?? [];
    const signUpPage = await service.app.inject(textOf(signUp));
    const { answer } = await signInOn(signInPage, bob);

    expect(page.statusCode).toBe(200);
    expect(textIn(page)).toContain(`asks you to sign in as ${bob.user.email}`);
    expect(textIn(page)).toContain(ann.user.email);
    expect([typedIn(signInPage, 'email'), typedIn(signUpPage, 'email')]).toEqual([
      bob.user.email,
      bob.user.email,
    ]);
    expect(await subjectOf(client, answer)).toBe(String(bob.user.id));
  });

  test('with prompt=none gives login_required, but for the person’s own address in any spelling', async () => {
    const { client, ann, bob } = await meet();
    const ask = async (hint: string) =>
      visit(service, requestOf(client, { scope, prompt: 'none', login_hint: hint }), ann.cookie);

    for (const hint of [bob.user.email, 'nobody@example.com', 'ann', `x${ann.user.email}`])
      expect(errorOf(await ask(hint))).toMatchObject({ error: 'login_required' });
    for (const hint of [
      ann.user.email,
      ann.user.email.toUpperCase(),
      ` ${ann.user.email} `,
      String(ann.user.id),
    ])
      expect(await subjectOf(client, await ask(hint))).toBe(String(ann.user.id));
  });

  test('tells an app that nobody approved, and a frame, nothing of who is signed in (security C341)', async () => {
    const { client, ann, bob } = await meet(false);
    const remembered = await meet();
    const inFrame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    const ask = (app: TestClient, { cookie }: Person, hint: string, headers = {}) =>
      visit(service, requestOf(app, { scope, prompt: 'none', login_hint: hint }), cookie, headers);

    expect(errorOf(await ask(client, ann, ann.user.email))).toMatchObject({ error: 'consent_required' });
    expect(errorOf(await ask(client, ann, bob.user.email))).toMatchObject({ error: 'consent_required' });
    for (const hint of [remembered.ann.user.email, remembered.bob.user.email])
      expect(errorOf(await ask(remembered.client, remembered.ann, hint, inFrame))).toMatchObject({
        error: 'interaction_required',
      });
  });

  test('that is no address is shown nowhere (security C341)', async () => {
    const { client, ann } = await meet();
    const hint = 'Your account is locked. Call 555-0100';

    const page = await visit(service, requestOf(client, { scope, login_hint: hint }), ann.cookie);

    expect(textIn(page)).toContain('asks you to sign in with another account');
    expect(textIn(page)).not.toContain('555-0100');
  });
});

test('no code is for another account than the hints say, whoever is signed in (OpenID Connect Core, section 3.1.2.2)', async () => {
  const [own, other] = [await meet(), await meet()];
  const { client, ann, bob, ofBob } = own;
  const people = { ann, bob };
  const tokens = {
    own: { ann: await idTokenOf(client, ann), bob: ofBob },
    other: { ann: await idTokenOf(other.client, ann), bob: await idTokenOf(other.client, bob) },
  };
  const who = fc.constantFrom('ann' as const, 'bob' as const);
  const asked = fc.record({
    session: who,
    hint: fc.option(fc.record({ app: fc.constantFrom('own' as const, 'other' as const), of: who })),
    loginHint: fc.constantFrom('', 'ann', 'bob', 'BOB', 'somebody', 'else@example.com'),
    prompt: fc.constantFrom('', 'none', 'login', 'consent', 'select_account', 'consent login'),
    maxAge: fc.constantFrom('', '0', '3600'),
    method: fc.constantFrom('visit' as const, 'allow' as const),
  });

  await fc.assert(
    fc.asyncProperty(asked, async ({ session, hint, loginHint, prompt, maxAge, method }) => {
      const { user, cookie } = people[session];
      const addresses = new Map(
        Object.entries({ ann: ann.user.email, bob: bob.user.email, BOB: bob.user.email.toUpperCase() }),
      );
      const request = requestOf(client, {
        ...{ scope, prompt, max_age: maxAge, login_hint: addresses.get(loginHint) ?? loginHint },
        id_token_hint: hint === null ? '' : tokens[hint.app][hint.of],
      });
      const answer = await visit(service, request, cookie);
      const decided =
        method === 'allow' && answer.body.includes('name="decision"')
          ? await decide(service, await openDecision(service, request, cookie), 'allow', cookie)
          : undefined;
      const [silent, clicked] = [
        await subjectOf(client, answer),
        decided && (await subjectOf(client, decided)),
      ];

      for (const subject of [silent, clicked]) {
        if (subject === undefined) continue;
        expect(subject).toBe(String(user.id));
        if (hint?.app === 'own') expect(hint.of).toBe(session);
      }
      if (silent === undefined) return;
      expect(['', session, session.toUpperCase()]).toContain(loginHint);
      expect(hint?.app).not.toBe('other');
    }),
    { numRuns: 120 },
  );
}, 60_000);
