import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { slotReservations } from '../../../src/scheduling/tables.ts';
import { anyAddress } from '../../support/any-visitor.ts';
import { bodyOf, callApi } from '../../support/api.ts';
import { addEventType, addTeamEventType } from '../../support/booking.ts';
import { nextDate } from '../../support/dates.ts';
import { openAnotherInstance, openTestService } from '../../support/service.ts';
import { addTeam, joinTeam } from '../../support/teams.ts';
import { addUser } from '../../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const { db } = service.database;
const [ann, ben, cleo] = [await addUser(service), await addUser(service), await addUser(service)];
const team = await addTeam(service, ann);
await joinTeam(service, team, ben, 'member');
await joinTeam(service, team, cleo, 'member');

/** All at once, at two instances, each from an address of its own; the statuses in order. */
async function reserveAll(eventTypeIds: readonly number[], slotStart: string): Promise<number[]> {
  const answers = await Promise.all(
    eventTypeIds.map((eventTypeId, index) =>
      callApi(index % 2 === 0 ? service : another, 'POST', '/slots/reservations', {
        body: { eventTypeId, slotStart },
        remoteAddress: anyAddress(),
      }),
    ),
  );
  return answers.map(({ statusCode }) => statusCode).toSorted();
}

async function reserveOne(eventTypeId: number, slotStart: string): Promise<string> {
  const body = { eventTypeId, slotStart };
  const remoteAddress = anyAddress();
  const answer = await callApi(service, 'POST', '/slots/reservations', { body, remoteAddress });
  return bodyOf(answer, 201).data.reservationUid;
}

const change = (index: number, uid: string, body: object) =>
  callApi(index % 2 === 0 ? service : another, 'PATCH', `/slots/reservations/${uid}`, {
    body,
    remoteAddress: anyAddress(),
  });

describe.each([1, 2, 3])('round %i', () => {
  test('of four who reserve one slot at once one keeps it', async () => {
    const { id } = await addEventType(service, ann);
    const slotStart = `${nextDate()}T08:00:00Z`;

    const statuses = await reserveAll(Array(4).fill(id), slotStart);

    expect(statuses).toEqual([201, 409, 409, 409]);
    expect(await db.$count(slotReservations, eq(slotReservations.eventTypeId, id))).toBe(1);
  });

  test('of six who reserve one slot of a round robin at once as many keep it as it has hosts', async () => {
    const { id } = await addTeamEventType(service, team, [ann, ben, cleo]);
    const slotStart = `${nextDate()}T08:00:00Z`;

    const statuses = await reserveAll(Array(6).fill(id), slotStart);

    expect(statuses).toEqual([201, 201, 201, 409, 409, 409]);
  });

  test('of those who reserve the same time of one host through several event types at once one keeps it', async () => {
    const eventTypes = [
      await addEventType(service, ben),
      await addEventType(service, ben, { lengthInMinutes: 60 }),
      await addTeamEventType(service, team, [ben, ann], 'collective'),
      await addTeamEventType(service, team, [cleo, ben], 'collective'),
    ];
    const slotStart = `${nextDate()}T08:00:00Z`;

    const statuses = await reserveAll(
      eventTypes.map(({ id }) => id),
      slotStart,
    );

    expect(statuses).toEqual([201, 409, 409, 409]);
  });

  test('of three who change their reservations to one slot at once one has it, the others keep theirs', async () => {
    const { id } = await addEventType(service, ann);
    const date = nextDate();
    const own: string[] = [];
    for (const hour of ['08', '09', '10']) own.push(await reserveOne(id, `${date}T${hour}:00:00Z`));

    const answers = await Promise.all(
      own.map((uid, index) => change(index, uid, { eventTypeId: id, slotStart: `${date}T12:00:00Z` })),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409]);
    const rows = await db.select().from(slotReservations).where(eq(slotReservations.eventTypeId, id));
    expect(rows.map(({ uid }) => uid).toSorted()).toEqual(own.toSorted());
    const hours = rows.map(({ startsAt }) => startsAt.getUTCHours());
    expect(new Set(hours).size).toBe(3);
    expect(hours).toContain(12);
  });

  test('one that is released while it is changed is not there again', async () => {
    const { id } = await addEventType(service, ann);
    const date = nextDate();
    const uid = await reserveOne(id, `${date}T08:00:00Z`);

    const [changed, released] = await Promise.all([
      change(0, uid, { eventTypeId: id, slotStart: `${date}T12:00:00Z` }),
      callApi(another, 'DELETE', `/slots/reservations/${uid}`),
    ]);

    expect(released.statusCode).toBe(200);
    expect([200, 404]).toContain(changed.statusCode);
    expect(await db.$count(slotReservations, eq(slotReservations.eventTypeId, id))).toBe(0);
  });
});
