import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { weekDays } from '../../src/accounts/person.ts';
import { schedules } from '../../src/scheduling/tables.ts';
import { type ApiMethod, askOf, bodyOf, callApi, represent } from '../support/api.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

const service = await openTestService();
const ask = askOf(service);
const { db } = service.database;
const ann = await represent(service);
const ben = await represent(service);

const workingHours = { name: 'Working hours', timeZone: 'Europe/Berlin', isDefault: false };

async function create(token: string, changes: object = {}) {
  return bodyOf(await ask('POST', '/schedules', token, { ...workingHours, ...changes }), 201).data;
}

async function defaultsOf(userId: number): Promise<number[]> {
  const rows = await db
    .select({ id: schedules.id })
    .from(schedules)
    .where(and(eq(schedules.userId, userId), eq(schedules.isDefault, true)));
  return rows.map(({ id }) => id);
}

describe('a schedule', () => {
  test('has the usual hours unless said otherwise', async () => {
    const { token, user } = await represent(service);

    expect(await create(token)).toEqual({
      id: expect.any(Number),
      ownerId: user.id,
      name: 'Working hours',
      timeZone: 'Europe/Berlin',
      isDefault: true,
      availability: [
        {
          days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
          startTime: '09:00',
          endTime: '17:00',
        },
      ],
      overrides: [],
    });
  });

  test('keeps its hours and its date overrides as they were sent', async () => {
    const sent = {
      availability: [
        { days: ['Monday', 'Sunday'], startTime: '08:30', endTime: '12:00' },
        { days: ['Monday'], startTime: '13:00', endTime: '24:00' },
      ],
      overrides: [
        { date: '2031-12-24', startTime: '00:00', endTime: '00:00' },
        { date: '2031-12-31', startTime: '09:00', endTime: '10:00' },
        { date: '2031-12-31', startTime: '11:00', endTime: '12:00' },
      ],
    };
    const { id } = await create(ann.token, sent);

    const { data } = bodyOf(await ask('GET', `/schedules/${id}`, ann.token));

    expect(data).toMatchObject(sent);
  });

  test('is changed in what is sent, and stays as it is in all else', async () => {
    const before = await create(ann.token);

    const { data } = bodyOf(
      await ask('PATCH', `/schedules/${before.id}`, ann.token, { name: 'Other hours' }),
    );

    expect(data).toEqual({ ...before, name: 'Other hours' });
  });

  test.each<ApiMethod>(['GET', 'PATCH', 'DELETE'])('of another user is not there: %s', async (method) => {
    const { id } = await create(ann.token);
    const body = method === 'PATCH' ? { body: { name: 'Mine' } } : {};

    expect(
      (await callApi(service, method, `/schedules/${id}`, { token: ben.token, ...body })).statusCode,
    ).toBe(404);
    expect(bodyOf(await ask('GET', `/schedules/${id}`, ann.token)).data.name).toBe('Working hours');
  });
});

describe('the default', () => {
  test('is the first one, and is what /v2/me names (contract §5)', async () => {
    const { token } = await represent(service);
    expect((await ask('GET', '/schedules/default', token)).statusCode).toBe(404);
    expect(bodyOf(await ask('GET', '/me', token)).data.defaultScheduleId).toBeNull();

    const { id } = await create(token);

    expect(bodyOf(await ask('GET', '/schedules/default', token)).data.id).toBe(id);
    expect(bodyOf(await ask('GET', '/me', token)).data.defaultScheduleId).toBe(id);
  });

  test('moves to another one that is made or changed to be it', async () => {
    const { token, user } = await represent(service);
    const first = await create(token);
    const second = await create(token, { isDefault: true });
    expect(await defaultsOf(user.id)).toEqual([second.id]);

    await ask('PATCH', `/schedules/${first.id}`, token, { isDefault: true });

    expect(await defaultsOf(user.id)).toEqual([first.id]);
  });

  test('stays the default when a change says otherwise, because there is always one', async () => {
    const { token, user } = await represent(service);
    const { id } = await create(token);

    await ask('PATCH', `/schedules/${id}`, token, { isDefault: false });

    expect(await defaultsOf(user.id)).toEqual([id]);
  });

  test('moves to the oldest of the others when it is deleted', async () => {
    const { token, user } = await represent(service);
    const [first, second] = [await create(token), await create(token)];
    await create(token);

    bodyOf(await ask('DELETE', `/schedules/${first.id}`, token));

    expect(await defaultsOf(user.id)).toEqual([second.id]);
  });

  test('is one, whatever arrives concurrently at two instances', async () => {
    const { token, user } = await represent(service);
    const another = await openAnotherInstance(service);
    const body = { ...workingHours, isDefault: true };

    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        callApi(index % 2 === 0 ? service : another, 'POST', '/schedules', { token, body }),
      ),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array.from({ length: 12 }, () => 201));
    expect(await defaultsOf(user.id)).toHaveLength(1);
  });
});

