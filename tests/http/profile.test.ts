import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import {
  nameOfToday,
  offsetNameOf,
  readZone,
  showZones,
  timeZoneNames,
} from '../../src/accounts/time-zones.ts';
import { findAccountRow, signUpFields } from '../support/accounts.ts';
import { addPerson } from '../support/groups.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { faultOf, skeletonOf, textOf, typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addClient, addUser, callMe, connect, postForm, signIn } from '../support/world.ts';

const service = await openTestService();
const home = '/settings/profile';
const { db } = service.database;

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
  const { user, cookie } = await addPerson(service);

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
  const { cookie } = await addPerson(service);

  expect(textOf((await open(cookie)).body)).toContain('links to the old address lead to the new one');
});

test('saving changes all of it, and nothing else, and says so once it is done', async () => {
  const { user, cookie } = await addPerson(service);
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
  const { user, cookie } = await addPerson(service);
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

test("another user's username is refused beside the field, whatever its case, and nothing is changed", async () => {
  const { user: other } = await addPerson(service);
  const { user, cookie } = await addPerson(service);
  const before = await findAccountRow(service, user.email);

  const answer = await postOwnForm(service, home, changesOf(other.username.toUpperCase()), cookie);

  expect(answer.statusCode).toBe(409);
  expect(faultOf(answer, 'username')).toBe('This username is taken. Choose another.');
  expect(typedIn(answer, 'name')).toBe('Another Name');
  expect(answer.body).toContain('<option value="12" selected>');
  expect(await findAccountRow(service, user.email)).toEqual(before);
});

test('of two people who want the same username at the same time one gets it', async () => {
  const [one, two] = [await addPerson(service), await addPerson(service)];
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
  const { user, cookie } = await addPerson(service);

  const answer = await postOwnForm(service, home, changesOf(username), cookie);

  expect(answer.statusCode).toBe(400);
  expect(faultOf(answer, 'username')).toBe(fault);
  expect(typedIn(answer, 'username')).toBe(username);
  expect(typedIn(answer, 'name')).toBe('Another Name');
  expect((await findAccountRow(service, user.email))?.name).toBe(`Test ${user.username}`);
});

test('an account that came without a username may stay so, or choose one', async () => {
  const { user, cookie } = await addPerson(service);
  await db.update(users).set({ username: null }).where(eq(users.id, user.id));

  const without = await postOwnForm(service, home, changesOf(''), cookie);
  const rowWithout = await findAccountRow(service, user.email);
  const withOne = await postOwnForm(service, home, changesOf(user.username), cookie);

  expect(without.statusCode).toBe(303);
  expect(rowWithout).toMatchObject({ username: null, name: 'Another Name' });
  expect(withOne.statusCode).toBe(303);
  expect((await findAccountRow(service, user.email))?.username).toBe(user.username);
});

describe('a name that is hostile (security C33)', async () => {
  const { user, cookie } = await addPerson(service);
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

const renamed = [
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Godthab', 'America/Nuuk'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
] as const;
const american = { language: 'en-US', hours: 12 } as const;

describe('the time zones to choose from', () => {
  test.each(renamed)('have the name of today: not %s but %s', (former, name) => {
    expect(timeZoneNames).toContain(name);
    expect(timeZoneNames).not.toContain(former);
    expect([nameOfToday(former), nameOfToday(former.toLowerCase()), nameOfToday(name.toUpperCase())]).toEqual(
      [name, name, name],
    );
  });

  test('are each there once, sorted, and known to this engine', () => {
    expect(new Set(timeZoneNames).size).toBe(timeZoneNames.length);
    expect(timeZoneNames).toEqual(timeZoneNames.toSorted());
    expect(timeZoneNames.length).toBeGreaterThan(400);
    for (const timeZone of timeZoneNames)
      expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
  });

  test('have the cities’ names as people write them, where they are listed by city', () => {
    const { list } = showZones('UTC', american, new Date('2031-01-06T12:00Z'));
    const cities = list.map((words) => words.replace(/ · .*/, ''));

    expect(new Set(cities).size).toBe(cities.length);
    expect(cities).toEqual(cities.toSorted());
    expect(cities).toEqual(expect.arrayContaining(['Kolkata', 'Center, North Dakota', 'Dumont d’Urville']));
    expect(cities.filter((city) => /[a-z][A-Z]/.test(city))).toEqual(['McMurdo']);
  });

  test('tell the time that it is there, in the clock of the reader', () => {
    const wordsOf = (name: string, at: string): string => showZones(name, american, new Date(at)).shown;

    expect(wordsOf('Europe/Berlin', '2031-01-06T12:00Z')).toBe('Berlin · 1:00 PM');
    expect(wordsOf('Europe/Berlin', '2031-07-06T12:00Z')).toBe('Berlin · 2:00 PM');
    expect(wordsOf('Asia/Calcutta', '2031-07-06T12:00Z')).toBe('Kolkata · 5:30 PM');
    expect(wordsOf('Etc/GMT+3', '2031-07-06T12:00Z')).toBe('Etc/GMT+3 · 9:00 AM');
    expect(wordsOf('UTC', '2031-07-06T12:00Z')).toBe('UTC · 12:00 PM');
    expect(offsetNameOf('Europe/London', new Date('2031-01-06T12:00Z'))).toBe('GMT');
  });
});

test.each([
  ['tokyo', 'Asia/Tokyo'],
  ['Tok', 'Asia/Tokyo'],
  ['Tokyo · 16:10', 'Asia/Tokyo'],
  ['  new   york ', 'America/New_York'],
  ['New_York', 'America/New_York'],
  ['São Paulo', 'America/Sao_Paulo'],
  ['Zürich', 'Europe/Zurich'],
  ['munich', 'Europe/Berlin'],
  ['Mumbai', 'Asia/Kolkata'],
  ['San Francisco, CA', 'America/Los_Angeles'],
  ['Center, North Dakota', 'America/North_Dakota/Center'],
  ['europe/rome', 'europe/rome'],
  ['Europe/Berlin (GMT+01:00)', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['San', 'San'],
  ['Atlantis', 'Atlantis'],
  ['', ''],
  [' · ', ' · '],
])('who types %j means the zone %s', (typed, zone) => {
  expect(readZone(typed)).toBe(zone);
});

test('every city of the list is read as its zone', () => {
  const { list } = showZones('UTC', american, new Date('2031-01-06T12:00Z'));

  expect(list.filter((words) => readZone(words) === words)).toEqual([]);
});

test.each([
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Mars/Olympus', 'UTC'],
  ['\0', 'UTC'],
  ['', 'UTC'],
])('an account from a browser in %j is in %s, and can choose another zone', async (time_zone, zone) => {
  const fields = { ...signUpFields(), time_zone };

  await postForm(service, '/signup', fields);

  expect(await findAccountRow(service, fields.email)).toMatchObject({ timeZone: zone });
});

describe('a profile', async () => {
  const { db } = service.database;
  const user = await addUser(service);
  const zoneOf = async (): Promise<string | undefined> =>
    (await db.select({ timeZone: users.timeZone }).from(users).where(eq(users.id, user.id)))[0]?.timeZone;

  test.each(['Asia/Calcutta', 'Asia/Kolkata', 'Kolkata · 16:10', 'mumbai'])(
    'that is saved with %s has the name of today',
    async (time_zone) => {
      const cookie = await signIn(service, user);
      const fields = {
        name: 'Test',
        username: user.username,
        week_start: 'Monday',
        time_format: '24',
        time_zone,
      };

      const saved = await postOwnForm(service, '/settings/profile', fields, cookie);

      expect(saved.statusCode).toBe(303);
      expect(await zoneOf()).toBe('Asia/Kolkata');
    },
  );

  test('with a former name, from before, shows the zone as chosen', async () => {
    await db.update(users).set({ timeZone: 'Europe/Kiev' }).where(eq(users.id, user.id));

    const page = await service.app.inject({
      url: '/settings/profile',
      headers: { cookie: await signIn(service, user) },
    });

    expect(typedIn(page, 'time_zone')).toMatch(/^Kyiv · /);
  });
});
