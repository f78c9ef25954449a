import { describe, expect, test } from 'vitest';
import { cookieOf, isSignedIn } from '../support/accounts.ts';
import { addOnPage as addPasskeyOnPage, createAuthenticator } from '../support/authenticator.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { findClientRow, formTokenOf, postOwnForm } from '../support/registration.ts';
import { liveHints, newForm, type Owned, openOwned } from '../support/secrets.ts';
import { openTestService } from '../support/service.ts';
import { grantsOf } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  authorizePath,
  connect,
  deviceCookieOf,
  openAuthorizePage,
  postForm,
  signIn,
} from '../support/world.ts';

const service = await openTestService();
const confirm = '/signin/confirm';
/** Contract §1. */
const recentSeconds = 10 * 60;

const confirmFor = (returnTo: string): string => `${confirm}?return_to=${encodeURIComponent(returnTo)}`;

async function get(url: string, cookie: string) {
  return service.app.inject({ url, headers: { cookie } });
}

/** A person whose sign-in is no longer recent. */
async function addLatecomer() {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  service.clock.advance(recentSeconds);
  return { user, cookie };
}

/** Sends the form of the page that asks again, in the person's own browser. */
async function sendPassword(
  user: Parameters<typeof deviceCookieOf>[1],
  cookie: string,
  password: string,
  returnTo: string,
) {
  const form_token = await formTokenOf(service, cookie);
  const fields = { form_token, password, return_to: returnTo };
  return postForm(service, confirm, fields, `${cookie}; ${deviceCookieOf(service, user)}`);
}

const deletionOf = (owned: Owned): string => owned.path.replace(/secrets$/, 'delete');

describe('a sensitive change takes a sign-in of the last 10 minutes (contract §1, security C74)', () => {
  const changes: readonly (readonly [string, (owned: Owned) => Promise<[number, unknown]>, string])[] = [
    [
      'the page that deletes an app',
      async (owned) => {
        const { statusCode, headers } = await get(deletionOf(owned), owned.cookie);
        return [statusCode, headers.location];
      },
      '/delete',
    ],
    [
      'deleting an app',
      async (owned) => {
        const { name = '' } = (await findClientRow(service, owned.clientId)) ?? {};
        const { headers } = await postOwnForm(service, deletionOf(owned), { name }, owned.cookie);
        return [(await findClientRow(service, owned.clientId)) === undefined ? 1 : 0, headers.location];
      },
      '/delete?confirmed',
    ],
    [
      'adding a client secret',
      async (owned) => {
        const { headers } = await postOwnForm(service, owned.path, newForm(), owned.cookie);
        return [(await liveHints(service, owned.clientId)).length, headers.location];
      },
      '/secrets?confirmed',
    ],
  ];
  const done = [200, 1, 2];
  const undone = [303, 0, 1];

  test.each(changes.map((change, index) => [...change, index] as const))(
    '%s',
    async (_name, act, page, index) => {
      const [early, late] = [await openOwned(service), await openOwned(service)];
      service.clock.advance(recentSeconds - 1);
      expect((await act(early))[0]).toBe(done[index]);
      service.clock.advance(1);

      const [outcome, location] = await act(late);

      expect(outcome).toBe(undone[index]);
      expect(location).toBe(confirmFor(late.path.replace(/\/secrets$/, page)));
    },
  );
});

test('the password alone changes no password of an account with a passkey (security C74)', async () => {
  const user = await addUser(service);
  const cookie = await signIn(service, user);
  await addPasskeyOnPage(service, cookie, createAuthenticator(service));
  service.clock.advance(recentSeconds);
  const fields = { current_password: user.password, new_password: 'other words of mine' };

  const answers = [
    await get('/settings/password', cookie),
    await postOwnForm(service, '/settings/password', fields, cookie),
  ];

  expect(answers.map(({ headers }) => headers.location)).toEqual([
    confirmFor('/settings/password'),
    confirmFor('/settings/password?confirmed'),
  ]);
  expect(await isSignedIn(service, cookie)).toBe(true);
});

describe('full access for an app that has never had it (contract §1, security C74)', () => {
  test('takes a recent sign-in, and goes on with the same request', async () => {
    const { user, cookie } = await addLatecomer();
    const client = await addClient(service);
    const request = requestOf(client, { state: 'a state & more' });
    const address = `${authorizePath}?${new URLSearchParams(request).toString().replaceAll('+', '%20')}`;

    const asked = await openAuthorizePage(service, request, cookie);
    const confirmed = await sendPassword(user, cookie, user.password, address);
    const again = cookieOf(confirmed);
    const allowed = await decide(service, await openDecision(service, request, again), 'allow', again);

    expect(asked.statusCode).toBe(303);
    const [path, returnTo] = String(asked.headers.location).split('?return_to=');
    expect(path).toBe(confirm);
    const back = new URL(decodeURIComponent(returnTo ?? ''), service.appUrl);
    expect(Object.fromEntries(back.searchParams)).toEqual(request);
    expect(confirmed.headers.location).toContain('/signin/continue?return_to=');
    expect(codeOf(allowed)).toBeDefined();
  });

  test('Allow that comes too late gives none, and leads back to the request; Deny does not wait', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const client = await addClient(service);
    const form = await openDecision(service, requestOf(client), cookie);
    service.clock.advance(recentSeconds);

    const allowed = await decide(service, form, 'allow', cookie);
    const denied = await decide(service, form, 'deny', cookie);

    expect(String(allowed.headers.location)).toMatch(
      new RegExp(`^${confirm}\\?return_to=${encodeURIComponent(`${authorizePath}?client_id=${client.id}`)}`),
    );
    expect(await grantsOf(service, client)).toEqual([]);
    expect(denied.headers.location).toContain('error=access_denied');
  });

  test.each([
    ['an app that has scopes', ['PROFILE_READ'], false],
    ['an app that had full access before', null, true],
  ] as const)('%s takes no other sign-in', async (_name, scopes, isConnected) => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const client = await addClient(service, { scopes });
    if (isConnected) await connect(service, client, cookie);
    service.clock.advance(recentSeconds);

    const allowed = await decide(
      service,
      await openDecision(service, requestOf(client), cookie),
      'allow',
      cookie,
    );

    expect(codeOf(allowed)).toBeDefined();
  });
});

