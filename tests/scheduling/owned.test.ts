import { and, eq, isNotNull, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { findOwnOrganization } from '../../src/accounts/groups/store.ts';
import { users } from '../../src/accounts/tables.ts';
import { maxManagedUsers } from '../../src/managed-users/store.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { maxEventTypes, maxSchedules } from '../../src/scheduling/limits.ts';
import { bookingHosts, eventTypes, schedules } from '../../src/scheduling/tables.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { askOf, bodyOf, callApi, represent } from '../support/api.ts';
import { attendee } from '../support/bookings-api.ts';
import { addBookings } from '../support/many-bookings.ts';
import { addPlatformClient, joinOrganization, makeManagedUser } from '../support/platform.ts';
import { few, openAnotherInstance, openTestService, sparingService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await openTestService();
const other = await openAnotherInstance(service);
const ask = askOf(service);
const { db } = service.database;
/** Each test in a minute of its own, so that its limits are whole. */
beforeEach(() => service.clock.advance(60));

const schedule = { name: 'Hours', timeZone: 'UTC', isDefault: false };
const weekDayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const days = Array.from({ length: 400 }, (_, index) => new Date(Date.UTC(2027, 5, 1 + index)));
const overrides = days.map((day) => ({
  date: day.toISOString().slice(0, 10),
  startTime: '09:00',
  endTime: '10:00',
}));

describe('what one owner can have (security C54)', () => {
  test('are so many schedules, however many are made at the same time on two instances', async () => {
    const { token, user } = await represent(service);
    const rows = Array.from({ length: maxSchedules - 3 }, () => ({
      ...schedule,
      userId: user.id,
      weekly: [],
      overrides: {},
      createdAt: service.clock.now(),
    }));
    await db.insert(schedules).values(rows);

    const answers = await Promise.all(
      [service, other, service, other, service, other].map((instance) =>
        callApi(instance, 'POST', '/schedules', { token, body: schedule }),
      ),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 201, 201, 409, 409, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json().error.message).toBe('You have 50 schedules, the maximum. Delete one first.');
  });

  test.each(['a user', 'a team'])('are so many event types of %s', async (owner) => {
    const { token, user } = await represent(service);
    const team = await addTeam(service, user);
    const ownerOf = owner === 'a team' ? { teamId: team.id } : { userId: user.id };
    const now = service.clock.now();
    const rows = Array.from({ length: maxEventTypes - 1 }, (_, index) => ({
      ...ownerOf,
      ...{ title: 'Talk', slug: `talk-${index}`, lengthInMinutes: 30, createdAt: now, updatedAt: now },
      ...(owner === 'a team' ? { schedulingType: 'collective' as const } : {}),
    }));
    await db.insert(eventTypes).values(rows);
    const path = owner === 'a team' ? `/teams/${team.id}/event-types` : '/event-types';
    const create = (instance: typeof service, slug: string) => {
      const team = { schedulingType: 'collective', hosts: [{ userId: user.id }] };
      const body = { title: 'Talk', slug, lengthInMinutes: 30, ...(owner === 'a team' ? team : {}) };
      return callApi(instance, 'POST', path, { token, body });
    };

    const answers = await Promise.all([create(service, 'one'), create(other, 'two'), create(other, 'three')]);

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409]);
  });

  test('is a schedule of 400 overrides besides those a month past, which are dropped', async () => {
    const { token } = await represent(service);
    const past = (days: number) => {
      const date = new Date(service.clock.now().getTime() - days * 86_400_000).toISOString().slice(0, 10);
      return { date, startTime: '09:00', endTime: '10:00' };
    };
    const first = { ...schedule, overrides: [past(200), past(40), ...overrides.slice(0, 10)] };
    const { data } = bodyOf(await ask('POST', '/schedules', token, first), 201);
    expect(data.overrides).toEqual(overrides.slice(0, 10));

    const change = (...more: object[]) =>
      callApi(service, 'PATCH', `/schedules/${data.id}`, {
        ...{ token, body: { overrides: [...more, ...overrides].slice(0, 400 + more.length - 1) } },
      });

    expect((await change(past(40), past(40))).statusCode).toBe(200);
    expect(bodyOf(await change(past(20), past(20)), 400).error.details).toEqual({
      overrides: 'Must be at most 400 items.',
    });
  });

  test('is a booking with 10,000 characters of answers and data, not with more', async () => {
    const book = (length: number) => {
      const parts = Array.from({ length: 5 }, (_, index) => [`f${index}`, 'x'.repeat(length / 5)]);
      const body = {
        eventTypeId: 2_000_000_000,
        start: '2027-06-01T09:00:00Z',
        attendee: { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' },
        bookingFieldsResponses: Object.fromEntries(parts),
      };
      return callApi(service, 'POST', '/bookings', { body, remoteAddress: '10.3.0.1' });
    };

    expect((await book(10_000)).json().error.details).toEqual({
      bookingFieldsResponses: 'bookingFieldsResponses and metadata together are limited to 10000 characters.',
    });
    expect((await book(9_500)).statusCode).toBe(404);
  });
});

describe('what one host can have (security C221)', () => {
  const hourMs = 3_600_000;
  const startIn = (hours: number) => new Date(service.clock.now().getTime() + hours * hourMs).toISOString();

  async function addBookedHost(count: number, firstHour: number) {
    const { token, user } = await represent(service);
    const body = { title: 'Talk', slug: 'talk', lengthInMinutes: 30, minimumBookingNotice: 0 };
    const { data: eventType } = bodyOf(await ask('POST', '/event-types', token, body), 201);
    const schedule = { name: 'Always', timeZone: 'UTC', isDefault: true };
    const availability = [{ days: weekDayNames, startTime: '00:00', endTime: '24:00' }];
    bodyOf(await ask('POST', '/schedules', token, { ...schedule, availability }), 201);
    await addBookings(service, user, count, firstHour, { eventTypeId: eventType.id });
    const book = (start: string, changes: object = {}) =>
      callApi(service, 'POST', '/bookings', {
        body: { eventTypeId: eventType.id, start, attendee, ...changes },
        remoteAddress: anyAddress(),
      });
    return { token, user, book };
  }

  test('are 1,000 new bookings in a day, at the same time on two instances too', async () => {
    const { token, book } = await addBookedHost(999, 2000);
    const startsAt = new Date(Math.ceil(service.clock.now().getTime() / 86_400_000) * 86_400_000);
    const at = (hours: number) => new Date(startsAt.getTime() + (24 + hours) * hourMs).toISOString();

    const answers = await Promise.all([book(at(0)), book(at(1)), book(at(2))]);

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json().error.message).toBe(
      'This host has as many bookings as a host can have. Try again tomorrow.',
    );
    const { uid } = answers.find(({ statusCode }) => statusCode === 201)?.json().data ?? {};
    const moved = await ask('POST', `/bookings/${uid}/reschedule`, token, { start: at(5) });
    expect(moved.statusCode).toBe(201);
    service.clock.advance(86_400);
    expect((await book(at(30))).statusCode).toBe(201);
  });

  test('are 5,000 bookings ahead', async () => {
    const { token, user, book } = await addBookedHost(5000, 2000);
    await db
      .update(bookingHosts)
      .set({ bookedAt: new Date(0) })
      .where(eq(bookingHosts.userId, user.id));
    const tomorrow = startIn(24).replace(/T.*/, 'T10:00:00Z');

    expect((await book(tomorrow)).statusCode).toBe(409);
    const [next] = bodyOf(await ask('GET', '/bookings?take=1&status=upcoming', token)).data;
    bodyOf(await ask('POST', `/bookings/${next.uid}/cancel`, token, {}));
    expect((await book(tomorrow)).statusCode).toBe(201);
  });

  test('are the texts of a booking once: emails and their calendar entries have the first of them', async () => {
    const { user, book } = await addBookedHost(0, 0);
    const notes = Array.from({ length: 250 }, (_, index) => `word${index}`).join(' ');
    const tomorrow = startIn(24).replace(/T.*/, 'T10:00:00Z');
    bodyOf(await book(tomorrow, { bookingFieldsResponses: { notes } }), 201);

    // The person is emailed about the approval of the app, too.
    const isAboutIt = and(eq(outbox.recipient, user.email), isNotNull(outbox.calendarEntry));
    const [row] = await db.select().from(outbox).where(isAboutIt);
    for (const copy of [row?.text, row?.html, row?.calendarEntry]) {
      const unfolded = copy?.replaceAll('\r\n ', '') ?? '';
      expect(unfolded).toContain('word99 ');
      expect(unfolded).toContain('the rest is on the booking’s page');
      expect(unfolded).not.toContain('word200');
    }
  });
});

