import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import type { Scope } from '../../src/oauth/core/scope.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { actionsOf, eventsOf } from '../support/audit.ts';
import { textOf } from '../support/page-content.ts';
import {
  addOrganization,
  addPlatformClient,
  joinOrganization,
  makeManagedUser,
} from '../support/platform.ts';
import { postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  startSession,
  type TestClient,
  type TestUser,
} from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const client = await addClient(service);

/** Puts a user into an organization of their own. */
async function startOrganization({ id }: TestUser, isPlatform: boolean): Promise<number> {
  const organization = await addOrganization(service, { isPlatform });
  await joinOrganization(service, id, organization.id, 'owner');
  return organization.id;
}

const profileOf = ({ id, email, username }: TestUser) => ({
  id,
  email,
  emailVerified: true,
  username,
  name: `Test ${username}`,
  timeZone: 'Europe/Berlin',
  weekStart: 'Monday',
  timeFormat: 24,
  defaultScheduleId: null,
  organizationId: null,
});

test('GET /v2/me tells exactly what the contract lists of a user who is alone (contract §5)', async () => {
  const user = await addUser(service);
  const tokens = await connect(service, client, await startSession(service, user));

  const answer = await callMe(service, tokens.access_token);

  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.json()).toEqual({ status: 'success', data: profileOf(user) });
});

test.each([false, true])(
  'GET /v2/me names the organization, isPlatform %s (contract §5)',
  async (isPlatform) => {
    const user = await addUser(service);
    const organizationId = await startOrganization(user, isPlatform);
    const tokens = await connect(service, client, await startSession(service, user));

    const answer = await callMe(service, tokens.access_token);

    expect(answer.json().data).toEqual({
      ...profileOf(user),
      organizationId,
      organization: { id: organizationId, isPlatform },
    });
  },
);

test('GET /v2/me names the team that the grant acts for, and the token does, too (contract §5)', async () => {
  const user = await addUser(service);
  const team = await addTeam(service, user);
  const tokens = await connect(service, client, await startSession(service, user), { team_slug: team.slug });

  const answer = await callMe(service, tokens.access_token);

  expect(answer.json().data).toEqual({ ...profileOf(user), team });
  expect(decodeJwt(tokens.access_token)['team_id']).toBe(team.id);
});

test('GET /v2/me of a user with a team names none where the grant acts for the person (contract §5)', async () => {
  const user = await addUser(service);
  await addTeam(service, user);
  const tokens = await connect(service, client, await startSession(service, user));

  const answer = await callMe(service, tokens.access_token);

  expect(answer.json().data).not.toHaveProperty('team');
  expect(decodeJwt(tokens.access_token)).not.toHaveProperty('team_id');
});

test('GET /v2/me tells what holds now, not what held when the token was made (contract §5)', async () => {
  const user = await addUser(service);
  const tokens = await connect(service, client, await startSession(service, user));
  await db
    .update(users)
    .set({ username: null, timeFormat: 12, weekStart: 'Sunday', timeZone: 'UTC' })
    .where(eq(users.id, user.id));

  const answer = await callMe(service, tokens.access_token);

  expect(answer.json().data).toEqual({
    ...profileOf(user),
    username: null,
    timeFormat: 12,
    weekStart: 'Sunday',
    timeZone: 'UTC',
  });
});

test('GET /v2/me answers 401 once the account is gone (contract §5)', async () => {
  const user = await addUser(service);
  const tokens = await connect(service, client, await startSession(service, user));
  await db.delete(users).where(eq(users.id, user.id));

  const answer = await callMe(service, tokens.access_token);

  expect(answer.statusCode).toBe(401);
});

const writing: readonly Scope[] = ['PROFILE_WRITE'];
const patch = (token: string | undefined, body: object) => callApi(service, 'PATCH', '/me', { token, body });
const get = (token: string) => callApi(service, 'GET', '/me', { token });

const rowOf = async ({ id }: { readonly id: number }) =>
  (await db.select().from(users).where(eq(users.id, id)))[0];

async function addSchedule(token: string, more: object = {}): Promise<number> {
  const body = { name: 'Hours', timeZone: 'UTC', isDefault: false, ...more };
  return bodyOf(await callApi(service, 'POST', '/schedules', { token, body }), 201).data.id;
}

const connectTo = async (user: TestUser, client: TestClient): Promise<string> =>
  (await connect(service, client, await startSession(service, user))).access_token;

const values = { name: 'Ann Other', timeZone: 'America/New_York', weekStart: 'Sunday', timeFormat: 12 };

