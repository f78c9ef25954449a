import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { createSchedule } from '../../src/scheduling/schedules/store.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { openWith, send } from '../support/any-visitor.ts';
import { addEventType, addTeamEventType, bookOn, fillIn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { addressesOn, textOf, titleOf, typedIn } from '../support/page-content.ts';
import { addOrganization, joinOrganization, moveTeam } from '../support/platform.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const ann = await addUser(service);
const talk = await addEventType(service, ann);
const timeZone = 'Europe/Berlin';

const tabOf = ({ body }: LightMyRequestResponse): string =>
  textOf(/<title>(.*?)<\/title>/s.exec(body)?.[1] ?? '');

const textAt = async (path: string): Promise<string> => textOf((await openWith(service, path)).body);

describe('a slash at the end', async () => {
  const own = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'));
  const team = await addTeam(service, ann);

  test.each([
    talk.path,
    `/${ann.username}`,
    `/team/${team.slug}`,
    `/team/${team.slug}/talk`,
    own,
    `${own}/reschedule`,
    `${own}/cancel`,
  ])('leads to the page without it: %s', async (path) => {
    const answer = await openWith(service, `${path}/`, { timeZone: 'Asia/Tokyo' });

    expect([answer.statusCode, answer.headers.location]).toEqual([301, `${path}?timeZone=Asia%2FTokyo`]);
  });

  test.each([
    ['//evil.example/', 404],
    ['//evil.example/talk/', 404],
    ['/%5Cevil.example/', 404],
    ['/settings/nowhere/', 404],
    ['/v2/bookings/', 401],
  ])('leads nowhere from %s', async (path, status) => {
    const answer = await service.app.inject(path);

    expect(answer.headers).not.toHaveProperty('location');
    expect(answer.statusCode).toBe(status);
  });

  test('tells no other site where the booking is', async () => {
    const { headers } = await openWith(service, `${own}/`);

    expect([headers['referrer-policy'], headers['cache-control']]).toEqual(['strict-origin', 'no-store']);
  });
});

describe('who and what', () => {
  test.each([
    [false, true],
    [true, false],
  ])('an organization is named, a platform (%s) is not', async (isPlatform, isNamed) => {
    const { id: organizationId } = await addOrganization(service, { isPlatform, name: 'Acme <Inc>' });
    const member = await addUser(service);
    await joinOrganization(service, member.id, organizationId);
    const team = await addTeam(service, member);
    await moveTeam(service, team.id, organizationId);
    const { path } = await addEventType(service, member);
    const sales = await addTeamEventType(service, team, [member]);

    for (const page of [path, `/${member.username}`, sales.path, `/team/${team.slug}`])
      expect((await textAt(page)).includes('Acme <Inc>')).toBe(isNamed);
  });

  test('of many hosts three are named, and the others counted', async () => {
    const team = await addTeam(service, ann, 'owner', 'Sales');
    const others = await Promise.all(Array.from({ length: 9 }, () => addUser(service)));
    await Promise.all(others.map((other) => joinTeam(service, team, other, 'member')));
    const [ten, four] = [
      await addTeamEventType(service, team, [ann, ...others]),
      await addTeamEventType(service, team, [ann, ...others.slice(0, 3)]),
    ];

    expect(await textAt(ten.path)).toMatch(/Sales: one of Test [^,]+, Test [^,]+, Test \S+ and 7 others/);
    expect(await textAt(four.path)).not.toContain('others');
  });

  test('a length is given in hours', async () => {
    const host = await addUser(service);
    const { path } = await addEventType(service, host, { lengthInMinutes: 480 });

    for (const page of [path, `/${host.username}`]) expect(await textAt(page)).toContain('8 hours');
  });

  test('a host’s name leads to all that can be booked, where there is a list', async () => {
    const host = await addUser(service);
    const hidden = await addEventType(service, host, { hidden: true });
    const team = await addTeam(service, host);
    const sales = await addTeamEventType(service, team, [host]);

    expect(addressesOn((await openWith(service, hidden.path)).body)).not.toContain(`/${host.username}`);
    expect(addressesOn((await openWith(service, talk.path)).body)).toContain(`/${ann.username}`);
    expect(addressesOn((await openWith(service, sales.path)).body)).toContain(`/team/${team.slug}`);
  });

  test('a host is told that visitors see it, and gets back to the settings; nobody else is', async () => {
    const words = 'This is what visitors see.';
    const headers = { cookie: await startSession(service, ann) };

    const own = await openWith(service, talk.path, {}, { headers });
    const others = await openWith(service, talk.path);

    expect(own.body).toContain(words);
    expect(own.body).toContain(`href="/settings/event-types/${talk.id}"`);
    expect(others.body).not.toContain(words);
    expect(others.body).not.toContain('/settings/event-types');
  });

  test('a host is told so on the list of what people can book, as is who manages a team', async () => {
    const [host, member] = [await addUser(service), await addUser(service)];
    const team = await addTeam(service, host);
    await joinTeam(service, team, member, 'member');
    await addEventType(service, host);
    await addTeamEventType(service, team, [host, member]);
    const [own, ofMember] = [await startSession(service, host), await startSession(service, member)];
    const settingsOn = async (path: string, cookie = '') => {
      const { body } = await openWith(service, path, {}, { headers: { cookie } });
      return /This is what visitors see.+?href="([^"]+)"/s.exec(body)?.[1];
    };

    expect(await settingsOn(`/${host.username}`, own)).toBe('/settings/event-types');
    expect(await settingsOn(`/team/${team.slug}`, own)).toBe(`/settings/event-types?team=${team.id}`);
    expect(await settingsOn(`/${host.username}`, ofMember)).toBeUndefined();
    expect(await settingsOn(`/team/${team.slug}`, ofMember)).toBeUndefined();
    expect(await settingsOn(`/${host.username}`)).toBeUndefined();
  });

  test('hosts get to their own booking page, or hear how to have one', async () => {
    const host = await addUser(service);
    const headers = { cookie: await startSession(service, host) };
    const open = (path: string) => openWith(service, path, {}, { headers });

    const without = await open('/bookings/page');
    await addEventType(service, host);
    const withOne = await open('/bookings/page');

    expect(addressesOn((await open('/')).body)).toContain('/bookings/page');
    expect(addressesOn((await open('/bookings')).body)).toContain('/bookings/page');
    expect(titleOf(without)).toBe('No booking page yet');
    expect([withOne.statusCode, withOne.headers.location]).toEqual([
      303,
      `${service.appUrl}/${host.username}`,
    ]);
    expect((await openWith(service, '/bookings/page')).headers.location).toContain('/signin');
  });

  test('hosts of a team without a page of their own find the team’s, if it has one', async () => {
    const host = await addUser(service);
    const team = await addTeam(service, ann, 'owner', 'Garden <b>Club</b>');
    await joinTeam(service, team, host, 'member');
    const headers = { cookie: await startSession(service, host) };
    const open = () => openWith(service, '/bookings/page', {}, { headers });

    await addTeamEventType(service, team, [host], 'roundRobin', { hidden: true });
    const hidden = await open();
    await addTeamEventType(service, team, [host]);
    await addTeamEventType(service, team, [host, ann]);
    const shown = await open();

    const address = `${service.appUrl}/team/${team.slug}`;
    const path = `/team/${team.slug}`;
    expect(addressesOn(hidden.body)).not.toContain(path);
    expect(titleOf(shown)).toBe('No personal booking page yet');
    expect(textOf(shown.body)).toContain('Garden <b>Club</b>');
    expect(addressesOn(shown.body).filter((one) => one === path)).toHaveLength(1);
    expect(shown.body).toContain(`data-copy="${address}"`);
    expect((await openWith(service, path)).statusCode).toBe(200);
  });

  test('only hosts without a username are asked to choose one', async () => {
    const host = await addUser(service);
    const headers = { cookie: await startSession(service, host) };
    const open = async () => textOf((await openWith(service, '/bookings/page', {}, { headers })).body);

    const withOne = await open();
    await db.update(users).set({ username: null }).where(eq(users.id, host.id));
    const without = await open();

    expect(withOne).not.toContain('username');
    expect(without).toContain('You also need a username for its address.');
  });

  test('each step has a title of its own, with the host’s name', async () => {
    const date = nextDate();
    const slot = inBerlin(date, '10:00');
    const own = await bookOn(service, talk.path, inBerlin(date, '12:00'));
    const pages = await Promise.all([
      openWith(service, talk.path),
      openWith(service, talk.path, { date, timeZone }),
      openWith(service, talk.path, { slot, timeZone }),
      openWith(service, own),
      openWith(service, `${own}/reschedule`),
      openWith(service, `${own}/reschedule`, { date: nextDate(), timeZone }),
      openWith(service, `${own}/reschedule`, { slot, timeZone }),
      openWith(service, `${own}/cancel`),
    ]);

    const tabs = pages.map(tabOf);
    expect(new Set(tabs).size).toBe(tabs.length);
    for (const tab of tabs) expect(tab).toContain(`Test ${ann.username}`);
    expect(tabs[2]).toMatch(/^Mon|^Tue|^Wed|^Thu|^Fri/);
    expect(tabs[3]).toMatch(/^Booked · /);
  });

  test('visitors are not led to the API', async () => {
    const slot = inBerlin(nextDate(), '10:00');
    const own = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'));

    for (const path of [
      `/${ann.username}`,
      talk.path,
      `${talk.path}?slot=${slot}`,
      own,
      `${own}/cancel`,
      `${own}/reschedule`,
    ])
      expect((await openWith(service, path)).body).not.toContain('API documentation');
  });
});

