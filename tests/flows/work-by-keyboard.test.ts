import { expect, test } from 'vitest';
import { listEventTypes } from '../../src/scheduling/event-types/store.ts';
import { listSchedules } from '../../src/scheduling/schedules/store.ts';
import { openBrowser } from '../support/browser.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';
import { openByKeyboard } from './by-keyboard.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test.each([320, 1280])(
  'a person makes an event type with a place and two questions, by keyboard and without JavaScript, %i px wide',
  async (width) => {
    const user = await addUser(service);
    const { page, press, type, choose, enter, reads } = await openByKeyboard(browser, service, user, width);

    await page.goto(`${appUrl}/settings/event-types/new`);
    await reads('Title');
    await type('Title', 'Coffee');
    await type('Length', '1');
    await choose('Unit of Length', 'hours');
    await choose('Where', 'Online');
    await type('Address Link Phone number', 'meet.example/coffee');
    await enter();
    await reads('Event type created.');
    await press('link', 'Questions');
    await press('button', 'Add question');
    await page.locator('#question0Label:focus').waitFor();
    expect(await page.getByLabel('Options, one per line').isVisible()).toBe(false);
    await page.keyboard.type('Milk or sugar?');
    await choose('Answer', 'Several ch');
    await type('Options, one per line', 'Milk\nSugar');
    await press('button', 'Add question');
    await page.locator('#question1Label:focus').waitFor();
    await page.keyboard.type('Which café?');
    await reads('Questions');
    await enter();
    await reads('Event type saved.');

    const list = { take: 1, withHidden: true, skip: 0 };
    const [found] = await listEventTypes(service.app, { userId: user.id }, list);
    expect(found?.eventType).toMatchObject({
      ...{ title: 'Coffee', slug: 'coffee', lengthInMinutes: 60 },
      locations: [{ type: 'link', link: 'https://meet.example/coffee' }],
      bookingFields: [
        { type: 'checkbox', label: 'Milk or sugar?', options: ['Milk', 'Sugar'], hidden: false },
        { type: 'text', label: 'Which café?', hidden: false },
      ],
    });
  },
);

test.each([320, 1280])(
  'a person sets hours with a lunch break, a day off and other hours on a date, by keyboard and without JavaScript, %i px wide',
  async (width) => {
    const user = await addUser(service);
    const { page, press, type, enter, reads } = await openByKeyboard(browser, service, user, width);
    await page.goto(`${appUrl}/settings/availability/new`);

    await page.getByRole('checkbox', { name: 'Friday' }).focus();
    await page.keyboard.press('Space');
    await press('button', 'Add hours on Monday');
    await page.locator('input[name="Monday1From"]').waitFor();
    await reads('Weekly hours');
    const times = page.locator('input[name^="Monday"][type="time"]');
    for (const [index, time] of ['12:00', '13:00', '17:00'].entries()) await times.nth(index + 1).fill(time);
    await press('button', 'Add date');
    // Fields for dates have the order of Chromium's own language: month, day, year.
    await page.locator('input[name="override0Date"]:focus').waitFor();
    await page.keyboard.type('12242031');
    await press('button', 'Add date');
    await page.locator('input[name="override1Date"]:focus').waitFor();
    await page.keyboard.type('12312031');
    await page.getByRole('group', { name: 'Date 2' }).getByLabel('Day off').focus();
    await page.keyboard.press('Space');
    for (const [end, time] of [
      ['from', '1000'],
      ['to', '1200'],
    ] as const) {
      await page.getByLabel(`Date 2 ${end}`).focus();
      await page.keyboard.type(time);
    }
    await reads('Date overrides');
    await type('Name', 'Winter');
    await enter();
    await reads('Schedule created.');

    const { found } = await listSchedules(service.database.db, { userId: user.id }, { take: 1, skip: 0 });
    expect(found[0]?.weekly.filter(({ weekDay }) => weekDay === 1 || weekDay === 5)).toEqual([
      { weekDay: 1, startMinute: 540, endMinute: 720 },
      { weekDay: 1, startMinute: 780, endMinute: 1020 },
    ]);
    expect(found[0]?.overrides).toEqual({
      '2031-12-24': [],
      '2031-12-31': [{ startMinute: 600, endMinute: 720 }],
    });
  },
);
