import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { outbox } from '../../src/platform/mail/tables.ts';
import { changeBookingStatus } from '../../src/scheduling/bookings/change.ts';
import { attendeeName } from '../../src/scheduling/bookings/request.ts';
import { findBooking } from '../../src/scheduling/bookings/store.ts';
import { bookings, eventTypes } from '../../src/scheduling/tables.ts';
import { openWith, send } from '../support/any-visitor.ts';
import { addEventType, bookOn, emailSentTo, uidIn } from '../support/booking.ts';
import { digestTables } from '../support/database-content.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import { faultOf, skeletonOf, textOf, titleOf, typedIn } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addUser } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const ann = await addUser(service);
const talk = await addEventType(service, ann);

let booked = 0;
async function anyBooking(fields: Readonly<Record<string, string>> = {}, path = talk.path) {
  booked += 1;
  const date = nextDate();
  const email = `attendee-${booked}@example.com`;
  const own = await bookOn(service, path, inBerlin(date, '10:00'), { email, ...fields });
  return { own, date, email, uid: uidIn(own) };
}

async function rowOf(uid: string) {
  const [row] = await db.select().from(bookings).where(eq(bookings.uid, uid));
  return row;
}

const lettersTo = (email: string) => db.select().from(outbox).where(eq(outbox.recipient, email));
const textAt = async (path: string): Promise<string> => textOf((await openWith(service, path)).body);

/** A host settles through the API or the pages. */
async function settleAsHost(uid: string, action: 'cancel' | 'decline' | 'confirm'): Promise<void> {
  const found = await findBooking(db, uid);
  if (found === undefined) throw new Error('no booking');
  const outcome = await changeBookingStatus(service.app, found, action, {
    by: 'host',
    reason: null,
    sender: undefined,
  });
  if (!outcome.ok) throw new Error(outcome.reason);
}

