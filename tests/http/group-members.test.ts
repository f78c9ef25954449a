import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { groupKinds } from '../../src/accounts/person.ts';
import { memberships, users } from '../../src/accounts/tables.ts';
import { digestTables } from '../support/database-content.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  addPerson,
  invitationsOf,
  openAs,
  rolesOf,
  type TestGroup,
  type TestPerson,
} from '../support/groups.ts';
import { faultOf, titleOf } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService();
const { db } = service.database;

describe.each(groupKinds)('the last owner of the %s', (kind) => {
  async function startAlone(): Promise<{ readonly group: TestGroup; readonly owner: TestPerson }> {
    const owner = await addPerson(service);
    const group = await addGroup(service, kind, owner.user);
    await addMember(service, group, 'admin');
    return { group, owner };
  }

  test.each([
    ['leave', '/leave', {}],
    ['step down', 'role', { role: 'member' }],
  ] as const)('cannot %s, and is told what to do', async (_name, action, fields) => {
    const { group, owner } = await startAlone();
    const path = action === '/leave' ? action : `/members/${owner.user.id}/${action}`;
    const before = await digestTables(service.database);

    const answer = await postOwnForm(service, `${group.path}${path}`, fields, owner.cookie);

    expect(answer.statusCode).toBe(409);
    expect(titleOf(answer)).toBe('You are the only owner');
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('can leave once another member is an owner', async () => {
    const { group, owner } = await startAlone();
    const heir = await addMember(service, group, 'member');
    await postOwnForm(service, `${group.path}/members/${heir.user.id}/role`, { role: 'owner' }, owner.cookie);

    const answer = await postOwnForm(service, `${group.path}/leave`, {}, owner.cookie);

    expect(answer.statusCode).toBe(303);
    const roles = await rolesOf(service, group);
    expect(roles[heir.user.id]).toBe('owner');
    expect(roles).not.toHaveProperty(String(owner.user.id));
  });
});

describe.each(groupKinds)('admins of the %s and its owner', (kind) => {
  test.each([
    ['remove', (id: number) => `/members/${id}/remove`, {}],
    ['demote', (id: number) => `/members/${id}/role`, { role: 'member' }],
  ] as const)('they cannot %s the owner', async (_name, pathOf, fields) => {
    const owner = await addPerson(service);
    const group = await addGroup(service, kind, owner.user);
    await addMember(service, group, 'owner');
    const admin = await addMember(service, group, 'admin');
    const before = await digestTables(service.database);

    const answer = await postOwnForm(service, `${group.path}${pathOf(owner.user.id)}`, fields, admin.cookie);

    expect(answer.statusCode).toBe(403);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test.each(['admin', 'member'] as const)('nobody raises themselves: %s to owner', async (role) => {
    const { user } = await addPerson(service);
    const group = await addGroup(service, kind, user);
    const person = await addMember(service, group, role);

    const path = `${group.path}/members/${person.user.id}/role`;
    const answer = await postOwnForm(service, path, { role: 'owner' }, person.cookie);

    expect(answer.statusCode).toBe(403);
    expect((await rolesOf(service, group))[person.user.id]).toBe(role);
  });
});

describe.each(groupKinds)('a %s with 120 people', (kind) => {
  test('shows 100 at a time, and finds the others by name; only who manages finds them by email (security C263)', async () => {
    const owner = await addPerson(service);
    const group = await addGroup(service, kind, owner.user);
    const names = Array.from({ length: 118 }, (_, index) => `Crowd ${String(index).padStart(3, '0')}`);
    const rows = names.map((name, index) => ({
      ...{ name, email: `crowd-${index}-${group.id}@example.com`, username: `crowd-${index}-${group.id}` },
      ...{ passwordHash: 'none', createdAt: service.clock.now() },
    }));
    const added = await db.insert(users).values(rows).returning({ id: users.id });
    const role = 'member' as const;
    await db
      .insert(memberships)
      .values(added.map(({ id: userId }) => ({ groupId: group.id, kind, userId, role })));
    const member = await addMember(service, group, 'member');
    const shown = async (query: string, { cookie } = owner): Promise<readonly string[]> => {
      const { body } = await openAs(service, `${group.page}${query}`, cookie);
      return [...body.matchAll(/<h3><bdi>(Crowd \d+)<\/bdi>/g)].map(([, name = '']) => name);
    };
    const ofEmail = `?q=${encodeURIComponent(rows[7]?.email ?? '')}`;

    const pages = [...(await shown('')), ...(await shown('?page=2'))];

    expect(pages).toEqual(names);
    expect((await shown('')).length).toBeLessThan(100);
    expect(await shown('?q=ROWD 117')).toEqual(['Crowd 117']);
    expect(await shown('?q=nobody')).toEqual([]);
    expect(await shown(ofEmail)).toEqual(['Crowd 007']);
    expect(await shown(ofEmail, member)).toEqual([]);
  });
});

describe.each(groupKinds)('deleting the %s', (kind) => {
  test.each(['', 'test', 'something else', 'x'.repeat(300)])(
    'with %j for its name does nothing',
    async (confirmation) => {
      const { user, cookie } = await addPerson(service);
      const group = await addGroup(service, kind, user);
      const before = await digestTables(service.database);

      const answer = await postOwnForm(service, `${group.path}/delete`, { confirmation }, cookie);

      expect(answer.statusCode).toBe(400);
      expect(faultOf(answer, 'confirmation')).toBeTruthy();
      expect(await digestTables(service.database)).toEqual(before);
    },
  );

  test('with its name takes its memberships and invitations away, and leaves the people', async () => {
    const { user, cookie } = await addPerson(service);
    const group = await addGroup(service, kind, user);
    const member = await addMember(service, group, 'member');
    const { link } = await addInvitation(service, group, user);

    const answer = await postOwnForm(service, `${group.path}/delete`, { confirmation: group.name }, cookie);

    expect(answer.statusCode).toBe(303);
    expect(await rolesOf(service, group)).toEqual({});
    expect(await invitationsOf(service, group)).toEqual([]);
    expect((await openAs(service, link)).statusCode).toBe(410);
    expect(await db.$count(users, eq(users.id, member.user.id))).toBe(1);
    expect(await db.$count(memberships, eq(memberships.userId, member.user.id))).toBe(0);
    expect((await openAs(service, `${group.path}/delete`, cookie)).statusCode).toBe(404);
  });
});

describe.each(groupKinds)('removing a member from the %s', (kind) => {
  test('twice ends well', async () => {
    const { user, cookie } = await addPerson(service);
    const group = await addGroup(service, kind, user);
    const member = await addMember(service, group, 'member');
    const path = `${group.path}/members/${member.user.id}/remove`;

    const answers = [
      await postOwnForm(service, path, {}, cookie),
      await postOwnForm(service, path, {}, cookie),
    ];

    for (const { statusCode, headers } of answers)
      expect([statusCode, headers.location]).toEqual([303, `${group.page}?done=removed`]);
    expect(await rolesOf(service, group)).toEqual({ [user.id]: 'owner' });
  });

  test.each([
    ['removed', (id: number) => `/members/${id}/remove`, {}, 0],
    ['made a member', (id: number) => `/members/${id}/role`, { role: 'member' }, 0],
    ['made an owner', (id: number) => `/members/${id}/role`, { role: 'owner' }, 1],
  ] as const)(
    'an admin who is %s: what they invited others to ends if they could not invite them now',
    async (_name, pathOf, fields, stillOpen) => {
      const { user, cookie } = await addPerson(service);
      const group = await addGroup(service, kind, user);
      const admin = await addMember(service, group, 'admin');
      const theirs = await addInvitation(service, group, admin.user, 'admin');
      const others = await addInvitation(service, group, user);

      await postOwnForm(service, `${group.path}${pathOf(admin.user.id)}`, fields, cookie);

      expect((await openAs(service, theirs.link)).statusCode).toBe(stillOpen === 1 ? 200 : 410);
      expect((await openAs(service, others.link)).statusCode).toBe(200);
    },
  );
});
