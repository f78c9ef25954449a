import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { bookings } from '../../src/scheduling/tables.ts';
import { openWith, send } from '../support/any-visitor.ts';
import { addEventType, bookOn, emailSentTo, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { textOf, titleOf } from '../support/page-content.ts';
import { formTokenOf } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';
import { addUser, startSession } from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const [ann, ben] = [await addUser(service), await addUser(service)];
const cookie = await startSession(service, ann);
const stranger = await startSession(service, ben);
const talk = await addEventType(service, ann);
const asked = await addEventType(service, ann, { requiresConfirmation: true });

async function anyBooking(path = talk.path) {
  const email = `dana+${Math.random().toString(36).slice(2)}@example.com`;
  const date = nextDate();
  const own = await bookOn(service, path, inBerlin(date, '10:00'), { email });
  return { own, email, date, uid: uidIn(own), page: `/bookings/${uidIn(own)}` };
}
const open = (path: string, query: Record<string, string> = {}, session = cookie) =>
  openWith(service, path, query, { headers: { cookie: session } });
async function reschedule(page: string, slot: string, session = cookie) {
  const form_token = await formTokenOf(service, session);
  const fields = { form_token, slot, timeZone: 'Europe/Berlin', reason: 'A train is late' };
  return send(service, `${page}/reschedule`, fields, { headers: { cookie: session } });
}
const rowOf = async (uid: string) => (await db.select().from(bookings).where(eq(bookings.uid, uid)))[0];

test('a host reschedules on the page, among the own slots, and the attendee is told by whom', async () => {
  const { page, uid, email, date } = await anyBooking();
  const calendar = await open(`${page}/reschedule`, { date, timeZone: 'Europe/Berlin' });
  const form = await open(`${page}/reschedule`, { slot: inBerlin(date, '14:00'), timeZone: 'Europe/Berlin' });

  const answer = await reschedule(page, inBerlin(date, '14:00'));

  expect(calendar.body).toContain('14:00</time>');
  expect(calendar.body).toContain(`href="${page}"`);
  expect(textOf(form.body)).toContain('The attendee can read it on the booking’s page.');
  const next = (await rowOf(uid))?.rescheduledToUid ?? '';
  expect([answer.statusCode, answer.headers.location]).toEqual([303, `/bookings/${next}`]);
  expect(await rowOf(next)).toMatchObject({
    status: 'accepted',
    startsAt: new Date(inBerlin(date, '14:00')),
  });
  expect(await emailSentTo(service, email, 'Rescheduled')).toContain('Rescheduled by: the host');
});

test('a request is confirmed by a host who reschedules it', async () => {
  const { page, uid, date } = await anyBooking(asked.path);
  expect(textOf((await open(page)).body)).toContain('Reschedule');

  await reschedule(page, inBerlin(date, '11:00'));

  const next = (await rowOf(uid))?.rescheduledToUid ?? '';
  expect(await rowOf(next)).toMatchObject({ status: 'accepted' });
});

test('a time that was taken meanwhile is refused, with others of the day', async () => {
  const [first, { page, uid }] = [await anyBooking(), await anyBooking()];

  const answer = await reschedule(page, inBerlin(first.date, '10:00'));

  expect(answer.statusCode).toBe(409);
  expect(textOf(answer.body)).toContain('This time is no longer available.');
  expect(await rowOf(uid)).toMatchObject({ status: 'accepted', rescheduledToUid: null });
});

test('nobody reschedules what others host, or without signing in (security C59)', async () => {
  const { page, uid, date } = await anyBooking();

  expect((await open(`${page}/reschedule`, {}, stranger)).statusCode).toBe(404);
  expect((await reschedule(page, inBerlin(date, '14:00'), stranger)).statusCode).toBe(404);
  expect((await openWith(service, `${page}/reschedule`)).headers.location).toContain('/signin');
  expect(await rowOf(uid)).toMatchObject({ rescheduledToUid: null });
});

test('the page emails the attendee and has their link, until the booking is over', async () => {
  const { page, own, email, uid, date } = await anyBooking();
  const { body } = await open(page);

  expect(body).toContain(`href="mailto:${encodeURIComponent(email).replace('%40', '@')}?subject=Talk`);
  expect(body).toContain(`data-copy="${service.appUrl}${own}"`);
  await reschedule(page, inBerlin(date, '15:00'));
  const after = await open(page);
  expect(titleOf(after)).toBe('Talk with Dana');
  expect(after.body).not.toMatch(/data-copy|\/reschedule"/);
  expect(await rowOf(uid)).toMatchObject({ status: 'cancelled' });
});

test('the pages of both times say what happened, by whom and when, and the new one says the former time', async () => {
  const { page, uid, date } = await anyBooking();
  const before = await open(page);
  await reschedule(page, inBerlin(date, '14:00'));
  const next = `/bookings/${(await rowOf(uid))?.rescheduledToUid}`;

  const [former, later] = [await open(page), await open(next)];

  expect(titleOf(before)).toBe('You’re booked with Dana');
  expect(historyIn(before.body)).toMatch(/^Booked [^·]+$/);
  expect(historyIn(former.body)).toMatch(/^Booked [^·]+ Rescheduled [^·]+ · Test /);
  expect(historyIn(former.body)).toContain(`· Test ${ann.username}`);
  expect(former.body).toContain(`href="${next}"`);
  expect(historyIn(later.body)).toMatch(/^Rescheduled [^·]+ · /);
  expect(textOf(later.body)).toMatch(/Rescheduled from .+10:00/);
  expect(later.body).toContain(`href="${service.appUrl}${talk.path}"`);
});

test('a host reads who cancelled, and who only has the attendee’s link doesn’t', async () => {
  const { page, own } = await anyBooking();
  await send(service, `${own}/cancel`, { reason: '' });

  expect(historyIn((await open(page)).body)).toMatch(/^Booked [^·]+ Cancelled [^·]+ · Dana$/);
  expect((await openWith(service, own)).body).not.toContain('What happened');
});

test('a request that was declined was never booked', async () => {
  const { page } = await anyBooking(asked.path);
  await send(
    service,
    `${page}/decline`,
    { form_token: await formTokenOf(service, cookie) },
    { headers: { cookie } },
  );

  expect(historyIn((await open(page)).body)).toMatch(/^Requested [^·]+ Declined [^·]+$/);
});

/** The list of what happened, in one line. */
function historyIn(body: string): string {
  const [, list = ''] = /<ol class="history">(.*?)<\/ol>/s.exec(body) ?? [];
  return textOf(list).replaceAll(/\s+/g, ' ').trim();
}
