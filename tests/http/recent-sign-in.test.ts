import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { cookieOf, isSignedIn } from '../support/accounts.ts';
import { addOnPage as addPasskeyOnPage, createAuthenticator } from '../support/authenticator.ts';
import { codeOf, decide, openDecision, requestOf } from '../support/authorization.ts';
import { allowForGood, exchangeCode, pressOf, visit } from '../support/consent.ts';
import { faultOf, textOf, titleOf } from '../support/page-content.ts';
import { formTokenOf, postOwnForm } from '../support/registration.ts';
import { scopeNames } from '../support/scopes.ts';
import { liveHints, newForm, type Owned, openOwned } from '../support/secrets.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { grantsOf, revoke } from '../support/tokens.ts';
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

const service = await sharedService();
const confirm = '/signin/confirm';
/** Contract §1. */
const recentSeconds = 10 * 60;

const confirmFor = (returnTo: string): string => `${confirm}?return_to=${encodeURIComponent(returnTo)}`;
/** Where a form is sent along with its fields. */
const confirmWith = (form: string): string =>
  `${confirm}?form=${encodeURIComponent(form)}&return_to=${encodeURIComponent(`${form}?confirmed`)}`;

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

const isRead = (scope: string): boolean => scope.endsWith('_READ');
const writeScopes = scopeNames.filter((scope) => !isRead(scope)).join(' ');

function expectConfirm({ statusCode, headers }: LightMyRequestResponse): void {
  expect([statusCode, headers.location]).toEqual([303, expect.stringMatching(/^\/signin\/confirm/)]);
}

test('a sensitive change takes a sign-in of the last 10 minutes (contract §1, security C74)', async () => {
  const [early, late] = [await openOwned(service), await openOwned(service)];
  const pageOf = ({ path }: Owned): string => path.replace(/secrets$/, 'delete');
  service.clock.advance(recentSeconds - 1);
  const opened = await get(pageOf(early), early.cookie);
  await postOwnForm(service, early.path, newForm(), early.cookie);
  service.clock.advance(1);

  const refused = await get(pageOf(late), late.cookie);
  const { headers } = await postOwnForm(service, late.path, newForm(), late.cookie);

  expect(opened.statusCode).toBe(200);
  expect(await liveHints(service, early.clientId)).toHaveLength(2);
  expect(refused.headers.location).toBe(confirmFor(pageOf(late)));
  expect(headers.location).toBe(confirmWith(late.path));
  expect(await liveHints(service, late.clientId)).toHaveLength(1);
});

test('the password alone changes no password of an account with a passkey (security C74)', {
  tags: 'parts',
}, async () => {
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
    confirmWith('/settings/password'),
  ]);
  expect(await isSignedIn(service, cookie)).toBe(true);
});

