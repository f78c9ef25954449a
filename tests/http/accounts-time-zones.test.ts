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
import { typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addUser, postForm, signIn } from '../support/world.ts';

const service = await sharedService();

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
