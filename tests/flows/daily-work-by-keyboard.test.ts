import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { bookings } from '../../src/scheduling/tables.ts';
import { addEventType, bookOn } from '../support/booking.ts';
import { openBrowser } from '../support/browser.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';
import { openByKeyboard } from './by-keyboard.ts';

const service = await openTestSite({ CALENDAR_ALLOW_PRIVATE: '127.0.0.1' });
const browser = await openBrowser();
const feeds = await startFeedServer();
const { appUrl } = service;
const { db } = service.database;

test.each([320, 1280])(
  'a host reschedules a booking and cancels it, by keyboard and without JavaScript, %i px wide',
  async (width) => {
    const host = await addUser(service);
    const talk = await addEventType(service, host, { title: 'A talk about the garden' });
    const date = nextDate();
    await bookOn(service, talk.path, inBerlin(date, '10:00'));
    const { page, press, type, reads } = await openByKeyboard(browser, service, host, width);

    await page.goto(`${appUrl}/bookings`);
    await press('link', 'Dana');
    await reads('Email attendee');
    await press('link', 'Reschedule');
    await reads('Choose a new time');
    await press('link', '14:00');
    await reads('Reschedule to this time?');
    await type('Reason (optional)', 'A train is late');
    await press('button', 'Reschedule booking');
    await reads('14:00');
    await press('link', 'Cancel booking');
    await type('Reason (optional)', 'No train comes');
    await press('button', 'Cancel booking');
    await reads('This booking was cancelled.');

    const rows = await db
      .select({ status: bookings.status, startsAt: bookings.startsAt })
      .from(bookings)
      .where(eq(bookings.eventTypeId, talk.id))
      .orderBy(bookings.id);
    const timeOf = (date: Date | undefined) =>
      date?.toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' });
    expect(rows.map(({ status, startsAt }) => [status, timeOf(startsAt)])).toEqual([
      ['cancelled', '10:00:00'],
      ['cancelled', '14:00:00'],
    ]);
  },
);

test.each([320, 1280])(
  'a person connects a calendar and disconnects it, by keyboard and without JavaScript, %i px wide',
  async (width) => {
    const { page, press, type, enter, reads } = await openByKeyboard(
      browser,
      service,
      await addUser(service),
      width,
    );

    await page.goto(`${appUrl}/settings/calendars`);
    await press('link', /Another calendar with an ICS address/);
    await reads('Connect calendar');
    await page.getByLabel('Address').focus();
    await page.keyboard.type(feeds.serve('/own.ics', answerIcs(icsOf())));
    await type('Name (optional)', 'Mine');
    await enter();
    await reads('Working');
    await press('link', 'Disconnect calendar Mine');
    await press('button', 'Disconnect calendar');
    await reads('No calendars connected');
  },
);

test.each([320, 1280])(
  'a person creates a team and invites by a link, which another one accepts, by keyboard and without JavaScript, %i px wide',
  async (width) => {
    const friend = await addUser(service);
    const own = await openByKeyboard(browser, service, await addUser(service), width);

    await own.page.goto(`${appUrl}/settings/teams`);
    await own.press('link', 'Create team');
    await own.type('Name', `Garden club ${width}`);
    await own.enter();
    await own.reads('Members');
    await own.type('Email address', friend.email);
    await own.enter();
    await own.reads('Open invitations');
    const link = await own.page.getByText(`${appUrl}/invitations/`).first().innerText();

    const other = await openByKeyboard(browser, service, friend, width);
    await other.page.goto(link);
    await other.press('button', 'Accept invitation');
    await other.reads(`Garden club ${width}`);
    await other.reads('(you)');
  },
);
