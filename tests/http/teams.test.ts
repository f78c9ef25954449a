import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { groups } from '../../src/accounts/tables.ts';
import { digestTables } from '../support/database-content.ts';
import { addGroup, addMember, addPerson, openAs, rolesOf, type TestPerson } from '../support/groups.ts';
import { faultOf, titleOf, typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';

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

  test('is made once by a form that is sent twice, and both answers lead to it', async () => {
    const person = await addPerson(service);
    const fields = { name: 'Twice', slug: newSlug() };

    const first = await createTeam(person, fields);
    const second = await createTeam(person, fields);

    expect(first.statusCode).toBe(303);
    expect(second.headers.location).toBe(first.headers.location);
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

  test.each(['', '   ', '\u200b\u2060', 'a\nb', 'x'.repeat(81)])(
    'cannot have %j for a name',
    async (name) => {
      const slug = newSlug();

      const answer = await createTeam(await addPerson(service), { name, slug });

      expect(answer.statusCode).toBe(400);
      expect(faultOf(answer, 'name')).toBeTruthy();
      expect(await findTeamRow(slug)).toBeUndefined();
    },
  );
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

test.each([
  ['/edit', 'name'],
  ['/edit', 'slug'],
  ['/invite', 'email'],
  ['/invite', 'role'],
  ['/delete', 'confirmation'],
  ['/members/1/role', 'role'],
] as const)(
  'a form to %s with NUL in its %s is refused, never a fault (security C35)',
  async (action, field) => {
    const { user, cookie } = await addPerson(service);
    const { path } = await addGroup(service, 'team', user);
    const right = { name: 'A', slug: newSlug(), email: 'a@example.com', role: 'member', confirmation: 'A' };
    const before = await digestTables(service.database);

    const fields = { ...right, [field]: `${right[field]}\0` };
    const answer = await postOwnForm(service, `${path}${action}`, fields, cookie);

    expect(answer.statusCode).toBe(400);
    expect(await digestTables(service.database)).toEqual(before);
  },
);
