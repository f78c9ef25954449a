import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { createSchedule } from '../../src/scheduling/schedules/store.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { openWith } from '../support/any-visitor.ts';
import { addEventType, addTeamEventType, bookOn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { textOf, typedIn } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const ann = await addUser(service);
const talk = await addEventType(service, ann);
const timeZone = 'Europe/Berlin';

const headingsOf = ({ body }: LightMyRequestResponse): string[] =>
  [...body.matchAll(/<th scope="col"><span[^>]*>([^<]*)</g)].map(([, short]) => short ?? '');
const textAt = async (path: string): Promise<string> => textOf((await openWith(service, path)).body);

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

    const marked = [...body.matchAll(/class="day today"[^>]*>(\d+)<span class="sr-only">, today/g)];
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

    expect(last.body).not.toContain('→');
    expect(free.body).toContain('→');
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

    expect(last.body).toMatch(/<a class="day"[^>]*>1<span/);
    expect(last.body).not.toContain('→');
    expect(here.body).not.toContain('→');
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
