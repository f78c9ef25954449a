import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { findFreeSlots } from '../../src/scheduling/slots/free-slots.ts';
import { findHostedEventType } from '../../src/scheduling/store.ts';
import { schedules } from '../../src/scheduling/tables.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { addEventType, addTeamEventType } from '../support/booking.ts';
import { titleOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addUser, type TestUser } from '../support/world.ts';

const { max } = memoryLimits.slots;
const service = await openTestService();
/** Each test in a minute of its own, so that its limits are whole. */
beforeEach(() => service.clock.advance(60));

/** Never available: what is counted is what was asked, and computing it takes no time. */
async function addClosedUser(): Promise<TestUser> {
  const user = await addUser(service);
  const createdAt = service.clock.now();
  const closed = { name: 'Closed', timeZone: 'UTC', weekly: [], overrides: {}, isDefault: true, createdAt };
  await service.database.db.insert(schedules).values({ ...closed, userId: user.id });
  return user;
}

/** Several at once, so that neither we nor the database wait; how many got in. */
async function callUntilRefused(call: () => Promise<{ statusCode: number }>, together = 20): Promise<number> {
  for (let count = 0; count <= memoryLimits.requests.max; ) {
    const answers = await Promise.all(Array.from({ length: together }, call));
    const allowed = answers.filter(({ statusCode }) => statusCode !== 429).length;
    count += allowed;
    if (allowed < answers.length) return count;
  }
  throw new Error('never refused');
}

const month = 'start=2027-03-01&end=2027-03-31';

describe('a question for slots costs by its starts and hosts, on pages and in the API (security C58)', () => {
  test('of a usual event type, one question', async () => {
    const { id, path } = await addEventType(service, await addClosedUser());

    const ask = () =>
      callApi(service, 'GET', `/slots?eventTypeId=${id}&${month}`, { remoteAddress: '10.4.0.1' });
    expect(await callUntilRefused(ask)).toBe(max);
    const open = () => service.app.inject({ url: path, remoteAddress: '10.4.0.2' });
    expect(await callUntilRefused(open)).toBe(max);
  });

  test('of one with a start each minute, five a month', async () => {
    const { path } = await addEventType(service, await addClosedUser(), { lengthInMinutes: 1 });
    const open = () => service.app.inject({ url: `${path}?month=2027-03`, remoteAddress: '10.4.0.3' });

    expect(await callUntilRefused(open, 1)).toBe(Math.floor(max / 5));
    const refused = await open();
    const bySlot = await callApi(service, 'GET', `/slots?eventTypeId=1&${month}`, {
      remoteAddress: '10.4.0.3',
    });

    expect(titleOf(refused)).toBe('Too many requests');
    expect(bySlot.statusCode).toBe(429);
  });

  test('of a rolling window, as all days before those that are asked for', async () => {
    const bookingWindow = { type: 'calendarDays', value: 90, rolling: true } as const;
    const { id } = await addEventType(service, await addClosedUser(), { lengthInMinutes: 10, bookingWindow });
    const day = new Date(service.clock.now().getTime() + 85 * 86_400_000).toISOString().slice(0, 10);
    const query = `start=${day}&end=${day}`;

    const ask = () =>
      callApi(service, 'GET', `/slots?eventTypeId=${id}&${query}`, { remoteAddress: '10.4.0.9' });
    expect(await callUntilRefused(ask, 1)).toBe(Math.floor(max / 2));
  });

  test('of 30 hosts, whose schedules are read, two, however short', async () => {
    const hosts = await Promise.all(Array.from({ length: 30 }, addClosedUser));
    const team = await addTeam(service, hosts[0] ?? (await addClosedUser()));
    for (const host of hosts.slice(1)) await joinTeam(service, team, host, 'member');
    const { id } = await addTeamEventType(service, team, hosts);
    const hour = 'start=2027-03-01T09:00:00Z&end=2027-03-01T10:00:00Z';
    const ask = () =>
      callApi(service, 'GET', `/slots?eventTypeId=${id}&${hour}`, { remoteAddress: '10.4.0.6' });

    expect(await callUntilRefused(ask, 1)).toBe(Math.floor(max / 2));
  });

  test('past the limit nothing is read: neither for a page or a form that exists, nor for one that doesn’t', async () => {
    const { path } = await addEventType(service, await addClosedUser());
    const remoteAddress = '10.4.0.7';
    await callUntilRefused(() => service.app.inject({ url: path, remoteAddress }));
    const statusOf = async (url: string, method: 'GET' | 'POST' = 'GET') =>
      (await service.app.inject({ method, url, remoteAddress })).statusCode;

    expect(await statusOf(path)).toBe(429);
    expect(await statusOf(path, 'POST')).toBe(429);
    expect(await statusOf('/nobody/nothing')).toBe(429);
    const unknown = await callApi(service, 'GET', `/slots?eventTypeId=999999&${month}`, { remoteAddress });
    expect(unknown.statusCode).toBe(429);
  });
});