describe('after a booking', () => {
  test('it says whither the email goes, where a mail server is set up', async () => {
    const mailing = await openAnotherInstance(service, {
      SMTP_URL: 'smtp://127.0.0.1:9',
      MAIL_FROM: 'Latchkey <no-reply@cal.example>',
    });
    const slot = inBerlin(nextDate(), '10:00');

    const form = await openWith(mailing, talk.path, { slot, timeZone });
    const own = await bookOn(mailing, talk.path, slot, { email: 'vis@example.com' });

    expect(textOf(form.body)).toContain('We’ll send your confirmation');
    const said = textOf((await openWith(mailing, own)).body);
    expect(said).toContain('We sent a confirmation to vis@example.com.');
    expect(said).not.toContain('can’t send email');
    const question = await openWith(mailing, `${own}/cancel`);
    expect(textOf(question.body)).toContain('All attendees will be notified');
  });

  test('it claims no email where none can be sent, and says how to come back', async () => {
    const slot = inBerlin(nextDate(), '10:00');

    const form = await openWith(service, talk.path, { slot, timeZone });
    const own = await bookOn(service, talk.path, slot);

    expect(textOf(form.body)).not.toMatch(/send your confirmation|notified/);
    const said = await textAt(own);
    expect(said).toContain('This server can’t send email. Save the address of this page');
    expect(said).not.toContain('We sent');
    expect(await textAt(`${own}/cancel`)).not.toContain('will be notified');
  });

  test('that was cancelled or is over, another time can be booked', async () => {
    const [cancelled, over, booked] = await Promise.all(
      [nextDate(), nextDate(), nextDate()].map((date) => bookOn(service, talk.path, inBerlin(date, '10:00'))),
    );
    await send(service, `${cancelled}/cancel`, {});
    const startsAt = new Date(service.clock.now().getTime() - 7_200_000);
    const endsAt = new Date(startsAt.getTime() + 1_800_000);
    await db
      .update(bookings)
      .set({ startsAt, endsAt })
      .where(eq(bookings.uid, uidIn(over ?? '')));

    for (const own of [cancelled, over])
      expect((await openWith(service, own ?? '')).body).toContain(
        `href="${service.appUrl}${talk.path}">Book another time</a>`,
      );
    expect(await textAt(booked ?? '')).not.toContain('Book another time');
  });

  test('that was rescheduled, both its pages say so, and the old one has the status of the new one', async () => {
    const date = nextDate();
    const own = await bookOn(service, talk.path, inBerlin(date, '10:00'));
    const moved =
      (await send(service, `${own}/reschedule`, { slot: inBerlin(date, '11:00') })).headers.location ?? '';

    expect(await textAt(moved)).toMatch(/You’re booked with [^.]*\s+Rescheduled from .*10:00 – 10:30\./);
    expect(await textAt(own)).toMatch(/New time: .*11:00 – 11:30 Booked/);
    await send(service, `${moved}/cancel`, {});

    expect(await textAt(own)).toMatch(/New time: .*11:00 – 11:30 Cancelled/);
  });
});

