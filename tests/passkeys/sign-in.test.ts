import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { passkeys, users } from '../../src/accounts/tables.ts';
import { allCookiesOf, cookieOf, signUpFields } from '../support/accounts.ts';
import {
  type Answer,
  type Asking,
  type Authenticator,
  addOnPage,
  answer,
  codesOn,
  createAuthenticator,
  firstPath,
  openAsking,
  openSecondFactor,
  secondPath,
  securityHome,
} from '../support/authenticator.ts';
import { fromAddress, useUp } from '../support/guesser.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, deviceCookieOf, postForm, signIn, type TestUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

interface Holder {
  readonly user: TestUser;
  /** The passkey was added in this session. */
  readonly cookie: string;
  readonly authenticator: Authenticator;
  readonly codes: readonly string[];
}

async function addHolder(options: Parameters<typeof addUser>[1] = {}): Promise<Holder> {
  const user = await addUser(service, options);
  const cookie = await signIn(service, user);
  const authenticator = createAuthenticator(service);
  return { user, cookie, authenticator, codes: codesOn(await addOnPage(service, cookie, authenticator)) };
}

async function passkeyOf({ authenticator }: Holder) {
  const [row] = await db.select().from(passkeys).where(eq(passkeys.id, authenticator.id));
  return row;
}

/** The two ways in: a passkey after the password, and a passkey alone. */
const ways = [
  ['after the password', secondPath, ({ user }: Holder) => openSecondFactor(service, user)],
  ['alone', firstPath, () => openAsking(service, firstPath)],
] as const;

async function signInBy(holder: Holder, path: string, asking: Asking, changes: Partial<Answer> = {}) {
  return answer(service, path, asking, holder.authenticator.get(asking.options, changes));
}

describe('an account that has a passkey (contract §1, security C75)', () => {
  test('is not open to its password alone', async () => {
    const { user } = await addHolder();
    const { email, password } = user;

    const sent = await postForm(service, '/signin', { email, password, return_to: '/settings/apps' });
    const signUp = await postForm(service, '/signup', { ...signUpFields(), email, password });

    expect(sent.headers.location).toBe(`${secondPath}?return_to=${encodeURIComponent('/settings/apps')}`);
    for (const { cookies } of [sent, signUp])
      expect(cookies.some(({ name }) => /session|device/.test(name))).toBe(false);
    expect(await mailTo(service, email)).toHaveLength(1);
  });

  test('is told of a passkey that signs in in a new browser, in those words', async () => {
    const holder = await addHolder();
    service.clock.advance(61);

    await signInBy(holder, firstPath, await openAsking(service, firstPath));

    const [, notice, ...more] = await mailTo(service, holder.user.email);
    expect(more).toEqual([]);
    expect(notice?.subject).toBe('New sign-in to your account');
    expect(notice?.text).toContain('with your passkey, in a new browser');
    expect(notice?.text).toContain(`${service.appUrl}${securityHome}`);
  });
});

