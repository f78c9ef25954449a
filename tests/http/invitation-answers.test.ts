import { describe, expect, test } from 'vitest';
import { groupKinds } from '../../src/accounts/person.ts';
import { digestTables } from '../support/database-content.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  addPerson,
  answerInvitation,
  invitationsOf,
  openAs,
  rolesOf,
  type TestGroup,
  type TestPerson,
} from '../support/groups.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';

const service = await openTestService();

interface Invited {
  readonly group: TestGroup;
  readonly link: string;
  readonly email: string;
  readonly person: TestPerson;
}

async function start(kind: TestGroup['kind'], role: 'member' | 'admin' = 'member'): Promise<Invited> {
  const owner = await addUser(service);
  const group = await addGroup(service, kind, owner, 'Garden Club');
  const { link, email } = await addInvitation(service, group, owner, role);
  return { group, link, email, person: await addPerson(service) };
}

describe.each(groupKinds)('a user who accepts an invitation into the %s', (kind) => {
  test('is in, with its role, and the invitation is gone', async () => {
    const { group, link, person } = await start(kind, 'admin');

    const answer = await answerInvitation(service, link, 'accept', group, person.cookie);

    const page = await openAs(service, String(answer.headers.location), person.cookie);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${group.page}?done=joined`]);
    expect(page.body).toContain('You joined ');
    expect((await rolesOf(service, group))[person.user.id]).toBe('admin');
    expect(await invitationsOf(service, group)).toEqual([]);
    expect((await openAs(service, link, person.cookie)).statusCode).toBe(410);
  });

  test('has signed in lately, is emailed, and reads of it at a password reset (security C322)', async () => {
    const { group, link, person } = await start(kind);
    const other = await addPerson(service);
    await addGroup(service, 'team', other.user, 'Somebody Else’s');
    service.clock.advance(11 * 60);
    const late = await answerInvitation(service, link, 'accept', group, person.cookie);
    const rolesThen = await rolesOf(service, group);
    const emailsThen = await mailTo(service, person.user.email);

    await answerInvitation(service, link, 'accept', group, await startSession(service, person.user));

    expect([late.statusCode, rolesThen[person.user.id], emailsThen]).toEqual([307, undefined, []]);
    const [email] = await mailTo(service, person.user.email);
    expect(email?.subject).toBe('You joined Garden Club');
    expect(email?.text).toContain(`Your account joined the ${kind} Garden Club with the role member.`);
    expect(email?.text).toContain('someone else is in your account');
    const page = await openAs(service, await obtainResetPath(service, person.user.email));
    expect(textOf(page.body)).toContain('leave it once you’re signed in');
    expect(page.body).toContain('<li><bdi>Garden Club</bdi></li>');
    expect(page.body).not.toContain('Somebody Else');
    const alone = await openAs(service, await obtainResetPath(service, (await addUser(service)).email));
    expect(textOf(alone.body)).not.toContain('teams and organizations');
  });

  test('twice is led to the same place', async () => {
    const { group, link, person } = await start(kind);
    await answerInvitation(service, link, 'accept', group, person.cookie);

    const answer = await answerInvitation(service, link, 'accept', group, person.cookie);

    expect([answer.statusCode, answer.headers.location]).toEqual([303, group.page]);
  });

  test('after another user did gets nothing', async () => {
    const { group, link, person } = await start(kind);
    await answerInvitation(service, link, 'accept', group, person.cookie);
    const late = await addPerson(service);
    const before = await digestTables(service.database);

    const answer = await answerInvitation(service, link, 'accept', group, late.cookie);

    expect(answer.statusCode).toBe(410);
    expect(titleOf(answer)).toBe('Invitation no longer valid');
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('signed out signs in first, and comes back', async () => {
    const { group, link } = await start(kind);
    const before = await digestTables(service.database);

    const answer = await postForm(service, `${link}/accept`, { kind, group: String(group.id) });

    expect(answer.headers.location).toBe(`/signin?return_to=${encodeURIComponent(link)}`);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('without the form token does nothing (security C28)', async () => {
    const { link, person } = await start(kind);
    const before = await digestTables(service.database);

    const answer = await postForm(service, `${link}/accept`, {}, person.cookie);

    expect(answer.statusCode).toBe(403);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('from a form with another group in it comes into the one of the link', async () => {
    const { group, link, person } = await start(kind);
    const { group: other } = await start(kind);

    const answer = await answerInvitation(service, link, 'accept', other, person.cookie);

    expect(answer.headers.location).toBe(`${group.page}?done=joined`);
    expect(await rolesOf(service, other)).not.toHaveProperty(String(person.user.id));
  });

  test('and is in already keeps the role, and leaves the invitation to another user', async () => {
    const { group, link } = await start(kind, 'admin');
    const member = await addMember(service, group, 'member');
    const before = await digestTables(service.database);

    const answer = await answerInvitation(service, link, 'accept', group, member.cookie);

    expect([answer.statusCode, answer.headers.location]).toEqual([303, link]);
    expect(await digestTables(service.database)).toEqual(before);
    const page = await openAs(service, link, member.cookie);
    expect(page.body).toContain(`already in this ${kind}, as a member.`);
    expect(page.body).not.toContain(`${link}/accept`);
  });
});

describe.each(groupKinds)('a user who declines an invitation into the %s', (kind) => {
  test.each(['signed in', 'signed out'] as const)('%s ends it', async (state) => {
    const { group, link, person } = await start(kind);
    const members = await rolesOf(service, group);

    const answer =
      state === 'signed in'
        ? await answerInvitation(service, link, 'decline', group, person.cookie)
        : await postForm(service, `${link}/decline`, {});

    expect(answer.headers.location).toBe('/invitations/declined');
    expect(titleOf(await openAs(service, '/invitations/declined'))).toBe('Invitation declined');
    expect((await openAs(service, link)).statusCode).toBe(410);
    expect(await rolesOf(service, group)).toEqual(members);
    expect(await invitationsOf(service, group)).toEqual([]);
  });

  test('twice is told that it does not work any more', async () => {
    const { group, link, person } = await start(kind);
    await answerInvitation(service, link, 'decline', group, person.cookie);

    const answer = await answerInvitation(service, link, 'decline', group, person.cookie);

    expect(answer.statusCode).toBe(410);
  });
});

test('a member of another organization reads that, and nothing changes', async () => {
  const { group, link, person } = await start('organization');
  const own = await addGroup(service, 'organization', person.user, 'Own Company');
  const before = await digestTables(service.database);

  const answer = await answerInvitation(service, link, 'accept', group, person.cookie);
  const page = await openAs(service, link, person.cookie);

  expect([answer.statusCode, answer.headers.location]).toEqual([303, link]);
  expect(page.body).toContain('already in the organization <bdi>Own Company</bdi>');
  expect(page.body).not.toContain(`${link}/accept`);
  expect(await digestTables(service.database)).toEqual(before);
  expect(await rolesOf(service, own)).toEqual({ [person.user.id]: 'owner' });
});

describe('the account and the invited address', () => {
  const warning = 'The invitation was sent to another email address';

  test('are the same: nothing is said of it', async () => {
    const owner = await addUser(service);
    const group = await addGroup(service, 'team', owner);
    const { link, email } = await addInvitation(service, group, owner);
    const cookie = await signUpAs(email);

    const page = await openAs(service, link, cookie);

    expect(page.body).not.toContain(warning);
    expect(page.body).toContain(`${link}/accept`);
  });

  test('differ: it is said, and one may go on or use another account', async () => {
    const { link, email, person } = await start('team');

    const page = await openAs(service, link, person.cookie);

    expect(page.body).toContain(warning);
    for (const text of [email, person.user.email, `${link}/accept`, 'Use another account'])
      expect(page.body).toContain(text);
    expect(page.body).toContain(`name="return_to" value="${link}"`);
  });
});

async function signUpAs(email: string): Promise<string> {
  const answer = await postForm(service, '/signup', {
    email,
    name: 'Somebody New',
    password: 'four words of mine',
    time_zone: 'UTC',
  });
  return answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

test('where sign-up is closed, nobody is sent there (contract §1, SIGNUP)', async () => {
  const closed = await openAnotherInstance(service, { SIGNUP: 'closed' });
  const { link } = await start('team');

  const page = await openAs(closed, link);

  expect(page.body).toContain('href="/signin?');
  expect(page.body).not.toContain('/signup');
});

test.each(['x', 'x'.repeat(64), 'x'.repeat(4000), '%c3%28', "'", 'declined/accept'])(
  'the link /invitations/%s is no invitation, never a fault',
  async (token) => {
    const { statusCode } = await openAs(service, `/invitations/${token}`);

    expect(statusCode).toBeGreaterThanOrEqual(400);
    expect(statusCode).toBeLessThan(500);
  },
);

test.each(['accept', 'decline'])('a made-up token to %s does nothing', async (action) => {
  const { cookie } = await addPerson(service);
  const before = await digestTables(service.database);

  const answer = await answerInvitation(
    service,
    `/invitations/${'A'.repeat(64)}`,
    action === 'accept' ? 'accept' : 'decline',
    { kind: 'team', id: 1 },
    cookie,
  );

  expect(answer.statusCode).toBe(410);
  expect(await digestTables(service.database)).toEqual(before);
});
