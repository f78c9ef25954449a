import { eq } from 'drizzle-orm';
import { expect, test, vi } from 'vitest';
import { grants } from '../../src/oauth/tables.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { addEventType } from '../support/booking.ts';
import { addApp } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser } from '../support/world.ts';
import type { OtherPage } from './web-driver.ts';

const seen = (words: string): string => `document.body.innerText.includes(${JSON.stringify(words)})`;

/** The journeys that must work in every browser, with Back, which each engine does in its own way. */
export async function testJourneys(open: () => Promise<OtherPage>): Promise<void> {
  vi.setConfig({ testTimeout: 120_000 });
  const service = await openTestSite(trustingMail);
  const page = await open();
  const { appUrl, database } = service;

  test('a user signs in, allows and lands at the app; after Back, a second Allow takes nothing away (contract §3)', async () => {
    const user = await addUser(service);
    const { app, client } = await addApp(service);
    await page.open(app.url);
    await page.click('Connect your calendar');
    await page.fill('Email address', user.email);
    await page.fill('Password', user.password);
    await page.click('Sign in');
    await page.click('Allow');
    await page.until(seen('You are connected'));
    expect(await page.read('location.href')).toBe(`${app.url}/?done=connected`);

    await page.goBack();
    await page.click('Allow');
    // An engine that kept the page sends the same form, another one a new request.
    await page.until(
      `${seen('You’ve already allowed this')} || ${seen('This answer is not for this browser')}`,
    );
    await page.open(app.url);
    await page.until(seen(user.email));
    expect(await database.db.$count(grants, eq(grants.clientId, client.id))).toBeGreaterThan(0);
  });

  test('an attendee chooses a time and a zone, books, and Back books nothing twice (contract §8)', async () => {
    const host = await addUser(service);
    const talk = await addEventType(service, host, { title: 'A talk about the garden' });
    await page.open(`${appUrl}${talk.path}?date=2030-05-06&timeZone=America/New_York`);
    await page.fill('Time zone', 'Berlin');
    await page.click('Change time zone');
    await page.until(`location.search.includes('timeZone=Berlin')`);
    await page.goBack();
    await page.until(`location.search.includes('timeZone=America/New_York')`);
    expect(await page.read(`document.querySelector('#timeZone').value`)).toMatch(/^New York · /);
    await page.click('05:00');
    await page.fill('Name', 'Dana');
    await page.fill('Email', 'dana@example.com');
    await page.click('Book this time');
    await page.until(seen('You’re booked with'));

    await page.goBack();
    // An engine that kept the form can send it again, another one is told that the time is taken.
    await page.until(`${seen('If you just booked it')} || ${seen('Book this time')}`);
    if ((await page.read(seen('Book this time'))) === 'true') {
      await page.click('Book this time');
      await page.until(seen('You’re booked with'));
    }
    const rows = await database.db
      .select()
      .from(bookings)
      .where(eq(bookings.attendeeEmail, 'dana@example.com'));
    expect(rows.map(({ startsAt }) => startsAt.toISOString())).toEqual(['2030-05-06T09:00:00.000Z']);
  });
}
