import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { addOrganization, joinOrganization } from '../support/platform.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, callMe, connect, startSession, type TestUser } from '../support/world.ts';

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

test('GET /v2/me names organization and team together (contract §5)', async () => {
  const user = await addUser(service);
  const team = await addTeam(service, user);
  const organizationId = await startOrganization(user, false);
  const tokens = await connect(service, client, await startSession(service, user), { team_slug: team.slug });

  const answer = await callMe(service, tokens.access_token);

  expect(answer.json().data).toMatchObject({ organization: { id: organizationId, isPlatform: false }, team });
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
