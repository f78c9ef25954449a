import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { findOwnOrganization } from '../../src/accounts/groups/store.ts';
import { groups } from '../../src/accounts/tables.ts';
import { callApi, represent } from '../support/api.ts';
import { digestTables } from '../support/database-content.ts';
import { addGroup, addMember, addPerson, openAs, rolesOf, type TestPerson } from '../support/groups.ts';
import { faultOf, titleOf, typedIn } from '../support/page-content.ts';
import { moveTeam } from '../support/platform.ts';
import { postOwnForm } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, callMe, connect } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const home = '/settings/organization';
const newSlug = (): string => `org-${randomBytes(6).toString('hex')}`;

async function create(
  { cookie }: TestPerson,
  changes: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  const fields = { name: 'Acme', slug: newSlug(), kind: 'regular', ...changes };
  return postOwnForm(service, `${home}/new`, fields, cookie);
}

async function findRow(slug: string) {
  const [row] = await db.select().from(groups).where(eq(groups.slug, slug));
  return row;
}

test('a user without an organization reads what one is, and how to create one', async () => {
  const page = await openAs(service, home, (await addPerson(service)).cookie);

  expect(page.statusCode).toBe(200);
  expect(page.body).toContain('No organization yet');
  expect(page.body).toContain(`href="${home}/new"`);
});

describe('a new organization', () => {
  test.each([
    ['regular', false],
    ['platform', true],
  ] as const)('%s: its maker owns it, and /v2/me names it (contract §5)', async (kind, isPlatform) => {
    const person = await addPerson(service);
    const slug = newSlug();

    const answer = await create(person, { slug, kind });

    const row = await findRow(slug);
    expect([answer.statusCode, answer.headers.location]).toEqual([303, home]);
    expect(row).toMatchObject({ name: 'Acme', isPlatform });
    expect(titleOf(await openAs(service, home, person.cookie))).toBe('Acme');
    expect(await rolesOf(service, { kind: 'organization', id: row?.id ?? 0 })).toEqual({
      [person.user.id]: 'owner',
    });
    const tokens = await connect(service, await addClient(service), person.cookie);
    expect((await callMe(service, tokens.access_token)).json().data).toMatchObject({
      organizationId: row?.id,
      organization: { id: row?.id, isPlatform },
    });
  });

  test.each([
    '',
    'a_b',
    'a.b',
    '-a',
    'a-',
    'xn--a',
    'ä',
    'www',
    'WWW',
    'api',
    'mail',
    'auth',
    'docs',
    'app',
    'admin',
    'x'.repeat(64),
    'a\0',
  ])('cannot have %j for a slug, which is a host label, too (RFC 1123 §2.1)', async (slug) => {
    const person = await addPerson(service);

    const answer = await create(person, { slug });

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'slug')).toBeTruthy();
    expect(await findRow(slug.replaceAll('\0', '').toLowerCase())).toBeUndefined();
  });

  test.each(['', 'Regular', 'managed'])('cannot be of the kind %j', async (kind) => {
    const person = await addPerson(service);
    const slug = newSlug();

    const answer = await create(person, { slug, kind });

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'kind')).toBe('Choose a kind.');
    expect(await findRow(slug)).toBeUndefined();
  });
});

describe('its address', () => {
  test('stands on its page where ORG_HOST is configured, and nowhere else (contract §1)', {
    tags: 'parts',
  }, async () => {
    const withHost = await openAnotherInstance(service, { ORG_HOST: 'cal.example' });
    const person = await addPerson(service);
    const slug = newSlug();
    await create(person, { slug });

    const [page, plainPage] = [
      await openAs(withHost, home, person.cookie),
      await openAs(service, home, person.cookie),
    ];

    expect(page.body).toContain(`http://${slug}.cal.example`);
    expect(plainPage.body).not.toContain(`${slug}.`);
  });
});

