import { describe, expect, test } from 'vitest';
import { slotReservations } from '../../src/scheduling/tables.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { nextDate } from '../support/dates.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const [ann, ben] = [await addUser(service), await addUser(service)];
const team = await addTeam(service, ann);
await joinTeam(service, team, ben, 'member');

const unknown = '0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90';
const send = (method: 'POST' | 'PATCH' | 'GET' | 'DELETE', uid = '', body?: object) =>
  callApi(service, method, `/slots/reservations${uid}`, {
    ...(body === undefined ? {} : { body }),
    remoteAddress: anyAddress(),
  });
const reserve = async (body: object): Promise<string> =>
  bodyOf(await send('POST', '', body), 201).data.reservationUid;
const change = (uid: string, body: object) => send('PATCH', `/${uid}`, body);
const find = (uid: string) => send('GET', `/${uid}`);

async function slotsOf(eventTypeId: number, date: string): Promise<string[]> {
  const path = `/slots?eventTypeId=${eventTypeId}&start=${date}&end=${date}`;
  const { data } = bodyOf(await callApi(service, 'GET', path, { remoteAddress: anyAddress() }));
  return Object.values<{ start: string }[]>(data).flatMap((slots) => slots.map(({ start }) => start));
}

/** A day with an event type of 30 minutes. */
async function prepare() {
  const date = nextDate();
  const { id } = await addEventType(service, ann);
  return { date, id, at: (time: string) => `${date}T${time}:00.000Z` };
}

