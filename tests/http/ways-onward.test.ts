import { expect, test } from 'vitest';
import { requestOf } from '../support/authorization.ts';
import { addOwnedClient } from '../support/failed-requests.ts';
import { addGroup, addMember, addPerson, openAs } from '../support/groups.ts';
import { addressesOn, expectErrorPage, textOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { developerHome } from '../support/registration.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';
import { addClient, addUser, authorizePath, openAuthorizePage, startSession } from '../support/world.ts';

const service = await sharedService();
const withMail = await openAnotherInstance(service, {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Latchkey <no-reply@cal.example>',
});
const readPage = async (path: string, cookie?: string, on = service): Promise<string> =>
  textOf((await openAs(on, path, cookie)).body);

test('the page of a reset link promises nothing that has not happened yet', async () => {
  const user = await addUser(service);

  const text = await readPage(await obtainResetPath(service, user.email));

  expect(text).toContain('You’ll be signed out everywhere else.');
  expect(text).not.toContain('You were signed out');
});

test('where no mail server is set up, no page promises an email; where one is, nothing warns', async () => {
  const { user, cookie } = await addPerson(service);
  const { page } = await addGroup(service, 'team', user);
  const admin = await startSession(service, await addUser(service, { isAdmin: true }));
  const pages = [
    ['/forgot/sent', undefined, 'No mail server is set up here, so we can’t send you a link.'],
    [
      page,
      cookie,
      'No mail server is set up. Create an invitation, then copy its link and send it yourself.',
    ],
    ['/forgot', undefined, 'No mail server is set up here, so we can’t send you a link.'],
    ['/settings/admin/outbox', admin, 'Email is kept here for 30 days and sent when you set one up'],
  ] as const;

  for (const [path, reader, warning] of pages) {
    expect(await readPage(path, reader)).toContain(warning);
    const sent = await readPage(path, reader, withMail);
    expect(sent).not.toContain('No mail server');
  }
  const [review, account] = [
    `/settings/admin/oauth/${(await addClient(service, { status: 'pending' })).id}`,
    `/settings/admin/accounts/${user.id}`,
  ];
  await startSession(service, user);
  for (const [path, reader, promise] of [
    ['/forgot', undefined, 'We’ll email you a link'],
    [review, admin, 'The owner is emailed'],
    [review, admin, 'in an email'],
    [account, admin, 'in an email'],
    ['/settings/sessions', cookie, 'We’ll email you'],
    [page, cookie, 'Send invitation'],
  ] as const) {
    expect(await readPage(path, reader, withMail)).toContain(promise);
    expect(await readPage(path, reader)).not.toContain(promise);
  }
  expect(await readPage('/forgot/sent')).not.toContain('we’ve sent it a link');
  expect(await readPage('/forgot/sent', undefined, withMail)).toContain('we’ve sent it a link');
});

test.each([
  [`${authorizePath}?client_id=some`, 'continue to the app.'],
  ['/invitations/some', 'answer your invitation.'],
  ['/settings/teams', 'continue.'],
] as const)('signing in and up say what for: %s', async (returnTo, words) => {
  for (const [path, act] of [
    ['/signin', 'Sign in'],
    ['/signup', 'Create an account'],
  ]) {
    const { body } = await openAs(service, `${path}?return_to=${encodeURIComponent(returnTo)}`);
    expect(body).toContain(`<p class="soft">${act} to ${words}</p>`);
  }
});

test.each(['/', 'https://evil.example', `//${authorizePath}`])(
  'a visitor of the sign-in page alone is told nothing: %s',
  async (returnTo) => {
    const { body } = await openAs(service, `/signin?return_to=${encodeURIComponent(returnTo)}`);
    expect(body).not.toContain('to continue');
  },
);

test('pages that end a way lead home', async () => {
  const { cookie } = await addPerson(service);

  for (const path of ['/nowhere', '/settings/admin/outbox', authorizePath]) {
    const shown = await openAs(service, path, cookie);
    expect(shown.body).toContain('<a href="/">Go to home</a>');
  }
});

const wrong = 'https://app.example/Callback';

test('a refused redirect URI is shown to the developer of the app, with those that are registered, and is no link (contract §3)', async () => {
  const { client, cookie } = await addOwnedClient(service);

  const answer = await openAuthorizePage(service, requestOf(client, { redirect_uri: wrong }), cookie);

  expectErrorPage(answer);
  const text = textOf(answer.body);
  expect(text).toContain('This is your app: Test app');
  expect(text).toContain(wrong);
  expect(text).toContain(client.redirectUri);
  expect(addressesOn(answer.body)).toContain(`${developerHome}/${client.id}/edit`);
});

test('an address that is sent to a developer stays text, shortened (contract §3)', async () => {
  const { client, cookie } = await addOwnedClient(service);
  const given = `https://app.example/<script>${'x'.repeat(900)}`;

  const answer = await openAuthorizePage(service, requestOf(client, { redirect_uri: given }), cookie);

  expectErrorPage(answer);
  expect(answer.body).not.toContain('<script>x');
  expect(answer.body).toContain('&lt;script&gt;x');
  expect(textOf(answer.body)).not.toContain('x'.repeat(301));
});

test('nobody else sees an address that was refused, nor what is registered', async () => {
  const { client } = await addOwnedClient(service);
  const stranger = await addPerson(service);

  for (const cookie of [stranger.cookie, undefined]) {
    const answer = await openAuthorizePage(service, requestOf(client, { redirect_uri: wrong }), cookie);
    expectErrorPage(answer, 'app.example');
    expect(textOf(answer.body)).not.toContain('This is your app');
  }
});

test.each([
  ['pending', 'Your app is in review.'],
  ['rejected', 'Your app isn’t approved.'],
] as const)('the developer of a client that is %s is told so, and led to its page', async (status, words) => {
  const { client, cookie } = await addOwnedClient(service, { status });

  const answer = await openAuthorizePage(service, requestOf(client), cookie);

  expectErrorPage(answer, client.redirectUri);
  expect(textOf(answer.body)).toContain(words);
  expect(addressesOn(answer.body)).toContain(`${developerHome}/${client.id}`);
});

test('a team of one is deleted, not left; one of several that has no other owner needs one first', async () => {
  const { user, cookie } = await addPerson(service);
  const team = await addGroup(service, 'team', user);

  const alone = await readPage(team.page, cookie);
  await addMember(service, team, 'member');
  const together = await readPage(team.page, cookie);

  expect(alone).toContain('You’re the only member. Delete the team instead.');
  expect(alone).not.toContain('Make someone else an owner');
  expect(together).toContain('You’re the only owner. Make someone else an owner before you leave.');
  expect(together).not.toContain('the only member');
});

test.each([
  ['/login', '/signin'],
  ['/register', '/signup'],
  ['/settings', '/settings/profile'],
  ['/settings/developer', developerHome],
  ['/developers', developerHome],
  ['/docs/', '/docs'],
])('the usual address %s leads to %s', async (usual, path) => {
  const { statusCode, headers } = await openAs(service, usual);

  expect([statusCode, headers.location]).toEqual([303, path]);
});

test('signed in, every page leads to the main ones and marks its own; admin pages are for admins alone', {
  tags: 'parts',
}, async () => {
  const { cookie } = await addPerson(service);
  const admin = await startSession(service, await addUser(service, { isAdmin: true }));
  const linksOf = async (path: string, reader?: string): Promise<string[]> =>
    (await openAs(service, path, reader)).body.match(/<a href="[^"]*"(?: aria-current="[^"]*")?>/g) ?? [];

  const own = await linksOf(`${developerHome}/new`, cookie);
  const review = await linksOf('/settings/admin/outbox', admin);
  const signedOut = await linksOf('/');

  for (const path of ['/bookings', '/settings/apps', '/docs', '/settings/teams'])
    expect(own).toContain(`<a href="${path}">`);
  expect(own).toContain(`<a href="${developerHome}" aria-current="true">`);
  expect(own.filter((link) => link.includes('/admin/'))).toEqual([]);
  expect(review).toContain('<a href="/settings/admin/outbox" aria-current="page">');
  expect(review).toContain('<a href="/settings/admin">');
  expect(signedOut).toContain('<a href="/signin">');
  expect(signedOut.filter((link) => link.includes('/settings'))).toEqual([]);
});
