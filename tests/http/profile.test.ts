import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { findAccountRow } from '../support/accounts.ts';
import { digestTables } from '../support/database-content.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { faultOf, skeletonOf, textOf, typedIn } from '../support/page-content.ts';
import { formTokenOf, postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addClient, addUser, callMe, connect, postForm, startSession } from '../support/world.ts';
import { oddPayloads, spoilForm } from './spoilt-forms.ts';

const service = await openTestService();
const home = '/settings/profile';
const { db } = service.database;

async function addPerson() {
  const user = await addUser(service);
  return { user, cookie: await startSession(service, user) };
}

const changesOf = (username: string) => ({
  name: 'Another Name',
  username,
  time_zone: 'America/New_York',
  week_start: 'Sunday',
  time_format: '12',
});

async function open(cookie: string, url = home) {
  return service.app.inject({ url, headers: { cookie } });
}

test('the profile shows what is stored, the email address too, which it does not change', async () => {
  const { user, cookie } = await addPerson();

  const page = await open(cookie);

  expect(page.statusCode).toBe(200);
  expect(typedIn(page, 'name')).toBe(`Test ${user.username}`);
  expect(typedIn(page, 'username')).toBe(user.username);
  expect(typedIn(page, 'time_zone')).toMatch(/^Berlin · /);
  expect(page.body).toContain('<option value="Monday" selected>');
  expect(page.body).toContain('<option value="24" selected>');
  expect(textOf(page.body)).toContain(user.email);
  expect(page.body).not.toContain('name="email"');
});

test('the profile says what a new username does to links for booking', { tags: 'parts' }, async () => {
  const { cookie } = await addPerson();

  expect(textOf((await open(cookie)).body)).toContain('links to the old address lead to the new one');
});

test('saving changes all of it, and nothing else, and says so once it is done', async () => {
  const { user, cookie } = await addPerson();
  const before = await findAccountRow(service, user.email);

  const answer = await postOwnForm(service, home, changesOf(`x-${user.username}`), cookie);
  const page = await open(cookie, String(answer.headers.location));

  expect(answer.statusCode).toBe(303);
  expect(answer.headers.location).toBe(`${home}?saved=time-zone`);
  expect(textOf(page.body)).toContain('Saved. Your working hours keep the time zone they had.');
  const again = await postOwnForm(service, home, changesOf(`x-${user.username}`), cookie);
  expect(again.headers.location).toBe(`${home}?saved`);
  expect(textOf((await open(cookie)).body)).not.toContain('Saved.');
  expect(await findAccountRow(service, user.email)).toEqual({
    ...before,
    updatedAt: expect.any(Date),
    name: 'Another Name',
    username: `x-${user.username}`,
    timeZone: 'America/New_York',
    weekStart: 'Sunday',
    timeFormat: 12,
  });
});

test('what is saved is what an app reads at /v2/me (contract §5)', async () => {
  const { user, cookie } = await addPerson();
  const tokens = await connect(service, await addClient(service), cookie);

  await postOwnForm(service, home, changesOf(`x-${user.username}`), cookie);

  expect((await callMe(service, tokens.access_token)).json()).toMatchObject({
    data: {
      name: 'Another Name',
      username: `x-${user.username}`,
      timeZone: 'America/New_York',
      weekStart: 'Sunday',
      timeFormat: 12,
    },
  });
});

test('saving twice, or without a change, is harmless', async () => {
  const { user, cookie } = await addPerson();
  const changes = changesOf(user.username);

  const answers = [
    await postOwnForm(service, home, changes, cookie),
    await postOwnForm(service, home, changes, cookie),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
});

test('nobody can put words of their own into the notice', async () => {
  const { cookie } = await addPerson();

  const page = await open(cookie, `${home}?saved=Call+this+number`);

  expect(page.body).not.toContain('Call this number');
});

test("another user's username is refused beside the field, whatever its case, and nothing is changed", async () => {
  const { user: other } = await addPerson();
  const { user, cookie } = await addPerson();
  const before = await findAccountRow(service, user.email);

  const answer = await postOwnForm(service, home, changesOf(other.username.toUpperCase()), cookie);

  expect(answer.statusCode).toBe(409);
  expect(faultOf(answer, 'username')).toBe('This username is taken. Choose another.');
  expect(typedIn(answer, 'name')).toBe('Another Name');
  expect(answer.body).toContain('<option value="12" selected>');
  expect(await findAccountRow(service, user.email)).toEqual(before);
});

test('of two people who want the same username at the same time one gets it', async () => {
  const [one, two] = [await addPerson(), await addPerson()];
  const wanted = changesOf(`wanted-${one.user.username}`);

  const answers = await Promise.all([
    postOwnForm(service, home, wanted, one.cookie),
    postOwnForm(service, home, wanted, two.cookie),
  ]);

  expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 409]);
  expect(await db.select().from(users).where(eq(users.username, wanted.username))).toHaveLength(1);
});

