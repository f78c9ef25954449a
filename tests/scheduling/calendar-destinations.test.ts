import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { Scope } from '../../src/oauth/core/scope.ts';
import { clients } from '../../src/oauth/tables.ts';
import { calendarEntries } from '../../src/scheduling/tables.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { eventsOf } from '../support/audit.ts';
import { addEventType } from '../support/booking.ts';
import { type FakeCaldav, startCaldavServer } from '../support/caldav-server.ts';
import { openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { addTeam } from '../support/teams.ts';
import { addClient, addUser, connect, startSession, type TestUser } from '../support/world.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8, ::1' });
const { db } = service.database;
const server = await startCaldavServer();
const waiting = { timeout: 20_000 };
const both = ['SCHEDULE_WRITE', 'BOOKING_READ'] as const;
const home = '/settings/calendars';
let booked = 0;

/** What a token may do to calendars. */
function calendarsOf(token: string) {
  const list = async () => bodyOf(await callApi(service, 'GET', '/calendars', { token })).data;
  return {
    list,
    connect: async (to: FakeCaldav, name = 'Mine') => {
      const body = { url: to.url(), username: 'ann', password: 'canary-5d20', name };
      bodyOf(await callApi(service, 'POST', '/calendars/caldav/credentials', { token, body }), 201);
    },
    choose: async () => {
      const { connectedCalendars } = await list();
      const [{ externalId }] = connectedCalendars.at(-1).calendars;
      return service.app.inject({
        method: 'PUT',
        url: '/v2/destination-calendars',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: JSON.stringify({ integration: 'caldav_calendar', externalId }),
      });
    },
  };
}

async function addHost() {
  const user = await addUser(service);
  const [{ id: eventTypeId }, cookie] = [
    await addEventType(service, user),
    await startSession(service, user),
  ];
  return {
    ...{ user, cookie },
    book: async (): Promise<string> => {
      booked += 1;
      const start = new Date(Date.parse('2027-03-01T09:00:00Z') + booked * 7 * 86_400_000).toISOString();
      const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
      const body = { eventTypeId, start, attendee };
      const answer = await callApi(service, 'POST', '/bookings', { remoteAddress: anyAddress(), body });
      return bodyOf(answer, 201).data.uid;
    },
    page: async () => textOf((await openAs(service, home, cookie)).body).replaceAll(/\s+/g, ' '),
    /** Chosen by the person, on the page. */
    choose: (externalId: string) =>
      postOwnForm(service, `${home}/destination`, { destination: externalId }, cookie),
    /** Why bookings are not in the calendar, once nothing is due any more. */
    failures: async () => {
      const rows = () => db.select().from(calendarEntries).where(eq(calendarEntries.userId, user.id));
      await expect.poll(async () => (await rows()).filter((row) => row.dueAt !== null), waiting).toEqual([]);
      return (await rows()).map(({ failure }) => failure);
    },
  };
}

type Host = Awaited<ReturnType<typeof addHost>>;

/** An app that has chosen where the host's bookings are written. */
async function addChooser({ cookie }: Host, to = server, scopes: readonly Scope[] | null = both) {
  const client = await addClient(service, { name: 'Tidy <Week>', scopes });
  const tokens = await connect(service, client, cookie);
  const { access_token: token } = tokens;
  const calendars = calendarsOf(token);
  await calendars.connect(to);
  bodyOf(await calendars.choose());
  return { client, tokens, token, calendars };
}

const remove = async ({ id }: { readonly id: string }, { cookie }: Host): Promise<void> => {
  const answer = await postOwnForm(service, `/settings/apps/${id}/disconnect`, {}, cookie);
  expect(answer.statusCode).toBe(303);
};
const pathOf = (uid: string): string => `/work/${uid}.ics`;

describe('choosing where bookings are written takes access to bookings (contract §6, security C123)', () => {
  test.each([
    [['SCHEDULE_WRITE'], 'BOOKING_READ'],
    [['BOOKING_READ'], 'SCHEDULE_WRITE'],
  ] as const)('an app with %s alone is refused, and told what is missing', async (scopes, missing) => {
    const [host, client] = [await addHost(), await addClient(service, { scopes: null })];
    const full = calendarsOf((await connect(service, client, host.cookie)).access_token);
    await full.connect(server);
    const narrow = await addClient(service, { scopes: [...scopes] });
    const { access_token: token } = await connect(service, narrow, host.cookie);
    const { connectedCalendars } = await full.list();

    const answer = await service.app.inject({
      method: 'PUT',
      url: '/v2/destination-calendars',
      headers: { authorization: `Bearer ${token}` },
      payload: {
        integration: 'caldav_calendar',
        externalId: connectedCalendars[0].calendars[0].externalId,
      },
    });

    expect(answer.statusCode).toBe(403);
    expect(answer.json().error.details).toEqual({ scope: `${missing} is required` });
    expect(answer.headers['www-authenticate']).toContain('scope="BOOKING_READ SCHEDULE_WRITE"');
    expect((await full.list()).destinationCalendar).toBeNull();
  });
});

