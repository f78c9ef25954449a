import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '../../src/platform/outbound.ts';
import { startEntryWriter } from '../../src/scheduling/bookings/entries/writer.ts';
import { calendarEntries, calendars } from '../../src/scheduling/tables.ts';
import { type ApiMethod, bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { type FakeCaldav, startCaldavServer } from '../support/caldav-server.ts';
import { openAs } from '../support/groups.ts';
import { textOf } from '../support/page-content.ts';
import { listLeased } from '../support/queue.ts';
import { openTestService } from '../support/service.ts';
import { startSession } from '../support/world.ts';

const environment = { CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8, ::1' };
const { service, db, ann, ben, addEventType, addTeamEventType, booked, act } = await openBookingsApi(
  openTestService(environment),
);

async function call({ token }: Represented, method: ApiMethod | 'PUT', path: string, body?: object) {
  return callApi(service, method as ApiMethod, path, { token, ...(body === undefined ? {} : { body }) });
}

async function connect(host: Represented, server: FakeCaldav, at?: string): Promise<void> {
  const credentials = { url: server.url(at), username: 'ann', password: 'canary-91c4' };
  bodyOf(await call(host, 'POST', '/calendars/caldav/credentials', credentials), 201);
}

async function choose(host: Represented, name: string): Promise<void> {
  const { connectedCalendars } = bodyOf(await call(host, 'GET', '/calendars')).data;
  const { externalId } = connectedCalendars
    .flatMap(({ calendars: listed }: { calendars: { name: string; externalId: string }[] }) => listed)
    .find((one: { name: string }) => one.name === name);
  const chosen = { integration: 'caldav_calendar', externalId };
  bodyOf(await call(host, 'PUT', '/destination-calendars', chosen));
}

const rowsOf = ({ user }: Represented) =>
  db.select().from(calendarEntries).where(eq(calendarEntries.userId, user.id));

/** A host whose bookings are written to the calendar `work` of the server. */
async function addHost(server: FakeCaldav, at?: string) {
  const host = await represent(service);
  await connect(host, server, at);
  await choose(host, 'work');
  const { id } = await addEventType({}, host);
  const page = async (): Promise<string> => {
    const { body } = await openAs(service, '/settings/calendars', await startSession(service, host.user));
    return textOf(body);
  };
  return {
    ...host,
    page,
    rows: () => rowsOf(host),
    isInHand: async () => (await listLeased(db)).includes(String(host.user.id)),
    book: async (): Promise<string> => (await booked(id)).uid,
    /** The service's own writer rests for some minutes, or until {@link takeOver}. */
    pause: () => setPause(host, new Date(service.clock.now().getTime() + pauseMs)),
    takeOver: () => setPause(host, null),
  };
}

type Host = Awaited<ReturnType<typeof addHost>>;

async function setPause({ user }: Represented, writeRetryAt: Date | null): Promise<void> {
  await db.update(calendars).set({ writeRetryAt }).where(eq(calendars.userId, user.id));
  await db.update(calendarEntries).set({ queuedVersion: -1 }).where(eq(calendarEntries.userId, user.id));
}

function retryAfter(seconds: number): void {
  service.clock.advance(seconds);
  service.app.calendarEntries.nudge();
}

const pauseMs = 300_000;
const waiting = { timeout: 20_000 };
const pathsOf = ({ entries }: FakeCaldav): string[] => [...entries.keys()];
const methodsOf = ({ requests }: FakeCaldav): string[] => requests.map(({ method }) => method);

async function expectFailure({ rows }: Pick<Host, 'rows'>, failure: string | null): Promise<void> {
  await expect.poll(async () => (await rows()).map((row) => row.failure), waiting).toContain(failure);
}

/** Hangs with each PUT until it is told to end them. */
function hang(server: FakeCaldav): { readonly paths: string[]; end(): void } {
  const [paths, ends]: [string[], (() => void)[]] = [[], []];
  server.answer((_response, usual, { method, path }) => {
    if (method !== 'PUT') return usual();
    paths.push(path);
    ends.push(() => usual());
  });
  const end = (): void => {
    server.answer(undefined);
    for (const one of ends.splice(0)) one();
  };
  onTestFinished(end);
  return { paths, end };
}

describe('a server that fails', () => {
  test('gets a booking once, even when it kept the entry and failed to say so', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    const statuses = [500, 500, 201];
    let puts = 0;
    server.answer((response, usual, { method }) => {
      if (method !== 'PUT') return usual();
      const status = statuses[puts] ?? 201;
      puts += 1;
      if (puts === 1) response.writeHead(status).end();
      else usual(status);
    });

    const uid = await host.book();
    await expectFailure(host, 'status');
    expect(await host.page()).toContain('The server failed. We’ll try again.');
    retryAfter(5);
    await expect.poll(async () => (await host.rows())[0]?.attempts, waiting).toBe(2);
    await expect.poll(host.isInHand, waiting).toBe(false);
    retryAfter(10);
    await expectFailure(host, null);

    expect(puts).toBe(3);
    expect(pathsOf(server)).toEqual([`/work/${uid}.ics`]);
    expect(await host.page()).not.toContain('Not up to date in your calendar');
  });

  test('is tried once until its pause ends, however many bookings wait (security C121)', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    server.answer((response) => response.writeHead(503).end());
    await host.book();
    await expectFailure(host, 'status');

    await host.book();
    await host.book();
    retryAfter(4);
    await expect.poll(host.page, waiting).toContain('It waits until your calendar takes entries again.');
    expect(methodsOf(server)).toEqual(['PUT']);
    server.answer(undefined);
    retryAfter(1);

    await expect.poll(() => server.entries.size, waiting).toBe(3);
  });

  test('with one entry keeps no other one waiting', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    let refused = '';
    server.answer((response, usual, { path }) => {
      refused ||= path;
      if (path === refused) response.writeHead(400).end();
      else usual();
    });

    const uid = await host.book();
    await expectFailure(host, 'refused');
    const other = await host.book();

    await expect.poll(() => pathsOf(server), waiting).toEqual([`/work/${other}.ics`]);
    expect(refused).toBe(`/work/${uid}.ics`);
    expect(await host.page()).toContain('The server refused the entry. We’ll try again.');
  });
});

