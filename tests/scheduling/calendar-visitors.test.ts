import { expect, test } from 'vitest';
import { anyAddress } from '../support/any-visitor.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { addEventType } from '../support/booking.ts';
import { icsOf, startFeedServer } from '../support/feed-server.ts';
import { openTestService } from '../support/service.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
const feeds = await startFeedServer();
const dayMs = 86_400_000;
const now = service.clock.now().getTime();
let served = 0;

/** Connects a calendar that has this event; how often it was read since. */
async function connect({ token }: Represented, ...event: readonly string[]) {
  served += 1;
  const path = `/${served}.ics`;
  const url = feeds.serve(path, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/calendar', etag: '"1"' }).end(icsOf([...event])),
  );
  bodyOf(await callApi(service, 'POST', '/calendars/ics-feed/save', { token, body: { urls: [url] } }), 201);
  const begun = feeds.requests.length;
  return () => feeds.requests.slice(begun).filter((request) => request.path === path).length;
}

async function hostWith(...event: readonly string[]) {
  const host = await represent(service);
  return { host, readings: await connect(host, ...event) };
}

const nine = ['DTSTART:20270104T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY'];

/** A minute of some day, asked by a visitor. */
async function ask(eventTypeId: number, day: number) {
  const [start, end] = [0, 60_000].map((ms) => new Date(now + day * dayMs + ms).toISOString());
  const query = `eventTypeId=${eventTypeId}&start=${start}&end=${end}`;
  return callApi(service, 'GET', `/slots?${query}`, { remoteAddress: anyAddress() });
}

const askAll = async (id: number, days: readonly number[]) =>
  (await Promise.all(days.map((day) => ask(id, day)))).map(({ statusCode }) => statusCode);

const busyTimesOf = async ({ token }: Represented, from: string, to: string) =>
  bodyOf(await callApi(service, 'GET', `/calendars/busy-times?dateFrom=${from}&dateTo=${to}`, { token }))
    .data;

test('the past, and what is beyond the booking window, needs no reading (security C133)', async () => {
  const { host, readings } = await hostWith(...nine);
  const { id } = await addEventType(service, host.user, { bookingWindowDays: 30 });

  expect(await askAll(id, [-20_000, -400, -2, 40, 400, 60_000])).toEqual(Array(6).fill(200));
  expect(readings()).toBe(0);
  expect(await askAll(id, [7])).toEqual([200]);
  expect(readings()).toBe(1);
});

test('a hundred small questions about the coming year share a few readings (security C133)', async () => {
  const { host, readings } = await hostWith(...nine);
  const { id } = await addEventType(service, host.user);
  const days = Array.from({ length: 100 }, (_, index) => 3 + index * 3.6);

  expect(await askAll(id, days)).toEqual(Array(100).fill(200));
  expect(readings()).toBeLessThanOrEqual(6);
});

test('questions about distant years are read only so often, and near days stay readable (contract §8, security C133)', async () => {
  const { host, readings } = await hostWith(...nine);
  const { id } = await addEventType(service, host.user);
  const { max } = service.app.buckets.distant_weeks;
  const days = Array.from({ length: max + 20 }, (_, index) => 450 + index * 200);

  const answers = await askAll(id, days);
  expect(readings()).toBe(max);
  expect(answers.filter((status) => status === 502).length).toBeGreaterThanOrEqual(20);
  expect(await askAll(id, [7, 300])).toEqual([200, 200]);

  service.clock.advance(60);
  expect(await askAll(id, days.slice(-1))).toEqual([200]);
});

test('a host has 5,000 busy times in one question, however calendars and visitors add up (security C141)', async () => {
  const { host } = await hostWith(...nine);
  // Every calendar has twelve busy times a day, between those of the others.
  for (const minute of ['00', '10', '20', '30', '40'])
    await connect(host, `DTSTART:20270101T00${minute}00Z`, 'DURATION:PT5M', 'RRULE:FREQ=HOURLY;INTERVAL=2');
  const { id } = await addEventType(service, host.user, { bookingWindowDays: null });
  const slotsOf = async (end: string) => {
    const query = `eventTypeId=${id}&start=2027-02-01&end=${end}`;
    return (await callApi(service, 'GET', `/slots?${query}`, { remoteAddress: anyAddress() })).statusCode;
  };
  const busyTimes = async (to: string) => {
    const path = `/calendars/busy-times?dateFrom=2027-02-01&dateTo=${to}`;
    return (await callApi(service, 'GET', path, { token: host.token })).statusCode;
  };

  expect([await slotsOf('2027-03-01'), await busyTimes('2027-03-01')]).toEqual([200, 200]);
  expect([await slotsOf('2027-05-01'), await busyTimes('2027-05-01')]).toEqual([502, 502]);
});

test('an event that lasts from one reading into the next takes its time in both, as one (contract §8)', async () => {
  // Two readings meet at the beginning of July.
  const { host, readings } = await hostWith('DTSTART:20270628T000000Z', 'DTEND:20270703T000000Z');

  expect(await busyTimesOf(host, '2027-06-15', '2027-07-15')).toMatchObject([
    { start: '2027-06-28T00:00:00.000Z', end: '2027-07-03T00:00:00.000Z' },
  ]);
  expect(readings()).toBe(2);
});
