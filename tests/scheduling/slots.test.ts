import { afterEach, describe, expect, test } from 'vitest';
import { dateIn } from '../../src/scheduling/core/days.ts';
import { bookingHosts, bookings, eventTypeHosts, slotReservations } from '../../src/scheduling/tables.ts';
import { askOf, bodyOf, represent } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { joinTeam } from '../support/teams.ts';

const { service, db, ann, ben, team, ...api } = await openBookingsApi();
const ask = askOf(service);
/** A Monday far enough ahead; Berlin is two hours before UTC then. */
const monday = '2031-06-02';

const addEventType = (changes: object = {}, owner = ann) =>
  api.addEventType({ lengthInMinutes: 60, ...changes }, owner);
const addTeamEventType = (schedulingType: 'collective' | 'roundRobin') =>
  api.addTeamEventType(schedulingType, [ann, ben], { lengthInMinutes: 60 });

let taken = 0;
/** Takes a host's time, past the booking operations. */
async function take(
  userId: number,
  start: string,
  end: string,
  changes: { holds?: boolean; uid?: string } = {},
) {
  const now = service.clock.now();
  const [startsAt, endsAt] = [new Date(`${monday}T${start}Z`), new Date(`${monday}T${end}Z`)];
  taken += 1;
  const booking = {
    uid: changes.uid ?? `booking-${taken}`,
    icsUid: `booking-${taken}`,
    title: 'Taken',
    status: 'accepted',
    startsAt,
    endsAt,
    attendeeName: 'Cleo',
    attendeeEmail: 'cleo@example.com',
    attendeeTimeZone: 'UTC',
    responses: {},
    metadata: {},
    createdAt: now,
    updatedAt: now,
  } as const;
  const [created] = await db
    .insert(bookings)
    .values({ ...booking, guests: [] })
    .returning({ id: bookings.id });
  const host = { userId, startsAt, endsAt, beforeBuffer: 0, afterBuffer: 0, holds: changes.holds ?? true };
  await db.insert(bookingHosts).values({ bookingId: created?.id ?? 0, ...host, bookedAt: now });
}

async function slots(query: string) {
  return ask('GET', `/slots?${query}`);
}

const weekDays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString();
const day = `start=${monday}&end=${monday}`;
const usualHours = ['07', '08', '09', '10', '11', '12', '13', '14'].map(
  (hour) => `${monday}T${hour}:00:00.000Z`,
);
const startsOf = (data: Record<string, { start: string }[]>): string[] =>
  Object.values(data).flatMap((many) => many.map(({ start }) => start));

