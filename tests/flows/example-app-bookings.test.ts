import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { ThirdPartyApp } from '../../examples/third-party-app/app.ts';
import { encryptAccess } from '../../src/scheduling/calendars/access.ts';
import { saveCalendar } from '../../src/scheduling/calendars/store.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { callApi } from '../support/api.ts';
import { contextOf } from '../support/audit.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { accountLabel } from '../support/consent.ts';
import { addApp, addSession, allowButton } from '../support/journey.ts';
import { createTestClock } from '../support/service.ts';
import { openTestSite } from '../support/site.ts';
import { addTeam } from '../support/teams.ts';
import { addUser, type ClientOptions, type TestUser } from '../support/world.ts';
import { findFaults } from './axe.ts';

// The app has no clock of ours: it asks for the slots of the days to come.
const service = await openTestSite({}, createTestClock(new Date()));
const browser = await openBrowser();
const { appUrl } = service;
const { db } = service.database;

/** A user's browser, with the example app connected in it. */
async function connect(
  user: TestUser,
  options: ClientOptions & { readonly team?: string } = {},
): Promise<{ readonly page: Page; readonly app: ThirdPartyApp }> {
  const { team, ...client } = options;
  const { app } = await addApp(service, { name: 'Tidy Week', ...client });
  const page = await openPage(browser, { origins: [appUrl, app.url] });
  await addSession(page, service, user);
  await page.goto(`${app.url}/connect`);
  if (team !== undefined) await page.getByLabel(accountLabel).selectOption({ label: `${team} (team)` });
  await allowButton(page).click();
  await page.waitForURL(`${app.url}/?done=connected`);
  return { page, app };
}

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Guest’s name').fill('Dana <b>');
  await page.getByLabel('Guest’s email address').fill(email);
}

const statusesOf = async (email: string): Promise<readonly string[]> => {
  const rows = await db.select().from(bookings).where(eq(bookings.attendeeEmail, email));
  return rows.map(({ status }) => status);
};

/** Books the slot as a stranger does; answers the booking's uid. */
async function bookAtApi(eventTypeId: number, start: string, email: string): Promise<string> {
  const attendee = { name: 'Dana', email, timeZone: 'UTC' };
  const answer = await callApi(service, 'POST', '/bookings', { body: { eventTypeId, start, attendee } });
  if (answer.statusCode !== 201) throw new Error(`booking answered ${answer.statusCode}`);
  return answer.json().data.uid;
}

async function firstSlotOn(page: Page): Promise<string> {
  return (await page.locator('option').first().getAttribute('value')) ?? '';
}

test('the app shows event types, books one of their slots with its token, lists the booking and cancels it (contract §8)', async () => {
  const user = await addUser(service);
  await addEventType(service, user, { title: 'A talk' });
  const asked = await addEventType(service, user, { title: 'A visit', requiresConfirmation: true });
  const { page, app } = await connect(user);
  const faultsAtFirst = await findFaults(page);
  const link = page.getByRole('link', { name: 'Booking page of A visit' });
  const bookingPage = await link.getAttribute('href');

  await page.getByRole('link', { name: 'Book A visit' }).click();
  await fillIn(page, 'visit@example.com');
  const faultsOfForm = await findFaults(page);
  await page.getByRole('button', { name: 'Book' }).click();
  await page.waitForURL(`${app.url}/?done=requested`);
  const told = await page.getByRole('status').innerText();
  const listed = await page.locator('#bookings li').allInnerTexts();
  const faultsOfList = await findFaults(page);
  const statusesMeanwhile = await statusesOf('visit@example.com');
  await page.getByRole('button', { name: 'Cancel A visit' }).click();
  await page.waitForURL(`${app.url}/?done=cancelled`);

  expect(bookingPage).toBe(`${appUrl}${asked.path}`);
  expect(told).toBe('The slot is asked for. It waits to be confirmed.');
  expect(listed).toEqual([expect.stringMatching(/^A visit between .+ and Dana <b>\n.+to be confirmed/)]);
  expect(statusesMeanwhile).toEqual(['pending']);
  expect(await statusesOf('visit@example.com')).toEqual(['cancelled']);
  expect(await page.locator('#bookings li').count()).toBe(0);
  expect([faultsAtFirst, faultsOfForm, faultsOfList]).toEqual([[], [], []]);
});

test('a slot that is taken meanwhile is told kindly, and what was typed stays; the next one is booked', async () => {
  const user = await addUser(service);
  const talk = await addEventType(service, user, { title: 'A talk' });
  const { page, app } = await connect(user);
  await page.getByRole('link', { name: 'Book A talk' }).click();
  await fillIn(page, 'late@example.com');
  const taken = await firstSlotOn(page);
  await bookAtApi(talk.id, taken, 'early@example.com');

  await page.getByRole('button', { name: 'Book' }).click();
  const notice = await page.getByRole('alert').innerText();
  const statusesMeanwhile = await statusesOf('late@example.com');
  const typed = await page.getByLabel('Guest’s email address').inputValue();
  const offered = await firstSlotOn(page);
  await page.getByRole('button', { name: 'Book' }).click();
  await page.waitForURL(`${app.url}/?done=booked`);

  expect(notice).toContain('This time was taken meanwhile');
  expect(statusesMeanwhile).toEqual([]);
  expect(typed).toBe('late@example.com');
  expect(offered).not.toBe(taken);
  expect(await statusesOf('late@example.com')).toEqual(['accepted']);
});

