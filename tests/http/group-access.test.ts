import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { groupKinds } from '../../src/accounts/person.ts';
import { memberships, users } from '../../src/accounts/tables.ts';
import { withoutLinks, withPlainBreaks } from '../../src/platform/plain-text.ts';
import { digestTables } from '../support/database-content.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  addPerson,
  invitationsOf,
  invite,
  inviteTo,
  newAddress,
  openAs,
  rolesOf,
  type TestGroup,
  type TestPerson,
} from '../support/groups.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import {
  addressesOn,
  faultOf,
  isOwnAddress,
  skeletonOf,
  textOf,
  titleOf,
  wordsAround,
} from '../support/page-content.ts';
import { mailTo, postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addUser, postForm } from '../support/world.ts';

const service = await openTestService();

interface Scene {
  readonly group: TestGroup;
  readonly targetId: number;
  readonly invitationId: string;
}

const post =
  (pathOf: (scene: Scene) => string, fields: Readonly<Record<string, string>> = {}) =>
  (scene: Scene, { cookie }: TestPerson): Promise<LightMyRequestResponse> =>
    postOwnForm(service, `${scene.group.path}${pathOf(scene)}`, fields, cookie);

const open =
  (path: string) =>
  ({ group }: Scene, { cookie }: TestPerson): Promise<LightMyRequestResponse> =>
    openAs(service, `${group.path}${path}`, cookie);

const editAnew = (scene: Scene, { cookie }: TestPerson): Promise<LightMyRequestResponse> =>
  postOwnForm(service, `${scene.group.path}/edit`, { name: 'Another name', slug: newSlug() }, cookie);

type Who = 'stranger' | 'member' | 'admin' | 'owner';

type Act = (scene: Scene, actor: TestPerson) => Promise<LightMyRequestResponse>;

const forManagers = { stranger: 404, member: 403, admin: 303, owner: 303 } as const;

/** What each of them is answered. */
const actions: readonly (readonly [action: string, act: Act, statuses: Readonly<Record<Who, number>>])[] = [
  ['opens the form to edit it', open('/edit'), { stranger: 404, member: 403, admin: 200, owner: 200 }],
  ['edits it', editAnew, forManagers],
  ['invites', ({ group }, { cookie }) => invite(service, group, cookie, newAddress()), forManagers],
  [
    'withdraws an invitation',
    post(({ invitationId }) => `/invitations/${invitationId}/withdraw`),
    forManagers,
  ],
  ['changes a role', post(({ targetId }) => `/members/${targetId}/role`, { role: 'admin' }), forManagers],
  ['removes a member', post(({ targetId }) => `/members/${targetId}/remove`), forManagers],
  ['opens the page to delete it', open('/delete'), { stranger: 404, member: 403, admin: 403, owner: 200 }],
  [
    'deletes it',
    post(() => '/delete', { confirmation: 'The group' }),
    { stranger: 404, member: 403, admin: 403, owner: 303 },
  ],
];

const people = ['stranger', 'member', 'admin', 'owner'] as const satisfies readonly Who[];

function newSlug(): string {
  return `renamed-${randomBytes(6).toString('hex')}`;
}

async function setScene(kind: TestGroup['kind'], who: Who) {
  const owner = await addUser(service);
  const group = await addGroup(service, kind, owner, 'The group');
  const target = await addMember(service, group, 'member');
  const { id: invitationId } = await addInvitation(service, group, owner);
  const actor = who === 'stranger' ? await addPerson(service) : await addMember(service, group, who);
  return { scene: { group, targetId: target.user.id, invitationId }, actor };
}

