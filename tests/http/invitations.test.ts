import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { GroupRef } from '../../src/accounts/groups/store.ts';
import { groupKinds } from '../../src/accounts/person.ts';
import { invitations, users } from '../../src/accounts/tables.ts';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { deleteBatch, pastLife } from '../../src/platform/retention/store.ts';
import { digestTables } from '../support/database-content.ts';
import { refusingInserts } from '../support/database-faults.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  addPerson,
  answerInvitation,
  invitationsOf,
  invite,
  inviteTo,
  linkTo,
  newAddress,
  openAs,
  rolesOf,
  type TestGroup,
  type TestPerson,
} from '../support/groups.ts';
import { useUp } from '../support/guesser.ts';
import { faultOf, textOf, titleOf, typedIn } from '../support/page-content.ts';
import { obtainResetPath } from '../support/password-reset.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, postForm, startSession } from '../support/world.ts';

const service = await openTestService();
const minute = 60;

/** The open invitation of an address into the group. */
async function findInvitationRow({ id }: GroupRef, email: string) {
  const [row] = await service.database.db
    .select()
    .from(invitations)
    .where(and(eq(invitations.groupId, id), eq(invitations.email, email)));
  return row;
}

async function start(
  kind: TestGroup['kind'] = 'team',
): Promise<{ readonly owner: TestPerson; readonly group: TestGroup }> {
  const owner = await addPerson(service);
  return { owner, group: await addGroup(service, kind, owner.user, 'Garden Club') };
}

