import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Role } from '../../src/accounts/person.ts';
import { memberships } from '../../src/accounts/tables.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, type TestTeam } from '../support/teams.ts';
import {
  addClient,
  addUser,
  callMe,
  clientFields,
  connect,
  obtainCode,
  refresh,
  requestToken,
  signIn,
  type TestUser,
} from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;

const changes: readonly (readonly [string, (user: TestUser, team: TestTeam) => Promise<unknown>])[] = [
  ['leaves the team', (user, team) => db.delete(memberships).where(membershipOf(user, team))],
  ['becomes a mere member', (user, team) => setRole(user, team, 'member')],
  ['leaves on the page of the team', (user, team) => sendForm(team, 'leave', {}, user)],
  ['is removed there by an owner', (user, team) => sendAsOwner(team, `members/${user.id}/remove`, {})],
  [
    'is made a member there by an owner',
    (user, team) => sendAsOwner(team, `members/${user.id}/role`, { role: 'member' }),
  ],
];

function membershipOf(user: TestUser, team: TestTeam) {
  return and(eq(memberships.userId, user.id), eq(memberships.teamId, team.id));
}

async function setRole(user: TestUser, team: TestTeam, role: Role): Promise<void> {
  await db.update(memberships).set({ role }).where(membershipOf(user, team));
}

async function sendForm(
  team: TestTeam,
  action: string,
  fields: Readonly<Record<string, string>>,
  user: TestUser,
): Promise<void> {
  const path = `/settings/teams/${team.id}/${action}`;
  const answer = await postOwnForm(service, path, fields, await signIn(service, user));
  expect(answer.statusCode).toBe(303);
}

async function sendAsOwner(
  team: TestTeam,
  action: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const owner = await addUser(service);
  await db.insert(memberships).values({ teamId: team.id, userId: owner.id, role: 'owner' });
  await sendForm(team, action, fields, owner);
}

async function startForTeam() {
  const user = await addUser(service);
  const team = await addTeam(service, user, 'admin');
  const cookie = await signIn(service, user);
  return { user, team, cookie, client: await addClient(service) };
}

test.each(changes)(
  'when the person %s, an app that acts for the team cannot any more (contract §3)',
  async (_, change) => {
    const { user, team, cookie, client } = await startForTeam();
    const tokens = await connect(service, client, cookie, { team_slug: team.slug });
    const before = await callMe(service, tokens.access_token);

    await change(user, team);

    expect(before.json()).toMatchObject({ data: { team: { slug: team.slug } } });
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
    expect((await refresh(service, client, tokens.refresh_token)).json()).toMatchObject({
      error: 'invalid_grant',
      error_description: 'invalid_refresh_token',
    });
  },
);

test.each(changes)(
  'when the person %s, a code for the team is worth nothing (contract §3)',
  async (_, change) => {
    const { user, team, cookie, client } = await startForTeam();
    const code = await obtainCode(service, cookie, client, { parameters: { team_slug: team.slug } });

    await change(user, team);

    const fields = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri };
    const answer = await requestToken(service, { ...clientFields(client), ...fields });
    expect(answer.json()).toMatchObject({
      error: 'invalid_grant',
      error_description: 'code_invalid_or_expired',
    });
  },
);

test('when a team is deleted on its page, an app that acts for it cannot any more (contract §3)', async () => {
  const { user, team, cookie, client } = await startForTeam();
  await setRole(user, team, 'owner');
  const tokens = await connect(service, client, cookie, { team_slug: team.slug });

  await sendForm(team, 'delete', { confirmation: team.name }, user);

  expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
  expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(400);
});

test('what the same person allowed for themselves goes on (contract §4)', async () => {
  const { user, team, cookie, client } = await startForTeam();
  const own = await connect(service, client, cookie);

  await db.delete(memberships).where(membershipOf(user, team));

  expect((await callMe(service, own.access_token)).statusCode).toBe(200);
});