describe.each(groupKinds)('in the %s', (kind) => {
  const cases = people.flatMap((who) =>
    actions.map(([action, act, statuses]) => [who, action, statuses[who], act] as const),
  );

  test.each(cases)('%s %s: %i', async (who, _action, status, act) => {
    const { scene, actor } = await setScene(kind, who);
    const before = await digestTables(service.database);

    const answer = await act(scene, actor);

    const after = await digestTables(service.database);
    expect(answer.statusCode).toBe(status);
    if (status === 303) expect(after).not.toEqual(before);
    else expect(after).toEqual(before);
  });

  test('a stranger who leaves it changes nothing, and learns nothing of it', async () => {
    const { scene, actor } = await setScene(kind, 'stranger');
    const before = await digestTables(service.database);

    const answer = await postOwnForm(service, `${scene.group.path}/leave`, {}, actor.cookie);
    const nowhere = await postOwnForm(service, `${homes[kind]}/999999/leave`, {}, actor.cookie);

    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${homes[kind]}?done=left`]);
    expect(nowhere.headers.location).toBe(answer.headers.location);
    expect(await digestTables(service.database)).toEqual(before);
  });

  test('nobody who is signed out gets in: the sign-in page', async () => {
    const { scene } = await setScene(kind, 'stranger');

    const page = await openAs(service, scene.group.page);
    const form = await postForm(service, `${scene.group.path}/delete`, { confirmation: 'The group' });

    expect(page.headers.location).toBe(`/signin?return_to=${encodeURIComponent(scene.group.page)}`);
    expect(form.headers.location).toBe(
      `/signin?return_to=${encodeURIComponent(`${scene.group.path}/delete?unsaved`)}`,
    );
  });
});

const homes = { team: '/settings/teams', organization: '/settings/organization' } as const;

test.each(
  groupKinds.flatMap((kind) => [
    [kind, 'member', false] as const,
    [kind, 'admin', true] as const,
    [kind, 'owner', true] as const,
  ]),
)(
  'of the %s, a %s reads everyone’s email address: %s; everyone reads their own (security C119)',
  async (kind, who, isShown) => {
    const founder = await addPerson(service);
    const group = await addGroup(service, kind, founder.user, 'The group');
    const others = [
      founder,
      await addMember(service, group, 'admin'),
      await addMember(service, group, 'member'),
    ];
    const { user, cookie } = await addMember(service, group, who);

    const { body } = await openAs(service, group.page, cookie);
    const members = body.slice(body.indexOf('<h2>Members</h2>'));

    expect(members).toContain(user.email);
    for (const other of others) {
      expect(members).toContain(`member-${other.user.id}`);
      expect(body.includes(other.user.email)).toBe(isShown);
    }
  },
);

test('a team is shown to its members, with tools according to their role', async () => {
  const { scene, actor: owner } = await setScene('team', 'owner');
  const member = await addMember(service, scene.group, 'member');
  const stranger = await addPerson(service);

  const forOwner = await openAs(service, scene.group.page, owner.cookie);
  const forMember = await openAs(service, scene.group.page, member.cookie);
  const forStranger = await openAs(service, scene.group.page, stranger.cookie);

  expect([forOwner.statusCode, forMember.statusCode, forStranger.statusCode]).toEqual([200, 200, 404]);
  expect(forOwner.body).toContain(`action="${scene.group.path}/invite"`);
  expect(forOwner.body).toContain('Open invitations');
  for (const tool of ['/invite"', '/role"', '/remove"', '/edit"', '/delete"', 'Open invitations'])
    expect(forMember.body, tool).not.toContain(tool);
  expect(forMember.body).toContain(member.user.email);
  expect(forStranger.body).not.toContain('The group');
});

test.each(['0', '-1', '1.5', '01', '1e3', 'x', '99999999999', '2147483648', '%20', "'", 'new/x'])(
  'an address with %j for an id is no page, never a fault',
  async (id) => {
    const { cookie } = await addPerson(service);

    const page = await openAs(service, `/settings/teams/${id}`, cookie);
    const form = await postOwnForm(service, `/settings/organization/${id}/leave`, {}, cookie);

    expect([page.statusCode, form.statusCode]).toEqual([404, 404]);
  },
);

test.each(['x', "'", '0b7e4a86', '0B7E4A86-5C1D-4F0E-9A53-2D8F6C7B1E90'])(
  'an address with %j for an invitation is no page, never a fault',
  async (id) => {
    const { scene, actor } = await setScene('team', 'owner');

    const path = `${scene.group.path}/invitations/${id}/withdraw`;

    expect((await postOwnForm(service, path, {}, actor.cookie)).statusCode).toBe(404);
  },
);

test("the paths of a group reach no other group's people and invitations", async () => {
  const { scene, actor } = await setScene('team', 'owner');
  const { scene: other } = await setScene('team', 'owner');
  const before = await digestTables(service.database);

  const removed = await postOwnForm(
    service,
    `${scene.group.path}/members/${other.targetId}/remove`,
    {},
    actor.cookie,
  );
  const raised = await postOwnForm(
    service,
    `${scene.group.path}/members/${other.targetId}/role`,
    { role: 'owner' },
    actor.cookie,
  );
  const withdrawn = await postOwnForm(
    service,
    `${scene.group.path}/invitations/${other.invitationId}/withdraw`,
    {},
    actor.cookie,
  );

  expect([removed, raised, withdrawn].map(({ statusCode }) => statusCode)).toEqual([303, 409, 303]);
  expect(await digestTables(service.database)).toEqual(before);
});

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

/** Everything that shows a group's name and that of its owner, who has the same, and its letter. */
async function showEverywhere(kind: TestGroup['kind'], name: string) {
  const owner = await addPerson(service);
  await service.database.db.update(users).set({ name }).where(eq(users.id, owner.user.id));
  const group = await addGroup(service, kind, owner.user, name);
  const member = await addMember(service, group, 'member');
  const stranger = await addPerson(service);
  const { link } = await addInvitation(service, group, owner.user);
  const email = newAddress();
  await inviteTo(service, group, owner.cookie, email);
  const open = async (path: string, cookie?: string): Promise<string> =>
    (await openAs(service, path, cookie)).body;
  const pages = {
    'its own page': await open(group.page, owner.cookie),
    'its page for a member': await open(group.page, member.cookie),
    'the form to edit it': await open(`${group.path}/edit`, owner.cookie),
    'the page to delete it': await open(`${group.path}/delete`, owner.cookie),
    'the invitation, signed out': await open(link),
    'the invitation': await open(link, stranger.cookie),
    'the invitation, for a member': await open(link, member.cookie),
  };
  return { pages, letter: (await mailTo(service, email)).at(-1) };
}

const plain = {
  team: await showEverywhere('team', 'Plain'),
  organization: await showEverywhere('organization', 'Plain'),
} as const;

describe.each(groupKinds)('the names of the %s and its owner', (kind) => {
  test.each(Object.entries(hostileTexts))(
    'that are %s stay text wherever it is shown (security C33)',
    async (_, text) => {
      const { pages, letter } = await showEverywhere(kind, text);

      for (const [place, html] of Object.entries(pages)) {
        const plainHtml = new Map(Object.entries(plain[kind].pages)).get(place) ?? '';
        expect(skeletonOf(html), place).toEqual(skeletonOf(plainHtml));
        expect(textOf(html), place).toContain(text);
        expect(
          addressesOn(html).filter((address) => !isOwnAddress(address)),
          place,
        ).toEqual([]);
        if (place !== 'the form to edit it') expect(wordsAround(html), place).not.toContain(text);
      }
      expect(skeletonOf(letter?.html ?? '')).toEqual(skeletonOf(plain[kind].letter?.html ?? ''));
      // An email knows one kind of line break, and no links of others.
      expect(letter?.text).toContain(withPlainBreaks(withoutLinks(text)));
    },
  );
});
