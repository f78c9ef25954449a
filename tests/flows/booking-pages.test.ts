import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bookings } from '../../src/scheduling/tables.ts';
import { addEventType, addTeamEventType, bookOn, uidIn } from '../support/booking.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { findFreePort } from '../support/free-port.ts';
import { addSession, chooseNextMonth } from '../support/journey.ts';
import { addOrganization, joinOrganization } from '../support/platform.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser } from '../support/world.ts';
import { findFaults } from './axe.ts';

const port = await findFreePort();
const appUrl = `http://localhost:${port}`;
const service = await openTestService({
  ...trustingMail,
  PORT: String(port),
  APP_URL: appUrl,
  ORG_HOST: `cal.example:${port}`,
});
await service.app.listen({ host: '127.0.0.1', port });
const browser = await openBrowser();
const { db } = service.database;
const ann = await addUser(service);
const talk = await addEventType(service, ann, { title: 'A talk about the garden' });
const asked = await addEventType(service, ann, { requiresConfirmation: true });

const origins = [appUrl];
const open = (options: Partial<Parameters<typeof openPage>[1]> = {}): Promise<Page> =>
  openPage(browser, { origins, timezoneId: 'Europe/Berlin', ...options });

async function fillInOn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name').fill('Dana');
  await page.getByLabel('Email').fill(email);
}

/** What a browser does when a city of its list is chosen. */
const pick = (page: Page, city: string): Promise<void> =>
  page.locator('#timeZone').evaluate((field, name) => {
    if (!(field instanceof HTMLInputElement)) return;
    const { value = '' } = [...(field.list?.options ?? [])].find((one) => one.value.startsWith(name)) ?? {};
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }, city);

const zoneOn = (page: Page): Promise<string> => page.locator('#timeZone').inputValue();

test('with JavaScript a city of the list counts at once, and a day keeps it', async () => {
  const page = await open();
  await page.goto(`${appUrl}${talk.path}?timeZone=Europe/Berlin`);

  await pick(page, 'Tokyo');
  await page.waitForURL(/timeZone=Tokyo/);
  await chooseNextMonth(page);
  await page.locator('a.day').last().click();
  await page.waitForURL(/date=.*timeZone=Asia%2FTokyo/);
  expect(await zoneOn(page)).toMatch(/^Tokyo · /);
});

test('who points at the time zone sees all cities, and who leaves without a choice keeps it', async () => {
  const page = await open();
  await page.goto(`${appUrl}${talk.path}?timeZone=Europe/Berlin`);
  const field = page.locator('#timeZone');

  await field.click();
  expect([await zoneOn(page), await field.getAttribute('placeholder')]).toEqual([
    '',
    expect.stringMatching(/^Berlin · /),
  ]);
  await page.keyboard.press('Tab');
  expect(await zoneOn(page)).toMatch(/^Berlin · /);
});

test.each([
  ['with JavaScript, by Enter', true, 'Enter'],
  ['without JavaScript, by the button', false, 'Tab'],
] as const)(
  'by keyboard a city is typed and nothing reloads before it is sent; the focus stays: %s',
  async (_name, javaScriptEnabled, key) => {
    const page = await open({ javaScriptEnabled });
    await page.goto(`${appUrl}${talk.path}?date=2030-05-06&timeZone=America/New_York`);
    const before = page.url();
    const list = page.locator('#timeZone');

    await list.focus();
    if (!javaScriptEnabled) await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('tok');
    expect([await list.inputValue(), page.url()]).toEqual(['tok', before]);
    await page.keyboard.press(key);
    if (key === 'Tab') await page.keyboard.press('Enter');
    await page.waitForURL(/timeZone=tok/);

    expect(await page.locator('#times .times a').first().textContent()).toBe('16:00');
    expect(await page.locator('#timeZone:focus').count()).toBe(1);
    expect(await zoneOn(page)).toMatch(/^Tokyo · /);
  },
);

test.each([true, false])(
  'after Back the list says the zone of the times that are shown, and takes the same choice again (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const page = await open({ javaScriptEnabled });
    await page.goto(`${appUrl}${talk.path}?date=2030-05-06&timeZone=America/New_York`);
    const choose = async () => {
      if (javaScriptEnabled) await pick(page, 'Tokyo');
      else {
        await page.locator('#timeZone').fill('Tokyo');
        await page.getByRole('button', { name: 'Change time zone' }).click();
      }
      await page.waitForURL(/timeZone=Tokyo/);
    };

    await choose();
    await page.goBack();
    await page.waitForURL(/timeZone=America\/New_York/);
    expect(await zoneOn(page)).toMatch(/^New York · /);
    await choose();
  },
);

test('an attendee books with the keyboard alone', async () => {
  const page = await open();
  const pressTo = async (isThere: () => Promise<boolean>): Promise<void> => {
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      if (await isThere()) return;
    }
    throw new Error('the keyboard does not get there');
  };
  const isFocused = (selector: string) => async (): Promise<boolean> =>
    (await page.locator(`${selector}:focus`).count()) === 1;
  const date = nextDate();
  await page.goto(`${appUrl}${talk.path}?month=${date.slice(0, 7)}&timeZone=Europe/Berlin`);

  await pressTo(isFocused(`.month a[href*="date=${date}"]`));
  await page.keyboard.press('Enter');
  await page.waitForURL(/#times$/);
  await page.locator('#times .times a').first().waitFor();
  // The address leads to the times, and so does the next press.
  await page.keyboard.press('Tab');
  expect(await isFocused('#times .times a')()).toBe(true);
  await page.keyboard.press('Enter');
  await pressTo(isFocused('#name'));
  await page.keyboard.type('Dana');
  await page.keyboard.press('Tab');
  await page.keyboard.type('keyboard@example.com');
  await page.keyboard.press('Enter');
  await page.getByText('You’re booked with').waitFor();

  expect(await db.$count(bookings, eq(bookings.attendeeEmail, 'keyboard@example.com'))).toBe(1);
});

