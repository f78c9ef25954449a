import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { Role } from '../../src/accounts/person.ts';
import { groups, memberships } from '../../src/accounts/tables.ts';
import { codeOf, requestOf } from '../support/authorization.ts';
import { allowForGood, rememberedOf, visit } from '../support/consent.ts';
import { digestTables } from '../support/database-content.ts';
import { addGroup, addMember, addPerson, openAs, rolesOf, type TestPerson } from '../support/groups.ts';
import { faultOf, titleOf, typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
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

const service = await openTestService();
const { db } = service.database;
const newSlug = (): string => `slug-${randomBytes(6).toString('hex')}`;

async function createTeam(
  { cookie }: TestPerson,
  fields: Readonly<Record<string, string>>,
): Promise<LightMyRequestResponse> {
  return postOwnForm(service, '/settings/teams/new', fields, cookie);
}

async function findTeamRow(slug: string) {
  const [row] = await db.select().from(groups).where(eq(groups.slug, slug));
  return row;
}

describe('a new team', () => {
  test('belongs to the user who created it, and is in their list', async () => {
    const person = await addPerson(service);
    const slug = newSlug();

    const answer = await createTeam(person, { name: 'Garden Club', slug: ` ${slug.toUpperCase()} ` });

    const team = await findTeamRow(slug);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/settings/teams/${team?.id}`]);
    expect(team).toMatchObject({ name: 'Garden Club', organizationId: null });
    expect(await rolesOf(service, { kind: 'team', id: team?.id ?? 0 })).toEqual({
      [person.user.id]: 'owner',
    });
    const list = await openAs(service, '/settings/teams', person.cookie);
    expect(list.body).toContain(`href="/settings/teams/${team?.id}"`);
    expect(list.body).toContain('Garden Club');
  });

  test.each([
    ['with another name', async (person: TestPerson) => person, 'Another'],
    ['of another user', async () => addPerson(service), 'Taken'],
  ] as const)('cannot have the slug of a team %s', async (_name, whose, name) => {
    const person = await addPerson(service);
    const slug = newSlug();
    await createTeam(await whose(person), { name: 'Taken', slug });

    const answer = await createTeam(person, { name, slug });

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'slug')).toBe('This address is taken. Choose another.');
    expect([typedIn(answer, 'name'), typedIn(answer, 'slug')]).toEqual([name, slug]);
    expect(await findTeamRow(slug)).toMatchObject({ name: 'Taken' });
  });

  test.each([
    ['a blank', 'a b'],
    ['a dot', 'a.b'],
    ['a slash', 'a/b'],
    ['two dashes', 'a--b'],
    ['a dash in front', '-a'],
    ['a dash behind', 'a-'],
    ['other letters', 'gärten'],
    ['a reserved word', 'settings'],
    ['a reserved word in capitals', 'API'],
    ['41 characters', 'x'.repeat(41)],
    ['NUL', 'a\0b'],
  ])('cannot have %s for a slug', async (_name, slug) => {
    const person = await addPerson(service);

    const answer = await createTeam(person, { name: 'Named', slug });

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'slug')).toBeTruthy();
    expect(typedIn(answer, 'name')).toBe('Named');
    expect((await openAs(service, '/settings/teams', person.cookie)).body).toContain('No teams yet');
  });
});

describe('a team within an organization', () => {
  test.each(['owner', 'admin'] as const)('is made by its %s', async (role) => {
    const { user: owner } = await addPerson(service);
    const organization = await addGroup(service, 'organization', owner);
    const person = await addMember(service, organization, role);
    const slug = newSlug();

    const form = await openAs(service, '/settings/teams/new', person.cookie);
    const answer = await createTeam(person, { name: 'Within', slug, in_organization: 'yes' });

    expect(form.body).toContain('name="in_organization"');
    expect(answer.statusCode).toBe(303);
    expect(await findTeamRow(slug)).toMatchObject({ organizationId: organization.id });
    const page = await openAs(service, organization.page, person.cookie);
    expect(page.body).toContain('Within');
  });

  test.each(['member', 'stranger'] as const)('is not made by a %s', async (role) => {
    const { user: owner } = await addPerson(service);
    const organization = await addGroup(service, 'organization', owner);
    const person =
      role === 'stranger' ? await addPerson(service) : await addMember(service, organization, role);
    const slug = newSlug();

    const form = await openAs(service, '/settings/teams/new', person.cookie);
    const answer = await createTeam(person, { name: 'Within', slug, in_organization: 'yes' });

    expect(form.body).not.toContain('name="in_organization"');
    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'in_organization')).toContain('not an owner or admin');
    expect(await findTeamRow(slug)).toBeUndefined();
  });
});

describe('editing a team', () => {
  test('changes its name and slug, and what its page says', async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addGroup(service, 'team', user);
    const slug = newSlug();

    const form = await openAs(service, `${team.path}/edit`, cookie);
    const answer = await postOwnForm(service, `${team.path}/edit`, { name: 'New name', slug }, cookie);

    expect(typedIn(form, 'name')).toBe(team.name);
    expect(answer.headers.location).toBe(`${team.page}?done=saved`);
    expect(titleOf(await openAs(service, team.page, cookie))).toBe('New name');
    expect(await findTeamRow(slug)).toMatchObject({ id: team.id, name: 'New name' });
  });

  test('into a slug that is taken is refused, with what was typed', async () => {
    const { user, cookie } = await addPerson(service);
    const team = await addGroup(service, 'team', user);
    const slug = newSlug();
    await createTeam(await addPerson(service), { name: 'Other', slug });
    const before = await digestTables(service.database);

    const answer = await postOwnForm(service, `${team.path}/edit`, { name: 'New name', slug }, cookie);

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'slug')).toBe('This address is taken. Choose another.');
    expect(typedIn(answer, 'name')).toBe('New name');
    expect(await digestTables(service.database)).toEqual(before);
  });
});

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