describe('the host sees why, and what helps', () => {
  test('the password has changed: connecting again writes what is missing', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    server.answer((response) => response.writeHead(401).end());
    const uid = await host.book();
    await expectFailure(host, 'credentials');
    expect(await host.page()).toContain('Connect the account again.');

    server.answer(undefined);
    await connect(host, server);
    retryAfter(0);

    await expect.poll(() => pathsOf(server), waiting).toEqual([`/work/${uid}.ics`]);
    await expectFailure(host, null);
  });

  test('an attempt that fails after the account was connected again puts nothing off', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    server.answer((response) => response.writeHead(401).end());
    const uid = await host.book();
    await expectFailure(host, 'credentials');
    await db.update(calendars).set({ writeFailures: 20 }).where(eq(calendars.userId, host.user.id));
    const { promise: asked, resolve: hold } = Promise.withResolvers<() => void>();
    server.answer((response) => hold(() => response.writeHead(401).end()));
    retryAfter(10);
    const refuse = await asked;

    server.answer(undefined);
    await connect(host, server);
    refuse();

    await expect.poll(host.isInHand, waiting).toBe(false);
    retryAfter(0);
    await expect.poll(() => pathsOf(server), waiting).toEqual([`/work/${uid}.ics`]);
  });

  test('the calendar can’t be written to: choosing another one writes it there', async () => {
    const server = await startCaldavServer(['work', 'club']);
    const host = await addHost(server);
    server.answer((response, usual, { path }) =>
      path.startsWith('/work/') ? response.writeHead(403).end() : usual(),
    );
    const uid = await host.book();
    await expectFailure(host, 'not_allowed');
    expect(await host.page()).toContain('Choose another one.');

    await choose(host, 'club');
    retryAfter(0);

    await expect.poll(() => pathsOf(server), waiting).toEqual([`/club/${uid}.ics`]);
  });

  test('there is no room: it is written once there is', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    server.answer((response) => response.writeHead(507).end());
    await host.book();
    await expectFailure(host, 'no_room');
    expect(await host.page()).toContain('The storage of your calendar is full. We’ll try again.');

    server.answer(undefined);
    retryAfter(5);

    await expect.poll(() => server.entries.size, waiting).toBe(1);
  });
});

