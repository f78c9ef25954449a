import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { createSchedule } from '../../src/scheduling/schedules/store.ts';
import { calendars, eventTypes, schedules } from '../../src/scheduling/tables.ts';
import { allCookiesOf, findAccountRow, signUpFields } from '../support/accounts.ts';
import { addEventType, bookOn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { openAs } from '../support/groups.ts';
import { addressesOn, textOf } from '../support/page-content.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import { mailSettings, pressVerify, verifyPathTo } from '../support/verification.ts';
import { addClient, addUser, postForm, signIn } from '../support/world.ts';

const service = await openTestService();

const stepsIn = (html: string): string[] =>
  [...html.matchAll(/<li(?: class="soft")?>(?:<svg.*?<\/svg>)(.*?)<\/li>/g)].map(([, step = '']) =>
    textOf(step),
  );

test('the landing page says members what there is for them: an account first, and search engines may list it', async () => {
  const closed = await openAnotherInstance(service, { SIGNUP: 'closed' });
  const { body } = await openAs(service, '/');

  expect(body.indexOf('href="/signup"')).toBeLessThan(body.indexOf('class="button plain" href="/signin"'));
  for (const reader of ['For you', 'For app developers']) expect(body).toContain(reader);
  expect(body).not.toMatch(/operators|Runs with one command/);
  expect(textOf((await openAs(closed, '/')).body)).toContain('Ask your administrator for an account.');
  expect(body).toContain('<meta name="description"');
  expect(body).not.toContain('noindex');
  expect(addressesOn((await openAs(closed, '/')).body)).not.toContain('/signup');
  expect((await openAs(service, '/signin')).body).toContain('noindex');
});

test('home shows the next three bookings that start later, and the link to share', async () => {
  const host = await addUser(service);
  const cookie = await signIn(service, host);
  const { path } = await addEventType(service, host);
  const [date, own]: [string, string[]] = [nextDate(), []];
  for (const time of ['15:00', '09:00', '12:00', '10:00'])
    own.push(await bookOn(service, path, inBerlin(date, time)));
  const [last, first, third, second] = own.map((one) => `/bookings/${uidIn(one)}`);

  const { body } = await openAs(service, '/', cookie);

  const shown = addressesOn(body).filter((address) => /^\/bookings\/[0-9a-f]{32}$/.test(address));
  expect(shown).toEqual([first, second, third]);
  // The next one comes first on the page, before steps and link.
  expect(body).toMatch(/<p class="soft bare">in [\d,]+ (?:day|hour)s?<.*First steps.*Your booking link/s);
  expect(shown).not.toContain(last);
  expect(body).toContain(`data-copy="${service.appUrl}/${host.username}"`);
});

test('the first steps say what there is, lead to it, and stay until a calendar is connected', async () => {
  const strict = await openAnotherInstance(service, { ...mailSettings, APP_URL: service.appUrl });
  const newcomer = await addUser(service, { isVerified: false });
  const cookie = await signIn(service, newcomer);
  const { db } = service.database;
  const stepsOn = async (one: typeof service) => stepsIn((await openAs(one, '/', cookie)).body);

  const unverified = await stepsOn(strict);
  const atFirst = await stepsOn(service);
  const weekly = [1, 2, 3, 4, 5].map((weekDay) => ({ weekDay, startMinute: 540, endMinute: 1440 }));
  const schedule = { name: 'Hours', timeZone: 'America/New_York', weekly, overrides: {}, isDefault: true };
  const made = await createSchedule(db, newcomer.id, schedule, service.clock.now());
  const { path, id } = await addEventType(service, newcomer);
  const withPage = await stepsOn(service);
  const links = addressesOn((await openAs(service, '/', cookie)).body);
  const locations = [{ type: 'attendeePhone' }] as const;
  await db.update(eventTypes).set({ locations }).where(eq(eventTypes.id, id));
  const placed = await stepsOn(service);
  await bookOn(service, path, inBerlin(nextDate(), '19:00'), { place: '+49 30 123456' });
  const booked = await stepsOn(service);

  const [hours, kind, connect, share] = [
    'Set your hours',
    'Create an event type',
    'Connect a calendar',
    'Share your booking link',
  ];
  const done = [
    `${hours} (done): Mon–Fri 09:00–24:00 · New York · Change (${hours})`,
    `${kind} (done): Talk · Change (${kind})`,
  ];
  expect(unverified).toEqual(['Verify your email address', hours, kind, connect, share]);
  // Without email, nobody can verify an address, and nobody has.
  expect(atFirst).toEqual([hours, kind, connect, share]);
  expect(withPage).toEqual([...done, 'Say where you meet', connect, share]);
  expect(links).toEqual(
    expect.arrayContaining([`/settings/availability/${made?.id}`, `/settings/event-types/${id}`]),
  );
  expect(placed).toEqual([...done, 'Say where you meet (done)', connect, share]);
  expect(booked).toEqual([...done, 'Say where you meet (done)', connect, `${share} (done)`]);
  const calendar = { userId: newcomer.id, kind: 'ics_feed', name: 'Own' } as const;
  await db
    .insert(calendars)
    .values({ ...calendar, encryptedAccess: new Uint8Array(60), createdAt: service.clock.now() });
  expect(await stepsOn(service)).toEqual([]);
});

test('an event type without a username has a step and a sentence of its own', async () => {
  const admin = await addUser(service);
  await service.database.db.update(users).set({ username: null }).where(eq(users.id, admin.id));
  const cookie = await signIn(service, admin);
  const before = await openAs(service, '/bookings/page', cookie);
  await addEventType(service, admin);

  const steps = stepsIn((await openAs(service, '/', cookie)).body);
  const page = textOf((await openAs(service, '/bookings/page', cookie)).body);

  expect(textOf(before.body)).toContain('Create an event type to get your booking page.');
  expect(steps).toContainEqual(expect.stringContaining('Create an event type (done)'));
  expect(steps).toContain('Choose a username for your booking link');
  expect(page).toContain('Choose a username in your profile to get your booking page.');
  expect(page).not.toContain('Create an event type');
});

test('admins see how many apps wait; others see nothing of them', async () => {
  const service = await openTestService();
  const admin = await signIn(service, await addUser(service, { isAdmin: true }));
  const other = await signIn(service, await addUser(service));
  const homeOf = async (cookie: string) => textOf((await openAs(service, '/', cookie)).body);

  expect(await homeOf(admin)).not.toContain('Review apps');
  await addClient(service, { status: 'pending' });
  expect(await homeOf(admin)).toContain('1 app is waiting for review.');
  await addClient(service, { status: 'pending' });
  expect(await homeOf(admin)).toContain('2 apps are waiting for review.');
  expect(await homeOf(other)).not.toContain('Review apps');
});

test('home shows a booking until it ends, and none that was cancelled', async () => {
  const host = await addUser(service);
  const { path } = await addEventType(service, host);
  const date = nextDate();
  const underWay = await bookOn(service, path, inBerlin(date, '10:00'));
  const cancelled = await bookOn(service, path, inBerlin(date, '11:00'));
  await postForm(service, `${cancelled}/cancel`, {});
  const shownAt = async (time: string) => {
    service.clock.advance((Date.parse(inBerlin(date, time)) - service.clock.now().getTime()) / 1000);
    const { body } = await openAs(service, '/', await signIn(service, host));
    return addressesOn(body).filter((address) => /^\/bookings\/[0-9a-f]{32}$/.test(address));
  };

  expect(await shownAt('10:29')).toEqual([`/bookings/${uidIn(underWay)}`]);
  expect(await shownAt('10:30')).toEqual([]);
});

const strict = await openAnotherInstance(service, mailSettings);
const { db } = service.database;
const hours = [1, 2, 3, 4, 5].map((weekDay) => ({ weekDay, startMinute: 540, endMinute: 1020 }));

async function belongingsOf(userId: number) {
  return {
    schedules: await db.select().from(schedules).where(eq(schedules.userId, userId)),
    eventTypes: await db.select().from(eventTypes).where(eq(eventTypes.userId, userId)),
  };
}

async function signUp(instance: TestService) {
  const fields = signUpFields();
  const answer = await postForm(instance, '/signup', fields);
  const row = await findAccountRow(service, fields.email);
  if (row === undefined || row.username === null) throw new Error('no account');
  return { ...row, cookie: allCookiesOf(answer), page: `/${row.username}` };
}

test('a new account can be booked: Monday to Friday from 9 to 17, for 30 minutes (contract §1)', async () => {
  const { id, page } = await signUp(service);

  expect(await belongingsOf(id)).toMatchObject({
    schedules: [{ name: 'Working hours', timeZone: 'Europe/Berlin', isDefault: true, weekly: hours }],
    eventTypes: [{ title: '30-minute meeting', slug: '30min', lengthInMinutes: 30, hidden: false }],
  });
  const list = await service.app.inject(page);
  expect(list.statusCode).toBe(200);
  expect(list.body).toContain(`href="${page}/30min"`);
  const month = await service.app.inject(`${page}/30min?month=2026-12&timeZone=Europe/Berlin`);
  expect(textOf(month.body)).toContain('30 minutes');
});

test('one that has to be verified can be booked once it is', async () => {
  const { email, cookie, page } = await signUp(strict);
  const before = await strict.app.inject(page);

  await pressVerify(strict, await verifyPathTo(strict, email), cookie);

  expect(before.statusCode).toBe(404);
  expect((await strict.app.inject(page)).statusCode).toBe(200);
});

test('the admin of ADMIN_EMAIL has hours and an event type, and no more of them after another start', async () => {
  const email = 'operator@example.com';
  for (const _start of [1, 2])
    await openAnotherInstance(service, { ADMIN_EMAIL: email, ADMIN_PASSWORD: 'the words of an operator' });

  const row = await findAccountRow(service, email);
  const { schedules, eventTypes } = await belongingsOf(row?.id ?? 0);

  expect([schedules.length, eventTypes.length]).toEqual([1, 1]);
});

test('a managed user has what its app makes (contract §8)', async () => {
  const { user } = (await makeManagedUser(service, await addPlatformClient(service))).json().data;

  expect(await belongingsOf(user.id)).toEqual({ schedules: [], eventTypes: [] });
});