test.each([
  ['a reserved name', 'settings', 'This username is reserved. Choose another.'],
  ['a reserved name in capitals', 'API', 'This username is reserved. Choose another.'],
  [
    'a name with a slash',
    'a/b',
    'Use letters and digits, with single dashes, dots or underscores in between.',
  ],
  ['no name', '', 'Enter a username.'],
] as const)('%s is no username, and what was typed is kept', async (_name, username, fault) => {
  const { user, cookie } = await addPerson();

  const answer = await postOwnForm(service, home, changesOf(username), cookie);

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'username')).toBe(fault);
  expect(typedIn(answer, 'username')).toBe(username);
  expect(typedIn(answer, 'name')).toBe('Another Name');
  expect((await findAccountRow(service, user.email))?.name).toBe(`Test ${user.username}`);
});

test('an account that came without a username may stay so, or choose one', async () => {
  const { user, cookie } = await addPerson();
  await db.update(users).set({ username: null }).where(eq(users.id, user.id));

  const without = await postOwnForm(service, home, changesOf(''), cookie);
  const rowWithout = await findAccountRow(service, user.email);
  const withOne = await postOwnForm(service, home, changesOf(user.username), cookie);

  expect(without.statusCode).toBe(303);
  expect(rowWithout).toMatchObject({ username: null, name: 'Another Name' });
  expect(withOne.statusCode).toBe(303);
  expect((await findAccountRow(service, user.email))?.username).toBe(user.username);
});

const { user: spoiler, cookie: spoilerCookie } = await addPerson();
const formToken = await formTokenOf(service, spoilerCookie);

async function send(payload: string, type = 'application/x-www-form-urlencoded') {
  const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin', cookie: spoilerCookie };
  return service.app.inject({ method: 'POST', url: home, headers, payload });
}

test.each(spoilForm(changesOf(spoiler.username)))(
  'a profile with $field spoilt ($way) is a 400 and changes nothing (security C35, C36)',
  async ({ payload }) => {
    const before = await digestTables(service.database);

    const answer = await send(`form_token=${formToken}&${payload}`);

    expect(answer.statusCode).toBe(400);
    expect(await digestTables(service.database)).toEqual(before);
  },
);

test.each(oddPayloads)(
  '%s is refused as a page, never a 500 (security C36)',
  async (_name, type, payload) => {
    const answer = await send(payload, type);

    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  },
);

describe('a name that is hostile (security C33)', async () => {
  const { user, cookie } = await addPerson();
  const unselected = (html: string) => skeletonOf(html).map((tag) => tag.replace(' selected', ''));
  const plain = unselected((await open(cookie)).body);

  const { 'line separators': lines, 'right-to-left override': turned, ...names } = hostileTexts;

  test.each([
    ['line separators', lines, 'Line breaks and control characters aren’t allowed.'],
    ['right-to-left override', turned, 'Remove characters that change the text direction.'],
  ])('(%s) is none', async (_name, refused, words) => {
    const before = typedIn(await open(cookie), 'name');

    const answer = await postOwnForm(service, home, { ...changesOf(user.username), name: refused }, cookie);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'name')).toBe(words);
    expect(typedIn(await open(cookie), 'name')).toBe(before);
  });

  test.each(Object.entries(names))('(%s) stays text', async (_name, text) => {
    await postOwnForm(service, home, { ...changesOf(user.username), name: text }, cookie);

    const page = await open(cookie);

    expect(unselected(page.body)).toEqual(plain);
    expect(typedIn(page, 'name')).toBe(text);
  });
});

test('a profile needs its session: another one is not changed by a form without its token', async () => {
  const { user, cookie } = await addPerson();

  const answer = await postForm(
    service,
    home,
    { ...changesOf(user.username), form_token: formToken },
    cookie,
  );

  expect(answer.statusCode).toBe(403);
  expect((await findAccountRow(service, user.email))?.name).toBe(`Test ${user.username}`);
});
