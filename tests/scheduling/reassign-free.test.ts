import { describe, expect, test } from 'vitest';
import { anyAddress } from '../support/any-visitor.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
const feeds = await startFeedServer();
/** A Monday far enough ahead; Berlin is two hours before UTC then. */
const [date, start] = ['20310602', '2031-06-02T08:00:00Z'];

let made = 0;

/** A round robin of an hour that its first host has at ten in Berlin, and that the second may get. */
async function bookedOfTwo(
  changes: object = {},
  prepare: (second: Represented) => Promise<unknown> = async () => {},
) {
  made += 1;
  const [first, second] = [await represent(service), await represent(service)];
  const team = await addTeam(service, first.user);
  await joinTeam(service, team, second.user, 'member');
  await prepare(second);
  const body = {
    title: 'Turns',
    slug: `turns-${made}`,
    lengthInMinutes: 60,
    minimumBookingNotice: 0,
    schedulingType: 'roundRobin',
    hosts: [first, second].map(({ user }) => ({ userId: user.id })),
    ...changes,
  };
  const { token } = first;
  const created = await callApi(service, 'POST', `/teams/${team.id}/event-types`, { token, body });
  const eventTypeId = bodyOf(created, 201).data.id;
  const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
  const booked = await callApi(service, 'POST', '/bookings', {
    body: { eventTypeId, start, attendee },
    remoteAddress: anyAddress(),
  });
  const { uid, hosts } = bodyOf(booked, 201).data;
  if (hosts[0].id !== first.user.id) throw new Error('the second was booked');
  const change = async (changed: object) =>
    bodyOf(await callApi(service, 'PATCH', `/event-types/${eventTypeId}`, { token, body: changed }));
  const reassign = async () => callApi(service, 'POST', `/bookings/${uid}/reassign`, { token, body: {} });
  const hostNow = async () =>
    bodyOf(await callApi(service, 'GET', `/bookings/${uid}`, { token })).data.hosts[0].id;
  return { first: first.user.id, second: second.user.id, change, reassign, hostNow };
}

/** Busy from and to these times in Berlin, in a calendar elsewhere. */
const busyElsewhere =
  (from: string, to: string) =>
  async ({ token }: Represented) => {
    const url = feeds.serve(
      `/feed-${made}.ics`,
      answerIcs(
        icsOf([`DTSTART;TZID=Europe/Berlin:${date}T${from}`, `DTEND;TZID=Europe/Berlin:${date}T${to}`]),
      ),
    );
    const saved = await callApi(service, 'POST', '/calendars/ics-feed/save', {
      token,
      body: { urls: [url] },
    });
    return bodyOf(saved, 201);
  };

/** Working hours that begin then. */
const worksFrom =
  (startTime: string) =>
  async ({ token }: Represented) => {
    const body = {
      name: 'Hours',
      timeZone: 'Europe/Berlin',
      isDefault: true,
      availability: [{ days: ['Monday'], startTime, endTime: '17:00' }],
    };
    return bodyOf(await callApi(service, 'POST', '/schedules', { token, body }), 201);
  };

describe('an automatic reassignment asks whether the host is free for the booking as it is (contract §8)', () => {
  test('and gives nobody a booking whose second half is taken, though the event type has become shorter', async () => {
    const { change, reassign, hostNow, first } = await bookedOfTwo({}, busyElsewhere('103000', '110000'));
    await change({ lengthInMinutes: 30 });

    expect(bodyOf(await reassign(), 409).error.message).toBe('No other host is available.');
    expect(await hostNow()).toBe(first);
  });

  test('whatever the grid of that host’s hours', async () => {
    const { reassign, hostNow, second } = await bookedOfTwo({}, worksFrom('09:15'));

    bodyOf(await reassign());

    expect(await hostNow()).toBe(second);
  });

  test('and works: not before the hours begin', async () => {
    const { reassign, hostNow, first } = await bookedOfTwo({}, worksFrom('10:15'));

    expect((await reassign()).statusCode).toBe(409);
    expect(await hostNow()).toBe(first);
  });

  test('with the buffers that it was booked with, though the event type has none any more', async () => {
    const { change, reassign, hostNow, first } = await bookedOfTwo(
      { afterEventBuffer: 30 },
      busyElsewhere('110000', '113000'),
    );
    await change({ afterEventBuffer: 0 });

    expect((await reassign()).statusCode).toBe(409);
    expect(await hostNow()).toBe(first);
  });

  test('and not by how far ahead new bookings may be', async () => {
    const { change, reassign, hostNow, second } = await bookedOfTwo();
    await change({ bookingWindow: { type: 'calendarDays', value: 1 } });

    bodyOf(await reassign());

    expect(await hostNow()).toBe(second);
  });

  test('and does not guess while a calendar cannot be read', async () => {
    const { reassign, hostNow, first } = await bookedOfTwo({}, busyElsewhere('140000', '150000'));
    feeds.serve(`/feed-${made}.ics`, (_request, response) => void response.writeHead(500).end());
    service.clock.advance(600);

    expect(bodyOf(await reassign(), 502).error.code).toBe('CalendarUnavailable');
    expect(await hostNow()).toBe(first);
  });
});