test('a booking that was cancelled is on the page only while it is still in the calendar', async () => {
  const server = await startCaldavServer();
  const [never, before] = [await addHost(server), await addHost(server)];
  const written = await before.book();
  await expect.poll(() => server.entries.size, waiting).toBe(1);
  server.answer((response) => response.writeHead(503).end());
  const unwritten = await never.book();
  await expectFailure(never, 'status');

  bodyOf(await act('POST', `/${unwritten}/cancel`, {}, never.token));
  bodyOf(await act('POST', `/${written}/cancel`, {}, before.token));

  await expectFailure(before, 'status');
  expect(await before.page()).toContain('(Cancelled)');
  expect(await never.page()).not.toContain('Not up to date in your calendar');
});

describe('a server that hangs (security C121)', () => {
  test('is given up after a while, as all others are that don’t answer in time', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    hang(server);
    await host.pause();
    await host.book();
    const outbound = createOutbound({ mayConnectTo: () => true });
    const writer = startEntryWriter({ ...picked(), outbound, attemptMs: 200 });
    onTestFinished(async () => void (await Promise.all([writer.stop(), outbound.close()])));

    await expectFailure(host, 'timed_out');
  });

  test('delays nobody else: of a server two are written at a time, of a host one', async () => {
    const [slow, quick] = [await startCaldavServer(), await startCaldavServer()];
    const hanging = hang(slow);
    const hosts = [await addHost(slow), await addHost(slow), await addHost(slow)];
    for (const host of hosts) for (let booking = 0; booking < 3; booking += 1) await host.book();
    await expect.poll(() => hanging.paths.length, waiting).toBe(2);
    const other = await addHost(quick, 'localhost');

    const uid = await other.book();

    await expect.poll(() => pathsOf(quick), waiting).toEqual([`/work/${uid}.ics`]);
    expect(hanging.paths).toHaveLength(2);
    const inHand = await Promise.all(hosts.map(({ isInHand }) => isInHand()));
    expect(inHand.filter(Boolean)).toHaveLength(2);
    hanging.end();
    await expect.poll(() => slow.entries.size, waiting).toBe(9);
  });

  test('with a long queue lets others go first: calendars take turns', async () => {
    const server = await startCaldavServer();
    const [many, more, one] = [await addHost(server), await addHost(server), await addHost(server)];
    await Promise.all([many.pause(), more.pause(), one.pause()]);
    for (let booking = 0; booking < 5; booking += 1) {
      await many.book();
      await more.book();
    }
    service.clock.advance(1);
    const last = await one.book();
    server.answer((_response, usual) => {
      service.clock.advance(1);
      usual();
    });
    await Promise.all([many.takeOver(), more.takeOver(), one.takeOver()]);
    retryAfter(0);

    await expect.poll(() => server.entries.size, waiting).toBe(11);
    expect(pathsOf(server).indexOf(`/work/${last}.ics`)).toBeLessThan(6);
  });
});

/** For this writer alone a pause is over: the service's own rests. */
function picked() {
  const { config, runtime, secrets, log } = service.app;
  const ahead = { ...runtime, now: () => new Date(runtime.now().getTime() + 2 * pauseMs) };
  return { config, db, runtime: ahead, secrets, log };
}