describe('the slots of an event type', () => {
  test('are those of the usual working hours for a user without a schedule (contract §8)', async () => {
    const { id } = await addEventType();

    const { data } = bodyOf(await slots(`eventTypeId=${id}&${day}`));

    expect(data).toEqual({ [monday]: usualHours.map((start) => ({ start })) });
  });

  test('are in the time zone of the query, with its dates', async () => {
    const { id } = await addEventType();

    const { data } = bodyOf(await slots(`eventTypeId=${id}&${day}&timeZone=Asia/Tokyo&format=range`));

    expect(data[monday]?.[0]).toEqual({
      start: `${monday}T16:00:00.000+09:00`,
      end: `${monday}T17:00:00.000+09:00`,
    });
    expect(Object.keys(data)).toEqual([monday]);
  });

  test('are the same instants in whatever time zone they are asked for', async () => {
    const { id } = await addEventType();
    const range = `start=${monday}T00:00:00Z&end=2031-06-06T00:00:00Z`;

    const answers = await Promise.all(
      ['UTC', 'Asia/Kolkata', 'America/Los_Angeles'].map(async (zone) => {
        const { data } = bodyOf(await slots(`eventTypeId=${id}&${range}&timeZone=${zone}`));
        return startsOf(data).map((start) => Date.parse(start));
      }),
    );

    expect(answers[0]).toHaveLength(32);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test('are listed for 92 days, though clocks are put back in them', async () => {
    const { id } = await addEventType();
    const query = `eventTypeId=${id}&timeZone=Europe/Berlin&start=2031-08-01`;

    const { data } = bodyOf(await slots(`${query}&end=2031-10-31`));

    expect(Object.keys(data).at(-1)).toBe('2031-10-31');
    expect((await slots(`${query}&end=2031-11-01`)).statusCode).toBe(400);
  });

  test('go by the schedule of the event type, else by the default one', async () => {
    const { user, token } = await represent(service);
    const schedule = (startTime: string) => ({
      name: 'Early',
      timeZone: 'UTC',
      isDefault: false,
      availability: [{ days: ['Monday'], startTime, endTime: '06:00' }],
      overrides: [],
    });
    await ask('POST', '/schedules', token, schedule('05:00'));
    const other = bodyOf(await ask('POST', '/schedules', token, schedule('04:00')), 201).data;
    const make = async (slug: string, scheduleId: number | null) => {
      const body = { title: 'Talk', slug, lengthInMinutes: 60, scheduleId };
      await ask('POST', '/event-types', token, body);
      return bodyOf(await slots(`eventTypeSlug=${slug}&username=${user.username}&${day}`)).data;
    };

    expect(startsOf(await make('by-default', null))).toEqual([`${monday}T05:00:00.000Z`]);
    expect(startsOf(await make('by-its-own', other.id))).toEqual([
      `${monday}T04:00:00.000Z`,
      `${monday}T05:00:00.000Z`,
    ]);
  });

  test('leave out what is booked, and only while the booking holds its time', async () => {
    const { id } = await addEventType();
    await take(ann.user.id, '08:30', '09:30');
    await take(ann.user.id, '11:00', '12:00', { holds: false });

    const { data } = bodyOf(await slots(`eventTypeId=${id}&${day}`));

    const taken = [`${monday}T08:00:00.000Z`, `${monday}T09:00:00.000Z`];
    expect(startsOf(data)).toEqual(usualHours.filter((start) => !taken.includes(start)));
  });

  test('do not block the booking that is rescheduled', async () => {
    const { id } = await addEventType();
    await take(ann.user.id, '13:00', '14:00', { uid: 'to-be-moved' });

    const without = startsOf(bodyOf(await slots(`eventTypeId=${id}&${day}`)).data);
    const moving = startsOf(
      bodyOf(await slots(`eventTypeId=${id}&${day}&bookingUidToReschedule=to-be-moved`)).data,
    );

    expect(without).not.toContain(`${monday}T13:00:00.000Z`);
    expect(moving).toContain(`${monday}T13:00:00.000Z`);
  });

  test('of a collective event are those of all hosts, of a round robin those of any', async () => {
    const [collective, roundRobin] = [
      await addTeamEventType('collective'),
      await addTeamEventType('roundRobin'),
    ];
    await take(ben.user.id, '07:00', '08:00');
    const at = `${monday}T07:00:00.000Z`;

    expect(startsOf(bodyOf(await slots(`eventTypeId=${collective.id}&${day}`)).data)).not.toContain(at);
    expect(startsOf(bodyOf(await slots(`eventTypeId=${roundRobin.id}&${day}`)).data)).toContain(at);
    const bySlug = bodyOf(await slots(`eventTypeSlug=${roundRobin.slug}&teamSlug=${team.slug}&${day}`));
    expect(startsOf(bySlug.data)).toContain(at);
  });

  test('end with the last day of the booking window, as the host’s clocks tell it', async () => {
    const host = await represent(service);
    const schedule = {
      name: 'Always',
      timeZone: 'Asia/Tokyo',
      isDefault: true,
      availability: [{ days: [...weekDays], startTime: '00:00', endTime: '24:00' }],
      overrides: [],
    };
    bodyOf(await ask('POST', '/schedules', host.token, schedule), 201);
    const { id } = await addEventType({ bookingWindow: { type: 'calendarDays', value: 14 } }, host);
    const now = service.clock.now();

    const { data } = bodyOf(
      await slots(`eventTypeId=${id}&start=${now.toISOString()}&end=${inDays(20)}&timeZone=Asia/Tokyo`),
    );

    const last = dateIn(now.getTime() + 14 * 86_400_000, 'Asia/Tokyo');
    expect(startsOf(data).at(-1)).toBe(`${last}T23:00:00.000+09:00`);
  });

  test('of a window of business days or of dates end and begin with it, and no others are booked', async () => {
    const now = service.clock.now();
    const range = `start=${inDays(0)}&end=${inDays(40)}`;
    const datesIn = async (bookingWindow: object) => {
      const { id } = await addEventType({ bookingWindow });
      const starts = startsOf(bodyOf(await slots(`eventTypeId=${id}&${range}`)).data);
      return { id, dates: [...new Set(starts.map((start) => start.slice(0, 10)))] };
    };
    const weekDaysAhead = Array.from({ length: 41 }, (_, index) => inDays(index).slice(0, 10)).filter(
      (date) => ![0, 6].includes(new Date(date).getUTCDay()) && date > now.toISOString().slice(0, 10),
    );
    const [first = '', second = '', third = ''] = weekDaysAhead.slice(5);

    const business = await datesIn({ type: 'businessDays', value: 6 });
    const dated = await datesIn({ type: 'range', value: [first, `${second}T12:00:00.000Z`] });

    expect(business.dates.at(-1)).toBe(weekDaysAhead[5]);
    expect(dated.dates).toEqual([first, second]);
    const bookAt = async (id: number, date: string) =>
      (await api.book({ eventTypeId: id, start: `${date}T10:00:00Z` })).statusCode;
    expect(await bookAt(dated.id, third)).toBe(409);
    expect(await bookAt(business.id, second)).toBe(409);
    expect(await bookAt(dated.id, first)).toBe(201);
  });

  test('of a rolling window are of as many days as have free ones, and a day that fills up opens another', async () => {
    const host = await represent(service);
    const schedule = {
      ...{ name: 'Mondays', timeZone: 'UTC', isDefault: true, overrides: [] },
      availability: [{ days: ['Monday'], startTime: '09:00', endTime: '10:00' }],
    };
    bodyOf(await ask('POST', '/schedules', host.token, schedule), 201);
    const bookingWindow = { type: 'calendarDays', value: 3, rolling: true };
    const { id } = await addEventType({ bookingWindow, minimumBookingNotice: 60 }, host);
    const offered = async (from = 0) =>
      startsOf(bodyOf(await slots(`eventTypeId=${id}&start=${inDays(from)}&end=${inDays(60)}`)).data);
    const before = await offered();
    const [first = '', second, third = ''] = before;
    const next = new Date(Date.parse(third) + 7 * 86_400_000).toISOString();
    const early = await api.book({ eventTypeId: id, start: next });

    const booked = await api.book({ eventTypeId: id, start: first });

    expect(before).toHaveLength(3);
    expect([early.statusCode, booked.statusCode]).toEqual([409, 201]);
    expect(await offered()).toEqual([second, third, next]);
    // A day whose last time is reserved opens another one, which can be booked, as the reserved can.
    const reservation = { eventTypeId: id, slotStart: second };
    bodyOf(await ask('POST', '/slots/reservations', undefined, reservation), 201);
    const [, , another = ''] = await offered();
    expect(another).toBe(new Date(Date.parse(next) + 7 * 86_400_000).toISOString());
    expect((await api.book({ eventTypeId: id, start: another })).statusCode).toBe(201);
    expect((await api.book({ eventTypeId: id, start: second })).statusCode).toBe(201);
    expect(await offered()).toHaveLength(3);
    // What comes before the days that are asked for counts.
    expect(await offered(22)).toEqual((await offered()).filter((start = '') => start >= inDays(22)));
    expect((await api.book({ eventTypeId: id, start: next })).statusCode).toBe(201);
  });

  test('begin behind the notice', async () => {
    const { id } = await addEventType({ minimumBookingNotice: 3 * 1440 });

    const { data } = bodyOf(await slots(`eventTypeId=${id}&start=${inDays(0)}&end=${inDays(40)}`));

    const starts = startsOf(data);
    expect(starts.length).toBeGreaterThan(0);
    expect(starts.every((start) => start >= inDays(3))).toBe(true);
  });
});

test('the older form names times, or ranges (contract §8)', async () => {
  const { id } = await addEventType();
  const query = `eventTypeId=${id}&startTime=${monday}T12:00:00Z&endTime=${monday}T14:30:00Z`;

  const times = bodyOf(await ask('GET', `/slots/available?${query}`)).data;
  const ranges = bodyOf(await ask('GET', `/slots/available?${query}&slotFormat=range`)).data;

  expect(times.slots[monday].at(-1)).toEqual({ time: `${monday}T14:00:00.000Z` });
  expect(ranges.slots[monday].at(-1)).toEqual({
    startTime: `${monday}T14:00:00.000Z`,
    endTime: `${monday}T15:00:00.000Z`,
  });
});

test('the older form finds a team’s event type by teamSlug, and a user’s by usernameList', async () => {
  const [ofTeam, own] = [await addTeamEventType('roundRobin'), await addEventType({ lengthInMinutes: 30 })];
  const query = `startTime=${monday}T12:00:00Z&endTime=${monday}T14:30:00Z&slotFormat=range`;
  const lastOf = async (owner: string) =>
    bodyOf(await ask('GET', `/slots/available?${query}&${owner}`)).data.slots[monday].at(-1);
  const startTime = `${monday}T14:00:00.000Z`;

  expect(await lastOf(`eventTypeSlug=${ofTeam.slug}&teamSlug=${team.slug}`)).toEqual({
    startTime,
    endTime: `${monday}T15:00:00.000Z`,
  });
  for (const name of ['usernameList', 'usernameList[]'])
    expect(await lastOf(`eventTypeSlug=${own.slug}&${name}=${ann.user.username}`)).toEqual({
      startTime,
      endTime: `${monday}T14:30:00.000Z`,
    });
});

describe('a question in the older form that is not right is a 400 that names its own fields', () => {
  test.each([
    ['no event type', `startTime=${monday}&endTime=${monday}`, 'eventTypeId', /usernameList or teamSlug/],
    ['an end before the start', `eventTypeId=1&startTime=2031-06-03&endTime=${monday}`, 'endTime', /after/],
    ['too long a range', `eventTypeId=1&startTime=2031-01-01&endTime=${monday}`, 'endTime', /92 days/],
  ])('%s', async (_words, query, field, sentence) => {
    const { details } = bodyOf(await ask('GET', `/slots/available?${query}`), 400).error;

    expect(details).toEqual({ [field]: expect.stringMatching(sentence) });
  });
});

test.each(['true', 'True', '1', '', 'false', 'False', '0'])(
  '_silentCalendarFailures may be written as "%s" (contract §8)',
  async (written) => {
    const { id } = await addEventType();

    bodyOf(await slots(`eventTypeId=${id}&${day}&_silentCalendarFailures=${written}`), 200);
  },
);

describe('a question that is not right is a 400 that names the field', () => {
  const { id } = { id: 1 };
  test.each([
    ['no event type', day, 'eventTypeId'],
    ['a slug without its owner', `eventTypeSlug=x&${day}`, 'eventTypeId'],
    ['an end before the start', `eventTypeId=${id}&start=2031-06-03&end=${monday}`, 'end'],
    ['too long a range', `eventTypeId=${id}&start=2031-01-01&end=${monday}`, 'end'],
    ['an unknown time zone', `eventTypeId=${id}&${day}&timeZone=Mars`, 'timeZone'],
    ['a value twice', `eventTypeId=${id}&${day}&timeZone=UTC&timeZone=UTC`, 'timeZone'],
  ])('%s', async (_words, query, field) => {
    expect(Object.keys(bodyOf(await slots(query), 400).error.details)).toEqual([field]);
  });

  test.each([
    ['a date before there are any', '1969-12-31', /1970-01-02 to 2199-12-31/],
    ['the first date, which is another one in the east', '1970-01-01', /1970-01-02/],
    ['a date too far ahead', '2200-01-01', /2199-12-31/],
    ['an instant too far ahead', '2200-01-01T00:00:00Z', /2199-12-31/],
    ['a date that there is not', '2031-02-30', /^Must be a date \(YYYY-MM-DD\) or a date-time/],
    ['an instant without its offset', '2031-06-02T09:00:00', /^Must be a date \(YYYY-MM-DD\) or a date-time/],
  ])('%s as its start, with what is wrong with it', async (_words, start, sentence) => {
    const { details } = bodyOf(await slots(`eventTypeId=${id}&start=${start}&end=${monday}`), 400).error;

    expect(details).toEqual({ start: expect.stringMatching(sentence) });
  });

  test('an event type that is not there is a 404', async () => {
    expect((await slots(`eventTypeId=999999&${day}`)).statusCode).toBe(404);
    expect((await slots(`eventTypeSlug=x&username=nobody&${day}`)).statusCode).toBe(404);
  });
});

describe('a reservation', () => {
  async function reserve(eventTypeId: number, slotStart: string, more: object = {}) {
    return ask('POST', '/slots/reservations', undefined, { eventTypeId, slotStart, ...more });
  }
  const at = `${monday}T10:00:00.000Z`;
  // All tests are about the same hosts and the same hour.
  afterEach(async () => {
    await db.delete(slotReservations);
  });

  test('keeps a slot for some minutes', async () => {
    const { id } = await addEventType();

    const { data } = bodyOf(await reserve(id, at, { reservationDuration: 10 }), 201);

    expect(data).toEqual({
      eventTypeId: id,
      slotStart: at,
      slotEnd: `${monday}T11:00:00.000Z`,
      slotDuration: 60,
      reservationDuration: 10,
      reservationUid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      reservationUntil: new Date(service.clock.now().getTime() + 600_000).toISOString(),
    });
    expect(startsOf(bodyOf(await slots(`eventTypeId=${id}&${day}`)).data)).not.toContain(at);
    expect((await reserve(id, at)).statusCode).toBe(409);
    service.clock.advance(600);
    expect(startsOf(bodyOf(await slots(`eventTypeId=${id}&${day}`)).data)).toContain(at);
  });

  test('of a round robin outlives the booking that it was for, until it is released', async () => {
    const { id } = await addTeamEventType('roundRobin');
    const { reservationUid } = bodyOf(await reserve(id, at), 201).data;
    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
    const answer = await ask('POST', '/bookings', undefined, { eventTypeId: id, start: at, attendee });
    const { uid } = bodyOf(answer, 201).data;
    const isListed = async () => startsOf(bodyOf(await slots(`eventTypeId=${id}&${day}`)).data).includes(at);
    expect(await isListed()).toBe(false);

    await ask('DELETE', `/slots/reservations/${reservationUid}`);

    expect(await isListed()).toBe(true);
    await ask('POST', `/bookings/${uid}/cancel`, ann.token);
  });

  test.each(['a user’s own', 'a collective'] as const)(
    'of %s event type keeps the time of its hosts with its buffers for all of their event types',
    async (kind) => {
      const kept =
        kind === 'a collective'
          ? await addTeamEventType('collective')
          : await addEventType({ afterEventBuffer: 60 });
      const types = [
        await addEventType(),
        await addTeamEventType('collective'),
        await addTeamEventType('roundRobin'),
      ];

      expect((await reserve(kept.id, at)).statusCode).toBe(201);

      const [own, collective, roundRobin] = await Promise.all(
        types.map(async ({ id }) => startsOf(bodyOf(await slots(`eventTypeId=${id}&${day}`)).data)),
      );
      const after = `${monday}T11:00:00.000Z`;
      expect(own).not.toContain(at);
      expect(own?.includes(after)).toBe(kind === 'a collective');
      expect(collective).not.toContain(at);
      // Ben can take it while Ann alone is kept.
      expect(roundRobin?.includes(at)).toBe(kind === 'a user’s own');
      for (const type of types.slice(0, 2)) expect((await reserve(type.id, at)).statusCode).toBe(409);
    },
  );

  test('of a round robin leaves its hosts free for their other event types', async () => {
    const [roundRobin, other] = [await addTeamEventType('roundRobin'), await addTeamEventType('roundRobin')];
    const types = [await addEventType(), await addTeamEventType('collective'), other];

    expect((await reserve(roundRobin.id, at)).statusCode).toBe(201);

    for (const { id } of types)
      expect(startsOf(bodyOf(await slots(`eventTypeId=${id}&${day}`)).data)).toContain(at);
  });

  test('does not keep attendees from booking any of them', async () => {
    const [kept, other] = [await addEventType(), await addEventType()];
    expect((await reserve(kept.id, at)).statusCode).toBe(201);
    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
    const body = { eventTypeId: other.id, start: at, attendee };

    const answer = await ask('POST', '/bookings', undefined, body);

    const { uid } = bodyOf(answer, 201).data;
    await ask('POST', `/bookings/${uid}/cancel`, ann.token);
  });

  test('is found by its uid until it expires, with the minutes that are left', async () => {
    const { id } = await addEventType();
    const { data } = bodyOf(await reserve(id, at, { reservationDuration: 10 }), 201);
    const find = (uid: string) => ask('GET', `/slots/reservations/${uid}`);

    expect(bodyOf(await find(data.reservationUid)).data).toEqual(data);
    service.clock.advance(90);
    expect(bodyOf(await find(data.reservationUid)).data).toEqual({ ...data, reservationDuration: 9 });
    service.clock.advance(9 * 60);
    expect((await find(data.reservationUid)).statusCode).toBe(404);
    expect((await find('0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90')).statusCode).toBe(404);
  });

  test('cannot be released when it has expired or is unknown', async () => {
    const { id } = await addEventType();
    const { data } = bodyOf(await reserve(id, at, { reservationDuration: 1 }), 201);
    const release = (uid: string) => ask('DELETE', `/slots/reservations/${uid}`);
    service.clock.advance(60);

    const late = await release(data.reservationUid);
    const unknown = await release('0c1b8a52-7a63-4f0e-9d21-5b4c3f2e1a90');

    expect(bodyOf(late, 404).error).toEqual(bodyOf(unknown, 404).error);
    expect(await db.$count(slotReservations)).toBe(1);
  });

  test.each([
    ['off the grid', `${monday}T10:07:00Z`],
    ['outside working hours', `${monday}T22:00:00Z`],
    ['in the past', '2020-01-06T10:00:00Z'],
  ])('of a slot %s is refused', async (_words, slotStart) => {
    const { id } = await addEventType();

    expect((await reserve(id, slotStart)).statusCode).toBe(409);
  });
});

test('however many hosts and days there are, the statements are as many (contract §8)', async () => {
  const few = await addTeamEventType('collective');
  const many = await addTeamEventType('collective');
  for (let index = 0; index < 8; index += 1) {
    const { user } = await represent(service);
    await joinTeam(service, team, user, 'member');
    await db.insert(eventTypeHosts).values({ eventTypeId: many.id, teamId: team.id, userId: user.id });
  }
  const count = async (query: string): Promise<number> => {
    service.takeStatements();
    const { data } = bodyOf(await slots(query));
    expect(startsOf(data)).not.toEqual([]);
    // But for the outbox, which is looked into now and then.
    return service.takeStatements().length;
  };

  const one = await count(`eventTypeId=${few.id}&${day}`);
  const all = await count(`eventTypeId=${many.id}&start=${monday}&end=2031-07-20`);

  expect(one).toBe(4);
  expect(all).toBe(one);
});
