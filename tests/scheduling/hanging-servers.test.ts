import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { answerIcs, icsOf, startFeedServer } from '../support/feed-server.ts';
import { openAs } from '../support/groups.ts';
import { holdTable } from '../support/held.ts';
import { postOwnForm } from '../support/registration.ts';
import { openTestService } from '../support/service.ts';
import { startSession } from '../support/world.ts';

const service = await openTestService({ CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' }, undefined, undefined, {
  ...{ calendarDeadlineMs: 25_000, connections: 10 },
});
const server = await startFeedServer();
const release: (() => void)[] = [];
beforeEach(() => service.clock.advance(3600));

/** Answers nothing until the test is over. */
const hanging = server.serve('/hanging', (_request, response) => {
  release.push(() => response.writeHead(503).end());
});
const fine = server.serve('/fine.ics', answerIcs(icsOf(['DTSTART:20310602T070000Z', 'DURATION:PT1H'])));

const connect = ({ token }: Represented) =>
  callApi(service, 'POST', '/calendars/caldav/credentials', {
    token,
    body: { url: hanging, username: 'ann', password: 'secret' },
  });
async function until(requests: number): Promise<void> {
  await expect.poll(() => release.length).toBeGreaterThanOrEqual(requests);
}

/** Has what waits answered, and says whether others were answered before. */
async function whileHanging<Value>(waiting: readonly Promise<unknown>[], others: () => Promise<Value>) {
  await sleep(100);
  const answered = others();
  const first = await Promise.race([answered.then(() => 'others'), sleep(20_000, 'nobody', { ref: false })]);
  while (release.length > 0) release.pop()?.();
  const timer = setInterval(() => release.pop()?.(), 20);
  await Promise.all(waiting);
  clearInterval(timer);
  expect(first).toBe('others');
  return answered;
}

async function withApps() {
  const one = await represent(service);
  const { user } = one;
  const cookie = await startSession(service, user);
  return { user, cookie, one, other: await represent(service, { user }) };
}

describe('who waits for another’s server that hangs keeps nothing from anybody (security C332)', () => {
  test('apps that connect calendars, from the person’s pages, their own requests and other apps', async () => {
    const { cookie, user, one, other } = await withApps();
    const third = await represent(service, { user });
    const waiting = [connect(one), connect(one), connect(other), connect(other)];
    await until(4);

    const answers = await whileHanging(waiting, () =>
      Promise.all([
        openAs(service, '/settings/apps', cookie),
        openAs(service, '/settings/calendars', cookie),
        callApi(service, 'GET', '/event-types', { token: third.token }),
        callApi(service, 'GET', '/schedules', { token: one.token }),
      ]),
    );

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  });

  test('readings of a calendar that hangs, from those of the person’s other calendars', async () => {
    const { cookie, one, other } = await withApps();
    const feed = server.serve('/becomes-hanging.ics', answerIcs(icsOf(['DTSTART:20310602T070000Z'])));
    const save = (url: string) =>
      callApi(service, 'POST', '/calendars/ics-feed/save', { token: one.token, body: { urls: [url] } });
    const slow = bodyOf(await save(feed), 201).data.id;
    const quick = bodyOf(await save(fine), 201).data.id;
    server.serve('/becomes-hanging.ics', (_request, response) => {
      release.push(() => response.writeHead(503).end());
    });
    const ask = ({ token }: Represented, id: number, month: string) =>
      callApi(
        service,
        'GET',
        `/calendars/busy-times?dateFrom=2027-${month}-02&dateTo=2027-${month}-03&calendarsToLoad[0][credentialId]=${id}`,
        { token },
      );
    const waiting = ['03', '06', '09', '12'].map((month, index) => ask(index % 2 ? one : other, slow, month));
    await until(4);

    const [ofOther, page] = await whileHanging(waiting, () =>
      Promise.all([ask(one, quick, '02'), openAs(service, '/settings/apps', cookie)]),
    );

    expect([ofOther.statusCode, page.statusCode]).toEqual([200, 200]);
  });

  test('the person’s own pages, from the others', async () => {
    const { cookie } = await withApps();
    const form = { url: hanging, username: 'ann', password: 'secret' };
    const waiting = [1, 2].map(() => postOwnForm(service, '/settings/calendars/caldav', form, cookie));
    await until(2);

    const page = await whileHanging(waiting, () => openAs(service, '/settings/apps', cookie));

    expect(page.statusCode).toBe(200);
  });
});

test('pages never wait for apps, whatever these wait for (security C332)', async () => {
  const { cookie, one, other } = await withApps();
  const held = await holdTable(service, 'bookings');
  const list = ({ token }: Represented) => callApi(service, 'GET', '/bookings', { token });
  const lists = [list(one), list(other)];
  await held.untilWaiting(1);
  const hostPage = openAs(service, '/bookings', cookie);
  await held.untilWaiting(2);
  const page = await openAs(service, '/settings/apps', cookie);
  await held.release();

  expect(page.statusCode).toBe(200);
  expect((await hostPage).statusCode).toBe(200);
  expect((await Promise.all(lists)).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
});
