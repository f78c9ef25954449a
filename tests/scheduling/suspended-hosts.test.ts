import { describe, expect, test } from 'vitest';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addEventType, addTeamEventType, anyAddress } from '../support/booking.ts';
import { nextDate } from '../support/dates.ts';
import { openTestService } from '../support/service.ts';
import { restore, suspend } from '../support/suspension.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addUser, signIn } from '../support/world.ts';

const service = await openTestService();
const admin = await signIn(service, await addUser(service, { isAdmin: true }));
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