describe('a form with faults', () => {
  const focusOf = ({ body }: LightMyRequestResponse): string[] =>
    [...body.matchAll(/ name="(\w+)"[^>]* autofocus/g)].map(([, name]) => name ?? '');

  test('begins at the first of them', async () => {
    const slot = inBerlin(nextDate(), '10:00');
    const form = await fillIn(service, talk.path, slot);
    const own = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'));
    const long = 'x'.repeat(501);

    const answers = await Promise.all([
      send(service, talk.path, { ...form, email: 'x', guests: 'y' }),
      send(service, talk.path, { ...form, guests: 'y' }),
      send(service, `${own}/cancel`, { reason: long }),
      send(service, `${own}/reschedule`, { slot, reason: long }),
    ]);

    expect(answers.map(focusOf)).toEqual([['email'], ['guests'], ['reason'], ['reason']]);
    const clean = await openWith(service, talk.path, { slot });
    expect(focusOf(clean)).toEqual([]);
  });
});

const headingsOf = ({ body }: LightMyRequestResponse): string[] =>
  [...body.matchAll(/<th scope="col"><span[^>]*>([^<]*)</g)].map(([, short]) => short ?? '');

describe('a time zone in the address', () => {
  test.each([
    ['europe/rome', 'Europe/Rome'],
    ['Asia/Calcutta', 'Asia/Kolkata'],
    ['asia/kolkata', 'Asia/Kolkata'],
    ['Europe/Kiev', 'Europe/Kyiv'],
    ['Tokyo · 16:10', 'Asia/Tokyo'],
    ['tok', 'Asia/Tokyo'],
  ])('%s is shown, kept and stored as %s', async (written, name) => {
    const slot = inBerlin(nextDate(), '10:00');
    const page = await openWith(service, talk.path, { date: slot.slice(0, 10), timeZone: written });

    const path = await bookOn(service, talk.path, slot, { timeZone: written });

    expect(typedIn(page, 'timeZone')).toMatch(new RegExp(`^${name.split('/').at(-1)} · `));
    expect(page.body).toContain(`timeZone=${encodeURIComponent(name)}`);
    const [row] = await db
      .select()
      .from(bookings)
      .where(eq(bookings.uid, uidIn(path)));
    expect(row?.attendeeTimeZone).toBe(name);
  });

  test('of no list is offered all the same', async () => {
    const page = await openWith(service, talk.path, { timeZone: 'Etc/GMT+3' });

    expect(typedIn(page, 'timeZone')).toMatch(/^Etc\/GMT\+3 · /);
  });
});