describe('what one platform client can have (security C54)', () => {
  test('are so many managed users, and its organization’s page lists none of them', async () => {
    const client = await addPlatformClient(service);
    const rows = sql`select 'managed-' || n || '@example.com', 'Managed', '', ${client.id}, now()
      from generate_series(1, ${maxManagedUsers - 1}) n`;
    await db.execute(
      sql`insert into ${users} (email, name, password_hash, managing_client_id, created_at) ${rows}`,
    );

    const answers = await Promise.all(
      [service, other, service].map((instance) => makeManagedUser(instance, client)),
    );

    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([201, 409, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409);
    expect(refused?.json().error.message).toBe(
      'The client manages 10000 users, the maximum. Delete one first.',
    );
    const organization = await findOwnOrganization(db, client.ownerId);
    const admin = await addUser(service);
    await joinOrganization(service, admin.id, organization?.id ?? 0, 'admin');
    const cookie = await startSession(service, admin);
    const page = await service.app.inject({ url: '/settings/organization', headers: { cookie } });
    expect(page.body).toContain('Plus 1 managed user,');
    expect(page.body).not.toContain('Managed Person');
  });

  test('are so many requests a minute', async () => {
    const client = await addPlatformClient(service);
    const { requests } = service.app.buckets;
    requests.take([[`client ${client.id}`, 1]], requests.max);

    const refused = await makeManagedUser(service, client);
    service.clock.advance(60);

    expect(refused.statusCode).toBe(429);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'ratelimit-remaining': '0' });
    expect((await makeManagedUser(service, client)).statusCode).toBe(201);
  });
});

