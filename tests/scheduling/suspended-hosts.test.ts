import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { clients } from '../../src/oauth/tables.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { setClientStatus } from '../support/client-status.ts';
import { nextDate } from '../support/dates.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { sharedService } from '../support/service.ts';
import { restore, suspend } from '../support/suspension.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await sharedService();
const admin = await startSession(service, await addUser(service, { isAdmin: true }));
const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };

const open = async (url: string) =>
  (await service.app.inject({ url, remoteAddress: anyAddress() })).statusCode;

async function book(eventTypeId: number, start = `${nextDate()}T09:00:00Z`) {
  const body = { eventTypeId, start, attendee };
  return callApi(service, 'POST', '/bookings', { body, remoteAddress: anyAddress() });
}

/** What strangers find of a person's event type. */
async function found(username: string, { id, path, slug }: { id: number; path: string; slug: string }) {
  const day = nextDate();
  const slots = `start=${day}&end=${day}`;
  return [
    await open(`/${username}`),
    await open(path),
    await open(`/v2/slots?eventTypeId=${id}&${slots}`),
    await open(`/v2/slots?eventTypeSlug=${slug}&username=${username}&${slots}`),
    bodyOf(await callApi(service, 'GET', `/event-types?username=${username}`)).data.length,
  ];
}

describe('while an account is suspended (security C72)', () => {
  test('its booking pages and event types are not found, and cannot be booked; afterwards they are', async () => {
    const host = await addUser(service);
    const talk = await addEventType(service, host);
    const before = bodyOf(await book(talk.id), 201).data;
    await suspend(service, host, admin);

    expect(await found(host.username, talk)).toEqual([404, 404, 404, 404, 0]);
    expect((await book(talk.id)).statusCode).toBe(404);
    await restore(service, host, admin);
    expect(await found(host.username, talk)).toEqual([200, 200, 200, 200, 1]);
    expect((await book(talk.id)).statusCode).toBe(201);
    expect(before.status).toBe('accepted');
  });

  test('it is left out as a host of teams, which others host', async () => {
    const { user: owner } = await represent(service);
    const team = await addTeam(service, owner);
    const host = await addUser(service);
    await joinTeam(service, team, host, 'member');
    const talk = await addTeamEventType(service, team, [owner, host]);
    await suspend(service, host, admin);

    const given = [bodyOf(await book(talk.id), 201).data, bodyOf(await book(talk.id), 201).data];

    expect(given.map(({ hosts }) => hosts[0].id)).toEqual([owner.id, owner.id]);
    expect((await book(talk.id, given[0].start)).statusCode).toBe(409);
  });
});

describe('a managed user of a client (contract §1)', () => {
  const addManaged = async () => {
    const client = await addPlatformClient(service);
    const { user } = bodyOf(await makeManagedUser(service, client), 201).data;
    const talk = await addEventType(service, { ...user, username: '', password: '' });
    const ask = async () => {
      const day = nextDate();
      return [
        await open(`/v2/slots?eventTypeId=${talk.id}&start=${day}&end=${day}`),
        (await book(talk.id, `${day}T09:00:00Z`)).statusCode,
      ];
    };
    return { client, ask };
  };

  test('is not found and cannot be booked while the client is suspended', async () => {
    const { client, ask } = await addManaged();
    const before = await ask();
    await setClientStatus(service.database.db, client.id, 'rejected');
    const meanwhile = await ask();
    await setClientStatus(service.database.db, client.id, 'accepted');

    expect([before, meanwhile, await ask()]).toEqual([
      [200, 201],
      [404, 404],
      [200, 201],
    ]);
  });

  test('is not found and cannot be booked when the client is gone', async () => {
    const { client, ask } = await addManaged();
    await service.database.db.delete(clients).where(eq(clients.id, client.id));

    expect(await ask()).toEqual([404, 404]);
  });
});