const spanOf = (startTime: string, endTime: string, days: readonly string[] = ['Monday']) => ({
  availability: [{ days, startTime, endTime }],
});
const overrideOf = (date: string, startTime: string, endTime: string) => ({
  overrides: [{ date, startTime, endTime }],
});

describe('input that is not right is a 400 that names the field', () => {
  const [everyDay] = spanOf('09:00', '10:00', weekDays).availability;

  test.each<[string, object, string]>([
    ['no name', { name: '' }, 'name'],
    ['an unknown time zone', { timeZone: 'Mars/Olympus' }, 'timeZone'],
    ['an offset instead of a time zone', { timeZone: '+02:00' }, 'timeZone'],
    ['no days', spanOf('09:00', '10:00', []), 'availability.0.days'],
    ['a time behind the day', spanOf('09:00', '24:01'), 'availability.0.endTime'],
    ['no time at all', spanOf('00:00', '00:00'), 'availability.0.endTime'],
    ['over 100 spans a week, each day counted', { availability: Array(15).fill(everyDay) }, 'availability'],
    ['an override that ends first', overrideOf('2026-02-20', '12:00', '10:00'), 'overrides.0.endTime'],
  ])('%s', async (_words, changes, field) => {
    const answer = await ask('POST', '/schedules', ann.token, { ...workingHours, ...changes });

    expect(Object.keys(bodyOf(answer, 400).error.details)).toEqual([field]);
  });
});

const midnight = 'Must be after startTime. Write midnight at the end as 24:00.';
const noDate = 'Must be a date that exists, as YYYY-MM-DD.';

test.each([
  ['overrides.0.date', overrideOf('2026-13-01', '09:00', '10:00'), noDate],
  ['availability.0.endTime', spanOf('18:00', '00:00'), midnight],
  ['overrides.0.endTime', overrideOf('2026-12-31', '18:00', '00:00'), midnight],
  ['availability.0.endTime', spanOf('12:00', '09:00'), 'Must be after startTime.'],
])('%s of %j is refused with what to write (contract §5)', async (field, changes, words) => {
  const body = { ...workingHours, ...changes };
  const answer = await ask('POST', '/schedules', ann.token, body);

  expect(bodyOf(answer, 400).error.details).toEqual({ [field]: words });
});

test.each([
  ['Asia/Calcutta', 'Asia/Calcutta'],
  ['asia/kolkata', 'Asia/Kolkata'],
  ['EUROPE/kyiv', 'Europe/Kyiv'],
])('a time zone may be told as %s, by today’s or a former name, and is spelled %s', async (told, spelled) => {
  expect((await create(ann.token, { timeZone: told })).timeZone).toBe(spelled);
});

test('a permission for a team opens no schedules (contract §3)', async () => {
  const team = await addTeam(service, ann.user);
  const { token } = await represent(service, { user: ann.user, teamSlug: team.slug });

  expect(bodyOf(await ask('GET', '/schedules', token), 403).error.code).toBe('Forbidden');
});
