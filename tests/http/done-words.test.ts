import { expect, test } from 'vitest';
import { groupKinds } from '../../src/accounts/person.ts';
import { appsHome } from '../support/consent.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  addPerson,
  invite,
  newAddress,
  openAs,
} from '../support/groups.ts';
import { formTokenOf, postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addClient, connect, postForm } from '../support/world.ts';

const service = await sharedService();

/** The sentence in which a page says what a form has done; undefined on a page that says nothing. */
function doneOn({ body }: { readonly body: string }): string | undefined {
  const [, html] = /<div class="notice good" role="status"><p>(.*?)<\/p><\/div>/s.exec(body) ?? [];
  return html?.replaceAll(/<[^>]*>/g, '');
}

async function send(path: string, fields: Readonly<Record<string, string>>, cookie: string) {
  const answer = await postOwnForm(service, path, fields, cookie);
  return doneOn(await openAs(service, String(answer.headers.location), cookie));
}

test.each(groupKinds)('each form of a page of the %s says what it has done', async (kind) => {
  const { user, cookie } = await addPerson(service);
  const group = await addGroup(service, kind, user);
  const member = await addMember(service, group, 'member');
  const invitation = await addInvitation(service, group, user);
  const memberPath = `${group.path}/members/${member.user.id}`;
  const withdraw = `${group.path}/invitations/${invitation.id}/withdraw`;

  const said = [
    await send(`${group.path}/invite`, { email: newAddress(), role: 'member' }, cookie),
    await send(withdraw, {}, cookie),
    await send(withdraw, {}, cookie),
    await send(`${memberPath}/role`, { role: 'admin' }, cookie),
    await send(`${memberPath}/remove`, {}, cookie),
    await send(`${group.path}/edit`, { name: 'New name', slug: `new-${group.id}-${kind}` }, cookie),
    await send(`${group.path}/delete`, { confirmation: 'New name' }, cookie),
  ];

  expect(said).toEqual([
    'Invitation created. Copy its link below, and send it yourself.',
    'Invitation withdrawn. Its link no longer works.',
    'This invitation was no longer open.',
    'Role saved.',
    'Member removed.',
    'Changes saved.',
    `${kind === 'team' ? 'Team' : 'Organization'} deleted.`,
  ]);
});

test('an address that was invited minutes ago is not said to have got an email, but when it may get one', async () => {
  const { user, cookie } = await addPerson(service);
  const group = await addGroup(service, 'team', user);
  const email = newAddress();
  await invite(service, group, cookie, email);

  const said = await send(`${group.path}/invite`, { email, role: 'admin' }, cookie);

  expect(said).toMatch(
    /^We invited this address a few minutes ago\. You can resend the invitation after \w+ \d+, \d{4}, \d\d:\d\d \S+\.$/,
  );
});

test('signing browsers out says so', async () => {
  const { cookie } = await addPerson(service);
  const one = `/settings/sessions/${'x'.repeat(43)}/sign-out`;

  expect(await send(one, {}, cookie)).toBe('That browser was signed out.');
  expect(await send('/settings/sessions/sign-out-others', {}, cookie)).toBe(
    'All other browsers were signed out.',
  );
});

test('what is done about connected apps is said', async () => {
  const { cookie } = await addPerson(service);
  const client = await addClient(service);
  await connect(service, client, cookie);

  const said = [
    await send(`${appsHome}/${client.id}/ask-again`, {}, cookie),
    await send(`${appsHome}/${client.id}/disconnect`, {}, cookie),
    await send(`${appsHome}/disconnect-all`, {}, cookie),
  ];

  expect(said).toEqual([
    'The app will ask you every time from now on.',
    'Access removed. The app can no longer use your account.',
    'All access removed. No app can use your account.',
  ]);
});

test.each(['Your+account+is+lost', '__proto__', 'constructor', '', 'saved&done=saved', 'left'])(
  'an address that anybody has written puts no words on a page: done=%s',
  async (word) => {
    const { user, cookie } = await addPerson(service);
    const { page } = await addGroup(service, 'team', user);

    for (const path of [page, '/settings/sessions', appsHome]) {
      const shown = await openAs(service, `${path}?done=${word}`, cookie);
      expect(shown.statusCode).toBe(200);
      expect(doneOn(shown)).toBeUndefined();
    }
  },
);

test('a member who leaves is told so', async () => {
  const { user } = await addPerson(service);
  const group = await addGroup(service, 'team', user);
  const { cookie } = await addMember(service, group, 'member');
  const form = { form_token: await formTokenOf(service, cookie) };

  const answer = await postForm(service, `${group.path}/leave`, form, cookie);

  expect(doneOn(await openAs(service, String(answer.headers.location), cookie))).toBe('You left the team.');
});

test.each(['availability', 'calendars', 'event-types', 'webhooks', 'profile'])(
  'a name of every object is no word of ours: /settings/%s',
  async (page) => {
    const { cookie } = await addPerson(service);

    expect(doneOn(await openAs(service, `/settings/${page}?done=constructor`, cookie))).toBeUndefined();
  },
);