describe('PATCH /v2/me (contract §5)', () => {
  test('changes what is sent, answers the whole user, and leaves the rest', async () => {
    const { user, token } = await represent(service, { scopes: writing });
    const before = bodyOf(await get(token)).data;

    const changed = bodyOf(await patch(token, values)).data;

    expect(changed).toEqual({ ...before, ...values });
    expect(bodyOf(await patch(token, { timeFormat: 24 })).data).toEqual({ ...changed, timeFormat: 24 });
    expect(bodyOf(await get(token)).data).toEqual({ ...changed, timeFormat: 24 });
    expect(await rowOf(user)).toMatchObject({
      email: user.email,
      username: user.username,
      ...values,
      timeFormat: 24,
    });
  });

  test('makes another of the user’s schedules the default', { tags: 'parts' }, async () => {
    const { token } = await represent(service);
    const [first, second] = [await addSchedule(token), await addSchedule(token)];
    expect(bodyOf(await get(token)).data.defaultScheduleId).toBe(first);

    const changed = bodyOf(await patch(token, { defaultScheduleId: second })).data;

    expect(changed.defaultScheduleId).toBe(second);
    const schedules = bodyOf(await callApi(service, 'GET', '/schedules', { token })).data;
    expect(schedules.map((it: { isDefault: boolean }) => it.isDefault)).toEqual([false, true]);
  });

  test('refuses another person’s schedule, and then changes nothing', { tags: 'parts' }, async () => {
    const { user, token } = await represent(service);
    const theirs = await addSchedule((await represent(service)).token);
    const before = await rowOf(user);

    for (const defaultScheduleId of [theirs, 2_147_483_647]) {
      const answer = await patch(token, { ...values, defaultScheduleId });

      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.details).toEqual({ defaultScheduleId: 'Use one of the user’s schedules.' });
    }
    expect(await rowOf(user)).toEqual(before);
    expect(await actionsOf(service, user)).not.toContain('profile.changed');
  });

  test.each([
    ['name', ''],
    ['name', '\u3164 \u2800'],
    ['name', 'A\nB'],
    ['name', 'x'.repeat(81)],
    ['timeZone', 'Mars/Olympus'],
    ['weekStart', 'monday'],
    ['timeFormat', '12'],
  ])('refuses %s as %j, and names it', async (field, value) => {
    const { user, token } = await represent(service);
    const before = await rowOf(user);

    const answer = await patch(token, { ...values, [field]: value });

    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json().error.details)).toEqual([field]);
    expect(await rowOf(user)).toEqual(before);
  });

  test('takes what pages don’t show and drops it (contract §8)', async () => {
    const { token } = await represent(service);
    const before = bodyOf(await get(token)).data;

    const sent = { locale: 'de', avatarUrl: 'https://a.example/b.png', bio: 'Hello', username: 'root' };

    expect(bodyOf(await patch(token, sent)).data).toEqual(before);
  });
});

describe('an app that may change a profile', () => {
  test('never changes the email address, and hears why (security C106)', async () => {
    const { user, token } = await represent(service);

    for (const email of ['thief@example.com', user.email]) {
      const answer = await patch(token, { ...values, email });

      expect(answer.statusCode).toBe(400);
      expect(answer.json().error.details).toEqual({
        email: 'Not supported. An app can’t change it: its emails can reset the password.',
      });
    }
    expect(await rowOf(user)).toMatchObject({ email: user.email, name: `Test ${user.username}` });
  });

  test('can’t with a token for a team, as it can’t change schedules', async () => {
    const user = await addUser(service);
    const team = await addTeam(service, user);
    const { token } = await represent(service, { user, teamSlug: team.slug });

    const answer = await patch(token, values);

    expect(answer.statusCode).toBe(403);
    expect(answer.json().error.message).toContain('This token is for a team.');
    expect(await rowOf(user)).toMatchObject({ name: `Test ${user.username}` });
  });

  test('can for the users that it manages, but for their address', { tags: 'parts' }, async () => {
    const client = await addPlatformClient(service);
    const { user, accessToken } = bodyOf(await makeManagedUser(service, client), 201).data;

    expect(bodyOf(await patch(accessToken, values)).data).toMatchObject({ id: user.id, ...values });
    expect((await patch(accessToken, { email: 'new@example.com' })).statusCode).toBe(400);
  });
});

describe('the person', () => {
  test('sees which app changed the profile (security C106)', async () => {
    const user = await addUser(service);
    const [tidyWeek, otherApp] = [
      await addClient(service, { name: 'Tidy <Week>', scopes: writing }),
      await addClient(service, { name: 'Other App', scopes: writing }),
    ];
    const tidy = await connectTo(user, tidyWeek);
    const other = await connectTo(user, otherApp);
    const recorded = async () =>
      (await eventsOf(service, user)).filter(({ action }) => action === 'profile.changed');

    await patch(tidy, {});
    expect(await recorded()).toEqual([]);
    bodyOf(await patch(tidy, { name: 'One' }));
    bodyOf(await patch(other, { timeZone: 'UTC' }));

    expect(await recorded()).toMatchObject(
      ['Tidy <Week>', 'Other App'].map((label) => ({
        label,
        actorId: user.id,
        actorClientId: expect.any(String),
        userId: user.id,
      })),
    );
    const cookie = await startSession(service, user);
    const page = await service.app.inject({ url: '/settings/activity', headers: { cookie } });
    expect(textOf(page.body)).toMatch(/Other App changed your profile.*Tidy <Week> changed your profile/s);
  });

  test('keeps a time zone that the list lacks, when an app chose it', async () => {
    const { user, token } = await represent(service);
    bodyOf(await patch(token, { timeZone: 'US/Pacific' }));
    const cookie = await startSession(service, user);

    const page = await service.app.inject({ url: '/settings/profile', headers: { cookie } });
    const fields = {
      ...{ name: 'Ann', username: user.username, time_zone: 'US/Pacific' },
      ...{ week_start: 'Monday', time_format: '24' },
    };
    const saved = await postOwnForm(service, '/settings/profile', fields, cookie);

    expect(page.body).toContain('name="time_zone" type="text" value="US/Pacific · ');
    expect(saved.statusCode).toBe(303);
    expect(await rowOf(user)).toMatchObject({ name: 'Ann', timeZone: 'US/Pacific' });
  });
});
