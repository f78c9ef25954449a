import { expect, test } from 'vitest';
import { listSchedules } from '../../src/scheduling/schedules/store.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { addSession } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addUser } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test.each([320, 1280])(
  'a person sets hours with a lunch break and a day off, by keyboard and without JavaScript, %i px wide',
  async (width) => {
    const user = await addUser(service);
    const page = await openPage(browser, {
      origins: [appUrl],
      javaScriptEnabled: false,
      viewport: { width, height: 800 },
    });
    await addSession(page, service, user);
    await page.goto(`${appUrl}/settings/availability/new`);
    const press = async (name: string): Promise<void> => {
      await page.getByRole('button', { name }).focus();
      await page.keyboard.press('Enter');
    };

    await page.getByRole('checkbox', { name: 'Friday' }).focus();
    await page.keyboard.press('Space');
    await press('Add hours on Monday');
    await page.locator('input[name="Monday1From"]').waitFor();
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const times = page.locator('input[name^="Monday"][type="time"]');
    for (const [index, time] of ['12:00', '13:00', '17:00'].entries()) await times.nth(index + 1).fill(time);
    await page.getByLabel('Name').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Schedule created.').waitFor();

    const { found } = await listSchedules(service.database.db, { userId: user.id }, { take: 1, skip: 0 });
    expect(found[0]?.weekly.filter(({ weekDay }) => weekDay === 1 || weekDay === 5)).toEqual([
      { weekDay: 1, startMinute: 540, endMinute: 720 },
      { weekDay: 1, startMinute: 780, endMinute: 1020 },
    ]);
  },
);
