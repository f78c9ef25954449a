import type { LightMyRequestResponse } from 'fastify';
import { outbox } from '../../src/platform/mail/tables.ts';
import { anyAddress } from './any-visitor.ts';
import { type ApiMethod, bodyOf, callApi, type Represented, represent } from './api.ts';
import { openTestService, type TestService } from './service.ts';
import { addTeam, joinTeam } from './teams.ts';

export const attendee = {
  name: 'Dana',
  email: 'Dana@example.com',
  timeZone: 'America/New_York',
  language: 'en',
};

/** A service with a team, Ann its owner and Ben and Cleo its members, and what apps do for them at the API. */
export async function openBookingsApi(opening: Promise<TestService> = openTestService()) {
  const service = await opening;
  const { db } = service.database;
  const [ann, ben, cleo] = [await represent(service), await represent(service), await represent(service)];
  const team = await addTeam(service, ann.user);
  await joinTeam(service, team, ben.user, 'member');
  await joinTeam(service, team, cleo.user, 'member');

  let made = 0;
  const talk = () => {
    made += 1;
    return { title: 'Talk', slug: `talk-${made}`, lengthInMinutes: 30, minimumBookingNotice: 0 };
  };

  async function addEventType(changes: object = {}, { token } = ann) {
    const body = { ...talk(), ...changes };
    return bodyOf(await callApi(service, 'POST', '/event-types', { token, body }), 201).data;
  }

  async function addTeamEventType(
    schedulingType: 'collective' | 'roundRobin',
    hosts: readonly Represented[],
    changes: object = {},
  ) {
    const hostIds = hosts.map(({ user }) => ({ userId: user.id }));
    const body = { ...talk(), schedulingType, hosts: hostIds, ...changes };
    const path = `/teams/${team.id}/event-types`;
    return bodyOf(await callApi(service, 'POST', path, { token: ann.token, body }), 201).data;
  }

  /** A slot that no test had before: half hours from nine on, on Mondays of a year far ahead, in Berlin. */
  let slotsGiven = 0;
  function nextSlot(): string {
    const [week, inDay] = [Math.floor(slotsGiven / 10), slotsGiven % 10];
    slotsGiven += 1;
    const first = Date.parse('2031-06-02T07:00:00Z');
    return new Date(first + week * 7 * 86_400_000 + inDay * 1_800_000).toISOString();
  }

  /** Each from an address of its own, because so many from one are too many. */
  async function book(body: object, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return callApi(service, 'POST', '/bookings', {
      body: { attendee, ...body },
      headers,
      remoteAddress: anyAddress(),
    });
  }

  async function booked(eventTypeId: number, changes: object = {}) {
    return bodyOf(await book({ eventTypeId, start: nextSlot(), ...changes }), 201).data;
  }

  async function act(method: ApiMethod, path: string, body: object = {}, token = ann.token) {
    return callApi(service, method, `/bookings${path}`, { token, ...(method === 'GET' ? {} : { body }) });
  }

  async function emailsAbout(uid: string) {
    const rows = await db.select().from(outbox).orderBy(outbox.createdAt);
    return rows.filter(({ calendarEntry }) => calendarEntry?.includes(uid));
  }

  return {
    ...{ service, db, ann, ben, cleo, team },
    ...{ addEventType, addTeamEventType, nextSlot, book, booked, act, emailsAbout },
  };
}
