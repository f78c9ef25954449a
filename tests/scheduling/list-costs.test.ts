import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addTeamEventType } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { holdTable } from '../support/held.ts';
import { addBookings } from '../support/many-bookings.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { startSession } from '../support/world.ts';

const service = await openTestService({}, undefined, undefined, { connections: 10 });
const [ann, ben] = [await represent(service), await represent(service)];

test('one person’s lists wait for each other, those of pages for pages alone, and leave the database to others; what is too much of one app or of pages is a 429 for it alone (contract §8, security C132)', async () => {
  const cookie = await startSession(service, ann.user);
  const { token: anotherApp } = await represent(service, { user: ann.user });
  const team = await addTeam(service, ann.user);
  const held = await holdTable(service, 'bookings');
  const list = (token: string, path = '/bookings') => callApi(service, 'GET', `${path}?take=1`, { token });
  const open = async () => service.app.inject({ url: '/bookings', headers: { cookie } });
  const paths = ['/bookings', `/teams/${team.id}/bookings`];
  const asked = Array.from({ length: 22 }, (_, index) => list(ann.token, paths[index % 2]));
  await held.untilWaiting(1);
  const me = await callApi(service, 'GET', '/me', { token: ben.token });
  const bens = list(ben.token);
  await held.untilWaiting(2);
  // One list is being read, 20 wait, and only who is refused is answered.
  const tooMany = await Promise.race(asked);
  const other = list(anotherApp);
  const pages = Array.from({ length: 22 }, open);
  const tooManyPages = await Promise.race(pages);
  await callApi(service, 'GET', '/me', { token: ben.token });
  // All apps of a person take turns with each other, and so do all pages.
  await held.untilWaiting(3);
  const waiting = await held.countWaiting();
  await held.release();

  expect(waiting).toBe(3);
  expect(me.statusCode).toBe(200);
  for (const refused of [tooMany, tooManyPages]) {
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(bodyOf(tooMany, 429).error.code).toBe('TooManyRequests');
  expect((await bens).statusCode).toBe(200);
  const statuses = (await Promise.all([...asked, other])).map(({ statusCode }) => statusCode);
  expect(statuses.sort()).toEqual([...Array(22).fill(200), 429]);
  const ofPages = (await Promise.all(pages)).map(({ statusCode }) => statusCode);
  expect(ofPages.sort()).toEqual([...Array(21).fill(200), 429]);
  expect((await open()).statusCode).toBe(200);
});

test('the lists of many people leave the database most of its connections (security C132)', async () => {
  const people = [];
  for (let index = 0; index < 12; index += 1) people.push(await represent(service));
  const held = await holdTable(service, 'bookings');
  const cookies = await Promise.all(people.map(({ user }) => startSession(service, user)));
  const asked = [
    ...people.map(({ token }) => callApi(service, 'GET', '/bookings', { token })),
    ...cookies.map((cookie) => service.app.inject({ url: '/bookings', headers: { cookie } })),
  ];
  await held.untilWaiting(6);
  await sleep(100);
  const waiting = await held.countWaiting();
  const me = await callApi(service, 'GET', '/me', { token: ann.token });
  await held.release();

  expect(me.statusCode).toBe(200);
  expect((await Promise.all(asked)).map(({ statusCode }) => statusCode)).toEqual(Array(24).fill(200));
  // Four of all apps, and two of all pages, which wait for no app.
  expect(waiting).toBe(6);
});

test('a page that ends the list has the total without counting (contract §5)', async () => {
  const host = await represent(service);
  await addBookings(service, host.user, 3, 1);
  const counted = async (query: string) => {
    service.takeStatements();
    const { pagination } = bodyOf(await callApi(service, 'GET', `/bookings?${query}`, { token: host.token }));
    const isCounted = service
      .takeStatements()
      .some((text) => /^select count\(\*\).*"booking_hosts"/.test(text));
    return [pagination.totalItems, isCounted];
  };

  expect(await counted('take=4')).toEqual([3, false]);
  expect(await counted('take=2&skip=2')).toEqual([3, false]);
  expect(await counted('take=2')).toEqual([3, true]);
  expect(await counted('take=2&skip=5')).toEqual([3, true]);
});

describe('a host has 10,020 bookings (contract §8, security C132)', async () => {
  const host = await represent(service);
  const cookie = await startSession(service, host.user);
  const read = async (query: string) =>
    bodyOf(await callApi(service, 'GET', `/bookings?${query}`, { token: host.token }));
  beforeAll(() => addBookings(service, host.user, 10_020, 1));

  test('as many as 10,000 past the page are counted, and the last page is known', async () => {
    const [first, deep, last] = [
      await read('take=10'),
      await read('take=10&skip=15'),
      await read('take=10&skip=10010'),
    ];

    expect(first.pagination).toMatchObject({ totalItems: 10_000, remainingItems: 9990, hasNextPage: true });
    expect(deep.pagination).toMatchObject({ totalItems: 10_015, hasNextPage: true, hasPreviousPage: true });
    expect(last.pagination).toMatchObject({ totalItems: 10_020, remainingItems: 0, hasNextPage: false });
  });

  test('pages in every order follow one another, and a page asks for hosts of what it shows alone', async () => {
    for (const order of ['', '&sortStart=desc', '&sortEnd=asc&status=upcoming']) {
      const whole: readonly { id: number }[] = (await read(`take=20&skip=5000${order}`)).data;
      const halves = [
        await read(`take=10&skip=5000${order}`),
        await read(`take=10&skip=5010${order}`),
      ].flatMap(({ data }) => data);
      expect(halves).toEqual(whole);
      expect(new Set(whole.map(({ id }) => id)).size).toBe(20);
    }
    service.takeStatements();
    await read('take=10&skip=5000');
    const [text = ''] = service.takeStatements().filter((one) => one.includes('json_agg'));
    const page = text.slice(text.indexOf('inner join (select'));
    expect(page).toContain('offset');
    expect(page).not.toContain('json_agg');
  });

  test.for(['attendeeName=dan', 'sortUpdatedAt=desc', 'afterUpdatedAt=2000-01-01T00:00:00.000Z'])(
    'what no index finds, as %s, is looked for in the 10,000 that start last, and with a limit of their times in others (security C381)',
    async (query) => {
      const all = await read(`take=1&sortStart=asc`);
      const searched = await read(`take=20&skip=9990&${query}`);
      const [{ start, end }] = all.data;
      const earliest = await read(`take=1&${query}&beforeEnd=${end}`);

      expect(searched.data).toHaveLength(10);
      expect(searched.data.map((one: { readonly start: string }) => one.start)).not.toContain(start);
      expect(earliest.data).toMatchObject([{ start }]);
      expect((await read(`${query}&bookingUid=${all.data[0].uid}`)).data).toHaveLength(1);
    },
  );

  test('a page of past or upcoming bookings finds them by the host’s rows alone (security C261)', async () => {
    for (const query of ['?page=3', '?status=past&page=3']) {
      service.takeStatements();
      await service.app.inject({ url: `/bookings${query}`, headers: { cookie } });
      const [text = ''] = service.takeStatements().filter((one) => one.includes('inner join (select'));
      const page = text.slice(text.indexOf('inner join (select'), text.indexOf('"page"'));
      expect(page).toContain('from "booking_hosts"');
      expect(page).not.toContain('"bookings"');
    }
  });

  test.for(['status=past&sortEnd=desc', 'sortCreated=desc', 'sortEnd=asc&sortCreated=asc'])(
    'so does the order of %s in the API',
    async (query) => {
      service.takeStatements();
      await read(`${query}&take=10`);
      const pages = service.takeStatements().filter((one) => one.includes('inner join (select'));
      expect(pages).toHaveLength(1);
      for (const text of pages)
        expect(text.slice(text.indexOf('inner join (select'), text.indexOf('"page"'))).not.toContain(
          '"bookings"',
        );
    },
  );

  test('calendars whose entries all failed are a page within a second, also without statistics', async () => {
    const { db } = service.database;
    await addBookings(service, (await represent(service)).user, 60_000, 1);
    await db.execute(sql`
      with calendar as (
        insert into calendars (user_id, name, kind, encrypted_access, created_at)
        values (${host.user.id}::int, 'Work', 'caldav', 'x', now()) returning id)
      insert into calendar_entries (user_id, ics_uid, calendar_id, encrypted_collection, server, changed_at, failure)
      select ${host.user.id}::int, ics_uid, calendar.id, 'x', 'cal.example', now(), 'refused'
      from calendar, bookings where attendee_email like ${`dana-${host.user.id}-%`} limit 3000`);

    const before = performance.now();
    const page = await service.app.inject({ url: '/settings/calendars', headers: { cookie } });

    expect(page.statusCode).toBe(200);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  test('the page counts nothing', async () => {
    service.takeStatements();
    const { body } = await service.app.inject({ url: '/bookings?page=3', headers: { cookie } });

    expect(body).toContain('page=4');
    expect(service.takeStatements().filter((text) => text.includes('count('))).toEqual([]);
  });
});

test('whose turn it is follows from a host’s latest 200 bookings, however long the history (contract §8, security C132)', async () => {
  const team = await addTeam(service, ann.user);
  await joinTeam(service, team, ben.user, 'member');
  const { id: eventTypeId } = await addTeamEventType(service, team, [ann.user, ben.user]);
  const book = async () => {
    const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
    const body = { eventTypeId, start: inBerlin(nextDate(), '10:00'), attendee };
    service.clock.advance(1);
    return bodyOf(await callApi(service, 'POST', '/bookings', { body }), 201).data.hosts[0].id;
  };

  expect([await book(), await book()]).toEqual([ann.user.id, ben.user.id]);
  service.clock.advance(1);
  await addBookings(service, ben.user, 199, 10_000);
  expect(await book()).toBe(ann.user.id);
  service.clock.advance(1);
  await addBookings(service, ann.user, 200, 10_000);
  // Ann's turn, the last one, is none of her latest 200.
  expect(await book()).toBe(ann.user.id);
});
