import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeBrowser } from '../../src/accounts/browsers.ts';
import { personName } from '../../src/accounts/fields.ts';
import { groupKinds } from '../../src/accounts/person.ts';
import { keptUserAgent } from '../../src/platform/audit/context.ts';
import { renderEmail } from '../../src/platform/mail/email.ts';
import { line } from '../../src/v2/input.ts';
import { lineOf } from '../../src/web/forms.ts';
import { callApi, represent } from '../support/api.ts';
import { appsHome } from '../support/consent.ts';
import { addGroup, addInvitation, addMember, addPerson, newAddress, openAs } from '../support/groups.ts';
import { faultOf } from '../support/page-content.ts';
import { formTokenOf, postOwnForm, register } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addClient, addUser, connect, postForm, startSession } from '../support/world.ts';

const service = await openTestService();
const turned = 'Ann \u202Egnp.exe';
const turning = ['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'];
const direction = 'Remove characters that change the text direction.';

describe('one rule for every line that people and apps enter (security C222)', () => {
  test.each([
    ['pages', lineOf(80, 'Enter a name.')],
    ['the API', line(80)],
    ['names of people', personName],
  ])('in %s nothing turns the text around it, breaks the line or is invisible', (_name, schema) => {
    const faultsOf = (text: string) => schema.safeParse(text).error?.issues.map(({ message }) => message);

    for (const one of turning) expect(faultsOf(`Ann${one}Berg`)).toEqual([direction]);
    for (const one of ['\n', '\0', '\u2028', '\ud800'])
      expect(faultsOf(`Ann${one}Berg`)).toEqual(['Line breaks and control characters aren’t allowed.']);
    expect(faultsOf('\u200b\u3164')).toEqual(['Use visible characters.']);
    for (const name of ['משה \u200f', 'محمد', '👩‍👩‍👧', 'Zoë'])
      expect(z.string().safeParse(schema.parse(name)).success).toBe(true);
  });

  test('forms and operations of every kind refuse it', { tags: 'parts' }, async () => {
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    const { token } = await represent(service);
    const profile = { username: '', time_zone: 'UTC', week_start: 'Monday', time_format: '24' };
    const pages = [
      await postOwnForm(service, '/settings/profile', { ...profile, name: turned }, cookie),
      await postOwnForm(service, '/settings/teams/new', { name: turned, slug: 'turned' }, cookie),
      await register(service, cookie, { name: turned }),
    ];
    const api = [
      await callApi(service, 'PATCH', '/me', { token, body: { name: turned } }),
      await callApi(service, 'POST', '/event-types', {
        token,
        body: { title: turned, slug: 'turned', lengthInMinutes: 30 },
      }),
      await callApi(service, 'POST', '/event-types', {
        token,
        body: {
          ...{ title: 'Talk', slug: 'turned', lengthInMinutes: 30 },
          locations: [{ type: 'address', address: turned, public: true }],
        },
      }),
      await callApi(service, 'POST', '/schedules', {
        token,
        body: { name: turned, timeZone: 'UTC', isDefault: false },
      }),
    ];

    for (const page of pages) expect([page.statusCode, faultOf(page, 'name')]).toEqual([400, direction]);
    for (const { statusCode, body } of api)
      expect([statusCode, body.includes(direction)]).toEqual([400, true]);
  });

  test('a subject with a name from before is one line, and isn’t turned around', () => {
    const email = { subject: `Booked:\r\n\u2028${turned}`, text: ['Hello'] };

    const { subject } = renderEmail(email, 'dana@example.com', service.app);

    expect(subject).toBe('Booked: Ann gnp.exe');
  });
});

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Windows'],
  [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Chrome/131.0.0.0 Safari/537.36`,
    'Chrome on macOS',
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0`,
    'Microsoft Edge on Windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64) Something', 'Unknown browser on Linux'],
  ['curl/8.1', 'Unknown browser'],
  ['Call-us-now-at-555/1.0 (urgent)', 'Unknown browser'],
  ['<b>Security team</b>/1.0 x', 'Unknown browser'],
  [' ', 'Unknown browser'],
  [null, 'Unknown browser'],
])('%s is %s', (userAgent, words) => {
  expect(describeBrowser(userAgent)).toBe(words);
});

test.each([
  ['Firefox/1.0', 'Firefox/1.0'],
  ['a\u0000b\u001b[31mc\u0085d', 'ab[31mcd'],
  ['x'.repeat(301), 'x'.repeat(300)],
  ['', null],
  ['\t', null],
  [undefined, null],
])('of %j a session keeps %j', (header, kept) => {
  expect(keptUserAgent(header)).toBe(kept);
});

/** The sentence in which a page says what a form has done; undefined on a page that says nothing. */
function doneOn({ body }: { readonly body: string }): string | undefined {
  const [, html] = /<div class="notice good" role="status"[^>]*><p>(.*?)<\/p><\/div>/s.exec(body) ?? [];
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