describe('the address in the mail', () => {
  test('shows what was booked, in the attendee’s time zone', async () => {
    const { own } = await anyBooking({ timeZone: 'America/New_York', notes: 'Bring tea' });

    const page = await openWith(service, own);

    expect(page.statusCode).toBe(200);
    expect(titleOf(page)).toBe(`You’re booked with Test ${ann.username}`);
    const text = textOf(page.body);
    expect(text).toMatch(/04:00 – 04:30 \(America\/New_York, GMT-04:00\)/);
    for (const words of ['You’re booked with', 'Bring tea', 'Dana', 'Reschedule', 'Cancel booking'])
      expect(text).toContain(words);
  });

  test('tells no other site where it leads, and is kept nowhere', async () => {
    const { own } = await anyBooking();

    for (const path of [own, `${own}/cancel`, `${own}/reschedule`, own.replace(/.$/, '')]) {
      const { headers } = await openWith(service, path);
      expect(headers['referrer-policy']).toBe('strict-origin');
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test('opens nothing with another proof', async () => {
    const [one, other] = [await anyBooking(), await anyBooking()];
    const proof = other.own.split('/').at(-1) ?? '';
    const wrong = [
      `/booking/${one.uid}/${proof}`,
      `/booking/${one.uid}/x`,
      `/booking/${one.uid}/${proof}=`,
      `${one.own}A`,
      `/booking/${'0'.repeat(32)}/${proof}`,
      `/booking/%27%20or%201=1/${proof}`,
    ];
    const before = await digestTables(service.database);

    for (const path of wrong) {
      expect((await openWith(service, path)).statusCode).toBe(404);
      expect((await openWith(service, `${path}/calendar.ics`)).statusCode).toBe(404);
      expect((await openWith(service, `${path}/reschedule`)).statusCode).toBe(404);
      expect((await send(service, `${path}/cancel`, {})).statusCode).toBe(404);
      expect(
        (await send(service, `${path}/reschedule`, { slot: inBerlin(one.date, '11:00') })).statusCode,
      ).toBe(404);
    }

    expect(await digestTables(service.database)).toEqual(before);
    service.takeStatements();
    await openWith(service, `/booking/${one.uid}/x`);
    expect(service.takeStatements()).toEqual([]);
  });

  test('gives the booking to a calendar, without anybody else’s address (RFC 5545)', async () => {
    const { own, uid, date } = await anyBooking({ guests: 'guest@example.com' });

    const file = await openWith(service, `${own}/calendar.ics`);

    expect(file.headers['content-type']).toBe('text/calendar; charset=utf-8');
    expect(file.headers['content-disposition']).toBe('attachment; filename="booking.ics"');
    expect(file.body).toContain('METHOD:PUBLISH');
    expect(file.body).toContain(`UID:${uid}@localhost`);
    expect(file.body).toContain(`DTSTART:${date.replaceAll('-', '')}T080000Z`);
    expect(file.body).toContain('STATUS:CONFIRMED');
    expect(file.body).not.toContain('guest@example.com');
  });

  test('leads to Google and Outlook with the title and times alone, while it stands', async () => {
    const { own, date } = await anyBooking({ notes: 'Bring tea', guests: 'guest@example.com' });
    const leadTo = async (name: string) =>
      new URL((await openWith(service, `${own}/calendar/${name}`)).headers.location ?? '', service.appUrl);
    const title = `Talk between Test ${ann.username} and Dana`;
    const day = date.replaceAll('-', '');

    const [google, outlook] = [await leadTo('google'), await leadTo('outlook')];

    expect(google.origin).toBe('https://calendar.google.com');
    expect(Object.fromEntries(google.searchParams)).toEqual({
      action: 'TEMPLATE',
      text: title,
      dates: `${day}T080000Z/${day}T083000Z`,
    });
    expect(outlook.origin).toBe('https://outlook.live.com');
    expect(Object.fromEntries(outlook.searchParams)).toEqual({
      path: '/calendar/action/compose',
      rru: 'addevent',
      subject: title,
      startdt: `${date}T08:00:00.000Z`,
      enddt: `${date}T08:30:00.000Z`,
    });
    const { headers } = await openWith(service, `${own}/calendar/google`);
    expect([headers['referrer-policy'], headers['cache-control']]).toEqual(['strict-origin', 'no-store']);
    for (const name of ['google', 'outlook', 'elsewhere'])
      expect((await openWith(service, `${own}A/calendar/${name}`)).statusCode).toBe(404);
    expect((await openWith(service, `${own}/calendar/elsewhere`)).statusCode).toBe(404);
    await send(service, `${own}/cancel`, {});
    expect((await leadTo('google')).pathname).toBe(own);
  });

  test.each(Object.entries(hostileTexts))('%s stays text on it (security C33)', async (_name, text) => {
    const plain = await anyBooking({ name: 'Plain', notes: 'Plain' });
    // Nobody has some of these texts as a name.
    const name = attendeeName.safeParse(text).success ? text : 'Plain';
    const hostile = await anyBooking({ name, notes: text });

    const page = await openWith(service, hostile.own);

    expect(skeletonOf(page.body)).toEqual(skeletonOf((await openWith(service, plain.own)).body));
  });
});

describe('cancelling', () => {
  test('asks first, then releases the time and notifies all attendees, and hosts of the reason', async () => {
    const { own, uid, email, date } = await anyBooking({ guests: 'cancel-guest@example.com' });
    const asked = await openWith(service, `${own}/cancel`);
    expect((await rowOf(uid))?.status).toBe('accepted');

    const answer = await send(service, `${own}/cancel`, { reason: 'I am ill' });

    expect(titleOf(asked)).toBe('Cancel this booking?');
    expect([answer.statusCode, answer.headers.location]).toEqual([303, own]);
    expect(await rowOf(uid)).toMatchObject({ status: 'cancelled', cancellationReason: 'I am ill' });
    for (const to of [email, 'cancel-guest@example.com'])
      expect(await emailSentTo(service, to, 'Cancelled')).not.toContain('I am ill');
    expect((await lettersTo(ann.email)).map(({ text }) => text).join()).toContain('Reason: I am ill');
    const text = await textAt(own);
    expect(text).toContain('This booking was cancelled.');
    expect(text).not.toContain('Add to calendar');
    expect(await bookOn(service, talk.path, inBerlin(date, '10:00'))).toMatch(/^\/booking\//);
  });

  test('twice is harmless and tells the truth', async () => {
    const { own, email } = await anyBooking();

    const answers = [
      await send(service, `${own}/cancel`, {}),
      await send(service, `${own}/cancel`, { reason: 'again' }),
    ];

    expect(answers.map(({ headers }) => headers.location)).toEqual([own, own]);
    expect(await lettersTo(email)).toHaveLength(2);
    expect(await textAt(own)).not.toContain('again');
    expect((await openWith(service, `${own}/cancel`)).headers.location).toBe(own);
    expect((await openWith(service, `${own}/calendar.ics`)).headers.location).toBe(own);
  });

  test('after it was declined or rescheduled changes nothing, and keeps the reason', async () => {
    const asked = await addEventType(service, ann, { requiresConfirmation: true });
    const [declined, moved] = [await anyBooking({}, asked.path), await anyBooking()];
    await settleAsHost(declined.uid, 'decline');
    await send(service, `${moved.own}/reschedule`, { slot: inBerlin(moved.date, '11:00') });

    for (const path of [
      `${declined.own}/cancel`,
      `${declined.own}/reschedule`,
      `${moved.own}/cancel`,
      `${moved.own}/reschedule`,
    ]) {
      const answer = await send(service, path, { reason: 'I am ill', slot: inBerlin(moved.date, '12:00') });

      expect([path, answer.statusCode]).toEqual([path, 409]);
      expect(textOf(answer.body)).toContain('Your reason was: “I am ill”');
    }
  });

  test('after the host has cancelled changes nothing', async () => {
    const { own, uid, email } = await anyBooking();
    await settleAsHost(uid, 'cancel');

    const answer = await send(service, `${own}/cancel`, { reason: 'late' });

    expect(answer.headers.location).toBe(own);
    expect((await rowOf(uid))?.cancellationReason).toBeNull();
    expect(await lettersTo(email)).toHaveLength(2);
  });

  test('with a reason that is too long keeps it, and cancels nothing', async () => {
    const { own, uid } = await anyBooking();

    const answer = await send(service, `${own}/cancel`, { reason: 'x'.repeat(501) });

    expect(answer.statusCode).toBe(400);
    expect(faultOf(answer, 'reason')).toBe('Use at most 500 characters.');
    expect(typedIn(answer, 'reason')).toBe('x'.repeat(501));
    expect((await rowOf(uid))?.status).toBe('accepted');
  });

  test('is not accepted from another site', async () => {
    const { own, uid } = await anyBooking();

    const answer = await send(service, `${own}/cancel`, {}, { headers: { 'sec-fetch-site': 'cross-site' } });

    expect(answer.statusCode).toBe(403);
    expect((await rowOf(uid))?.status).toBe('accepted');
  });
});

describe('rescheduling', () => {
  test('opens on the day of the booking, whose time is marked; another day or month is shown as asked', async () => {
    const { own, date } = await anyBooking();
    const current =
      /aria-current="date"><span aria-hidden="true">(\d+)<.*<time[^>]*>10:00<\/time> <span class="badge">Current time/s;

    const page = await openWith(service, `${own}/reschedule`);
    const other = await openWith(service, `${own}/reschedule`, {
      date: nextDate(),
      timeZone: 'Europe/Berlin',
    });

    expect(current.exec(page.body)?.[1]).toBe(String(Number(date.slice(-2))));
    expect(other.body).not.toContain('Current time');
  });

  test('shows the same calendar, in which the booking does not stand in its own way', async () => {
    const long = await addEventType(service, await addUser(service), {
      lengthInMinutes: 60,
      slotInterval: 30,
    });
    const { own, date } = await anyBooking({}, long.path);

    const page = await openWith(service, `${own}/reschedule`, { date, timeZone: 'Europe/Berlin' });

    expect(titleOf(page)).toBe('Choose a new time');
    expect(textOf(page.body)).toContain('10:30');
    expect(page.body).toContain(`href="${own}"`);
  });

  test('asks first, then books the new time in place of the old one', async () => {
    const { own, uid, email, date } = await anyBooking({ notes: 'Kept' });
    const slot = inBerlin(date, '11:00');
    const asked = await openWith(service, `${own}/reschedule`, { slot, timeZone: 'Asia/Tokyo' });

    const answer = await send(service, `${own}/reschedule`, {
      slot,
      timeZone: 'Asia/Tokyo',
      reason: 'A train',
    });

    expect(textOf(asked.body)).toContain('18:00 – 18:30');
    const moved = answer.headers.location ?? '';
    expect(answer.statusCode).toBe(303);
    expect(moved).not.toBe(own);
    expect(await rowOf(uid)).toMatchObject({ status: 'cancelled', rescheduledToUid: uidIn(moved) });
    expect(await rowOf(uidIn(moved))).toMatchObject({ status: 'accepted', responses: { notes: 'Kept' } });
    expect(await emailSentTo(service, email, 'Rescheduled')).toContain(`${service.appUrl}${moved}`);
    expect((await lettersTo(ann.email)).map(({ text }) => text).join()).toContain('Reason: A train');
    const old = await openWith(service, own);
    expect(textOf(old.body)).toContain('This booking was rescheduled.');
    expect(old.body).toContain(`href="${moved}"`);
    expect(await textAt(moved)).toContain('You’re booked with');
  });

  test('sent twice ends at the same booking', async () => {
    for (let round = 0; round < 8; round += 1) {
      const { own, date, email } = await anyBooking();
      const fields = { slot: inBerlin(date, '11:00') };

      const together = await Promise.all([
        send(service, `${own}/reschedule`, fields),
        send(service, `${own}/reschedule`, fields),
      ]);
      const later = await send(service, `${own}/reschedule`, fields);

      const places = [...together, later].map(({ headers }) => headers.location);
      expect(new Set(places).size).toBe(1);
      expect(places).not.toContain(own);
      expect(await lettersTo(email)).toHaveLength(2);
    }
  });

  test('once more, to a third time, leads from the old address to how it stands', async () => {
    const { own, date, email } = await anyBooking();
    await send(service, `${own}/reschedule`, { slot: inBerlin(date, '11:00') });

    const late = await send(service, `${own}/reschedule`, { slot: inBerlin(date, '12:00') });

    expect(late.headers.location).toBe(own);
    expect(await lettersTo(email)).toHaveLength(2);
  });

  test('to a time that was taken meanwhile offers the others of the day, and changes nothing', async () => {
    const { own, uid, date } = await anyBooking();
    const slot = inBerlin(date, '11:00');
    await bookOn(service, talk.path, slot);

    const late = await send(service, `${own}/reschedule`, {
      slot,
      timeZone: 'Europe/Berlin',
      reason: 'A train',
    });

    expect(late.statusCode).toBe(409);
    expect(textOf(late.body)).toContain('This time is no longer available.');
    expect(late.body).toContain(`name="slot" value="${inBerlin(date, '11:30')}"`);
    expect(typedIn(late, 'reason')).toBe('A train');
    expect((await rowOf(uid))?.status).toBe('accepted');
  });

  test('to the time that it has changes nothing', async () => {
    const { own, date, email } = await anyBooking();

    const answer = await send(service, `${own}/reschedule`, { slot: inBerlin(date, '10:00') });

    expect(answer.headers.location).toBe(own);
    expect(await lettersTo(email)).toHaveLength(1);
  });

  test('without a time shows the calendar', async () => {
    const { own } = await anyBooking();

    for (const fields of [{}, { slot: 'x' }, { slot: '\0' }]) {
      const answer = await send(service, `${own}/reschedule`, fields);
      expect(answer.statusCode).toBe(400);
      expect(answer.body).toContain('<table class="month">');
    }
  });

  test('after it was cancelled leads to how it stands', async () => {
    const { own, date } = await anyBooking();
    await send(service, `${own}/cancel`, {});

    expect((await openWith(service, `${own}/reschedule`)).headers.location).toBe(own);
    expect(
      (await send(service, `${own}/reschedule`, { slot: inBerlin(date, '11:00') })).headers.location,
    ).toBe(own);
  });

  test('is not offered when its event type is gone; cancelling is', async () => {
    const gone = await addEventType(service, ann);
    const { own, date } = await anyBooking({}, gone.path);
    await db.delete(eventTypes).where(eq(eventTypes.id, gone.id));

    const text = await textAt(own);

    expect(text).not.toContain('Reschedule');
    expect(text).toContain('Cancel booking');
    expect(
      (await send(service, `${own}/reschedule`, { slot: inBerlin(date, '11:00') })).headers.location,
    ).toBe(own);
  });
});

test('a booking that the host confirms or declines says so', async () => {
  const asked = await addEventType(service, ann, { requiresConfirmation: true });
  const [confirmed, declined] = [await anyBooking({}, asked.path), await anyBooking({}, asked.path)];
  expect(await textAt(confirmed.own)).toContain('The host still has to confirm this booking.');

  await settleAsHost(confirmed.uid, 'confirm');
  await settleAsHost(declined.uid, 'decline');

  expect(await textAt(confirmed.own)).toContain('You’re booked with');
  expect(await textAt(declined.own)).toContain('The host declined this booking.');
  expect((await send(service, `${declined.own}/cancel`, {})).headers.location).toBe(declined.own);
  expect((await rowOf(declined.uid))?.status).toBe('rejected');
});

test('a booking that is over can neither be rescheduled nor cancelled', async () => {
  const { own, uid, date } = await anyBooking();
  const startsAt = new Date(service.clock.now().getTime() - 7_200_000);
  const endsAt = new Date(startsAt.getTime() + 1_800_000);
  await db.update(bookings).set({ startsAt, endsAt }).where(eq(bookings.uid, uid));

  expect(await textAt(own)).toContain('This booking is over');
  expect((await send(service, `${own}/cancel`, {})).headers.location).toBe(own);
  expect((await send(service, `${own}/reschedule`, { slot: inBerlin(date, '12:00') })).headers.location).toBe(
    own,
  );
  expect((await rowOf(uid))?.status).toBe('accepted');
});
