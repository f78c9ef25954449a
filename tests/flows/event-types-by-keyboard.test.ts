import { expect, test } from 'vitest';
import { listEventTypes } from '../../src/scheduling/event-types/store.ts';
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
    await type('Address, link or number', 'meet.example/coffee');
    await enter();
    await reads('Event type created.');
    await press('link', 'Questions');
    await press('button', 'Add question');
    await page.locator('#question0Label:focus').waitFor();
    expect(await page.getByLabel('Options, one per line').isVisible()).toBe(false);
    await page.keyboard.type('Milk or sugar?');
    await choose('Answer', 'Several op');
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