describe('what an app chose is written to while its access stands (security C123)', () => {
  test('and the person reads which app it was', async () => {
    const host = await addHost();
    await addChooser(host);

    const uid = await host.book();

    await expect.poll(() => [...server.entries.keys()], waiting).toContain(pathOf(uid));
    expect(await host.page()).toContain('Chosen by Tidy <Week>, while it has access to your bookings.');
  });

  test.each<[string, (app: Awaited<ReturnType<typeof addChooser>>, host: Host) => Promise<unknown>]>([
    ['the person has removed it', async ({ client }, host) => remove(client, host)],
    [
      'the app is suspended',
      ({ client }) => db.update(clients).set({ status: 'rejected' }).where(eq(clients.id, client.id)),
    ],
    ['the app is deleted', ({ client }) => db.delete(clients).where(eq(clients.id, client.id))],
    [
      'the app may no longer read bookings',
      ({ client }) =>
        db
          .update(clients)
          .set({ scopes: ['SCHEDULE_WRITE'] })
          .where(eq(clients.id, client.id)),
    ],
    [
      'the person has approved less instead',
      async ({ client }, host) => {
        await remove(client, host);
        await connect(service, client, host.cookie, { scope: 'SCHEDULE_WRITE' });
      },
    ],
    [
      'what is left is for a team of theirs',
      async ({ client }, host) => {
        await remove(client, host);
        const { slug } = await addTeam(service, host.user, 'owner');
        await connect(service, client, host.cookie, { team_slug: slug });
      },
    ],
  ])('not once %s: neither a new booking nor one that waits', async (_words, end) => {
    const [own, host] = [await startCaldavServer(), await addHost()];
    own.answer((response) => response.writeHead(503).end());
    const app = await addChooser(host, own);
    await host.book();
    await expect.poll(() => own.requests.length, waiting).toBe(1);
    const before = own.requests.length;
    own.answer(undefined);

    await end(app, host);
    await host.book();
    service.clock.advance(10);
    service.app.calendarEntries.nudge();

    expect(await host.failures()).toEqual(['access_ended', 'access_ended']);
    expect(own.requests.length).toBe(before);
    expect([...own.entries.keys()]).toEqual([]);
    const page = await host.page();
    expect(page).toContain('no longer has access to your bookings, so nothing is written there.');
    expect(page).toContain(
      'The app that chose the calendar no longer has access to your bookings, or your password was reset.',
    );
  });

  test('nor is a booking changed or removed there that it has already', async () => {
    const [own, host] = [await startCaldavServer(), await addHost()];
    const { client, token } = await addChooser(host, own, null);
    const uid = await host.book();
    await expect.poll(() => own.entries.size, waiting).toBe(1);
    const other = await connect(service, await addClient(service), host.cookie);
    await remove(client, host);
    expect((await callApi(service, 'GET', '/calendars', { token })).statusCode).toBe(401);
    const before = own.requests.length;

    const cancelling = { token: other.access_token, body: {} };
    bodyOf(await callApi(service, 'POST', `/bookings/${uid}/cancel`, cancelling));

    expect(await host.failures()).toEqual(['access_ended']);
    expect(own.requests.length).toBe(before);
  });
});

describe('what the person chose stays their choice (security C123)', () => {
  async function destinationOf({ calendars }: Awaited<ReturnType<typeof addChooser>>): Promise<string> {
    return (await calendars.list()).destinationCalendar.externalId;
  }

  test('whatever app connected the calendar: what waited is written there', async () => {
    const [own, host] = [await startCaldavServer(), await addHost()];
    const app = await addChooser(host, own);
    const chosen = await destinationOf(app);
    const first = await host.book();
    await expect.poll(() => own.entries.size, waiting).toBe(1);
    await remove(app.client, host);
    const second = await host.book();
    await host.failures();

    await host.choose(chosen);
    const third = await host.book();

    await expect
      .poll(() => [...own.entries.keys()].toSorted(), waiting)
      .toEqual([first, second, third].map(pathOf).toSorted());
    expect(await host.failures()).toEqual([null, null, null]);
    expect(await host.page()).not.toContain('Chosen by');
  });

  test('an app that chooses the same calendar changes nothing', async () => {
    const [own, host] = [await startCaldavServer(), await addHost()];
    const app = await addChooser(host, own);
    await host.choose(await destinationOf(app));
    bodyOf(await app.calendars.choose());
    await remove(app.client, host);

    const uid = await host.book();

    await expect.poll(() => [...own.entries.keys()], waiting).toEqual([pathOf(uid)]);
  });
});

test('who chose is recorded, once for each change (security C73)', async () => {
  const choicesOf = async (user: TestUser) =>
    (await eventsOf(service, user)).filter(({ action }) => action.startsWith('calendar.destination'));
  const host = await addHost();
  const app = await addChooser(host);
  const { destinationCalendar } = await app.calendars.list();
  await host.choose(destinationCalendar.externalId);
  await host.choose('');
  await host.choose('');

  expect(await choicesOf(host.user)).toMatchObject([
    { action: 'calendar.destination_chosen', actorClientId: app.client.id, label: 'Mine' },
    { action: 'calendar.destination_chosen', actorClientId: null, label: 'Mine' },
    { action: 'calendar.destination_removed', actorClientId: null },
  ]);
  const activity = textOf((await openAs(service, '/settings/activity', host.cookie)).body);
  expect(activity).toContain('The calendar Mine was chosen for bookings');
  expect(activity).toContain('Bookings are no longer written to the calendar Mine');
});