describe('what is written where (security C120, C122)', () => {
  test('to its own address alone, and only if that is as we left it', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    const uid = await host.book();
    await expect.poll(() => server.entries.size, waiting).toBe(1);
    bodyOf(await act('POST', `/${uid}/cancel`, {}, host.token));
    await expect.poll(() => server.entries.size, waiting).toBe(0);

    expect(server.requests.map(({ path }) => path)).toEqual([`/work/${uid}.ics`, `/work/${uid}.ics`]);
    const conditions = server.requests.map(
      ({ headers }) => headers['if-none-match'] ?? typeof headers['if-match'],
    );
    expect(conditions).toEqual(['*', 'string']);
  });

  test('a cancelled booking’s entry stays if a person has changed it', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    const uid = await host.book();
    await expect.poll(() => server.entries.size, waiting).toBe(1);
    await fetch(`${server.url()}work/${uid}.ics`, { method: 'PUT', body: 'BEGIN:VCALENDAR' });

    bodyOf(await act('POST', `/${uid}/cancel`, {}, host.token));

    await expectFailure(host, 'changed_there');
    expect([...server.entries.values()]).toEqual(['BEGIN:VCALENDAR']);
  });

  test('not into private networks, nor where a redirect leads', async () => {
    const [server, other] = [await startCaldavServer(), await startCaldavServer()];
    const host = await addHost(server);
    await host.pause();
    await host.book();
    const outbound = createOutbound({});
    const writer = startEntryWriter({ ...picked(), outbound });
    onTestFinished(async () => void (await Promise.all([writer.stop(), outbound.close()])));
    await expectFailure(host, 'address_not_public');
    await writer.stop();
    expect(server.requests).toEqual([]);

    server.answer((response, _usual, { path }) =>
      response.writeHead(307, { location: new URL(path, other.url()).href }).end(),
    );
    retryAfter((2 * pauseMs) / 1000 + 5);

    await expectFailure(host, 'refused');
    expect(other.requests).toEqual([]);
  });

  test('nothing is read that is longer than an entry', async () => {
    const server = await startCaldavServer();
    const host = await addHost(server);
    server.answer((response, usual, { method }) =>
      method === 'PUT' ? usual(500) : response.writeHead(200, { etag: '"a"' }).end('a'.repeat(100_000)),
    );
    await host.book();
    await expectFailure(host, 'status');

    retryAfter(5);

    await expectFailure(host, 'too_large');
  });
});

describe('when hosts or calendars change', () => {
  test('a reassigned booking leaves the former host’s calendar for the new one’s', async () => {
    const [annes, bens] = [await startCaldavServer(), await startCaldavServer()];
    await connect(ann, annes);
    await choose(ann, 'work');
    await connect(ben, bens);
    await choose(ben, 'work');
    const { id } = await addTeamEventType('roundRobin', [ann, ben]);
    const { uid, hosts } = await booked(id);
    const [former, next] = hosts[0].id === ann.user.id ? [annes, bens] : [bens, annes];
    await expect.poll(() => pathsOf(former), waiting).toEqual([`/work/${uid}.ics`]);

    bodyOf(await act('POST', `/${uid}/reassign`));

    await expect.poll(() => pathsOf(next), waiting).toEqual([`/work/${uid}.ics`]);
    await expect.poll(() => pathsOf(former), waiting).toEqual([]);
    await expect.poll(async () => (await rowsOf(ann)).length + (await rowsOf(ben)).length, waiting).toBe(1);
  });

  test('a booking stays in its calendar when another is chosen, and is changed there', async () => {
    const server = await startCaldavServer(['work', 'club']);
    const host = await addHost(server);
    const first = await host.book();
    await expect.poll(() => pathsOf(server), waiting).toEqual([`/work/${first}.ics`]);

    await choose(host, 'club');
    const second = await host.book();
    await expect.poll(() => pathsOf(server), waiting).toHaveLength(2);

    expect(pathsOf(server)).toContain(`/club/${second}.ics`);
    bodyOf(await act('POST', `/${first}/cancel`, {}, host.token));
    await expect.poll(() => pathsOf(server), waiting).toEqual([`/club/${second}.ics`]);
  });

  test('a disconnected account keeps its entries; later changes are written to the next calendar', async () => {
    const [former, next] = [await startCaldavServer(), await startCaldavServer()];
    const host = await addHost(former);
    const uid = await host.book();
    await expect.poll(() => former.entries.size, waiting).toBe(1);
    const [{ id }] = bodyOf(await call(host, 'GET', '/calendars')).data.connectedCalendars;
    bodyOf(await call(host, 'POST', `/calendars/${id}/disconnect`));
    await connect(host, next);
    await choose(host, 'work');

    const start = '2031-09-01T07:00:00Z';
    bodyOf(await act('POST', `/${uid}/reschedule`, { start }, host.token), 201);

    await expect.poll(() => pathsOf(next), waiting).toEqual([`/work/${uid}.ics`]);
    expect(pathsOf(former)).toEqual([`/work/${uid}.ics`]);
    expect([...former.entries.values()].join()).not.toContain('20310901T070000Z');
  });
});
