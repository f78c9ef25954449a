import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { arrangeTalk } from '../../examples/agent/agent.ts';
import { startAgent } from '../../examples/agent/connection.ts';
import { addEventType } from '../support/booking.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { addSession, allowButton } from '../support/journey.ts';
import { openTestSite } from '../support/site.ts';
import { addClient, addUser } from '../support/world.ts';

const service = await openTestSite();
const browser = await openBrowser();
const { appUrl } = service;

test('the MCP SDK’s client finds /mcp, is sent to consent, books, reschedules, loses its access in Connected apps, and is told to ask again (contract §7, security C82)', async () => {
  const user = await addUser(service);
  const { id } = await addEventType(service, user);
  const client = await addClient(service, {
    ...{ type: 'public', name: 'Dayplan', redirectUris: ['http://127.0.0.1/callback'] },
  });
  const shown: URL[] = [];
  const agent = await startAgent({
    url: `${appUrl}/mcp`,
    clientId: client.id,
    show: (url) => shown.push(url),
  });
  onTestFinished(agent.close);
  /** The next page that the agent shows, in the person's browser. */
  async function nextShown(index: number): Promise<URL> {
    while (shown[index] === undefined) await sleep(20);
    return shown[index];
  }
  const said: string[] = [];
  const attendee = { name: 'Dana', email: 'dana@example.com' };
  const wish = { attendee, from: '2031-06-02', until: '2031-06-03' };

  const arranged = arrangeTalk(agent, wish, (text) => said.push(text));
  const consent = await nextShown(0);
  const back = new URL(consent.searchParams.get('redirect_uri') ?? '').origin;
  const page = await openPage(browser, { origins: [appUrl, back] });
  await addSession(page, service, user);
  await page.goto(consent.href);
  const asked = await page.getByRole('main').innerText();
  await allowButton(page).click();
  await page.getByText('You can close this window').waitFor();
  await arranged;

  expect(consent.origin + consent.pathname).toBe(`${appUrl}/auth/oauth2/authorize`);
  expect(Object.fromEntries(consent.searchParams)).toMatchObject({
    client_id: client.id,
    resource: `${appUrl}/mcp`,
    scope: 'PROFILE_READ EVENT_TYPE_READ BOOKING_READ BOOKING_WRITE SCHEDULE_READ',
  });
  expect(asked).toContain('See, create, change and cancel your bookings');
  expect(said).toEqual([
    `Test ${user.username} can be booked for: Talk`,
    'Booked: 2031-06-02T09:00:00+02:00',
    expect.stringMatching(/^Rescheduled to 2031-06-02T09:30:00\+02:00: [0-9a-f]{32}$/),
  ]);

  await page.goto(`${appUrl}/settings/apps`);
  await page.getByRole('button', { name: 'Remove access for Dayplan' }).click();
  await page.getByText('No connected apps').waitFor();
  const listed = agent.call('listBookings', { eventTypeId: id, status: 'upcoming' });
  await page.goto((await nextShown(1)).href);
  await allowButton(page).click();
  await page.getByText('You can close this window').waitFor();

  expect(await listed).toEqual({ data: [expect.objectContaining({ start: '2031-06-02T07:30:00.000Z' })] });
  expect(shown).toHaveLength(2);
});