describe.each(ways)('a passkey %s (security C75)', (_way, path, open) => {
  test.each<[string, Partial<Answer>]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a subdomain', { origin: 'http://evil.localhost:3000' }],
    ['of another RP ID', { rpId: 'evil.example' }],
    ['to another challenge', { challenge: 'A'.repeat(43) }],
    ['of another kind', { type: 'webauthn.create' }],
    ['without anyone present', { isPresent: false }],
  ])('that signs an answer %s is refused', async (_name, changes) => {
    const holder = await addHolder();

    const refused = await signInBy(holder, path, await open(holder), changes);

    expect(refused.statusCode).toBe(401);
    expect(textOf(refused.body)).toContain('This passkey didn’t work. Try again, or use another one.');
    expect(cookieOf(refused)).toBe('');
    expect((await passkeyOf(holder))?.lastUsedAt).toBeNull();
  });

  test('that is of another person, was removed or has another key is refused', async () => {
    const [holder, other] = [await addHolder(), await addHolder()];
    const ofOther = await open(holder);
    const handle = Buffer.from(String(holder.user.id)).toString('base64url');
    const foreign = await signInBy(other, path, ofOther, { userHandle: handle });
    const forged = await open(holder);
    const { response } = JSON.parse(other.authenticator.get(forged.options, { userHandle: handle }));
    const { id } = holder.authenticator;
    const credential = JSON.stringify({ id, rawId: id, type: 'public-key', response });
    const wrongKey = await answer(service, path, forged, credential);
    const removedAsking = await open(holder);
    await addOnPage(service, holder.cookie, createAuthenticator(service));
    await postOwnForm(service, `${securityHome}/passkeys/${id}/remove`, {}, holder.cookie);
    const removed = await signInBy(holder, path, removedAsking);

    for (const refused of [foreign, wrongKey, removed]) {
      expect(refused.statusCode).toBe(401);
      expect(cookieOf(refused)).toBe('');
    }
  });

  test('answers a challenge once, also several times at once, for five minutes, in one browser', async () => {
    const holder = await addHolder();
    const asking = await open(holder);
    const credential = holder.authenticator.get(asking.options);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => answer(service, path, asking, credential)),
    );
    const again = await answer(service, path, asking, credential);
    const [mine, theirs] = [await open(holder), await open(holder)];
    const otherBrowser = await answer(service, path, theirs, holder.authenticator.get(mine.options));
    const late = await open(holder);
    service.clock.advance(300);
    const tooLate = await signInBy(holder, path, late);

    expect(answers.filter((one) => cookieOf(one) !== '')).toHaveLength(1);
    for (const refused of [again, otherBrowser, tooLate]) expect(cookieOf(refused)).toBe('');
  });

  test('whose counter does not rise is refused and recorded; one that stays at 0 has none', async () => {
    const [holder, other] = [await addHolder(), await addHolder()];
    const statuses: number[] = [];
    for (const counter of [0, 0, 7, 8, 8, 3, 0, 9]) {
      const asking = await open(holder);
      statuses.push((await signInBy(holder, path, asking, { counter })).statusCode);
    }
    const page = await service.app.inject({ url: securityHome, headers: { cookie: holder.cookie } });

    expect(statuses).toEqual([303, 303, 303, 303, 401, 401, 401, 303]);
    expect(await passkeyOf(holder)).toMatchObject({ counter: 9, copySuspectedAt: service.clock.now() });
    expect(await passkeyOf(other)).toMatchObject({ counter: 0 });
    expect(textOf(page.body)).toContain('May be copied');
    expect(service.logText()).toContain('the counter of a passkey went back');
  });

  test('that someone else could only replay leaves its counter alone', async () => {
    const holder = await addHolder();
    const asking = await open(holder);

    await signInBy(holder, path, asking, { counter: 5, challenge: 'A'.repeat(43) });

    expect(await passkeyOf(holder)).toMatchObject({ counter: 0, copySuspectedAt: null });
  });

  test.each(['', '{}', 'null', '[', '{"id":"a","rawId":"b","type":"public-key","response":{}}'])(
    'that a browser sends as %j gets the page again',
    async (credential) => {
      const holder = await addHolder();

      const refused = await answer(service, path, await open(holder), credential);

      expect(refused.statusCode).toBe(400);
      expect(textOf(refused.body)).toContain('Your browser didn’t send a passkey. Try again.');
    },
  );
});

describe('a passkey alone (security C75)', () => {
  test('takes user verification: it stands for both factors', async () => {
    const holder = await addHolder();
    const [alone, second] = [
      await openAsking(service, firstPath),
      await openSecondFactor(service, holder.user),
    ];

    const refused = await signInBy(holder, firstPath, alone, { isVerified: false });
    const enough = await signInBy(holder, secondPath, second, { isVerified: false });

    expect(JSON.parse(alone.options)).toMatchObject({ userVerification: 'required', allowCredentials: [] });
    expect(refused.statusCode).toBe(401);
    expect(enough.statusCode).toBe(303);
  });

  test.each([
    ['nobody', undefined],
    ['another account', 'MQ'],
  ])('that names %s is refused (WebAuthn Level 3 §7.2)', async (_name, userHandle) => {
    const holder = await addHolder();

    const refused = await signInBy(holder, firstPath, await openAsking(service, firstPath), { userHandle });

    expect(refused.statusCode).toBe(401);
  });

  test('its failures are counted for the network, as those of passwords are (security C48)', async () => {
    service.clock.advance(900);
    const holder = await addHolder();
    await useUp(service, fromAddress('guesses_of_network', '127.0.0.1'));

    const limited = await signInBy(holder, firstPath, await openAsking(service, firstPath));
    service.clock.advance(900);
    const later = await signInBy(holder, firstPath, await openAsking(service, firstPath));

    expect(limited.statusCode).toBe(429);
    expect(cookieOf(limited)).toBe('');
    expect(later.statusCode).toBe(303);
  });

  test('comes back without another way in: two challenges are never the same, and none is stored', async () => {
    const statements = () => service.takeStatements().filter((sql) => /insert|update|delete/i.test(sql));
    statements();
    const [one, other] = [await openAsking(service, firstPath), await openAsking(service, firstPath)];

    expect(JSON.parse(one.options).challenge).not.toBe(JSON.parse(other.options).challenge);
    expect(statements()).toEqual([]);
  });
});

