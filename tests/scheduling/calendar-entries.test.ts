import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { calendarEntries } from '../../src/scheduling/tables.ts';
import {
  type ApiCall,
  type ApiMethod,
  bodyOf,
  callApi,
  type Represented,
  represent,
} from '../support/api.ts';
import { icsOf } from '../support/feed-server.ts';
import { listLeased } from '../support/queue.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { startRadicale } from './radicale.ts';

const environment = { CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' };
const service = await openTestService(environment);
const { db } = service.database;
const radicale = await startRadicale();
const attendee = { name: 'Dana', email: 'dana@example.com', timeZone: 'UTC' };
const authorization = `Basic ${Buffer.from(`${radicale.username}:${radicale.password}`).toString('base64')}`;

let made = 0;

async function call({ token }: Represented, method: ApiMethod | 'PUT', path: string, body?: ApiCall['body']) {
  return callApi(service, method as ApiMethod, path, { token, ...(body === undefined ? {} : { body }) });
}

/** A host whose bookings are written to a calendar of their own. */
async function addHost({ isConfirming = false } = {}) {
  made += 1;
  const name = `own-${made}`;
  // All calendars of the account are read, so that each host has a week of their own.
  const day = new Date(Date.UTC(2031, 5, 2 + 7 * made)).toISOString().slice(0, 10);
  await radicale.makeCalendar(name);
  const ann = await represent(service);
  const { url, username, password } = radicale;
  await call(ann, 'POST', '/calendars/caldav/credentials', { url, username, password });
  const { data } = bodyOf(await call(ann, 'GET', '/calendars'));
  const { externalId } = data.connectedCalendars[0].calendars.find(
    (one: { name: string }) => one.name === `ann/${name}`,
  );
  const chosen = { integration: 'caldav_calendar', externalId };
  bodyOf(await call(ann, 'PUT', '/destination-calendars', chosen));
  const body = {
    ...{ title: 'Talk', slug: `talk-${made}`, lengthInMinutes: 60, slotInterval: 30 },
    minimumBookingNotice: 0,
    ...(isConfirming ? { confirmationPolicy: { type: 'always' } } : {}),
  };
  const eventTypeId = bodyOf(await call(ann, 'POST', '/event-types', body), 201).data.id;
  const book = async (time: string): Promise<string> => {
    const start = `${day}T${time}:00Z`;
    return bodyOf(
      await callApi(service, 'POST', '/bookings', { body: { eventTypeId, start, attendee } }),
      201,
    ).data.uid;
  };
  const folder = `${radicale.url}ann/${name}/`;
  /** What is in the calendar, as one text. */
  const content = async (): Promise<string> =>
    (await (await fetch(folder, { headers: { authorization } })).text()).replaceAll('\r\n ', '');
  const rows = () => db.select().from(calendarEntries).where(eq(calendarEntries.userId, ann.user.id));
  /** Once nothing is due for now. */
  const written = async (): Promise<string> => {
    service.app.calendarEntries.nudge();
    await expect
      .poll(async () => [...(await rows()).filter(isDueNow), ...(await listLeased(db))], { timeout: 20_000 })
      .toEqual([]);
    return content();
  };
  const at = (time: string): string => `${day}T${time}:00Z`;
  return { ann, at, day, name, eventTypeId, book, content, rows, written, chosen, folder };
}

const isDueNow = ({ dueAt }: typeof calendarEntries.$inferSelect): boolean =>
  dueAt !== null && dueAt <= service.clock.now();

const dueAgain = () => ({ dueAt: service.clock.now(), queuedVersion: -1 });

/** Times of day. */
const starts = (text: string): string[] =>
  [...text.matchAll(/DTSTART[^:]*:\d{8}T(\d{4})00Z/g)].map(([, at = '']) => at);

describe('a booking is written to its host’s calendar (contract §8)', () => {
  test('and rescheduled and removed there, under the UID of the emails, without invitations', async () => {
    const { ann, at, book, written, rows } = await addHost();
    const uid = await book('08:00');

    const text = await written();
    expect(starts(text)).toEqual(['0800']);
    expect(text).toContain(`UID:${uid}@`);
    expect(text).toContain('STATUS:CONFIRMED');
    expect(text).not.toContain('METHOD:');
    expect(text.match(/SCHEDULE-AGENT=CLIENT/g)).toHaveLength(3);

    const moved = await call(ann, 'POST', `/bookings/${uid}/reschedule`, { start: at('08:30') });
    const next = bodyOf(moved, 201).data.uid;
    const after = await written();
    expect(starts(after)).toEqual(['0830']);
    expect(after).toContain(`UID:${uid}@`);

    bodyOf(await call(ann, 'POST', `/bookings/${next}/cancel`, {}));
    expect(starts(await written())).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  test('once it is confirmed', async () => {
    const { ann, book, written } = await addHost({ isConfirming: true });
    const uid = await book('08:00');
    expect(starts(await written())).toEqual([]);

    bodyOf(await call(ann, 'POST', `/bookings/${uid}/confirm`));

    expect(starts(await written())).toEqual(['0800']);
  });

  test('and takes no second time of its host, unless it is moved there', async () => {
    const { ann, day, book, written, folder } = await addHost();
    const uid = await book('08:00');
    const text = await written();
    service.clock.advance(61);
    const busy = async () =>
      bodyOf(await call(ann, 'GET', `/calendars/busy-times?dateFrom=${day}&dateTo=${day}`)).data.length;
    expect(await busy()).toBe(0);

    const edited = text.replace('T080000Z', 'T100000Z').replace('T090000Z', 'T110000Z');
    await put(`${folder}${uid}.ics`, edited);
    service.clock.advance(61);
    expect(await busy()).toBe(1);
  });
});

async function put(url: string, body: string): Promise<void> {
  const headers = { authorization, 'content-type': 'text/calendar' };
  const answer = await fetch(url, { method: 'PUT', headers, body });
  expect(answer.status).toBeLessThan(300);
}

describe('a person’s own change is never overwritten', () => {
  test.each([
    ['changed', (text: string) => text.replace('SUMMARY:Talk', 'SUMMARY:My talk')],
    ['deleted', undefined],
  ] as const)('when the entry was %s there; its host sees it', async (_words, change) => {
    const { ann, at, name, book, written, rows, folder } = await addHost();
    const uid = await book('08:00');
    const text = await written();
    if (change === undefined) await radicale.remove(name, uid);
    else await put(`${folder}${uid}.ics`, change(text));
    const before = starts(await written());

    bodyOf(await call(ann, 'POST', `/bookings/${uid}/reschedule`, { start: at('10:00') }), 201);

    expect(starts(await written())).toEqual(before);
    expect(await rows()).toMatchObject([{ failure: 'changed_there', dueAt: null }]);
  });

  test('when an entry has its name by chance', async () => {
    const { book, written, rows, folder } = await addHost();
    const uid = await book('08:00');
    await written();
    await db.update(calendarEntries).set({ etag: null, contentHash: null, attemptedHash: 'other' });
    await put(`${folder}${uid}.ics`, icsOf([`UID:${(await rows())[0]?.icsUid}`, 'DTSTART:20310603T080000Z']));
    await db.update(calendarEntries).set(dueAgain());

    expect(starts(await written())).toEqual(['0800']);
  });
});

describe('nothing is lost, and nothing is there twice', () => {
  test('when the process dies after the write, before it is noted', async () => {
    const { ann, book, written, rows } = await addHost();
    const uid = await book('08:00');
    await written();
    const [{ contentHash } = { contentHash: null }] = await rows();
    await db
      .update(calendarEntries)
      .set({ etag: null, contentHash: null, attemptedHash: contentHash, ...dueAgain() })
      .where(eq(calendarEntries.userId, ann.user.id));

    expect(starts(await written())).toEqual(['0800']);
    expect(await rows()).toMatchObject([{ failure: null, contentHash }]);
    bodyOf(await call(ann, 'POST', `/bookings/${uid}/cancel`, {}));
    expect(starts(await written())).toEqual([]);
  });

  test('when two instances write', async () => {
    const other = await openAnotherInstance(service, environment);
    const { book, written } = await addHost();
    for (const time of ['07:00', '08:00', '09:00']) await book(time);
    other.app.calendarEntries.nudge();

    expect(starts(await written()).toSorted()).toEqual(['0700', '0800', '0900']);
  });

  test('when it cannot be written: it is tried again for a day, then with the next change', async () => {
    const { ann, book, rows } = await addHost();
    const uid = await book('08:00');
    await expect.poll(async () => (await rows())[0]?.dueAt ?? null, { timeout: 20_000 }).toBeNull();
    await db.update(calendarEntries).set({ encryptedCollection: new Uint8Array(40) });
    await db.update(calendarEntries).set({ ...dueAgain(), changedAt: service.clock.now() });
    service.app.calendarEntries.nudge();
    await expect.poll(async () => (await rows())[0]?.failure, { timeout: 20_000 }).toBe('not_decryptable');
    expect((await rows())[0]?.dueAt?.getTime()).toBeGreaterThan(service.clock.now().getTime());

    service.clock.advance(86_400);
    service.app.calendarEntries.nudge();
    await expect.poll(async () => (await rows())[0]?.dueAt ?? null, { timeout: 20_000 }).toBeNull();
    const later = await represent(service, { user: ann.user });
    bodyOf(await call(later, 'POST', `/bookings/${uid}/cancel`, {}));
    // The calendar's own pause.
    service.clock.advance(10);
    service.app.calendarEntries.nudge();
    await expect.poll(async () => (await rows())[0]?.attempts, { timeout: 20_000 }).toBe(1);
  });
});

describe('a destination', () => {
  test('is one of one’s own calendars, and forgotten with its connection', async () => {
    const [{ ann, chosen, book, rows }, ben] = [await addHost(), await represent(service)];
    const listed = async () => bodyOf(await call(ann, 'GET', '/calendars')).data;
    expect((await listed()).destinationCalendar).toMatchObject({ externalId: chosen.externalId });
    await book('08:00');

    expect((await call(ben, 'PUT', '/destination-calendars', chosen)).statusCode).toBe(404);
    const [{ id }] = (await listed()).connectedCalendars;
    bodyOf(await call(ann, 'POST', `/calendars/${id}/disconnect`));

    expect(await rows()).toEqual([]);
    expect((await listed()).destinationCalendar).toBeNull();
  });
});
