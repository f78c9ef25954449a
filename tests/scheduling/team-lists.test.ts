import { describe, expect, test } from 'vitest';
import { addMember, createGroup } from '../../src/accounts/groups/store.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

const { service, db, ann, ben, team, addTeamEventType, booked } = await openBookingsApi(sharedService());
const stranger = await represent(service);
const get = (path: string, token: string) => callApi(service, 'GET', path, { token });

describe('GET /v2/teams (contract §8)', () => {
  test('lists the user’s own, by name, with the role, in pages', async () => {
    const now = service.clock.now();
    const owner = { userId: stranger.user.id, role: 'owner' as const };
    const parentId = await createGroup(
      db,
      { kind: 'organization', slug: 'acme-teams', name: 'Acme' },
      [owner],
      now,
    );
    const inside = { kind: 'team', slug: 'inside-acme', name: 'A team', organizationId: parentId } as const;
    const id = await createGroup(db, inside, [], now);
    await addMember(db, { kind: 'team', id }, ben.user.id, 'admin');

    const all = bodyOf(await get('/teams', ben.token));
    const second = bodyOf(await get('/teams?take=1&skip=1', ben.token));

    expect(all.data).toEqual([
      { id, name: 'A team', slug: 'inside-acme', role: 'ADMIN', parentId, isOrganization: false },
      {
        ...{ id: team.id, name: team.name, slug: team.slug },
        role: 'MEMBER',
        parentId: null,
        isOrganization: false,
      },
    ]);
    expect(second.data).toEqual([all.data[1]]);
    expect(second.pagination).toMatchObject({ totalItems: 2, returnedItems: 1, hasNextPage: false });
    expect(bodyOf(await get(`/teams/${id}`, ben.token)).data).toEqual(all.data[0]);
  });

  test('with a token for one team, that one alone', async () => {
    const other = await addTeam(service, ann.user);
    const { token } = await represent(service, { user: ann.user, teamSlug: other.slug });

    expect(bodyOf(await get('/teams', token)).data).toMatchObject([{ id: other.id }]);
    expect((await get(`/teams/${other.id}`, token)).statusCode).toBe(200);
    expect((await get(`/teams/${team.id}`, token)).statusCode).toBe(404);
  });
});

describe('members of a team', () => {
  test('are listed with their roles, and with addresses to owners and admins alone (security C59)', async () => {
    const byOwner = bodyOf(await get(`/teams/${team.id}/memberships`, ann.token));
    const byMember = await get(`/teams/${team.id}/memberships?take=1`, ben.token);

    expect(byOwner.data).toHaveLength(3);
    expect(byOwner.data[0]).toEqual({
      ...{ id: ann.user.id, userId: ann.user.id, teamId: team.id, role: 'OWNER', accepted: true },
      user: { name: expect.any(String), username: ann.user.username, email: ann.user.email },
    });
    expect(bodyOf(byMember).data[0].user.email).toBe('');
    expect(bodyOf(byMember).pagination.totalItems).toBe(3);
    expect(byMember.body).not.toContain(ann.user.email);
  });

  test('have bookings and hours that its owners and admins list, also with a token for the team', async () => {
    const { id: eventTypeId } = await addTeamEventType('collective', [ben]);
    const { uid } = await booked(eventTypeId);
    const hours = { name: 'Hours', timeZone: 'UTC', isDefault: true };
    await callApi(service, 'POST', '/schedules', { token: ben.token, body: hours });
    await callApi(service, 'POST', '/schedules', { token: ben.token, body: { ...hours, isDefault: false } });
    await callApi(service, 'POST', '/schedules', { token: stranger.token, body: hours });
    const { token } = await represent(service, { user: ann.user, teamSlug: team.slug });

    for (const caller of [ann.token, token]) {
      const bookings = bodyOf(await get(`/teams/${team.id}/bookings?bookingUid=${uid}`, caller));
      expect(bookings.data).toMatchObject([{ uid, eventTypeId }]);
      const { data } = bodyOf(await get(`/teams/${team.id}/schedules`, caller));
      const owners = data.map(({ ownerId }: { ownerId: number }) => ownerId);
      expect(new Set(owners).size).toBe(owners.length);
      expect([owners.includes(ben.user.id), owners.includes(stranger.user.id)]).toEqual([true, false]);
    }
    for (const list of ['bookings', 'schedules'])
      expect((await get(`/teams/${team.id}/${list}`, ben.token)).statusCode).toBe(403);
  });
});

test.each(['', '/memberships', '/bookings', '/schedules'])(
  'strangers find no team by counting: /teams/{id}%s',
  async (end) => {
    const [other, none] = [
      await get(`/teams/${team.id}${end}`, stranger.token),
      await get(`/teams/2000000000${end}`, stranger.token),
    ];

    expect([other.statusCode, none.statusCode]).toEqual([404, 404]);
    expect(other.json().error).toEqual(none.json().error);
  },
);

describe('an event type of a team, by the team’s path', () => {
  test('is got, changed and deleted as by its own', async () => {
    const { id } = await addTeamEventType('collective', [ben]);
    const path = `/teams/${team.id}/event-types/${id}`;

    expect(bodyOf(await get(path, ben.token)).data).toMatchObject({ id, teamId: team.id });
    const body = { title: 'Another title' };
    expect((await callApi(service, 'PATCH', path, { token: ben.token, body })).statusCode).toBe(403);
    expect(bodyOf(await callApi(service, 'PATCH', path, { token: ann.token, body })).data).toMatchObject(
      body,
    );
    expect((await callApi(service, 'DELETE', path, { token: ben.token })).statusCode).toBe(403);
    expect((await callApi(service, 'DELETE', path, { token: ann.token })).statusCode).toBe(200);
    expect((await get(path, ann.token)).statusCode).toBe(404);
  });

  test('isn’t found below another team', async () => {
    const { id } = await addTeamEventType('collective', [ben]);
    const other = await addTeam(service, ann.user);
    const path = `/teams/${other.id}/event-types/${id}`;

    expect((await get(path, ann.token)).statusCode).toBe(404);
    expect(
      (await callApi(service, 'PATCH', path, { token: ann.token, body: { title: 'T' } })).statusCode,
    ).toBe(404);
    expect((await callApi(service, 'DELETE', path, { token: ann.token })).statusCode).toBe(404);
    expect((await get(`/event-types/${id}`, ann.token)).statusCode).toBe(200);
  });
});