describe('the clock and the week', () => {
  const query = { date: '2030-05-06', timeZone };
  const openFrom = (language: string) =>
    openWith(service, talk.path, query, { headers: { 'accept-language': language } });

  test('are as the browser’s language has them', async () => {
    const [american, dutch] = [await openFrom('en-US,en;q=0.9'), await openFrom('nl,en-US;q=0.7')];

    expect(headingsOf(american)).toEqual(['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa']);
    expect(american.body).toContain('>4:30 PM<');
    expect(headingsOf(dutch)).toEqual(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']);
    expect(dutch.body).toContain('>16:30<');
  });

  test('are those of the profile for people who are signed in, on every page about a booking', async () => {
    const host = await addUser(service);
    await db.update(users).set({ timeFormat: 12, weekStart: 'Saturday' }).where(eq(users.id, host.id));
    const { path } = await addEventType(service, host);
    const slot = inBerlin(nextDate(), '15:00');
    const own = await bookOn(service, path, slot);
    const headers = { cookie: await startSession(service, host), 'accept-language': 'nl' };
    const open = (address: string, chosen = {}) => openWith(service, address, chosen, { headers });

    expect(headingsOf(await open(path))[0]).toBe('Sa');
    const later = { slot: inBerlin(nextDate(), '15:00'), timeZone };
    for (const page of [
      await open(path, later),
      await open(own),
      await open(`${own}/cancel`),
      await open(`${own}/reschedule`, later),
      await open('/bookings'),
      await open(`/bookings/${uidIn(own)}`),
      await open(`/bookings/${uidIn(own)}/cancel`),
    ])
      expect(textOf(page.body)).toContain('3:00 – 3:30 pm');
  });

  test('mark today, and no other day', async () => {
    const today = service.clock.now().toISOString().slice(0, 10);

    const { body } = await openWith(service, talk.path, { timeZone: 'UTC' });
    const other = await openWith(service, talk.path, { month: '2030-05' });

    const marked = [
      ...body.matchAll(/class="day today"[^>]*>(?:<span aria-hidden="true">)?(\d+)<.{0,80}?, today/g),
    ];
    expect(marked.map(([, day]) => Number(day))).toEqual([Number(today.slice(8))]);
    expect(other.body).not.toContain('today');
  });

  test('stand beside the offset of the zone', async () => {
    const page = await openWith(service, talk.path, { slot: inBerlin('2030-05-06', '10:00'), timeZone });

    expect(textOf(page.body)).toContain('10:00 – 10:30 (Europe/Berlin, GMT+02:00)');
  });
});

describe('what cannot be booked', () => {
  const month = (months: number): string => {
    const now = service.clock.now();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 7);
  };

  test('beyond the booking window is not led to', async () => {
    const soon = await addEventType(service, ann, { bookingWindowDays: 40 });
    const end = new Date(service.clock.now().getTime() + 40 * 86_400_000).toISOString().slice(0, 7);

    const last = await openWith(service, soon.path, { month: end, timeZone: 'UTC' });
    const beyond = await openWith(service, soon.path, { month: month(6), timeZone: 'UTC' });
    const free = await openWith(service, talk.path, { month: end, timeZone: 'UTC' });

    expect(last.body).not.toContain('arrow next');
    expect(free.body).toContain('arrow next');
    expect(textOf(beyond.body)).toContain('That day can’t be booked');
    expect(textOf(beyond.body)).not.toContain('View ');
  });

  test('begins where the window ends for the host, also for visitors whose next month has begun by then', async () => {
    const today = Temporal.Instant.fromEpochMilliseconds(service.clock.now().getTime())
      .toZonedDateTimeISO(timeZone)
      .toPlainDate();
    // On a working day the month ends in Berlin, and hours before in Kiritimati.
    const end = [1, 2, 3, 4, 5, 6]
      .map((months) => today.add({ months }))
      .map((date) => date.with({ day: date.daysInMonth }))
      .find(({ dayOfWeek }) => dayOfWeek < 6);
    const bookingWindowDays = end === undefined ? 0 : today.until(end).total('days');
    const { path } = await addEventType(service, ann, { bookingWindowDays });
    const east = { timeZone: 'Pacific/Kiritimati' };
    const [month, next] = [0, 1].map((months) => end?.add({ months }).toString().slice(0, 7) ?? '');

    const last = await openWith(service, path, { ...east, month: next ?? '' });
    const here = await openWith(service, path, { timeZone, month: month ?? '' });

    expect(last.body).toMatch(/<a class="day"[^>]*><span aria-hidden="true">1</);
    expect(last.body).not.toContain('arrow next');
    expect(here.body).not.toContain('arrow next');
  });

  test('in a month at the end of the window says that later ones cannot be booked yet', async () => {
    const never = await addEventType(service, ann, { bookingWindowDays: 1, minimumBookingNotice: 10_000 });
    const end = new Date(service.clock.now().getTime() + 86_400_000).toISOString().slice(0, 7);

    const page = await openWith(service, never.path, { month: end, timeZone: 'UTC' });

    expect(textOf(page.body)).toContain('Later months can’t be booked yet.');
  });

  const schedule = { name: 'Hours', timeZone, weekly: [], isDefault: true };
  test.each([
    ['no hours at all', {}, false],
    ['hours on a day that is over', { '2020-01-01': [{ startMinute: 0, endMinute: 600 }] }, false],
    ['a day off to come', { '2031-01-01': [] }, false],
    ['hours on a day to come', { '2031-01-01': [{ startMinute: 0, endMinute: 600 }] }, true],
  ])('by %s is said immediately', async (_name, overrides, isOpen) => {
    const host = await addUser(service);
    await createSchedule(db, host.id, { ...schedule, overrides }, service.clock.now());
    const { path } = await addEventType(service, host);

    const { body } = await openWith(service, path);

    expect(body.includes('No times are available.')).toBe(!isOpen);
    expect(body.includes('<table class="month">')).toBe(isOpen);
  });

  test('with all of a team because one has no hours, can be with any of them', async () => {
    const idle = await addUser(service);
    await createSchedule(db, idle.id, { ...schedule, overrides: {} }, service.clock.now());
    const team = await addTeam(service, ann);
    await joinTeam(service, team, idle, 'member');
    const [all, any] = [
      await addTeamEventType(service, team, [ann, idle], 'collective'),
      await addTeamEventType(service, team, [ann, idle], 'roundRobin'),
    ];

    expect(await textAt(all.path)).toContain('No times are available.');
    expect(await textAt(any.path)).not.toContain('No times are available.');
  });

  test('any more is perhaps what the visitor has just booked', async () => {
    const slot = inBerlin(nextDate(), '10:00');
    await bookOn(service, talk.path, slot);

    const { body } = await openWith(service, talk.path, { slot });

    expect(textOf(body)).toContain('If you just booked it, you’re all set.');
  });
});
