import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { bookingHosts, bookings } from '../../../src/scheduling/tables.ts';
import { callApi, type Represented } from '../../support/api.ts';
import { openBookingsApi } from '../../support/bookings-api.ts';
import { openAnotherInstance } from '../../support/service.ts';

const { service, db, ann, ben, cleo, addTeamEventType } = await openBookingsApi();
const another = await openAnotherInstance(service);

async function addEventType(
  schedulingType: 'collective' | 'roundRobin',
  hosts: readonly Represented[],
): Promise<number> {
  return (await addTeamEventType(schedulingType, hosts, { slotInterval: 10 })).id;
}

/** So many people ask at once, each from an address of their own, at two instances. */
async function crowd(
  count: number,
  ask: (index: number) => { readonly eventTypeId: number; readonly start: string },
) {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      callApi(index % 2 === 0 ? service : another, 'POST', '/bookings', {
        body: {
          ...ask(index),
          attendee: { name: `Nr. ${index}`, email: `p${index}@example.com`, timeZone: 'UTC' },
        },
        remoteAddress: `10.1.${index >> 8}.${index & 255}`,
      }),
    ),
  );
}

function countStatuses(answers: readonly { readonly statusCode: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { statusCode } of answers) counts[statusCode] = (counts[statusCode] ?? 0) + 1;
  return counts;
}

/** How many pairs of bookings that hold their time overlap for a host. */
async function countOverlaps(userId: number): Promise<number> {
  const rows = await db.select().from(bookingHosts).where(eq(bookingHosts.userId, userId));
  const held = rows.filter(({ holds }) => holds);
  return held.filter((one) =>
    held.some(
      (other) =>
        other.bookingId !== one.bookingId && other.startsAt < one.endsAt && one.startsAt < other.endsAt,
    ),
  ).length;
}

test('of a hundred who want one slot at once exactly one gets it (contract §8)', async () => {
  const eventTypeId = await addEventType('collective', [ann]);

  const answers = await crowd(100, () => ({ eventTypeId, start: '2031-06-02T08:00:00Z' }));

  expect(countStatuses(answers)).toEqual({ 201: 1, 409: 99 });
  expect(await db.$count(bookings, eq(bookings.eventTypeId, eventTypeId))).toBe(1);
});

test('of a hundred who want one slot of a round robin each host gets one (contract §8)', async () => {
  const eventTypeId = await addEventType('roundRobin', [ann, ben, cleo]);

  const answers = await crowd(100, () => ({ eventTypeId, start: '2031-06-03T08:00:00Z' }));

  expect(countStatuses(answers)).toEqual({ 201: 3, 409: 97 });
  const hosts = answers
    .filter(({ statusCode }) => statusCode === 201)
    .map((answer) => answer.json().data.hosts[0].id);
  expect(new Set(hosts).size).toBe(3);
});

test('whatever overlaps at once, collective, alone and in turns, no host is booked twice', async () => {
  const types = [
    await addEventType('collective', [ann, ben, cleo]),
    await addEventType('collective', [cleo, ann]),
    await addEventType('roundRobin', [ann, ben, cleo]),
    await addEventType('collective', [ben]),
  ];
  const first = Date.parse('2031-06-04T08:00:00Z');

  const answers = await crowd(120, (index) => ({
    eventTypeId: types[index % types.length] ?? 0,
    start: new Date(first + (index % 12) * 600_000).toISOString(),
  }));

  const counts = countStatuses(answers);
  expect(new Set(Object.keys(counts))).toEqual(new Set(['201', '409']));
  for (const { user } of [ann, ben, cleo]) expect(await countOverlaps(user.id)).toBe(0);
});

test('a booking that is cancelled while others want its time gives it to one of them at most', async () => {
  const eventTypeId = await addEventType('collective', [ann]);
  const start = '2031-06-05T08:00:00Z';
  const [made1] = await crowd(1, () => ({ eventTypeId, start }));
  const { uid } = made1?.json().data ?? {};

  const [answers] = await Promise.all([
    crowd(40, () => ({ eventTypeId, start })),
    callApi(service, 'POST', `/bookings/${uid}/cancel`, { token: ann.token }),
  ]);

  expect(countStatuses(answers)[201] ?? 0).toBeLessThanOrEqual(1);
  expect(Object.keys(countStatuses(answers)).every((status) => ['201', '409'].includes(status))).toBe(true);
  expect(await countOverlaps(ann.user.id)).toBe(0);
});
