import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { bookingHosts, bookings } from '../../../src/scheduling/tables.ts';
import { anyAddress } from '../../support/any-visitor.ts';
import { bodyOf, callApi, type Represented } from '../../support/api.ts';
import { addEventType, addTeamEventType } from '../../support/booking.ts';
import { openBookingsApi } from '../../support/bookings-api.ts';
import { inBerlin, nextDate } from '../../support/dates.ts';
import { openAnotherInstance } from '../../support/service.ts';

const { service, db, ann, ben, cleo, team } = await openBookingsApi();
const another = await openAnotherInstance(service);
const three = [ann.user, ben.user, cleo.user];
const rounds = [1, 2, 3] as const;

/** Half hours of one day, from nine in Berlin on. */
function halfHours(count: number, date = nextDate()): string[] {
  const first = Date.parse(inBerlin(date, '09:00'));
  return Array.from({ length: count }, (_, index) => new Date(first + index * 1_800_000).toISOString());
}

const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };

/** All at once, at two instances, each from an address of its own. */
async function bookAll(asked: readonly { readonly eventTypeId: number; readonly start: string }[]) {
  return Promise.all(
    asked.map((one, index) =>
      callApi(index % 2 === 0 ? service : another, 'POST', '/bookings', {
        body: { ...one, attendee },
        remoteAddress: anyAddress(),
      }),
    ),
  );
}

const statusesOf = (answers: readonly { readonly statusCode: number }[]): number[] =>
  answers.map(({ statusCode }) => statusCode).toSorted();

describe.each(rounds)('round %i', () => {
  test('nine who book nine slots of a round robin at once are shared out evenly among its three hosts', async () => {
    const { id } = await addTeamEventType(service, team, three);

    const answers = await bookAll(halfHours(9).map((start) => ({ eventTypeId: id, start })));

    const hosts = answers.map((answer) => bodyOf(answer, 201).data.hosts[0].id);
    for (const { id: host } of three) expect(hosts.filter((one) => one === host)).toHaveLength(3);
  });

  test('of two neighbours that a buffer keeps apart one is booked, whatever event types they are of', async () => {
    const wide = await addEventType(service, ann.user, { afterEventBuffer: 30 });
    const plain = await addEventType(service, ann.user);
    const both = await addTeamEventType(service, team, [ann.user, ben.user], 'collective');
    for (const other of [wide, plain, both]) {
      const [first = '', second = ''] = halfHours(2);

      const answers = await bookAll([
        { eventTypeId: wide.id, start: first },
        { eventTypeId: other.id, start: second },
      ]);

      expect(statusesOf(answers)).toEqual([201, 409]);
    }
  });

  test('bookings that are moved at once keep their buffers, too, and the one that cannot stays where it was', async () => {
    const { id } = await addEventType(service, ann.user, { beforeEventBuffer: 30 });
    const former = [];
    for (const date of [nextDate(), nextDate()])
      former.push(
        ...(await bookAll(halfHours(1, date).map((start) => ({ eventTypeId: id, start })))).map(
          (answer) => bodyOf(answer, 201).data,
        ),
      );
    const starts = halfHours(2);

    const answers = await Promise.all(
      former.map(({ uid }, index) =>
        callApi(index === 0 ? service : another, 'POST', `/bookings/${uid}/reschedule`, {
          token: ann.token,
          body: { start: starts[index] },
        }),
      ),
    );

    expect(statusesOf(answers)).toEqual([201, 409]);
    const lost = former[answers.findIndex(({ statusCode }) => statusCode === 409)];
    const [row] = await db.select().from(bookings).where(eq(bookings.uid, lost.uid));
    expect(row).toMatchObject({ status: 'accepted', rescheduledToUid: null });
    const [host] = await db.select().from(bookingHosts).where(eq(bookingHosts.bookingId, lost.id));
    expect(host?.holds).toBe(true);
  });
});

test('bookings, moves and handovers of the same hosts at once never wait for each other in a circle', async () => {
  const orders = [three, three.toReversed(), [ben.user, ann.user]];
  const types = await Promise.all(
    orders.flatMap((hosts) => [
      addTeamEventType(service, team, hosts, 'collective'),
      addTeamEventType(service, team, hosts),
    ]),
  );
  const robin = await addTeamEventType(service, team, three);
  const handed = (await bookAll(halfHours(12).map((start) => ({ eventTypeId: robin.id, start })))).map(
    (answer): string => bodyOf(answer, 201).data.uid,
  );
  const starts = halfHours(16);
  const ask = (person: Represented, path: string, body: object) =>
    callApi(another, 'POST', `/bookings/${path}`, { token: person.token, body });

  const answers = await Promise.all([
    bookAll(starts.flatMap((start) => types.map(({ id }) => ({ eventTypeId: id, start })))),
    ...handed.map((uid, index) =>
      Promise.all([
        ask(ann, `${uid}/reassign`, {}),
        ask(ann, `${uid}/reschedule`, { start: starts[index] ?? '' }),
      ]),
    ),
  ]);

  const statuses = new Set(answers.flat().map(({ statusCode }) => statusCode));
  expect([...statuses].filter((status) => ![200, 201, 409].includes(status))).toEqual([]);
});