test('times are shown in the browser’s own zone, and the way back is short', async () => {
  const page = await open({ timezoneId: 'America/New_York' });
  await page.goto(appUrl);

  await page.goto(`${appUrl}${talk.path}?date=2030-05-06`);
  await page.waitForURL(/timeZone=America%2FNew_York/);

  expect(await page.getByRole('combobox', { name: 'Time zone' }).inputValue()).toMatch(/^New York · /);
  expect(await page.locator('#times .times a').first().textContent()).toBe('03:00');
  await page.goBack();
  expect(page.url()).toBe(`${appUrl}/`);
});

test('on an organization’s subdomain an attendee books, and manages the booking at the general address', async () => {
  const member = await addUser(service);
  const acme = await addOrganization(service, { isPlatform: false, slug: 'acme' });
  await joinOrganization(service, member.id, acme.id);
  const { path } = await addEventType(service, member);
  const acmeUrl = `http://acme.cal.example:${port}`;
  const page = await open({ origins: [appUrl, acmeUrl] });

  await page.goto(`${appUrl}${path}?date=${nextDate()}&timeZone=Europe/Berlin`);
  expect(page.url()).toContain(`${acmeUrl}${path}`);
  await page.locator('#times .times a').first().click();
  await fillInOn(page, 'acme-guest@example.com');
  await page.getByRole('button', { name: 'Book' }).click();
  await page.getByText('You’re booked with').waitFor();

  expect(page.url()).toContain(`${appUrl}/booking/`);
  await page.getByRole('link', { name: 'Cancel booking' }).click();
  await page.getByRole('button', { name: 'Cancel booking' }).click();
  await page.getByText('This booking was cancelled.').waitFor();
});

const longName = `${'Wolfeschlegelsteinhausen'.repeat(3)} ${'of the house '.repeat(6)}`.trim();

const zone = 'timeZone=Europe/Berlin';

test('the pages for booking are accessible in each of their states (WCAG 2.2 AA)', async () => {
  const team = await addTeam(service, ann, 'owner', 'Sales team');
  const sales = await addTeamEventType(service, team, [ann]);
  const long = await addEventType(service, ann, { title: longName.slice(0, 200), description: longName });
  const date = nextDate();
  const page = await open();
  for (const path of [
    `/${ann.username}`,
    `/team/${team.slug}`,
    `${talk.path}?month=2030-05&${zone}`,
    `${talk.path}?date=${date}&${zone}`,
    `${talk.path}?date=2030-05-05&${zone}`,
    `${talk.path}?date=none&timeZone=none`,
    `${long.path}?date=${date}&timeZone=America/Argentina/ComodRivadavia`,
    `${sales.path}?date=${date}&${zone}`,
    `${asked.path}?slot=${inBerlin(date, '12:00')}&${zone}`,
  ]) {
    await page.goto(`${appUrl}${path}`);
    expect([path, await findFaults(page)]).toEqual([path, []]);
  }
});

test('a booking’s own pages and its host’s are accessible in each of their states (WCAG 2.2 AA)', async () => {
  const fields = { name: longName, notes: longName, guests: 'one@example.com\ntwo@example.com' };
  const booked = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'), fields);
  const waiting = await bookOn(service, asked.path, inBerlin(nextDate(), '10:00'), fields);
  const date = nextDate();
  const page = await open();
  await addSession(page, service, ann);
  for (const path of [
    booked,
    waiting,
    `${booked}/cancel`,
    `${booked}/reschedule?date=${date}&timeZone=Europe/Berlin`,
    `${booked}/reschedule?slot=${inBerlin(date, '10:00')}&timeZone=Europe/Berlin`,
    '/',
    '/bookings',
    '/bookings?page=9',
    `/bookings/${uidIn(booked)}`,
    `/bookings/${uidIn(waiting)}`,
    `/bookings/${uidIn(waiting)}/decline`,
  ]) {
    await page.goto(`${appUrl}${path}`);
    expect([path, await findFaults(page)]).toEqual([path, []]);
  }

  await page.goto(`${appUrl}${booked}/reschedule?slot=${inBerlin(date, '10:00')}&timeZone=Europe/Berlin`);
  await bookOn(service, talk.path, inBerlin(date, '10:00'));
  await page.getByRole('button', { name: 'Reschedule booking' }).click();
  await page.getByText('This time is no longer available').waitFor();
  expect(await findFaults(page)).toEqual([]);

  await page.getByLabel('10:30').check();
  await page.getByRole('button', { name: 'Reschedule booking' }).click();
  await page.getByText('You’re booked with').waitFor();
  await page.goto(`${appUrl}${booked}`);
  expect(await findFaults(page)).toEqual([]);

  await page.setViewportSize({ width: 320, height: 800 });
  const offset = page.getByText(/^GMT[+-]\d\d:\d\d$/);
  expect(await offset.evaluate((whole) => whole.getClientRects().length)).toBe(1);

  await page.goto(`${appUrl}/bookings/${uidIn(waiting)}/decline`);
  await page.getByRole('button', { name: 'Decline booking' }).click();
  await page.getByText('You declined this booking.').waitFor();
  expect(await findFaults(page)).toEqual([]);
});
