import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createSchedule } from '../../src/scheduling/schedules/store.ts';
import { findAccountRow, signUpFields } from '../support/accounts.ts';
import { openWith, send } from '../support/any-visitor.ts';
import { addEventType, addTeamEventType, bookOn } from '../support/booking.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { addSession, signUpOn } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addTeam } from '../support/teams.ts';
import { addUser } from '../support/world.ts';
import { findFaults } from './axe.ts';

const service = await openTestSite();
const { appUrl } = service;
const browser = await openBrowser();
const ann = await addUser(service);
const talk = await addEventType(service, ann);
const zone = 'timeZone=Europe/Berlin';

/** Sends a form as a browser would that checks nothing itself, so that the page with its faults comes back. */
async function sendUnchecked(page: Page, button: Locator): Promise<void> {
  for (const form of await page.locator('main form').all())
    await form.evaluate((element) => element.setAttribute('novalidate', ''));
  await button.click();
  await page.locator('.fault').first().waitFor();
}

const open = (options: Partial<Parameters<typeof openPage>[1]> = {}): Promise<Page> =>
  openPage(browser, { origins: [appUrl], timezoneId: 'Europe/Berlin', ...options });
const formAt = (slot: string): string => `${appUrl}${talk.path}?slot=${slot}&${zone}`;
const nameIn = (page: Page): Promise<string> => page.getByLabel('Name').inputValue();

/** A browser whose own zone has this name. */
async function openFrom(timeZone: string): Promise<Page> {
  const page = await open();
  await page.addInitScript((name) => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype;
    Intl.DateTimeFormat.prototype.resolvedOptions = function resolveTo(this: Intl.DateTimeFormat) {
      return { ...resolvedOptions.call(this), timeZone: name };
    };
  }, timeZone);
  return page;
}

test.each([
  ['Asia/Kolkata', 'Kolkata'],
  ['Asia/Calcutta', 'Kolkata'],
  ['Etc/GMT-6', 'Etc/GMT-6'],
])('a browser in %s is shown its own times, in %s', async (told, shown) => {
  const page = await openFrom(told);

  await page.goto(`${appUrl}${talk.path}?date=2030-05-06`);
  await page.waitForURL(/timeZone=/);

  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toContain(`${shown} · `);
  expect(await page.getByRole('status').count()).toBe(0);
});

test('an account is in the time zone of the browser that creates it', async () => {
  const page = await openFrom('Asia/Calcutta');
  const fields = signUpFields();

  await page.goto(`${appUrl}/signup`);
  await signUpOn(page, fields);
  await page.waitForURL(`${appUrl}/`);

  expect(await findAccountRow(service, fields.email)).toMatchObject({ timeZone: 'Asia/Kolkata' });
});

test('a zone that is the host’s under another name is no reason to load the page again', async () => {
  const host = await addUser(service);
  await createSchedule(
    service.database.db,
    host.id,
    {
      name: 'Hours',
      timeZone: 'Asia/Kolkata',
      weekly: [{ weekDay: 1, startMinute: 0, endMinute: 600 }],
      overrides: {},
      isDefault: true,
    },
    service.clock.now(),
  );
  const { path } = await addEventType(service, host);
  const page = await openFrom('Asia/Calcutta');

  await page.goto(`${appUrl}${path}`, { waitUntil: 'networkidle' });

  expect(page.url()).toBe(`${appUrl}${path}`);
  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toMatch(/^Kolkata · /);
});

test('what was typed stays when another time is chosen, also after a fault, until it is sent', async () => {
  const date = nextDate();
  const page = await open();
  const chooseAt = async (time: string): Promise<void> => {
    await page.getByRole('link', { name: 'Choose another time' }).click();
    await page.getByRole('link', { name: time }).click();
    await page.getByLabel('Name').waitFor();
  };
  await page.goto(formAt(inBerlin(date, '10:00')));
  await page.getByLabel('Name').fill('Dana');
  await page.getByLabel('Notes').fill('Bring tea');

  await chooseAt('11:00');
  expect([await nameIn(page), await page.getByLabel('Notes').inputValue()]).toEqual(['Dana', 'Bring tea']);
  expect(page.url()).not.toContain('Dana');

  await page.getByLabel('Email').fill('dana');
  await sendUnchecked(page, page.getByRole('button', { name: 'Book' }));
  await page.getByText('Enter a valid email address.').waitFor();
  await chooseAt('11:30');
  expect(await page.getByLabel('Email').inputValue()).toBe('dana');

  await page.getByLabel('Email').fill('dana@example.com');
  await page.getByRole('button', { name: 'Book' }).click();
  await page.getByText('You’re booked with').waitFor();
  await page.goto(formAt(inBerlin(date, '12:00')));
  expect([await nameIn(page), await page.getByLabel('Email').inputValue()]).toEqual(['', '']);
});

