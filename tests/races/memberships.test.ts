import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { groupKinds } from '../../src/accounts/person.ts';
import { groups } from '../../src/accounts/tables.ts';
import {
  addGroup,
  addMember,
  addPerson,
  type Form,
  readyForm,
  rolesOf,
  statusesOf,
} from '../support/groups.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import type { TestUser } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const rounds = [1, 2, 3] as const;

describe.each(groupKinds)('the two owners of the %s', (kind) => {
  test.each(
    (
      [
        ['leave', 'leave', [303, 409]],
        ['leave', 'step down', [303, 409]],
        ['step down', 'step down', [303, 409]],
        ['remove the other', 'remove the other', [303, 404]],
        ['demote the other', 'demote the other', [303, 403]],
      ] as const
    ).flatMap((row) => rounds.map((round) => [...row, round] as const)),
  )('one does: %s, the other: %s; one of them stays owner: %j, round %i', async (one, other, statuses) => {
    const first = await addPerson(service);
    const group = await addGroup(service, kind, first.user);
    const second = await addMember(service, group, 'owner');
    const formOf = (way: string, self: TestUser, them: TestUser): Form => {
      if (way === 'leave') return [`${group.path}/leave`, {}];
      if (way === 'step down') return [`${group.path}/members/${self.id}/role`, { role: 'member' }];
      if (way === 'demote the other') return [`${group.path}/members/${them.id}/role`, { role: 'member' }];
      return [`${group.path}/members/${them.id}/remove`, {}];
    };
    const sends = [
      await readyForm(service, formOf(one, first.user, second.user), first.cookie),
      await readyForm(another, formOf(other, second.user, first.user), second.cookie),
    ];

    const answers = await Promise.all(sends.map((send) => send()));

    const owners = Object.values(await rolesOf(service, group)).filter((role) => role === 'owner');
    expect(owners).toHaveLength(1);
    expect(statusesOf(answers)).toEqual(statuses);
  });
});

test.each(rounds)('a form for a new team that is sent six times at once makes one, round %i', async () => {
  const { cookie } = await addPerson(service);
  const slug = `slug-${randomBytes(6).toString('hex')}`;
  const send = await readyForm(service, ['/settings/teams/new', { name: 'Once', slug }], cookie);

  const answers = await Promise.all(Array.from({ length: 6 }, () => send()));

  const rows = await service.database.db.select().from(groups).where(eq(groups.slug, slug));
  expect(rows).toHaveLength(1);
  expect(answers.map(({ headers }) => headers.location)).toEqual(
    Array(6).fill(`/settings/teams/${rows[0]?.id}`),
  );
});

test.each(rounds)(
  'a form for a new organization that is sent six times at once makes one, round %i',
  async () => {
    const { user, cookie } = await addPerson(service);
    const slugs = Array.from({ length: 6 }, () => `org-${randomBytes(6).toString('hex')}`);
    const sends = await Promise.all(
      slugs.map((slug) =>
        readyForm(service, ['/settings/organization/new', { name: 'Once', slug, kind: 'regular' }], cookie),
      ),
    );

    const answers = await Promise.all(sends.map((send) => send()));

    expect(answers.map(({ headers }) => headers.location)).toEqual(Array(6).fill('/settings/organization'));
    const made = (await service.database.db.select().from(groups)).filter(({ slug }) => slugs.includes(slug));
    expect(made).toHaveLength(1);
    expect(await rolesOf(service, { kind: 'organization', id: made[0]?.id ?? 0 })).toEqual({
      [user.id]: 'owner',
    });
  },
);

test.each(rounds)(
  'two people ask for one slug at once: one has it, the other is told, round %i',
  async () => {
    const slug = `slug-${randomBytes(6).toString('hex')}`;
    const sends = await Promise.all(
      [service, another].map(async (on) =>
        readyForm(on, ['/settings/teams/new', { name: 'Wanted', slug }], (await addPerson(service)).cookie),
      ),
    );

    const answers = await Promise.all(sends.map((send) => send()));

    expect(statusesOf(answers)).toEqual([303, 400]);
  },
);

test.each(rounds)(
  'an organization that is deleted while a team is made in it leaves nothing behind, round %i',
  async () => {
    const owner = await addPerson(service);
    const group = await addGroup(service, 'organization', owner.user);
    const admin = await addMember(service, group, 'admin');
    const slug = `slug-${randomBytes(6).toString('hex')}`;
    const fields = { name: 'Within', slug, in_organization: 'yes' };
    const sends = [
      await readyForm(service, ['/settings/teams/new', fields], admin.cookie),
      await readyForm(another, [`${group.path}/delete`, { confirmation: group.name }], owner.cookie),
    ];

    const [made, deleted] = await Promise.all(sends.map((send) => send()));

    const rows = await service.database.db.select().from(groups).where(eq(groups.slug, slug));
    expect(deleted?.statusCode).toBe(303);
    expect(made?.statusCode).toBe(rows.length === 1 ? 303 : 400);
    for (const { organizationId } of rows) expect(organizationId).toBeNull();
  },
);