describe('PATCH /v2/slots/reservations/{uid} (contract §8)', () => {
  test('reserves another slot instead, under the same uid', async () => {
    const { id, date, at } = await prepare();
    const uid = await reserve({ eventTypeId: id, slotStart: at('08:00') });

    const { data } = bodyOf(
      await change(uid, { eventTypeId: id, slotStart: at('10:00'), reservationDuration: 7 }),
    );

    expect(data).toEqual({
      eventTypeId: id,
      slotStart: at('10:00'),
      slotEnd: at('10:30'),
      slotDuration: 30,
      reservationDuration: 7,
      reservationUid: uid,
      reservationUntil: new Date(service.clock.now().getTime() + 420_000).toISOString(),
    });
    expect(bodyOf(await find(uid)).data).toEqual(data);
    const free = await slotsOf(id, date);
    expect(free).toContain(at('08:00'));
    expect(free).not.toContain(at('10:00'));
  });

  test('reserves the same slot for longer, and one that overlaps it', async () => {
    const { date, at } = await prepare();
    const { id } = await addEventType(service, ann, { slotInterval: 15 });
    const uid = await reserve({ eventTypeId: id, slotStart: at('08:00') });
    service.clock.advance(240);

    const longer = bodyOf(await change(uid, { eventTypeId: id, slotStart: at('08:00') })).data;
    expect(longer.reservationUntil).toBe(new Date(service.clock.now().getTime() + 300_000).toISOString());
    bodyOf(await change(uid, { eventTypeId: id, slotStart: at('08:15') }));

    expect((await slotsOf(id, date)).filter((start) => start < at('09:00'))).toEqual([
      ...[at('07:00'), at('07:15'), at('07:30'), at('07:45'), at('08:45')],
    ]);
  });

  test('takes another length, and another event type', async () => {
    const { id, date, at } = await prepare();
    const other = await addEventType(service, ann, { lengthInMinutes: 30, lengthInMinutesOptions: [30, 60] });
    const uid = await reserve({ eventTypeId: id, slotStart: at('08:00') });

    const { data } = bodyOf(
      await change(uid, { eventTypeId: other.id, slotStart: at('09:00'), slotDuration: 60 }),
    );

    expect(data).toMatchObject({ eventTypeId: other.id, slotEnd: at('10:00'), slotDuration: 60 });
    const free = await slotsOf(id, date);
    expect(free).toContain(at('08:00'));
    expect(free).not.toContain(at('09:30'));
  });

  test('keeps the old slot when the new one can’t be had, and says so as a new reservation does', async () => {
    const { id, at } = await prepare();
    const uid = await reserve({ eventTypeId: id, slotStart: at('08:00') });
    const kept = bodyOf(await find(uid)).data;
    await reserve({ eventTypeId: id, slotStart: at('10:00') });
    const slotStart = at('11:00');

    for (const [body, status] of [
      [{ eventTypeId: id, slotStart: at('10:00') }, 409],
      [{ eventTypeId: id, slotStart: at('10:07') }, 409],
      [{ eventTypeId: 999_999, slotStart }, 404],
      [{ eventTypeId: id, slotStart, slotDuration: 45 }, 400],
      [{ eventTypeId: id, slotStart, reservationDuration: 61 }, 400],
      [{ slotStart }, 400],
    ] as const) {
      const answer = await change(uid, body);

      expect(answer.statusCode).toBe(status);
      expect(answer.json().error).toEqual((await send('POST', '', body)).json().error);
    }
    expect(bodyOf(await find(uid)).data).toEqual(kept);
  });

  test('is a 404 once it has expired or was released, whatever slot is asked for', async () => {
    const { id, date, at } = await prepare();
    const late = await reserve({ eventTypeId: id, slotStart: at('08:00'), reservationDuration: 1 });
    service.clock.advance(60);
    const released = await reserve({ eventTypeId: id, slotStart: at('09:00') });
    await send('DELETE', `/${released}`);

    for (const uid of [late, released, unknown])
      for (const eventTypeId of [id, 999_999]) {
        const answer = await change(uid, { eventTypeId, slotStart: at('10:00') });

        expect(answer.json().error).toMatchObject({ code: 'NotFound', message: 'Reservation not found.' });
      }
    expect(await slotsOf(id, date)).toContain(at('10:00'));
  });

  test('of a round robin takes one host, as a new one does', async () => {
    const { date, at } = await prepare();
    const { id } = await addTeamEventType(service, team, [ann, ben]);
    const uids = [
      await reserve({ eventTypeId: id, slotStart: at('08:00') }),
      await reserve({ eventTypeId: id, slotStart: at('09:00') }),
      await reserve({ eventTypeId: id, slotStart: at('10:00') }),
    ];

    const statuses: number[] = [];
    for (const uid of uids)
      statuses.push((await change(uid, { eventTypeId: id, slotStart: at('10:00') })).statusCode);

    expect(statuses).toEqual([200, 409, 200]);
    expect(await slotsOf(id, date)).not.toContain(at('10:00'));
  });

  test('counts as a reservation in the limits, and a host has 50 at most (security C54)', async () => {
    const { id, at } = await prepare();
    const full = await addEventType(service, ben, { lengthInMinutes: 5 });
    const uid = await reserve({ eventTypeId: id, slotStart: at('08:00') });
    const [startsAt, expiresAt] = [new Date(at('20:00')), new Date(service.clock.now().getTime() + 600_000)];
    const rows = Array.from({ length: 50 }, (_, index) => ({
      ...{ uid: unknown.replace(/..$/, String(index + 10)), eventTypeId: full.id },
      ...{ startsAt, endsAt: startsAt, expiresAt },
    }));
    await db.insert(slotReservations).values(rows);

    const refused = await change(uid, { eventTypeId: full.id, slotStart: at('08:00') });
    expect(refused.json().error.message).toBe('A host has too many reserved slots.');
    const one = rows[0]?.uid ?? '';
    bodyOf(await change(one, { eventTypeId: full.id, slotStart: at('08:00') }));

    const remoteAddress = anyAddress();
    const statuses: number[] = [];
    const { max } = service.app.buckets.bookings;
    for (let count = 0; count <= max; count += 1) {
      const body = { eventTypeId: id, slotStart: at('08:00') };
      const path = `/slots/reservations/${uid}`;
      statuses.push((await callApi(service, 'PATCH', path, { body, remoteAddress })).statusCode);
    }
    expect(statuses).toEqual([...Array(max).fill(200), 429]);
  });
});