describe('a list of event types costs by its length (security C58)', () => {
  test('on its page with the other booking pages', async () => {
    const { path } = await addEventType(service, await addClosedUser());
    const url = path.slice(0, path.lastIndexOf('/'));
    const open = () => service.app.inject({ url, remoteAddress: '10.4.0.4' });

    expect(await callUntilRefused(open)).toBe(max);
    const refused = await open();

    expect(titleOf(refused)).toBe('Too many requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await service.app.inject({ url: path, remoteAddress: '10.4.0.4' })).statusCode).toBe(429);
  });

  test('one request or page for each 20 of its items, which past the limit aren’t read', async () => {
    const host = await addClosedUser();
    for (let made = 0; made < 60; made += 1) await addEventType(service, host);
    const remoteAddress = '10.4.0.5';
    const list = () => callApi(service, 'GET', `/event-types?username=${host.username}`, { remoteAddress });
    const visitor = '10.4.0.9';
    const open = () => service.app.inject({ url: `/${host.username}`, remoteAddress: visitor });
    const itemsRead = () =>
      service.takeStatements().filter((statement) => statement.includes('"booking_fields"'));

    expect(await callUntilRefused(list, 1)).toBe(Math.floor(memoryLimits.requests.max / 3));
    // A single request is left at the end: enough for a page, and not for what is on it.
    await service.app.inject({ url: '/nobody', remoteAddress: visitor });
    expect(await callUntilRefused(open, 1)).toBe(Math.floor((max - 1) / 3));
    expect(itemsRead()).not.toEqual([]);
    const [refused, page] = [await list(), await open()];

    expect(itemsRead()).toEqual([]);
    expect(bodyOf(refused, 429).error.code).toBe('TooManyRequests');
    expect(titleOf(page)).toBe('Too many requests');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });
});

test('many hosts’ slots are computed in pieces: others come in between (security C58)', async () => {
  const hosts: TestUser[] = [];
  for (let index = 0; index < 20; index += 1) hosts.push(await addUser(service));
  const [owner] = hosts;
  if (owner === undefined) throw new Error('no host');
  const team = await addTeam(service, owner);
  for (const host of hosts.slice(1)) await joinTeam(service, team, host, 'member');
  const { id } = await addTeamEventType(service, team, hosts, 'roundRobin', { lengthInMinutes: 5 });
  const hosted = await findHostedEventType(service.app, { eventTypeId: id });
  if (hosted === undefined) throw new Error('no event type');
  const start = Date.parse('2027-03-01T00:00:00Z');
  let turns = 0;
  const over = new AbortController();
  const count = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await nextTurn();
      turns += 1;
    }
  };
  const counting = count();

  const now = service.clock.now();
  const range = { start, end: start + 30 * 86_400_000 };
  const slots = await findFreeSlots(service.app, hosted, { range, now, avoidsReservations: true });
  const before = turns;
  over.abort();
  await counting;

  const starts = 30 * 288;
  expect(slots.ok && slots.value.length).toBeGreaterThan(1000);
  expect(before).toBeGreaterThan((starts * hosts.length) / 5000);
});
