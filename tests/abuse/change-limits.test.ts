import { expect, test } from 'vitest';
import { databaseLimits } from '../../src/platform/limits/limits.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { anyAddress, send } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { startMailServer } from '../support/mail-server.ts';
import { textOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';

// With a mail server, a newer email replaces one that wasn't sent yet, and costs nothing.
const { smtpUrl } = await startMailServer();
const mail = { SMTP_URL: smtpUrl, MAIL_FROM: 'Latchkey <no-reply@cal.example>' };
const { service, db, ann, ben, booked, addEventType, addTeamEventType, act } = await openBookingsApi(
  openTestService(mail),
);
const daySeconds = 86_400;

interface Own {
  readonly uid: string;
  readonly bookingToken: string;
  readonly start: string;
}

/** To its own time, which makes a new booking all the same. */
const { max } = databaseLimits.thing_changes;

async function reschedule({ uid, bookingToken, start }: Own, remoteAddress = anyAddress()) {
  const headers = { 'x-booking-token': bookingToken };
  const body = { start };
  return callApi(service, 'POST', `/bookings/${uid}/reschedule`, { headers, body, remoteAddress });
}

async function rescheduleTimes(times: number, booking: Own, remoteAddress?: string): Promise<Own> {
  if (times === 0) return booking;
  const { data } = bodyOf(await reschedule(booking, remoteAddress), 201);
  return rescheduleTimes(times - 1, data, remoteAddress);
}

test('an attendee reschedules a booking so often a day, from wherever; past that nothing changes, and it can be cancelled (contract §8, security C131)', async () => {
  const { id } = await addEventType();
  const last = await rescheduleTimes(max, await booked(id));
  const kept = await db.$count(bookings);
  const later = new Date(Date.parse(last.start) + 7 * daySeconds * 1000).toISOString();

  const [byToken, onPage] = [
    await reschedule(last),
    await send(service, `/booking/${last.uid}/${last.bookingToken}/reschedule`, { slot: later }),
  ];

  for (const refused of [byToken, onPage]) {
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBe(daySeconds);
  }
  expect(bodyOf(byToken, 429).error.message).toContain('You can still cancel');
  expect(textOf(onPage.body)).toContain('You can still cancel');
  expect(await db.$count(bookings)).toBe(kept);
  expect(bodyOf(await act('GET', `/${last.uid}`)).data.status).toBe('accepted');

  await rescheduleTimes(1, await booked(id));
  expect((await act('POST', `/${last.uid}/cancel`)).statusCode).toBe(200);
});

test('the next day it can be rescheduled again (security C131)', async () => {
  const last = await rescheduleTimes(max, await booked((await addEventType()).id));
  expect((await reschedule(last)).statusCode).toBe(429);

  service.clock.advance(daySeconds);

  expect((await reschedule(last)).statusCode).toBe(201);
  service.clock.advance(-daySeconds);
});

test('hosts reschedule and reassign it so often a day, whatever the attendee does; past that nothing changes (contract §8, security C131)', async () => {
  const { id } = await addTeamEventType('roundRobin', [ann, ben]);
  const last = await rescheduleTimes(max, await booked(id));
  expect((await reschedule(last)).statusCode).toBe(429);
  const byHost = await act('POST', `/${last.uid}/reschedule`, { start: last.start });
  const { uid } = bodyOf(byHost, 201).data;
  for (let index = 0; index < max - 1; index += 1) bodyOf(await act('POST', `/${uid}/reassign`));
  const before = bodyOf(await act('GET', `/${uid}`)).data;

  const refused = [
    await act('POST', `/${uid}/reassign`),
    await act('POST', `/${uid}/reschedule`, { start: last.start }),
  ];

  for (const { statusCode, headers } of refused)
    expect([statusCode, headers['retry-after']]).toEqual([429, String(daySeconds)]);
  expect(bodyOf(await act('GET', `/${uid}`)).data).toEqual(before);
});

test('one network causes so many emails an hour in all, of which a change that replaces some is one, and others go on (security C131)', async () => {
  const { id } = await addEventType();
  const remoteAddress = '10.7.7.7';
  // A change tells two people, unless it replaces what wasn't sent yet.
  let changes = 0;
  for (let status = 201; status === 201; service.clock.advance(20)) {
    let last: Own = await booked(id);
    for (let index = 0; index < 10 && status === 201; index += 1) {
      const answer = await reschedule(last, remoteAddress);
      status = answer.statusCode;
      if (status === 201) last = bodyOf(answer, 201).data;
      if (status === 201) changes += 1;
    }
  }
  expect(changes).toBeGreaterThanOrEqual(75);
  expect(changes).toBeLessThanOrEqual(150);
  const another = await booked(id);

  const refused = bodyOf(await reschedule(another, remoteAddress), 429);
  expect(refused.error.message).toContain('sent too many emails');
  expect((await reschedule(another)).statusCode).toBe(201);
});