test('after a fault and a booking, the way back tells that what is booked stands', async () => {
  const page = await open();
  await page.goto(appUrl);
  await page.goto(formAt(inBerlin(nextDate(), '10:00')));
  await sendUnchecked(page, page.getByRole('button', { name: 'Book' }));
  await page.getByLabel('Name').fill('Dana');
  await page.getByLabel('Email').fill('dana@example.com');
  await page.getByRole('button', { name: 'Book' }).click();
  await page.getByText('You’re booked with').waitFor();

  await page.goBack();

  await page.getByText('If you just booked it, you’re all set.').waitFor();
});

test('a reason stays, too, when another time is chosen for a move', async () => {
  const date = nextDate();
  const own = await bookOn(service, talk.path, inBerlin(date, '10:00'));
  const page = await open();
  await page.goto(`${appUrl}${own}/reschedule?slot=${inBerlin(date, '11:00')}&${zone}`);
  await page.getByLabel('Reason').fill('A train');

  await page.getByRole('link', { name: 'Choose another time' }).click();
  await page.getByRole('link', { name: '12:00' }).click();

  expect(await page.getByLabel('Reason').inputValue()).toBe('A train');
});

test('a form with faults begins at the first of them', async () => {
  const page = await open();
  await page.goto(formAt(inBerlin(nextDate(), '10:00')));
  await page.getByLabel('Name').fill('Dana');
  await page.getByText('Add guests').click();
  await page.getByLabel('Guests').fill('one@example.com\ntwo');

  await sendUnchecked(page, page.getByRole('button', { name: 'Book' }));
  await page.getByText('isn’t a valid email address. Enter one per line.').waitFor();

  expect(await page.locator(':focus').getAttribute('name')).toBe('email');
});

test('a day that was chosen puts no frame around its times', async () => {
  const page = await open();
  await page.goto(`${appUrl}${talk.path}?month=2030-05&${zone}`);

  await page.locator('.month a').first().click();
  await page.waitForURL(/#times$/);
  await page.locator('#times .times a').first().waitFor();

  expect(await page.locator('#times:focus').count()).toBe(0);
});

test('a clock of twelve hours fits on the page', async () => {
  const page = await open({ locale: 'en-US' });
  await page.goto(`${appUrl}${talk.path}?date=${nextDate()}&${zone}`);

  expect(await page.locator('#times .times a').last().textContent()).toBe('4:30 PM');
  expect(await findFaults(page)).toEqual([]);
});

test('the pages on which nothing can be booked are accessible (WCAG 2.2 AA)', async () => {
  const [idle, soon] = [await addUser(service), await addUser(service)];
  const hours = { name: 'Hours', timeZone: 'Europe/Berlin', weekly: [], overrides: {}, isDefault: true };
  await createSchedule(service.database.db, idle.id, hours, service.clock.now());
  const none = await addEventType(service, idle);
  const never = await addEventType(service, soon, { bookingWindowDays: 0, minimumBookingNotice: 10_000 });
  const cancelled = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'));
  await send(service, `${cancelled}/cancel`, {});
  const date = nextDate();
  const old = await bookOn(service, talk.path, inBerlin(date, '10:00'));
  await send(service, `${old}/reschedule`, { slot: inBerlin(date, '11:00') });
  const moved = (await openWith(service, `${old}`)).body.match(/href="(\/booking\/[^"]+)"/)?.[1] ?? '';
  const page = await open();
  const host = await addUser(service);
  await addSession(page, service, host);
  for (const [path, words] of [
    [none.path, 'No times are available.'],
    [`${never.path}?${zone}`, 'Later months can’t be booked yet.'],
    [cancelled, 'Book another time'],
    [old, 'New time:'],
    [moved, 'Rescheduled from'],
  ] as const) {
    await page.goto(`${appUrl}${path}`);
    expect([path, await page.getByText(words).count()]).toEqual([path, 1]);
    expect([path, await findFaults(page)]).toEqual([path, []]);
  }
  await page.goto(`${appUrl}/bookings/page`);
  await page.getByRole('heading', { name: 'No booking page yet' }).waitFor();
  expect(await findFaults(page)).toEqual([]);
  await addTeamEventType(service, await addTeam(service, host), [host]);
  await page.reload();
  await page.getByRole('heading', { name: 'No personal booking page yet' }).waitFor();
  expect(await findFaults(page)).toEqual([]);
});
