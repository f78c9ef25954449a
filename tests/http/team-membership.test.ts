import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Role } from '../../src/accounts/person.ts';
import { memberships } from '../../src/accounts/tables.ts';
import { codeOf, requestOf } from '../support/authorization.ts';
import { allowForGood, rememberedOf, visit } from '../support/consent.ts';
import { postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addTeam, joinTeam, type TestTeam } from '../support/teams.ts';
import {
  addClient,
  addUser,
  callMe,
  clientFields,
  connect,
  obtainCode,
  refresh,
  requestToken,
  startSession,
  type TestUser,
} from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;

type Change = readonly [words: string, (user: TestUser, team: TestTeam) => Promise<unknown>];

const changesOnPages: readonly Change[] = [
  ['leaves on the page of the team', (user, team) => sendForm(team, 'leave', {}, user)],
  ['is removed there by an owner', (user, team) => sendAsOwner(team, `members/${user.id}/remove`, {})],
  [
    'is made a member there by an owner',
    (user, team) => sendAsOwner(team, `members/${user.id}/role`, { role: 'member' }),
  ],
  ['steps down there', (user, team) => sendForm(team, `members/${user.id}/role`, { role: 'member' }, user)],
];

const changes: readonly Change[] = [
  ['leaves the team', (user, team) => db.delete(memberships).where(membershipOf(user, team))],
  ['becomes a mere member', (user, team) => setRole(user, team, 'member')],
  ...changesOnPages,
];

function membershipOf(user: TestUser, team: TestTeam) {
  return and(eq(memberships.userId, user.id), eq(memberships.groupId, team.id));
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
  const answer = await postOwnForm(service, path, fields, await startSession(service, user));
  expect(answer.statusCode).toBe(303);
}

async function sendAsOwner(
  team: TestTeam,
  action: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  const owner = await addUser(service);
  await db.insert(memberships).values({ groupId: team.id, kind: 'team', userId: owner.id, role: 'owner' });
  await sendForm(team, action, fields, owner);
}

async function startForTeam() {
  const user = await addUser(service);
  const team = await addTeam(service, user, 'admin');
  const cookie = await startSession(service, user);
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

test.each(changesOnPages)(
  'when the person %s, what was to be allowed for the team without asking is asked again, even when the role comes back',
  async (_, change) => {
    const { user, team, cookie, client } = await startForTeam();
    const ownClient = await addClient(service);
    const colleague = await addUser(service);
    await joinTeam(service, team, colleague, 'admin');
    const elsewhere = await addTeam(service, user, 'admin');
    const elsewhereClient = await addClient(service);
    await allowForGood(service, client, cookie, {}, team.slug);
    await allowForGood(service, ownClient, cookie);
    await allowForGood(service, elsewhereClient, cookie, {}, elsewhere.slug);
    await allowForGood(service, client, await startSession(service, colleague), {}, team.slug);

    await change(user, team);
    await db.delete(memberships).where(membershipOf(user, team));
    await joinTeam(service, team, user, 'admin');

    expect((await visit(service, requestOf(client), cookie)).statusCode).toBe(200);
    expect(await rememberedOf(service, user, client)).toBeUndefined();
    expect(await rememberedOf(service, user, ownClient)).toMatchObject({ teamId: null });
    expect(await rememberedOf(service, user, elsewhereClient)).toMatchObject({ teamId: elsewhere.id });
    expect(await rememberedOf(service, colleague, client)).toMatchObject({ teamId: team.id });
  },
);

test('who gets another role in which apps may act for the team goes on without being asked', async () => {
  const { user, team, cookie, client } = await startForTeam();
  await allowForGood(service, client, cookie, {}, team.slug);

  await sendAsOwner(team, `members/${user.id}/role`, { role: 'owner' });

  expect(codeOf(await visit(service, requestOf(client), cookie))).toBeDefined();
});

test('who is not let go, as the only owner, keeps what is remembered', async () => {
  const { user, team, cookie, client } = await startForTeam();
  await setRole(user, team, 'owner');
  await allowForGood(service, client, cookie, {}, team.slug);

  const path = `/settings/teams/${team.id}/leave`;
  const answer = await postOwnForm(service, path, {}, cookie);

  expect(answer.statusCode).toBe(409);
  expect(await rememberedOf(service, user, client)).toMatchObject({ teamId: team.id });
});