describe('the page that asks again (contract §1)', () => {
  test('begins a new session and ends the former one, so that a stolen copy gets nothing (security C29)', async () => {
    const { user, cookie } = await addLatecomer();

    const confirmed = await sendPassword(user, cookie, user.password, '/settings/profile');

    expect(confirmed.statusCode).toBe(303);
    expect(confirmed.headers.location).toBe(
      `/signin/continue?return_to=${encodeURIComponent('/settings/profile')}`,
    );
    expect(await isSignedIn(service, cookieOf(confirmed))).toBe(true);
    expect(await isSignedIn(service, cookie)).toBe(false);
  });

  test('a wrong password changes nothing, and counts as a failed sign-in (security C48)', async () => {
    const { user, cookie } = await addLatecomer();
    const statuses: number[] = [];
    for (let guess = 0; guess < 10; guess += 1)
      statuses.push((await sendPassword(user, cookie, 'a wrong one', '/')).statusCode);

    const limited = await sendPassword(user, cookie, user.password, '/');
    const own = deviceCookieOf(service, user);
    const signedIn = await postForm(service, '/signin', { email: user.email, password: user.password }, own);

    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe('300');
    expect(faultOf(limited, 'password')).toBe('Too many incorrect passwords. Try again in 5 minutes.');
    expect(signedIn.statusCode).toBe(429);
    expect((await get(confirm, cookie)).statusCode).toBe(200);
  });

  test('says what was wrong with the password', async () => {
    const { user, cookie } = await addLatecomer();

    const wrong = await sendPassword(user, cookie, 'a wrong one', '/settings/apps');
    const empty = await sendPassword(user, cookie, '', '/settings/apps');

    expect(titleOf(wrong)).toBe('Confirm it’s you');
    expect(faultOf(wrong, 'password')).toBe('Incorrect password.');
    expect(wrong.body).toContain('name="return_to" value="/settings/apps"');
    expect(empty.statusCode).toBe(400);
    expect(faultOf(empty, 'password')).toBe('Enter your password.');
  });

  test('leads people who have just signed in where they want to go, and others to sign-in', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const url = confirmFor('/settings/apps');

    const [recent, signedOut] = [await get(url, cookie), await service.app.inject(url)];
    const sent = await postForm(service, confirm, { password: user.password, return_to: '/settings/apps' });

    expect(recent.headers.location).toBe('/settings/apps');
    for (const answer of [signedOut, sent])
      expect(answer.headers.location).toBe(`/signin?return_to=${encodeURIComponent('/settings/apps')}`);
  });

  test('never leads to another site (RFC 9700 §4.11)', async () => {
    const { user, cookie } = await addLatecomer();

    const confirmed = await sendPassword(user, cookie, user.password, 'https://evil.example/');

    expect(confirmed.headers.location).toBe('/');
  });

  test.each([
    ['/settings/password', 'change your password'],
    ['/settings/developer/oauth/abc/delete', 'delete an app'],
    ['/settings/developer/oauth/abc/secrets?confirmed', 'add a client secret'],
    ['/settings/data/delete', 'delete your account'],
    ['/elsewhere', 'make a sensitive change'],
  ])('says on the way to %s what is about to happen', async (returnTo, act) => {
    const { cookie } = await addLatecomer();

    expect(textOf((await get(confirmFor(returnTo), cookie)).body)).toContain(`Before you ${act}, enter`);
  });

  test('says which app is about to get full access', async () => {
    const { cookie } = await addLatecomer();
    const request = requestOf(await addClient(service, { name: 'Nina Notes' }));
    const address = `${authorizePath}?${new URLSearchParams(request).toString().replaceAll('+', '%20')}`;

    const words = 'Before you give Nina Notes full access to your account, enter';
    expect(textOf((await get(confirmFor(address), cookie)).body)).toContain(words);
  });

  test('takes no form of another session (security C17)', async () => {
    const { user, cookie } = await addLatecomer();
    const other = await signIn(service, user);
    const fields = { form_token: await formTokenOf(service, other), password: user.password };

    const answer = await postForm(service, confirm, fields, cookie);

    expect(answer.statusCode).toBe(403);
    expect(cookieOf(answer)).toBe('');
  });

  test('a page whose form came too late says that nothing was changed', async () => {
    const { path, cookie } = await openOwned(service);

    const page = await get(`${path}?confirmed`, cookie);

    expect(textOf(page.body)).toContain(
      'You confirmed it’s you. Nothing was changed yet, so send this form again.',
    );
  });
});
