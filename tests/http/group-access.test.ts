import { randomBytes } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { groupKinds } from '../../src/accounts/person.ts';
import { digestTables } from '../support/database-content.ts';
import {
  addGroup,
  addInvitation,
  addMember,
  addPerson,
  invite,
  newAddress,
  openAs,
  type TestGroup,
  type TestPerson,
} from '../support/groups.ts';
import { postOwnForm } from '../support/registration.ts';
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
    'sends an invitation again',
    post(({ invitationId }) => `/invitations/${invitationId}/resend`),
    forManagers,
  ],
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

  test.each(['invite', 'members/1/role', 'members/1/remove', 'leave', 'delete', 'edit'])(
    '%s without the form token does nothing (security C28)',
    async (action) => {
      const { scene, actor } = await setScene(kind, 'owner');
      const before = await digestTables(service.database);

      const fields = { email: newAddress(), role: 'member', confirmation: 'The group', name: 'X', slug: 'x' };
      const answer = await postForm(service, `${scene.group.path}/${action}`, fields, actor.cookie);

      expect(answer.statusCode).toBe(403);
      expect(await digestTables(service.database)).toEqual(before);
    },
  );

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

    const answers = await Promise.all(
      ['resend', 'withdraw'].map((action) =>
        postOwnForm(service, `${scene.group.path}/invitations/${id}/${action}`, {}, actor.cookie),
      ),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
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
  const resent = await postOwnForm(
    service,
    `${scene.group.path}/invitations/${other.invitationId}/resend`,
    {},
    actor.cookie,
  );

  expect([removed, raised, withdrawn, resent].map(({ statusCode }) => statusCode)).toEqual([
    303, 409, 303, 409,
  ]);
  expect(await digestTables(service.database)).toEqual(before);
});