test.each(ways)(
  'a suspended account is not open to its passkey %s, and says why',
  async (_name, path, open) => {
    const holder = await addHolder();
    const asking = await open(holder);
    const suspension = { suspendedAt: service.clock.now(), suspensionReason: 'Spam was sent' };
    await db.update(users).set(suspension).where(eq(users.id, holder.user.id));

    const refused = await signInBy(holder, path, asking);

    expect(cookieOf(refused)).toBe('');
    if (path === firstPath) expect(textOf(refused.body)).toContain('Spam was sent');
  },
);

describe('the second factor (contract §1, security C75)', () => {
  test('needs the password before it, in the same browser', async () => {
    const { user } = await addHolder();
    const asking = await openSecondFactor(service, user);

    const without = await service.app.inject(secondPath);
    const sent = await answer(
      service,
      secondPath,
      { ...asking, cookie: deviceCookieOf(service, user) },
      '{}',
    );
    const first = await openAsking(service, firstPath);
    const mixed = await answer(service, secondPath, { ...asking, cookie: first.cookie }, '{}');

    for (const { headers } of [without, sent, mixed]) expect(headers.location).toBe('/signin');
  });

  test('is over when the password changes', async () => {
    const holder = await addHolder();
    const { user, cookie } = holder;
    const asking = await openSecondFactor(service, user);
    await postOwnForm(
      service,
      '/settings/password',
      {
        current_password: user.password,
        new_password: 'another four words of mine',
      },
      cookie,
    );

    const refused = await signInBy(holder, secondPath, asking);

    expect(refused.headers.location).toBe('/signin');
  });

  test('a signed cookie of our own making is the only one that counts', async () => {
    const [holder, victim] = [await addHolder(), await addHolder()];
    const asking = await openSecondFactor(service, holder.user);
    const cookie = asking.cookie.replace(
      `second_factor.${holder.user.id}.`,
      `second_factor.${victim.user.id}.`,
    );

    const page = await openAsking(service, secondPath, cookie);

    expect(cookie).not.toBe(asking.cookie);
    expect(page.page.statusCode).toBe(303);
  });

  test('10 failures in a quarter of an hour are enough, and strangers count apart', async () => {
    service.clock.advance(900);
    const holder = await addHolder();
    const strange = () => openSecondFactor(service, holder.user, { device: '' });
    for (let guess = 0; guess < 10; guess += 1)
      await signInBy(holder, secondPath, await strange(), { origin: 'https://evil.example' });

    const limited = await signInBy(holder, secondPath, await strange());
    const own = await signInBy(holder, secondPath, await openSecondFactor(service, holder.user));

    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe('900');
    expect(textOf(limited.body)).toContain('Too many failed sign-ins. Try again in 15 minutes.');
    expect(own.statusCode).toBe(303);
  });

  test('a wrong password is told before it, as ever', async () => {
    const { user } = await addHolder();

    const refused = await postForm(service, '/signin', { email: user.email, password: 'wrong' });

    expect(refused.statusCode).toBe(401);
    expect(allCookiesOf(refused)).toBe('');
  });
});

