import { describe, expect, test } from 'vitest';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';

const service = await openTestService();
const ann = await represent(service);
const ben = await represent(service);
const carl = await represent(service);
const team = await addTeam(service, carl.user);
await joinTeam(service, team, ann.user, 'member');
const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };

let slots = 0;
/** A working hour that no test has taken. */
function nextSlot(): string {
  slots += 1;
  return new Date(Date.UTC(2027, 2, 1 + Math.floor(slots / 8), 8 + (slots % 8))).toISOString();
}

function book(named: object, token?: string) {
  return callApi(service, 'POST', '/bookings', { body: { ...named, start: nextSlot(), attendee }, token });
}

describe('strangers learn no address that a host signs in with (security C59)', () => {
  test.each([
    ['without a token', () => undefined],
    ['with a token of another person', () => ben.token],
  ])('by booking %s', async (_, tokenOf) => {
    const { id } = await addEventType(service, ann.user);

    const answer = await book({ eventTypeId: id }, tokenOf());

    expect(answer.statusCode).toBe(201);
    expect(answer.json().data.hosts).toEqual([
      {
        id: ann.user.id,
        name: expect.any(String),
        username: ann.user.username,
        ...{ email: '', displayEmail: '' },
        timeZone: expect.any(String),
      },
    ]);
    expect(answer.body).not.toContain(ann.user.email);
  });

  test('but a host who books sees the own one', async () => {
    const { id } = await addEventType(service, ann.user);

    const { data } = bodyOf(await book({ eventTypeId: id }, ann.token), 201);

    expect(data.hosts).toMatchObject([{ email: ann.user.email, displayEmail: ann.user.email }]);
  });
});

describe('a hidden event type is not found by counting numbers (security C59)', () => {
  const cases = [
    ['of a user', async () => addEventType(service, ann.user, { hidden: true })],
    ['of a team', async () => addTeamEventType(service, team, [ann.user], 'collective', { hidden: true })],
  ] as const;
  const ask = (id: number, token?: string) => [
    () => callApi(service, 'GET', `/slots?eventTypeId=${id}&start=2027-03-01&end=2027-03-02`, { token }),
    () =>
      callApi(service, 'GET', `/slots/available?eventTypeId=${id}&startTime=2027-03-01&endTime=2027-03-02`, {
        token,
      }),
    () =>
      callApi(service, 'POST', '/slots/reservations', {
        token,
        body: { eventTypeId: id, slotStart: nextSlot() },
      }),
    () => book({ eventTypeId: id }, token),
  ];

  test.each(cases)('%s, by strangers', async (_, add) => {
    const { id } = await add();

    for (const token of [undefined, ben.token])
      for (const call of ask(id, token)) expect((await call()).statusCode).toBe(404);
  });

  test.each(cases)('%s; its host reaches it so', async (_, add) => {
    const { id } = await add();

    for (const call of ask(id, ann.token)) expect((await call()).statusCode).toBeLessThan(300);
  });

  test('of a user is found by no token for a team of theirs', async () => {
    const { id } = await addEventType(service, ann.user, { hidden: true });
    const own = await addTeam(service, ann.user);
    const { token } = await represent(service, { user: ann.user, teamSlug: own.slug });

    for (const call of ask(id, token)) expect((await call()).statusCode).toBe(404);
  });

  test('is booked by no token that may not write bookings, and its host is told as a stranger is', async () => {
    const { token } = await represent(service, { user: ann.user, scopes: ['BOOKING_READ'] });
    const [hidden, shown] = [
      await addEventType(service, ann.user, { hidden: true }),
      await addEventType(service, ann.user),
    ];

    expect((await book({ eventTypeId: hidden.id }, token)).statusCode).toBe(404);
    expect((await book({ eventTypeId: shown.id }, token)).body).not.toContain(ann.user.email);
  });

  test('of a team is reached by its owner, who hosts nothing', async () => {
    const { id } = await addTeamEventType(service, team, [ann.user], 'collective', { hidden: true });

    for (const call of ask(id, carl.token).slice(0, 2)) expect((await call()).statusCode).toBe(200);
  });

  test('is booked by everyone who knows its address', async () => {
    const { slug } = await addEventType(service, ben.user, { hidden: true });

    const answer = await book({ eventTypeSlug: slug, username: ben.user.username });

    expect(answer.statusCode).toBe(201);
  });
});