describe('editing an organization', () => {
  test('owners change name and slug, the kind stays', async () => {
    const person = await addPerson(service);
    const { path, id } = await addGroup(service, 'organization', person.user);
    const slug = newSlug();

    const fields = { name: 'New name', slug, kind: 'platform' };
    const answer = await postOwnForm(service, `${path}/edit`, fields, person.cookie);

    expect(answer.headers.location).toBe(`${home}?done=saved`);
    expect(await findRow(slug)).toMatchObject({ id, name: 'New name', isPlatform: false });
  });

  test('admins change the name alone', async () => {
    const { user } = await addPerson(service);
    const organization = await addGroup(service, 'organization', user);
    const admin = await addMember(service, organization, 'admin');
    const slug = newSlug();

    const form = await openAs(service, `${organization.path}/edit`, admin.cookie);
    const answer = await postOwnForm(
      service,
      `${organization.path}/edit`,
      { name: 'New name', slug },
      admin.cookie,
    );

    expect(typedIn(form, 'slug')).toBeUndefined();
    expect(answer.statusCode).toBe(303);
    expect(await findRow(slug)).toBeUndefined();
    expect(titleOf(await openAs(service, home, admin.cookie))).toBe('New name');
  });
});

describe('role and organization of a person go together', () => {
  test('when the organization is deleted, its teams and /v2/me go on without it', async () => {
    const person = await addPerson(service);
    const organization = await addGroup(service, 'organization', person.user);
    const { id: teamId } = await addGroup(service, 'team', person.user);
    await moveTeam(service, teamId, organization.id);
    const tokens = await connect(service, await addClient(service), person.cookie);

    const fields = { confirmation: organization.name };
    await postOwnForm(service, `${organization.path}/delete`, fields, person.cookie);

    const [team] = await db.select().from(groups).where(eq(groups.id, teamId));
    expect(team).toMatchObject({ organizationId: null });
    const me = (await callMe(service, tokens.access_token)).json().data;
    expect(me).toMatchObject({ organizationId: null });
    expect(me).not.toHaveProperty('organization');
  });

  test.each(['leaves', 'is removed'] as const)('when a member %s', async (way) => {
    const owner = await addPerson(service);
    const organization = await addGroup(service, 'organization', owner.user);
    const { user, cookie } = await addMember(service, organization, 'admin');

    const answer =
      way === 'leaves'
        ? await postOwnForm(service, `${organization.path}/leave`, {}, cookie)
        : await postOwnForm(service, `${organization.path}/members/${user.id}/remove`, {}, owner.cookie);

    expect(answer.statusCode).toBe(303);
    expect(await findOwnOrganization(db, user.id)).toBeUndefined();
  });
});

test('a page that is still open from a former organization does nothing in the present one', async () => {
  const owner = await addPerson(service);
  const former = await addGroup(service, 'organization', owner.user);
  const person = await addMember(service, former, 'owner');
  await postOwnForm(service, `${former.path}/leave`, {}, person.cookie);
  const present = await addGroup(service, 'organization', person.user);
  await addMember(service, present, 'owner');
  const before = await digestTables(service.database);

  for (const [action, fields] of [
    ['leave', {}],
    ['delete', { confirmation: present.name }],
    ['edit', { name: 'Former', slug: newSlug() }],
    [`members/${person.user.id}/remove`, {}],
  ] as const)
    await postOwnForm(service, `${former.path}/${action}`, fields, person.cookie);

  expect(await digestTables(service.database)).toEqual(before);
});

test('an organization is no team, though both are groups: not on pages, not for apps (contract §8)', async () => {
  const { user, cookie } = await addPerson(service);
  const { id } = await addGroup(service, 'organization', user);
  const { token } = await represent(service, { user });
  const body = {
    lengthInMinutes: 30,
    title: 'Talk',
    slug: 'talk',
    schedulingType: 'collective',
    hosts: [{ userId: user.id }],
  };
  const before = await digestTables(service.database);

  const answers = [
    await openAs(service, `/settings/teams/${id}`, cookie),
    await openAs(service, `/settings/teams/${id}/edit`, cookie),
    await postOwnForm(service, `/settings/teams/${id}/delete`, { confirmation: 'Test organization' }, cookie),
    await callApi(service, 'GET', `/teams/${id}/event-types`, { token }),
    await callApi(service, 'POST', `/teams/${id}/event-types`, { token, body }),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(404));
  expect(await digestTables(service.database)).toEqual(before);
});
