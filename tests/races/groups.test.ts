import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { groupKinds } from '../../src/accounts/person.ts';
import { groups, memberships } from '../../src/accounts/tables.ts';
import { counted } from '../../src/platform/limits/store.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  addPerson,
  answerInvitation,
  type Form,
  invitationsOf,
  invite,
  newAddress,
  readyForm,
  rolesOf,
  statusesOf,
} from '../support/groups.ts';
import { useUp } from '../support/guesser.ts';
import { mailTo } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addUser, type TestUser } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const rounds = [1, 2, 3] as const;

describe.each(groupKinds)('an invitation into the %s', (kind) => {
  test.each(rounds)('taken up by six people at once lets one in, round %i', async () => {
    const owner = await addUser(service);
    const group = await addGroup(service, kind, owner);
    const { link } = await addInvitation(service, group, owner);
    const fields = { kind, group: String(group.id) };
    const people = await Promise.all(Array.from({ length: 6 }, () => addPerson(service)));
    const sends = await Promise.all(
      people.map(({ cookie }, index) =>
        readyForm(index % 2 === 0 ? service : another, [`${link}/accept`, fields], cookie),
      ),
    );

    const answers = await Promise.all(sends.map((send) => send()));

    expect(statusesOf(answers)).toEqual([303, 410, 410, 410, 410, 410]);
    expect(Object.keys(await rolesOf(service, group))).toHaveLength(2);
    expect(await invitationsOf(service, group)).toEqual([]);
  });

  test('taken up by one person six times at once leads them there each time', async () => {
    const owner = await addUser(service);
    const group = await addGroup(service, kind, owner);
    const { link } = await addInvitation(service, group, owner);
    const { user, cookie } = await addPerson(service);
    const send = await readyForm(service, [`${link}/accept`, { kind, group: String(group.id) }], cookie);

    const answers = await Promise.all(Array.from({ length: 6 }, () => send()));

    const locations = answers.map(({ headers }) => String(headers.location)).sort();
    expect(locations).toEqual([...Array(5).fill(group.page), `${group.page}?done=joined`]);
    expect(await rolesOf(service, group)).toEqual({ [owner.id]: 'owner', [user.id]: 'member' });
  });

  test.each(
    (['withdraw', 'decline', 'delete'] as const).flatMap((end) =>
      rounds.map((round) => [end, round] as const),
    ),
  )('is taken up, or it ends first (%s), never both, round %i', async (end) => {
    const owner = await addPerson(service);
    const group = await addGroup(service, kind, owner.user);
    const { link, id } = await addInvitation(service, group, owner.user);
    const { user, cookie } = await addPerson(service);
    const ends = {
      withdraw: [`${group.path}/invitations/${id}/withdraw`, {}],
      decline: [`${link}/decline`, {}],
      delete: [`${group.path}/delete`, { confirmation: group.name }],
    } as const;
    const accept = await readyForm(service, [`${link}/accept`, { kind, group: String(group.id) }], cookie);
    const finish = await readyForm(another, ends[end], owner.cookie);

    const [accepted, finished] = await Promise.all([accept(), finish()]);

    const isIn = String(user.id) in (await rolesOf(service, group));
    expect([303, 410]).toContain(accepted.statusCode);
    if (end === 'delete') expect([finished.statusCode, isIn]).toEqual([303, false]);
    else expect(isIn).toBe(accepted.statusCode === 303);
    if (end === 'decline') expect(finished.statusCode).toBe(isIn ? 410 : 303);
    const joined = await service.database.db.$count(memberships, eq(memberships.userId, user.id));
    expect(joined).toBe(isIn ? 1 : 0);
  });

  test('sent six times at once is one email', async () => {
    const owner = await addPerson(service);
    const group = await addGroup(service, kind, owner.user);
    const email = newAddress();

    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        invite(index % 2 === 0 ? service : another, group, owner.cookie, email),
      ),
    );

    expect(statusesOf(answers)).toEqual(Array(6).fill(303));
    expect(await mailTo(service, email)).toHaveLength(1);
    expect(await invitationsOf(service, group)).toHaveLength(1);
  });
});

test.each(rounds)(
  'of emails sent at once into eight groups, only the last of the hour goes out, round %i',
  async () => {
    const owner = await addPerson(service);
    const groups = await Promise.all(Array.from({ length: 8 }, () => addGroup(service, 'team', owner.user)));
    await useUp(service, counted('notable', ['invitation', owner.user.id]), 1);
    const sends = await Promise.all(
      groups.map(({ path }, index) =>
        readyForm(
          index % 2 === 0 ? service : another,
          [`${path}/invite`, { email: newAddress(), role: 'member' }],
          owner.cookie,
        ),
      ),
    );

    const answers = await Promise.all(sends.map((send) => send()));

    expect(statusesOf(answers)).toEqual([303, ...Array(7).fill(429)]);
    const rows = await Promise.all(groups.map((group) => invitationsOf(service, group)));
    expect(rows.flat()).toHaveLength(1);
  },
);

test.each(rounds)(
  'one person takes up invitations into two organizations at once: one wins, round %i',
  async () => {
    const invitations = await Promise.all(
      [0, 1].map(async () => {
        const owner = await addUser(service);
        const group = await addGroup(service, 'organization', owner);
        return { group, ...(await addInvitation(service, group, owner)) };
      }),
    );
    const { user, cookie } = await addPerson(service);

    const answers = await Promise.all(
      invitations.map(({ group, link }) => answerInvitation(service, link, 'accept', group, cookie)),
    );

    const isIn = await Promise.all(
      invitations.map(async ({ group }) => String(user.id) in (await rolesOf(service, group))),
    );
    const stillOpen = await Promise.all(
      invitations.map(async ({ group }) => (await invitationsOf(service, group)).length === 1),
    );
    expect(isIn.filter(Boolean)).toHaveLength(1);
    expect(stillOpen).toEqual(isIn.map((joined) => !joined));
    expect(statusesOf(answers)).toEqual([303, 303]);
  },
);

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
