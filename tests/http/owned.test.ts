import { randomBytes, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { maxMembers, maxTeams, maxTeamsOfOrganization } from '../../src/accounts/groups/rules.ts';
import { groups, memberships, users } from '../../src/accounts/tables.ts';
import { maxClients } from '../../src/oauth/clients/store.ts';
import { issueGrant, listHeld } from '../../src/oauth/store.ts';
import { clients, grants } from '../../src/oauth/tables.ts';
import { counted } from '../../src/platform/limits/store.ts';
import { setClientStatus } from '../support/client-status.ts';
import {
  addGroup,
  addInvitation,
  addPerson,
  answerInvitation,
  openAs,
  statusesOf,
} from '../support/groups.ts';
import { useUp } from '../support/guesser.ts';
import { textOf } from '../support/page-content.ts';
import { logosOf, makePng, uploadLogo } from '../support/pictures.ts';
import { postOwnForm, register, registration, submitClient, submitEdit } from '../support/registration.ts';
import { scopeNames } from '../support/scopes.ts';
import { newForm, openOwned } from '../support/secrets.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';
import { addClient, addUser, connect, startSession } from '../support/world.ts';

const service = await sharedService();
const { lifetimes } = service.app.config;
const other = await openAnotherInstance(service);
const { db } = service.database;
const now = () => service.clock.now();
const newSlug = (): string => `slug-${randomBytes(6).toString('hex')}`;

async function addTeams(count: number, organizationId: number | null = null): Promise<number[]> {
  const rows = Array.from({ length: count }, () => ({
    ...{ kind: 'team' as const, slug: newSlug(), name: 'Team', organizationId, createdAt: now() },
  }));
  return (await db.insert(groups).values(rows).returning({ id: groups.id })).map(({ id }) => id);
}

async function addTeamsOf(userId: number, count: number): Promise<void> {
  const ids = await addTeams(count);
  const rows = ids.map((groupId) => ({ groupId, kind: 'team' as const, userId, role: 'member' as const }));
  await db.insert(memberships).values(rows);
}

describe('a person (security C54)', () => {
  test(`is in ${maxTeams} teams at most, however many are created at the same time on two instances`, async () => {
    const person = await addPerson(service);
    await addTeamsOf(person.user.id, maxTeams - 2);

    const answers = await Promise.all(
      [service, other, service, other].map((on) =>
        postOwnForm(on, '/settings/teams/new', { name: 'New', slug: newSlug() }, person.cookie),
      ),
    );

    expect(statusesOf(answers)).toEqual([303, 303, 400, 400]);
    const refused = answers.find(({ statusCode }) => statusCode === 400);
    expect(textOf(refused?.body ?? '')).toContain(`You’re in ${maxTeams} teams, the maximum.`);
  });

  test(`who is in ${maxTeams} teams can't join another one, and the invitation stays`, async () => {
    const [owner, person] = [await addUser(service), await addPerson(service)];
    const team = await addGroup(service, 'team', owner);
    const { link } = await addInvitation(service, team, owner);
    await addTeamsOf(person.user.id, maxTeams);

    const page = await openAs(service, link, person.cookie);
    const answer = await answerInvitation(service, link, 'accept', team, person.cookie);

    expect(textOf(page.body)).toContain(`You’re in ${maxTeams} teams, the maximum.`);
    expect(page.body).not.toContain(`${link}/accept`);
    expect(answer.headers.location).toBe(link);
    expect(await db.$count(memberships, eq(memberships.groupId, team.id))).toBe(1);
  });

  test('creates so many groups an hour at most, deleted ones included', async () => {
    const { user, cookie } = await addPerson(service);
    await useUp(service, counted('notable', ['group', user.id]), 1);
    const create = (slug: string) =>
      postOwnForm(service, '/settings/teams/new', { name: 'New', slug }, cookie);
    const taken = await addGroup(service, 'team', await addUser(service));
    const [row] = await db.select().from(groups).where(eq(groups.id, taken.id));

    const answers = [await create(row?.slug ?? ''), await create(newSlug()), await create(newSlug())];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 303, 429]);
    expect(textOf(answers[2]?.body ?? '')).toContain('You have done this too often in the last hour.');
  });

  test(`owns ${maxClients} apps at most`, async () => {
    const { user, cookie } = await addPerson(service);
    const { name, purpose } = { name: 'App', purpose: 'Testing' };
    const rows = Array.from({ length: maxClients - 1 }, () => ({
      ...{ id: randomUUID(), ownerId: user.id, name, purpose, redirectUris: [], createdAt: now() },
      ...{ type: 'public' as const, status: 'accepted' as const, submittedAt: now() },
    }));
    await db.insert(clients).values(rows);

    const answers = [await register(service, cookie), await register(service, cookie)];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 409]);
    expect(textOf(answers[1]?.body ?? '')).toContain(`you have ${maxClients} apps, the maximum`);
  });
});