describe.each(groupKinds)('an invitation into the %s', (kind) => {
  test('is an email with a link that is stored nowhere in clear, and lasts 7 days', async () => {
    const { owner, group } = await start(kind);
    const email = newAddress();

    const answer = await invite(service, group, owner.cookie, ` ${email.toUpperCase()} `, 'admin');

    const row = await findInvitationRow(group, email);
    const emails = await mailTo(service, email);
    const link = await linkTo(service, email);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${group.page}?done=invited`]);
    expect(row).toMatchObject({ role: 'admin', inviterId: owner.user.id });
    expect(row?.expiresAt).toEqual(new Date(service.clock.now().getTime() + 7 * 24 * 3_600_000));
    expect(emails).toMatchObject([
      { subject: `Test ${owner.user.username} invites you to join Garden Club` },
    ]);
    expect(emails[0]?.text).toContain(`invites you to join the ${kind} Garden Club.`);
    expect(link).toMatch(/^\/invitations\/[\w-]{64}$/);
    for (const place of [JSON.stringify(emails), service.logText(), JSON.stringify(row)])
      expect(place).not.toContain(link);
    const page = await openAs(service, group.page, owner.cookie);
    expect(page.body).toContain(email);
    expect(page.body).toContain(`data-copy="${service.appUrl}${link}"`);
  });

  test('shows its link to those who may give its role alone, and to them after a recent sign-in (security C323)', async () => {
    const { owner, group } = await start(kind);
    const [admin, member] = [
      await addMember(service, group, 'admin'),
      await addMember(service, group, 'member'),
    ];
    const links = [
      await inviteTo(service, group, owner.cookie, newAddress(), 'owner'),
      await inviteTo(service, group, owner.cookie, newAddress(), 'admin'),
      await inviteTo(service, group, owner.cookie, newAddress(), 'member'),
    ];
    const shownTo = async (cookie: string) => {
      const { body } = await openAs(service, group.page, cookie);
      return links.map((link) => body.includes(link));
    };

    expect(await shownTo(owner.cookie)).toEqual([true, true, true]);
    expect(await shownTo(admin.cookie)).toEqual([false, true, true]);
    expect(await shownTo(member.cookie)).toEqual([false, false, false]);
    service.clock.advance(11 * minute);
    expect(await shownTo(owner.cookie)).toEqual([false, false, false]);
    expect((await openAs(service, group.page, owner.cookie)).body).toContain('Confirm it’s you');
  });

  test('says who invites, into what and as what, to anyone who has its link', async () => {
    const { owner, group } = await start(kind);
    const email = newAddress();
    const link = await inviteTo(service, group, owner.cookie, email, 'admin');

    const page = await openAs(service, link);

    expect(page.statusCode).toBe(200);
    expect(titleOf(page)).toBe('Join Garden Club');
    for (const text of [`Test ${owner.user.username}`, 'an admin', email]) expect(page.body).toContain(text);
    expect(page.body).toContain(`href="/signin?return_to=${encodeURIComponent(link)}"`);
    expect(page.body).toContain(`href="/signup?return_to=${encodeURIComponent(link)}"`);
  });

  test('does not work any more after 7 days', async () => {
    const { owner, group } = await start(kind);
    const { link } = await addInvitation(service, group, owner.user);
    service.clock.advance(7 * 24 * 3600 - 2 * 3600 - 1);
    const before = await openAs(service, link);

    service.clock.advance(1);
    const after = await openAs(service, link);

    expect([before.statusCode, after.statusCode]).toEqual([200, 410]);
    expect(titleOf(after)).toBe('Invitation no longer valid');
    expect(after.body).not.toContain('Garden Club');
  });

  test('does not work any more once it is withdrawn, and withdrawing it twice ends well', async () => {
    const { owner, group } = await start(kind);
    const { id, link, email } = await addInvitation(service, group, owner.user);
    const path = `${group.path}/invitations/${id}/withdraw`;

    const answers = [
      await postOwnForm(service, path, {}, owner.cookie),
      await postOwnForm(service, path, {}, owner.cookie),
    ];

    expect(answers.map(({ headers }) => headers.location)).toEqual([
      `${group.page}?done=withdrawn`,
      `${group.page}?done=withdrawn_before`,
    ]);
    expect((await openAs(service, link)).statusCode).toBe(410);
    expect((await openAs(service, group.page, owner.cookie)).body).not.toContain(email);
    expect(JSON.stringify(await invitationsOf(service, group))).not.toContain(email);
  });
});

test('inviting says the same whether there is an account or not', async () => {
  const { owner, group } = await start();
  const { user } = await addPerson(service);
  const [known, unknown] = [user.email, newAddress()];

  const answers = [
    await invite(service, group, owner.cookie, known),
    await invite(service, group, owner.cookie, unknown),
  ];

  const [first, second] = answers.map(({ statusCode, headers, body }) => [
    statusCode,
    headers.location,
    body,
  ]);
  expect(first).toEqual(second);
  const emails = [...(await mailTo(service, known)), ...(await mailTo(service, unknown))];
  expect(emails.map(({ subject }) => subject)).toHaveLength(2);
  // But for what stands in the place of the link, which is never the same.
  const [toKnown, toUnknown] = emails.map(({ text }) => text.replace(/, [0-9a-f]{16}\)/, ')'));
  expect(toKnown).toBe(toUnknown);
  // Nobody is told to sign in: there may be no account.
  for (const { html } of emails) {
    expect(html).toContain('because someone invited you.');
    expect(html).not.toContain('because of your Latchkey account');
  }
});

describe('an address that was invited already', () => {
  test('gets the role of another form, and its link', async () => {
    const { owner, group } = await start();
    const email = newAddress();
    const link = await inviteTo(service, group, owner.cookie, email, 'member');

    const other = await inviteTo(service, group, owner.cookie, email, 'admin');

    expect(await findInvitationRow(group, email)).toMatchObject({ role: 'admin' });
    expect((await openAs(service, link)).statusCode).toBe(410);
    expect((await openAs(service, other)).statusCode).toBe(200);
  });

  test('later gets a new link for 7 more days by the button beside it, and the old one ends', async () => {
    const { owner, group } = await start();
    const email = newAddress();
    const link = await inviteTo(service, group, owner.cookie, email, 'member');
    service.clock.advance(5 * minute);

    const { body } = await openAs(service, group.page, owner.cookie);
    expect(body).toContain(`<input type="hidden" name="email" value="${email}">`);
    const answer = await invite(service, group, owner.cookie, email);

    const newLink = await linkTo(service, email);
    expect(answer.statusCode).toBe(303);
    expect(await mailTo(service, email)).toHaveLength(2);
    expect(newLink).not.toBe(link);
    expect((await openAs(service, link)).statusCode).toBe(410);
    expect((await openAs(service, newLink)).statusCode).toBe(200);
    const row = await findInvitationRow(group, email);
    expect(row?.expiresAt).toEqual(new Date(service.clock.now().getTime() + 7 * 24 * 3_600_000));
  });

  test('whose invitation has expired can be invited again', async () => {
    const { owner, group } = await start();
    const { email } = await addInvitation(service, group, owner.user);
    service.clock.advance(8 * 24 * 3600);

    const cookie = await startSession(service, owner.user);
    const { body } = await openAs(service, group.page, cookie);
    const link = await inviteTo(service, group, cookie, email);

    expect(body).not.toContain(email);
    expect((await openAs(service, link)).statusCode).toBe(200);
  });
});

describe.each(groupKinds)('the form of the %s says beside the field', (kind) => {
  test('that a member is a member', async () => {
    const { owner, group } = await start(kind);
    const member = await addMember(service, group, 'member');
    const before = await digestTables(service.database);

    const answer = await invite(service, group, owner.cookie, member.user.email, 'admin');

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'email')).toBe('This person is already a member.');
    expect(typedIn(answer, 'email')).toBe(member.user.email);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test.each(['', 'nobody', 'a@b', 'a b@example.com', 'a@example.com\r\nBcc: b@example.com'])(
    'that %j is no address',
    async (email) => {
      const { owner, group } = await start(kind);
      const before = await digestTables(service.database);

      const answer = await invite(service, group, owner.cookie, email);

      expect(answer.statusCode).toBe(400);
      expect(faultOf(answer, 'email')).toBeTruthy();
      expect(await digestTables(service.database)).toEqual(before);
    },
  );

  test('that admins make no owners, not even of people whom an owner invited', async () => {
    const { owner, group } = await start(kind);
    const admin = await addMember(service, group, 'admin');
    const { email, id } = await addInvitation(service, group, owner.user, 'owner');
    const before = await digestTables(service.database);

    const asOwner = await invite(service, group, admin.cookie, newAddress(), 'owner');
    const asMember = await invite(service, group, admin.cookie, email, 'member');
    const withdrawn = await postOwnForm(
      service,
      `${group.path}/invitations/${id}/withdraw`,
      {},
      admin.cookie,
    );

    expect(faultOf(asOwner, 'role')).toBe('Only owners can invite owners.');
    expect(faultOf(asMember, 'email')).toContain('Only owners can change that.');
    expect([asOwner, asMember, withdrawn].map(({ statusCode }) => statusCode)).toEqual([400, 400, 403]);
    expect(await digestTables(service.database)).toEqual(before);
  });
});

describe('limits', () => {
  test('50 invitations of one group may be open, and one that ends makes room', async () => {
    const { owner, group } = await start();
    const open = await Promise.all(
      Array.from({ length: 50 }, () => addInvitation(service, group, owner.user)),
    );
    const [first] = open;

    const refused = await invite(service, group, owner.cookie, newAddress());
    await postOwnForm(service, `${group.path}/invitations/${first?.id}/withdraw`, {}, owner.cookie);
    const accepted = await invite(service, group, owner.cookie, newAddress());

    expect(faultOf(refused, 'email')).toContain('There are 50 open invitations.');
    expect(accepted.statusCode).toBe(303);
  });

  test('one inviter sends 20 emails an hour, answered or not, to all groups together', async () => {
    const { owner, group } = await start();
    const other = await addGroup(service, 'organization', owner.user);
    const renewed = newAddress();
    await invite(service, group, owner.cookie, renewed);
    service.clock.advance(5 * minute);
    await invite(service, group, owner.cookie, renewed);
    for (let sent = 2; sent < 20; sent += 1) {
      const email = newAddress();
      const into = sent % 2 === 0 ? group : other;
      await invite(service, into, owner.cookie, email);
      const row = await findInvitationRow(into, email);
      await postOwnForm(service, `${into.path}/invitations/${row?.id}/withdraw`, {}, owner.cookie);
    }
    const last = newAddress();

    const refused = await invite(service, group, owner.cookie, last);
    const colleague = await addMember(service, group, 'admin');
    const byOther = await invite(service, group, colleague.cookie, newAddress());
    service.clock.advance(55 * minute);
    const later = await invite(service, group, await startSession(service, owner.user), last);

    expect(refused.statusCode).toBe(429);
    expect(textOf(refused.body)).toContain('You have done this too often in the last hour.');
    expect(byOther.statusCode).toBe(303);
    expect(later.statusCode).toBe(303);
    expect(await mailTo(service, last)).toHaveLength(1);
  });
});

describe('emails stay in the count (CWE-799)', () => {
  const sentBy = ({ user }: TestPerson) => counted('notable', ['invitation', user.id]);

  test.each(groupKinds)('when the %s that they invited into is deleted', async (kind) => {
    const { owner, group } = await start(kind);
    await useUp(service, sentBy(owner), 1);
    await invite(service, group, owner.cookie, newAddress());
    await postOwnForm(service, `${group.path}/delete`, { confirmation: group.name }, owner.cookie);
    const next = await addGroup(service, kind, owner.user);
    const email = newAddress();

    const refused = await invite(service, next, owner.cookie, email);

    expect(refused.statusCode).toBe(429);
    expect(await mailTo(service, email)).toEqual([]);
    expect(await invitationsOf(service, next)).toEqual([]);
  });

  test('when another admin takes the invitation over', async () => {
    const { owner, group } = await start();
    const colleague = await addMember(service, group, 'admin');
    await useUp(service, sentBy(owner), 1);
    const email = newAddress();
    await invite(service, group, owner.cookie, email);
    await invite(service, group, colleague.cookie, email);

    const refused = await invite(service, group, owner.cookie, newAddress());

    expect(await mailTo(service, email)).toHaveLength(1);
    expect(refused.statusCode).toBe(429);
  });

  test('only so many emails go to one address, from all inviters, and a refusal costs an inviter nothing', async () => {
    const email = newAddress();
    for (let sent = 0; sent < databaseLimits.letters.max; sent += 1) {
      const { owner, group } = await start();
      await invite(service, group, owner.cookie, email);
    }
    const { owner, group } = await start();
    await useUp(service, sentBy(owner), 1);

    const refused = await invite(service, group, owner.cookie, email.toUpperCase().replace('@', '+tag@'));
    const other = await invite(service, group, owner.cookie, newAddress());
    service.clock.advance(60 * minute);
    const later = await invite(service, group, await startSession(service, owner.user), email);

    expect([refused, other, later].map(({ statusCode }) => statusCode)).toEqual([429, 303, 303]);
    expect(await mailTo(service, email)).toHaveLength(databaseLimits.letters.max + 1);
  });

  test('hold names in which no mail program finds a link (security C51)', async () => {
    const { owner, group } = await start();
    await service.database.db
      .update(users)
      .set({ name: 'Unlock at https://evil.example/now' })
      .where(eq(users.id, owner.user.id));
    const email = newAddress();

    await invite(service, group, owner.cookie, email);

    const [sent] = await mailTo(service, email);
    expect(sent?.subject).toContain('Unlock at https evil. example/now invites you');
    expect(`${sent?.subject}${sent?.text}${sent?.html}`).not.toContain('evil.example');
  });
});

test('invitation and email are one transaction (architecture §3)', async () => {
  const { owner, group } = await start();
  const before = await digestTables(service.database);

  const answer = await refusingInserts(service.database, 'outbox', () =>
    invite(service, group, owner.cookie, newAddress()),
  );

  expect(answer.statusCode).toBe(500);
  expect(await digestTables(service.database)).toEqual(before);
});

test('cleanup deletes expired invitations; withdrawn ones are gone before', async () => {
  const { owner, group } = await start();
  const { id: withdrawn } = await addInvitation(service, group, owner.user);
  const { id: older } = await addInvitation(service, group, owner.user, 'member', 7 * 24 * 3600);
  const { id: open } = await addInvitation(service, group, owner.user);
  const ids = async () => {
    const rows = await service.database.db
      .select()
      .from(invitations)
      .where(eq(invitations.groupId, group.id));
    return rows.map(({ id }) => id).toSorted();
  };

  await postOwnForm(service, `${group.path}/invitations/${withdrawn}/withdraw`, {}, owner.cookie);
  const before = await ids();
  service.clock.advance(1);
  await deleteBatch(service.database.db, pastLife(invitations.expiresAt)(service.clock.now()));

  expect(before).toEqual([older, open].toSorted());
  expect(await ids()).toEqual([open]);
});

interface Invited {
  readonly group: TestGroup;
  readonly link: string;
  readonly email: string;
  readonly person: TestPerson;
}

async function startInvited(kind: TestGroup['kind'], role: 'member' | 'admin' = 'member'): Promise<Invited> {
  const owner = await addUser(service);
  const group = await addGroup(service, kind, owner, 'Garden Club');
  const { link, email } = await addInvitation(service, group, owner, role);
  return { group, link, email, person: await addPerson(service) };
}

describe.each(groupKinds)('a user who accepts an invitation into the %s', (kind) => {
  test('is in, with its role, and the invitation is gone', async () => {
    const { group, link, person } = await startInvited(kind, 'admin');

    const answer = await answerInvitation(service, link, 'accept', group, person.cookie);

    const page = await openAs(service, String(answer.headers.location), person.cookie);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${group.page}?done=joined`]);
    expect(page.body).toContain('You joined ');
    expect((await rolesOf(service, group))[person.user.id]).toBe('admin');
    expect(await invitationsOf(service, group)).toEqual([]);
    expect((await openAs(service, link, person.cookie)).statusCode).toBe(410);
  });

  test('has signed in lately, is emailed, and reads of it at a password reset (security C322)', async () => {
    const { group, link, person } = await startInvited(kind);
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

  test('signed out signs in first, and comes back', async () => {
    const { group, link } = await startInvited(kind);
    const before = await digestTables(service.database);

    const answer = await postForm(service, `${link}/accept`, { kind, group: String(group.id) });

    expect(answer.headers.location).toBe(`/signin?return_to=${encodeURIComponent(link)}`);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('from a form with another group in it comes into the one of the link', async () => {
    const { group, link, person } = await startInvited(kind);
    const { group: other } = await startInvited(kind);

    const answer = await answerInvitation(service, link, 'accept', other, person.cookie);

    expect(answer.headers.location).toBe(`${group.page}?done=joined`);
    expect(await rolesOf(service, other)).not.toHaveProperty(String(person.user.id));
  });

  test('and is in already keeps the role, and leaves the invitation to another user', async () => {
    const { group, link } = await startInvited(kind, 'admin');
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
    const { group, link, person } = await startInvited(kind);
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
});

test('a member of another organization reads that, and nothing changes', async () => {
  const { group, link, person } = await startInvited('organization');
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
    const { link, email, person } = await startInvited('team');

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
  const { link } = await startInvited('team');

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
