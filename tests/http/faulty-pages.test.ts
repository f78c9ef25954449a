import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { signUpFields } from '../support/accounts.ts';
import { addGroup, addPerson, openAs } from '../support/groups.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser, postForm } from '../support/world.ts';

const service = await sharedService();
const withMail = await openAnotherInstance(service, trustingMail);
const { user, cookie } = await addPerson(service);
const team = await addGroup(service, 'team', user);

/** The ids of the fields in which a browser puts the cursor. */
const focusedOn = ({ body }: LightMyRequestResponse): string[] =>
  [...body.matchAll(/<(?:input|select|textarea)\b[^>]* autofocus[^>]*>/g)].map(
    ([tag]) => / id="([^"]*)"/.exec(tag)?.[1] ?? '',
  );
const tabOf = ({ body }: LightMyRequestResponse): string => /<title>(.*?)<\/title>/.exec(body)?.[1] ?? '';

const own = (path: string, fields: Readonly<Record<string, string>>) => () =>
  postOwnForm(service, path, fields, cookie);
const anybody = (path: string, fields: Readonly<Record<string, string>>) => () =>
  postForm(service, path, fields);

describe.each([
  ['sign-up', 'name', anybody('/signup', { email: 'no', name: '' })],
  ['sign-up with a taken email address', 'email', signUpWithTakenEmail],
  ['a password reset', 'email', async () => postForm(withMail, '/forgot', { email: 'no' })],
  [
    'a new password',
    'password',
    async () => postForm(service, await obtainResetPath(service, user.email), {}),
  ],
  ['the profile', 'name', own('/settings/profile', { name: '', time_zone: 'Nowhere' })],
  [
    'a wrong time zone',
    'time_zone',
    own('/settings/profile', { name: 'Ann', username: user.username, time_zone: 'Nowhere' }),
  ],
  ['the own password', 'current_password', own('/settings/password', { new_password: 'short' })],
  ['a new team', 'slug', own('/settings/teams/new', { name: 'Team', slug: '-' })],
  ['a new organization', 'name', own('/settings/organization/new', { name: '', slug: '-' })],
  ['an invitation', 'email', own(`${team.path}/invite`, { email: 'no', role: 'member' })],
  ['a wrong role', 'role', own(`${team.path}/invite`, { email: 'a@b.example', role: 'king' })],
  ['a deletion', 'confirmation', own(`${team.path}/delete`, { confirmation: 'no' })],
] as const)('the page of %s with its faults', (_name, field, send) => {
  test('has the cursor in the first faulty field, and says so in its title', async () => {
    const page = await send();

    expect(page.statusCode).toBeGreaterThanOrEqual(400);
    expect(focusedOn(page)).toEqual([field]);
    expect(tabOf(page)).toMatch(/^Error: /);
  });
});

async function signUpWithTakenEmail(): Promise<LightMyRequestResponse> {
  const { email } = await addUser(service);
  return postForm(service, '/signup', { ...signUpFields(), email });
}

test('sign-in begins at the email address, and after a wrong password at the password', async () => {
  const first = await openAs(service, '/signin');
  const wrong = await postForm(service, '/signin', { email: user.email, password: 'not the password' });
  const without = await postForm(service, '/signin', { email: user.email, password: '' });
  const nobody = await postForm(service, '/signin', { email: 'no', password: '' });

  expect([first, wrong, without, nobody].map(focusedOn)).toEqual([
    ['email'],
    ['password'],
    ['password'],
    ['email'],
  ]);
  expect([first, wrong].map(tabOf)).toEqual(['Sign in · Latchkey', 'Error: Sign in · Latchkey']);
});

test.each(['/settings/profile', '/settings/password', '/settings/teams/new', team.page, '/signup'])(
  'a page without faults takes nobody away from its beginning: %s',
  async (path) => {
    const page = await openAs(service, path, path === '/signup' ? undefined : cookie);

    expect(page.statusCode).toBe(200);
    expect(focusedOn(page)).toEqual([]);
    expect(tabOf(page)).not.toContain('Error');
  },
);

test('the address of the settings leads to the first of them, by way of the sign-in', async () => {
  const answer = await openAs(service, '/settings', cookie);
  const signedOut = await openAs(service, answer.headers.location ?? '');

  expect([answer.statusCode, answer.headers.location]).toEqual([303, '/settings/profile']);
  expect(signedOut.headers.location).toBe('/signin?return_to=%2Fsettings%2Fprofile');
});