describe('"Confirm it\'s you" for a person with a passkey (contract §1, security C74)', () => {
  const confirm = '/signin/confirm';

  test('takes the passkey, or the password and then the passkey; the password alone is not enough', async () => {
    const holder = await addHolder();
    const { user, cookie } = holder;
    service.clock.advance(600);
    const page = await service.app.inject({ url: confirm, headers: { cookie } });
    const sent = await postOwnForm(service, confirm, { password: user.password }, cookie);
    const second = await openAsking(service, secondPath, `${cookie}; ${allCookiesOf(sent)}`);
    const byBoth = await signInBy(holder, secondPath, second);
    service.clock.advance(600);
    const alone = await openAsking(service, firstPath, cookieOf(byBoth));
    const byPasskey = await signInBy(holder, firstPath, alone);

    expect(page.body).toContain(`href="${firstPath}"`);
    expect(sent.headers.location).toContain(secondPath);
    expect(cookieOf(sent)).toBe('');
    expect(cookieOf(byBoth)).not.toBe('');
    expect(JSON.parse(alone.options).allowCredentials).toMatchObject([{ id: holder.authenticator.id }]);
    expect(cookieOf(byPasskey)).not.toBe('');
  });

  test("doesn't take another person's passkey, nor a challenge of another session", async () => {
    const [holder, other] = [await addHolder(), await addHolder()];
    service.clock.advance(600);

    const foreign = await signInBy(other, firstPath, await openAsking(service, firstPath, holder.cookie));
    const signedOut = await openAsking(service, firstPath);
    const inSession = await openAsking(service, firstPath, holder.cookie);
    const [challenge] = signedOut.cookie.split('; ').filter((one) => one.includes('challenge'));
    const mixed = { ...inSession, cookie: `${holder.cookie}; ${challenge}` };
    const moved = await answer(service, firstPath, mixed, holder.authenticator.get(signedOut.options));

    expect(foreign.statusCode).toBe(401);
    expect(moved.statusCode).toBe(401);
  });
});

describe('a password reset by email (contract §1, security C57, C75)', () => {
  async function reset({ user }: Holder) {
    const path = await obtainResetPath(service, user.email);
    return postForm(service, path, { password: 'a new password of words' });
  }

  test("doesn't switch the second factor off", async () => {
    const holder = await addHolder();

    const sent = await reset(holder);
    const asking = await openAsking(service, String(sent.headers.location), allCookiesOf(sent));
    const signedIn = await signInBy(holder, secondPath, asking);

    expect(sent.headers.location).toBe(
      `${secondPath}?return_to=${encodeURIComponent('/settings/password?saved')}`,
    );
    expect(asking.page.body).toContain('Your new password is set.');
    expect(cookieOf(sent)).toBe('');
    expect(cookieOf(signedIn)).not.toBe('');
  });
});

describe('ADMIN_PASSKEYS=required (contract §1, security C75)', () => {
  const pages = ['/settings/admin/oauth', '/settings/admin/outbox'];

  test('an admin without a passkey can sign in, and is led to add one before any admin page', async () => {
    const strict = await openAnotherInstance(service, { ADMIN_PASSKEYS: 'required' });
    const admin = await addUser(service, { isAdmin: true });
    const cookie = await signIn(strict, admin);
    const open = async (url: string) => strict.app.inject({ url, headers: { cookie } });

    const before = await Promise.all(pages.map(open));
    const acted = await postOwnForm(
      strict,
      '/settings/admin/oauth/unknown/accept',
      {
        revision: '1',
      },
      cookie,
    );
    const security = await open(securityHome);
    await addOnPage(strict, cookie, createAuthenticator(strict));
    const after = await Promise.all(pages.map(open));

    for (const { headers } of [...before, acted]) expect(headers.location).toBe(securityHome);
    expect(textOf(security.body)).toContain('Admins need a passkey here.');
    expect(after.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });

  test('changes nothing for anyone else, and is off by default', async () => {
    const strict = await openAnotherInstance(service, { ADMIN_PASSKEYS: 'required' });
    const cookie = await signIn(strict, await addUser(service));
    const admin = await signIn(service, await addUser(service, { isAdmin: true }));

    const refused = await strict.app.inject({ url: pages[0] ?? '', headers: { cookie } });
    const usual = await service.app.inject({ url: pages[0] ?? '', headers: { cookie: admin } });
    const security = await strict.app.inject({ url: securityHome, headers: { cookie } });

    expect(titleOf(refused)).toBe('Admins only');
    expect(usual.statusCode).toBe(200);
    expect(textOf(security.body)).not.toContain('Admins need a passkey here.');
  });
});