describe('a group (security C54)', () => {
  test(`has ${maxMembers} members at most, of two who accept at the same time one`, async () => {
    const owner = await addUser(service);
    const team = await addGroup(service, 'team', owner);
    const people = Array.from({ length: maxMembers - 2 }, () => ({
      ...{ email: `${newSlug()}@example.com`, name: 'Member', passwordHash: '', createdAt: now() },
    }));
    const ids = await db.insert(users).values(people).returning({ id: users.id });
    const ref = { groupId: team.id, kind: 'team', role: 'member' } as const;
    await db.insert(memberships).values(ids.map(({ id: userId }) => ({ ...ref, userId })));
    const invited = await Promise.all(
      [service, other].map(async (on) => {
        const { link } = await addInvitation(service, team, owner);
        return { on, link, ...(await addPerson(service)) };
      }),
    );

    await Promise.all(
      invited.map(({ on, link, cookie }) => answerInvitation(on, link, 'accept', team, cookie)),
    );

    expect(await db.$count(memberships, eq(memberships.groupId, team.id))).toBe(maxMembers);
    const pages = await Promise.all(invited.map(({ link, cookie }) => openAs(service, link, cookie)));
    const full = pages.filter(({ body }) => textOf(body).includes(`There are ${maxMembers} members`));
    expect(full).toHaveLength(1);
  });

  test(`that is an organization has ${maxTeamsOfOrganization} teams at most`, async () => {
    const { user, cookie } = await addPerson(service);
    const organization = await addGroup(service, 'organization', user);
    await addTeams(maxTeamsOfOrganization - 1, organization.id);
    const create = () =>
      postOwnForm(
        service,
        '/settings/teams/new',
        { name: 'New', slug: newSlug(), in_organization: 'yes' },
        cookie,
      );

    const answers = [await create(), await create()];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 400]);
    expect(textOf(answers[1]?.body ?? '')).toContain(`has ${maxTeamsOfOrganization} teams, the maximum`);
  });
});

describe('an app (security C54)', () => {
  test('gets 20 new secrets an hour at most, deleted ones included', async () => {
    const { clientId, path, cookie } = await openOwned(service);
    await useUp(service, counted('notable', ['secret', clientId]));

    const answer = await postOwnForm(service, path, newForm(), cookie);

    expect(answer.statusCode).toBe(429);
    expect(textOf(answer.body)).toContain('You have done this too often in the last hour.');
  });

  test('is edited so often a day at most while it is in review', async () => {
    const { id, owner, cookie } = await submitClient(service);
    await useUp(service, counted('changes', ['client', owner.id]), 1);

    const answers = [
      await submitEdit(service, id, cookie, { name: 'Once More' }),
      await submitEdit(service, id, cookie, { name: 'Too Often' }),
      await submitEdit(service, id, cookie, { ...registration, name: 'Once More' }),
    ];

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 429, 303]);
    expect(textOf(answers[1]?.body ?? '')).toContain('You have made too many changes in one day.');
  });

  test.each([
    ['rejected', null],
    ['accepted', 'pending'],
  ] as const)(
    'gets so many new logos a day at most while it is %s, with an edit that is %s',
    { tags: 'parts' },
    async (status, edit) => {
      const { id, owner, cookie } = await submitClient(service);
      await setClientStatus(db, id, status);
      if (edit !== null) await submitEdit(service, id, cookie, { purpose: 'Another' });
      await useUp(service, counted('changes', ['client', owner.id]), 1);

      const answers = [
        await uploadLogo(service, id, cookie, makePng(64, 64, { shade: 1 })),
        await uploadLogo(service, id, cookie, makePng(64, 64, { shade: 2 })),
      ];

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 429]);
      expect(textOf(answers[1]?.body ?? '')).toContain('You have made too many changes in one day.');
      expect(await logosOf(service, id)).toHaveLength(1);
    },
  );

  test('has the last 100 grants of one user; older ones end, and other apps keep theirs', async () => {
    const [client, another] = [await addClient(service), await addClient(service)];
    const user = await addUser(service);
    const cookie = await startSession(service, user);
    await connect(service, another, cookie);
    for (let index = 0; index < 103; index += 1) {
      service.clock.advance(1);
      const grant = { clientId: client.id, userId: user.id, teamId: null, scopes: scopeNames };
      const bound = { redirectUri: client.redirectUri, codeChallenge: null, dpopJkt: null };
      await db.transaction(async (tx) => {
        const held = await listHeld(tx, grant, lifetimes, now());
        const issued = { id: randomUUID(), ...grant, resources: null, ...bound };
        await issueGrant(tx, issued, held, lifetimes, now());
      });
    }

    const kept = await db.select().from(grants).where(eq(grants.userId, user.id));

    expect(kept.filter(({ clientId }) => clientId === client.id)).toHaveLength(100);
    expect(kept.filter(({ clientId }) => clientId === another.id)).toHaveLength(1);
    const oldest = Math.min(
      ...kept.flatMap(({ clientId, issuedAt }) => (clientId === client.id ? [issuedAt.getTime()] : [])),
    );
    expect(oldest).toBe(now().getTime() - 99_000);
  });
});