test('an address that the API refuses is told beside the form, which keeps the time and the name', async () => {
  const user = await addUser(service);
  await addEventType(service, user, { title: 'A talk' });
  const { page } = await connect(user);
  await page.getByRole('link', { name: 'Book A talk' }).click();
  await fillIn(page, 'dana@nowhere');
  const chosen = (await page.locator('option').nth(1).getAttribute('value')) ?? '';
  await page.getByLabel('Time').selectOption(chosen);

  await page.getByRole('button', { name: 'Book' }).click();
  const notice = await page.getByRole('alert').innerText();

  expect(notice).toContain('email address');
  expect(chosen).not.toBe('');
  expect(await page.getByLabel('Time').inputValue()).toBe(chosen);
  expect(await page.getByLabel('Guest’s name').inputValue()).toBe('Dana <b>');
  expect(await statusesOf('dana@nowhere')).toEqual([]);
});

test('the same form sent twice books once (contract §8, Idempotency-Key)', async () => {
  const user = await addUser(service);
  await addEventType(service, user, { title: 'A talk' });
  const { page, app } = await connect(user);
  await page.getByRole('link', { name: 'Book A talk' }).click();
  await fillIn(page, 'twice@example.com');
  const names = ['eventTypeId', 'key', 'start', 'name', 'email'] as const;
  const form: Record<string, string> = {};
  for (const name of names) form[name] = await page.locator(`[name=${name}]`).inputValue();

  const answers = [
    await page.request.post(`${app.url}/book`, { form, maxRedirects: 0 }),
    await page.request.post(`${app.url}/book`, { form, maxRedirects: 0 }),
  ];

  expect(answers.map((answer) => answer.headers()['location'])).toEqual(['/?done=booked', '/?done=booked']);
  expect(await statusesOf('twice@example.com')).toEqual(['accepted']);
});

test.each([
  ['BOOKING_READ', { dl: 0, '#event-types': 0, '#bookings': 1, '#bookings form': 0 }],
  ['EVENT_TYPE_READ', { dl: 0, '#event-types': 1, '#event-types a.button': 0, '#bookings': 0 }],
  ['PROFILE_READ', { dl: 1, '#event-types': 0, '#bookings': 0 }],
] as const)(
  'an app that may only %s shows no more, and says so when it is asked to cancel (contract §6)',
  async (scope, shown) => {
    const user = await addUser(service);
    const talk = await addEventType(service, user);
    const email = `${user.username}.guest@example.com`;
    const slots = await callApi(service, 'GET', `/slots?eventTypeId=${talk.id}&${comingWeek()}`);
    const [[slot] = []] = Object.values<{ start: string }[]>(slots.json().data);
    const uid = await bookAtApi(talk.id, slot?.start ?? '', email);
    const { page, app } = await connect(user, { scopes: [scope] });

    const found: Record<string, number> = {};
    for (const selector of Object.keys(shown)) found[selector] = await page.locator(selector).count();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.waitForURL(`${app.url}/?done=refreshed`);
    const afterRefresh: Record<string, number> = {};
    for (const selector of Object.keys(shown)) afterRefresh[selector] = await page.locator(selector).count();
    const answer = await page.request.post(`${app.url}/bookings/${uid}/cancel`);

    expect(found).toEqual(shown);
    expect(afterRefresh).toEqual(shown);
    expect(answer.status()).toBe(403);
    expect(await answer.text()).toContain('You have not allowed that');
    expect(await statusesOf(email)).toEqual(['accepted']);
  },
);

function comingWeek(): string {
  const day = (plus: number): string => new Date(Date.now() + plus * 86_400_000).toISOString().slice(0, 10);
  return `start=${day(1)}&end=${day(8)}`;
}

test('a calendar that cannot be read is told kindly, and nothing is booked (contract §8, CalendarUnavailable)', async () => {
  const user = await addUser(service);
  const talk = await addEventType(service, user);
  const { page, app } = await connect(user);
  await saveCalendar(
    db,
    {
      userId: user.id,
      kind: 'ics_feed',
      name: 'Away',
      encryptedAccess: encryptAccess(service.rootSecret, {
        kind: 'ics_feed',
        urls: ['http://127.0.0.1:1/away.ics'],
      }),
      createdAt: service.clock.now(),
    },
    () => false,
    contextOf(service),
  );
  const form = {
    eventTypeId: String(talk.id),
    key: 'a-key',
    start: '2031-06-02T09:00:00Z',
    name: 'Dana',
    email: 'unlucky@example.com',
  };

  const answers = [
    await page.request.get(`${app.url}/book?eventTypeId=${talk.id}`),
    await page.request.post(`${app.url}/book`, { form }),
  ];

  expect(answers.map((answer) => answer.status())).toEqual([502, 502]);
  for (const answer of answers)
    expect(await answer.text()).toContain('A calendar cannot be read at the moment');
  expect(await statusesOf('unlucky@example.com')).toEqual([]);
});

test('an app that acts for a team shows the team’s event types, not the person’s', async () => {
  const user = await addUser(service);
  await addEventType(service, user, { title: 'Of my own' });
  const team = await addTeam(service, user, 'owner', 'Garden Club');
  await addTeamEventType(service, team, [user]);
  const { page } = await connect(user, { team: 'Garden Club' });

  expect(await page.locator('#event-types strong').allInnerTexts()).toEqual(['Talk']);
});

test('a user who is not connected gets to no form and cancels nothing', async () => {
  const { app } = await addApp(service);

  const answers = await Promise.all([
    fetch(`${app.url}/book?eventTypeId=1`, { redirect: 'manual' }),
    fetch(`${app.url}/book`, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' }),
    fetch(`${app.url}/bookings/any/cancel`, { method: 'POST', redirect: 'manual' }),
  ]);

  expect(answers.map(({ headers }) => headers.get('location'))).toEqual(['/', '/', '/']);
});
