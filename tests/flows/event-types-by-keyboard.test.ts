import { expect, test } from 'vitest';
import { listEventTypes } from '../../src/scheduling/event-types/store.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test.each([320, 1280])(
  'a person makes an event type with a place and two questions, by keyboard and without JavaScript, %i px wide',
  async (width) => {
    const user = await addUser(service);
    const page = await openPage(browser, {
      origins: [appUrl],
      javaScriptEnabled: false,
      viewport: { width, height: 800 },
    });
    await addSession(page, service, user);
    const press = async (role: 'button' | 'link', name: string): Promise<void> => {
      await page.getByRole(role, { name, exact: true }).focus();
      await page.keyboard.press('Enter');
    };
    const fits = async (): Promise<void> =>
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const type = async (name: string, text: string): Promise<void> => {
      await page.getByLabel(name, { exact: true }).focus();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    };

    await page.goto(`${appUrl}/settings/event-types/new`);
    await type('Title', 'Coffee');
    await type('Length', '1');
    await page.getByLabel('Unit of Length').focus();
    await page.keyboard.type('hours');
    await page.getByLabel('Where').focus();
    await page.keyboard.type('Online');
    await type('Address, link or number', 'meet.example/coffee');
    await fits();
    await page.keyboard.press('Enter');
    await page.getByText('Event type created.').waitFor();
    await fits();
    await press('link', 'Questions');
    await press('button', 'Add question');
    await page.locator('#question0Label:focus').waitFor();
    expect(await page.getByLabel('Options, one per line').isVisible()).toBe(false);
    await page.keyboard.type('Milk or sugar?');
    await page.getByLabel('Answer', { exact: true }).focus();
    await page.keyboard.type('Several op');
    await type('Options, one per line', 'Milk\nSugar');
    await press('button', 'Add question');
    await page.locator('#question1Label:focus').waitFor();
    await page.keyboard.type('Which café?');
    await fits();
    await page.keyboard.press('Enter');
    await page.getByText('Event type saved.').waitFor();

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