describe('requests with one grant in a minute (security C54)', () => {
  test('are so many, and every answer says how many are left; other grants go on', async () => {
    const sparing = await sparingService();
    const { token, user } = await represent(sparing);
    const again = await represent(sparing, { user });
    const call = (on: string) => callApi(sparing, 'GET', '/me', { token: on });

    const first = await call(token);
    for (let index = 0; index < few - 2; index += 1) await call(token);
    const [last, over] = [await call(token), await call(token)];

    expect(first.headers).toMatchObject({
      'ratelimit-limit': `${few}`,
      'ratelimit-remaining': `${few - 1}`,
      'ratelimit-reset': `${60 / few}`,
    });
    expect(last.statusCode).toBe(200);
    expect(last.headers).toMatchObject({ 'ratelimit-remaining': '0', 'ratelimit-reset': '60' });
    expect(over.statusCode).toBe(429);
    expect(over.headers).toMatchObject({ 'retry-after': `${60 / few}`, 'ratelimit-remaining': '0' });
    expect(over.json().error.code).toBe('TooManyRequests');
    expect((await call(again.token)).statusCode).toBe(200);
    sparing.clock.advance(15);
    const refilled = [];
    for (let index = 0; index <= few / 4; index += 1) refilled.push((await call(token)).statusCode);
    expect(refilled.indexOf(429)).toBe(few / 4);
  });
});
