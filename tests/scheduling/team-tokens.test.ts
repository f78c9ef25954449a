import { describe, expect, test } from 'vitest';
import { type ApiMethod, callApi, represent } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { fetchDocument, listOperations } from '../support/document.ts';
import { sharedService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';

const { service, ann, team, addTeamEventType, booked } = await openBookingsApi(sharedService());
/** Ann owns both teams, and the app's access is for this one. */
const chosen = await addTeam(service, ann.user);
const forChosen = await represent(service, { user: ann.user, teamSlug: chosen.slug });
const stranger = await represent(service);
const eventType = await addTeamEventType('collective', [ann]);
const { uid } = await booked(eventType.id);

const apiMethods: Readonly<Record<string, ApiMethod>> = {
  get: 'GET',
  post: 'POST',
  patch: 'PATCH',
  delete: 'DELETE',
};

const talk = { title: 'Taken over', slug: 'taken-over', lengthInMinutes: 30, schedulingType: 'collective' };
/** What an owner would be let do; a change of nothing is enough elsewhere. */
const bodies: Readonly<Record<string, object>> = {
  [`/teams/${team.id}/event-types`]: { ...talk, hosts: [{ userId: ann.user.id }] },
  [`/bookings/${uid}/reschedule`]: { start: '2032-06-07T07:00:00Z' },
  [`/event-types/${eventType.id}/webhooks`]: {
    subscriberUrl: 'https://hooks.example/',
    triggers: ['BOOKING_CREATED'],
  },
  [`/teams/${team.id}/webhooks`]: { subscriberUrl: 'https://hooks.example/', triggers: ['BOOKING_CREATED'] },
};

/** Every operation on the other team, its event type and its booking, as the document has it. */
const ofOtherTeam = listOperations(await fetchDocument(service.app)).flatMap(({ method, path }) => {
  const named = path
    .replace(/^\/v2/, '')
    .replace('{teamId}', String(team.id))
    .replace('/event-types/{id}', `/event-types/${eventType.id}`)
    .replace('{uid}', uid)
    .replace('{userId}', String(ann.user.id));
  const known = apiMethods[method];
  const isOfTeam = /^\/(teams|event-types|bookings)\//.test(named);
  if (known === undefined || !path.includes('{') || named.includes('{') || !isOfTeam) return [];
  return [[known, path, named] as const];
});

describe('a token for one team is a stranger’s to another team of the same owner (security C119)', () => {
  test('every operation on a team, an event type and a booking is asked', () => {
    expect(ofOtherTeam.length).toBeGreaterThan(12);
  });

  test.each(ofOtherTeam)('%s %s', async (method, _, path) => {
    const ask = async (token: string) => {
      const body = method === 'GET' ? {} : { body: bodies[path] ?? {} };
      const answer = await callApi(service, method, path, { token, ...body });
      return [answer.statusCode, answer.json().error];
    };

    const ofStranger = await ask(stranger.token);

    expect(ofStranger[0]).not.toBe(400);
    expect(await ask(forChosen.token)).toEqual(ofStranger);
  });
});