describe('more power to change an account than an app has now (contract §1, security C203)', () => {
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
    ['an app that only reads', scopeNames.filter(isRead), undefined, {}],
    ['an app that has full access', null, {}, {}],
    ['every WRITE scope named, of an app that has full access', null, {}, { scope: writeScopes }],
    ['full access, of an app that has every WRITE scope', null, { scope: writeScopes }, {}],
    ['what two approvals gave together', null, { scope: 'BOOKING_WRITE' }, { scope: 'BOOKING_READ' }],
    ['reading more', null, { scope: 'BOOKING_WRITE' }, { scope: 'BOOKING_WRITE PROFILE_READ' }],
  ] as const)('%s takes no other sign-in', { tags: 'parts' }, async (_name, scopes, before, asked) => {
    const cookie = await signIn(service, await addUser(service));
    const client = await addClient(service, { scopes });
    if (before !== undefined) await connect(service, client, cookie, before);
    service.clock.advance(recentSeconds);

    const form = await openDecision(service, requestOf(client, asked), cookie);

    expect(codeOf(await decide(service, form, 'allow', cookie))).toBeDefined();
  });

  test.each([
    ['every WRITE scope, named', null, undefined, { scope: writeScopes }],
    ['every WRITE scope but one', null, undefined, { scope: 'BOOKING_WRITE SCHEDULE_WRITE' }],
    ['an app that is registered with all scopes', scopeNames, undefined, {}],
    ['WRITE after READ', null, { scope: 'BOOKING_READ' }, { scope: 'BOOKING_WRITE' }],
    ['the scope that is missing', null, { scope: 'BOOKING_WRITE' }, { scope: 'SCHEDULE_WRITE' }],
  ] as const)(
    '%s takes a recent sign-in, on the page and at Allow',
    { tags: 'parts' },
    async (_name, scopes, before, asked) => {
      const cookie = await signIn(service, await addUser(service));
      const client = await addClient(service, { scopes });
      if (before !== undefined) await connect(service, client, cookie, before);
      const form = await openDecision(service, requestOf(client, asked), cookie);
      service.clock.advance(recentSeconds);

      expectConfirm(await openAuthorizePage(service, requestOf(client, asked), cookie));
      expectConfirm(await decide(service, form, 'allow', cookie));

      expect(await grantsOf(service, client)).toHaveLength(before === undefined ? 0 : 1);
    },
  );

  test('an app that had it and was removed takes one', async () => {
    const cookie = await signIn(service, await addUser(service));
    const client = await addClient(service);
    await connect(service, client, cookie);
    await pressOf(service, client, 'disconnect', cookie);
    service.clock.advance(recentSeconds);

    expectConfirm(await openAuthorizePage(service, requestOf(client), cookie));
  });

  test('an app whose refresh token ran out takes one (contract §1, REFRESH_IDLE_DAYS)', async () => {
    const user = await addUser(service);
    const client = await addClient(service);
    await connect(service, client, await signIn(service, user));
    service.clock.advance(29 * 24 * 3600);
    const cookie = await signIn(service, user);
    service.clock.advance(24 * 3600);

    expectConfirm(await openAuthorizePage(service, requestOf(client), cookie));
  });

  test('access to the own account is none to a team, and the other way round', async () => {
    const user = await addUser(service);
    const cookie = await signIn(service, user);
    const [own, shared] = [await addClient(service), await addClient(service)];
    const team = await addTeam(service, user);
    const forTeam = { team_slug: team.slug };
    await connect(service, own, cookie);
    await connect(service, shared, cookie, forTeam);
    service.clock.advance(recentSeconds);
    const form = await openDecision(service, requestOf(own), cookie);

    expectConfirm(await openAuthorizePage(service, requestOf(own, forTeam), cookie));
    expectConfirm(await decide(service, { ...form, account: team.slug }, 'allow', cookie));
    expectConfirm(await openAuthorizePage(service, requestOf(shared), cookie));
    expect((await openAuthorizePage(service, requestOf(shared, forTeam), cookie)).statusCode).toBe(200);
    expect(codeOf(await decide(service, form, 'allow', cookie))).toBeDefined();
  });

  test('remembered consent gives an old session no more than stands', async () => {
    const cookie = await signIn(service, await addUser(service));
    const client = await addClient(service);
    const tokens = await exchangeCode(service, client, codeOf(await allowForGood(service, client, cookie)));
    service.clock.advance(recentSeconds);
    const answered = await visit(service, requestOf(client), cookie);
    for (const grant of [tokens, await exchangeCode(service, client, codeOf(answered))])
      await revoke(service, client, grant.json().refresh_token);

    expectConfirm(await visit(service, requestOf(client), cookie));
    expect(codeOf(answered)).toBeDefined();
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
    for (let guess = 0; guess < databaseLimits.guesses.max; guess += 1)
      statuses.push((await sendPassword(user, cookie, 'a wrong one', '/')).statusCode);

    const limited = await sendPassword(user, cookie, user.password, '/');
    const own = deviceCookieOf(service, user);
    const signedIn = await postForm(service, '/signin', { email: user.email, password: user.password }, own);

    expect(new Set(statuses)).toEqual(new Set([401]));
    expect(limited.statusCode).toBe(429);
    expect(limited.headers['retry-after']).toBe('300');
    expect(faultOf(limited, 'password')).toBe('Too many failed sign-ins. Try again in 5 minutes.');
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

  test('says on its way to an app which one that is', async () => {
    const { cookie } = await addLatecomer();
    const request = requestOf(await addClient(service, { name: 'Nina Notes' }));
    const page = await get(confirmFor(`${authorizePath}?${new URLSearchParams(request)}`), cookie);

    expect(textOf(page.body)).toContain('Enter your password to continue to Nina Notes');
    expect(textOf(page.body)).toContain('You signed in a while ago. Enter your password again to continue.');
  });

  test('a page whose form came too late says that nothing was changed', async () => {
    const { path, cookie } = await openOwned(service);

    const page = await get(`${path}?confirmed`, cookie);

    expect(textOf(page.body)).toContain(
      'You confirmed it’s you. Nothing was changed yet, so send this form again.',
    );
  });
});
