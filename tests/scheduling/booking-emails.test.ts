import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { openEmail } from '../../src/platform/mail/email.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { rescheduleBooking } from '../../src/scheduling/bookings/change.ts';
import { findBooking } from '../../src/scheduling/bookings/store.ts';
import { bookings, eventTypes } from '../../src/scheduling/tables.ts';
import { anyAddress, openWith, send } from '../support/any-visitor.ts';
import { bodyOf, callApi, type Represented, represent } from '../support/api.ts';
import { addEventType, addTeamEventType, bookOn, dana, fillIn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { emptyOutbox, emptyTable } from '../support/empty-table.ts';
import { textOf } from '../support/page-content.ts';
import { sharedService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';

const service = await sharedService();
const { db } = service.database;
const ann = await represent(service);
const ben = await represent(service);
const team = await addTeam(service, ann.user);
await joinTeam(service, team, ben.user, 'member');
const asked = await addEventType(service, ann.user, { requiresConfirmation: true });
const talk = await addEventType(service, ann.user);

const guest = 'guest@example.com';
const booker = 'dana@example.com';

beforeEach(async () => {
  await emptyOutbox(db);
  await emptyTable(db, rateLimits);
});

interface Sent {
  /** The whole calendar entry. */
  readonly calendar: string;
  readonly to: string;
  /** The subject as far as its colon. */
  readonly about: string;
  /** METHOD, STATUS, SEQUENCE and DTSTART of its calendar entry. */
  readonly entry: readonly string[];
  readonly text: string;
}

/** What was sent since the last look, by whom it went to. */
async function takeEmails(): Promise<readonly Sent[]> {
  const rows = await emptyOutbox(db);
  return rows
    .map(({ recipient, subject, calendarEntry, ...row }) => ({
      to: recipient,
      about: subject.replace(/:.*/, ''),
      calendar: calendarEntry ?? '',
      entry: ['METHOD', 'STATUS', 'SEQUENCE', 'DTSTART'].map(
        (name) => new RegExp(`\r\n${name}:(.*)\r\n`).exec(calendarEntry ?? '')?.[1] ?? '',
      ),
      text: openEmail(row, service.rootSecret, row.createdAt).text,
    }))
    .toSorted((a, b) => (a.to < b.to ? -1 : 1));
}

/** A booking with a guest, at ten in Berlin; its emails are taken away. */
async function anyBooking({ path }: { readonly path: string } = asked) {
  const date = nextDate();
  const own = await bookOn(service, path, inBerlin(date, '10:00'), { guests: guest });
  await takeEmails();
  return { own, uid: uidIn(own), date };
}

async function act(path: string, body: object = {}, { token }: Represented = ann) {
  return callApi(service, 'POST', `/bookings/${path}`, { token, body });
}

async function confirmedBooking() {
  const booking = await anyBooking();
  bodyOf(await act(`${booking.uid}/confirm`));
  await takeEmails();
  return booking;
}

/** The attendee reschedules on the page that the email links to. */
async function moveAsAttendee(own: string, slot: string): Promise<string> {
  const { headers, statusCode, body } = await send(service, `${own}/reschedule`, { slot, reason: 'A train' });
  if (headers.location === undefined) throw new Error(`${statusCode}: ${body}`);
  return headers.location;
}

async function statusOf(uid: string): Promise<string | undefined> {
  return (await db.select().from(bookings).where(eq(bookings.uid, uid)))[0]?.status;
}

/** An instant of a day in Berlin, as an entry writes it. */
const entered = (date: string, time: string): string => inBerlin(date, time).replaceAll(/[-:]|\.000/g, '');

const entryTo = (emails: readonly Sent[], to: string): string =>
  emails.find((email) => email.to === to)?.calendar ?? '';

const emailTo = (emails: readonly Sent[], to: string): string =>
  emails.find((email) => email.to === to)?.text ?? '';

describe('what waits to be confirmed', () => {
  test('asks its host, and invites nobody else before it is confirmed: calendars would add it by themselves', async () => {
    const date = nextDate();
    const own = await bookOn(service, asked.path, inBerlin(date, '10:00'), { guests: guest });

    const requested = await takeEmails();
    const entry = ['REQUEST', 'TENTATIVE', '0', entered(date, '10:00')];
    expect(requested).toMatchObject([
      { to: booker, about: 'Pending', calendar: '' },
      { to: ann.user.email, about: 'New request', entry },
    ]);
    expect(emailTo(requested, ann.user.email)).toContain(
      `Confirm or decline booking:\n${service.appUrl}/bookings/${uidIn(own)}`,
    );

    bodyOf(await act(`${uidIn(own)}/confirm`));

    const settled = ['REQUEST', 'CONFIRMED', '1', entered(date, '10:00')];
    expect(await takeEmails()).toMatchObject([
      { to: booker, about: 'Confirmed', entry: settled },
      { to: guest, about: 'Booked', entry: settled },
      { to: ann.user.email, about: 'Confirmed', entry: settled },
    ]);
  });

  test.each([
    ['decline', 'Declined'],
    ['cancel', 'Cancelled'],
  ])(
    'when its host does %s, guests are not told of the end of what they never heard of',
    async (action, about) => {
      const { uid, date } = await anyBooking();

      bodyOf(await act(`${uid}/${action}`, { reason: 'No', cancellationReason: 'No' }));

      const emails = await takeEmails();
      const entry = ['CANCEL', 'CANCELLED', '1', entered(date, '10:00')];
      expect(emails).toMatchObject([
        { to: booker, about, entry },
        { to: ann.user.email, about, entry },
      ]);
      expect(emails).toHaveLength(2);
    },
  );

  test('but notifies guests when a confirmed booking ends', async () => {
    const { uid } = await confirmedBooking();

    bodyOf(await act(`${uid}/cancel`));

    expect((await takeEmails()).map(({ to, about }) => [to, about])).toContainEqual([guest, 'Cancelled']);
  });
});

describe('a reschedule by the host', () => {
  test('of a confirmed booking is confirmed, and the emails say so (contract §8)', async () => {
    const { uid, date } = await confirmedBooking();

    const { data } = bodyOf(
      await act(`${uid}/reschedule`, { start: inBerlin(date, '11:00'), reschedulingReason: 'A train' }),
      201,
    );

    expect(data).toMatchObject({ status: 'accepted', reschedulingReason: 'A train' });
    const emails = await takeEmails();
    const entry = ['REQUEST', 'CONFIRMED', '2', entered(date, '11:00')];
    expect(emails).toMatchObject([
      { to: booker, about: 'Rescheduled', entry },
      { to: guest, about: 'Rescheduled', entry },
      { to: ann.user.email, about: 'Rescheduled', entry },
    ]);
    expect(emailTo(emails, ann.user.email)).toContain(
      `View booking:\n${service.appUrl}/bookings/${data.uid}`,
    );
    expect(emailTo(emails, guest)).toMatch(/When: .*11:00 – 11:30 .*\nPrevious time: .*10:00 – 10:30 /);
  });

  test('of what still waited confirms it, and guests hear of it for the first time', async () => {
    const { uid, date } = await anyBooking();

    const { data } = bodyOf(
      await act(`${uid}/reschedule`, { start: inBerlin(date, '11:00'), reschedulingReason: 'A train' }),
      201,
    );

    expect(data.status).toBe('accepted');
    const emails = await takeEmails();
    const entry = ['REQUEST', 'CONFIRMED', '1', entered(date, '11:00')];
    expect(emails).toMatchObject([
      { to: booker, about: 'Confirmed', entry },
      { to: guest, about: 'Booked', entry },
      { to: ann.user.email, about: 'Confirmed', entry },
    ]);
    expect(emailTo(emails, guest)).not.toMatch(/Until now|A train/);
  });
});

describe('a reschedule by the attendee', () => {
  test('is pending where the event type requires confirmation, and each recipient reads what that means for them', async () => {
    const { own, uid, date } = await confirmedBooking();

    const moved = uidIn(await moveAsAttendee(own, inBerlin(date, '11:00')));

    expect([await statusOf(uid), await statusOf(moved)]).toEqual(['cancelled', 'pending']);
    const emails = await takeEmails();
    const entry = ['REQUEST', 'TENTATIVE', '2', entered(date, '11:00')];
    expect(emails).toMatchObject([
      { to: booker, about: 'Pending', entry },
      {
        to: guest,
        about: 'No longer at this time',
        entry: ['CANCEL', 'CANCELLED', '2', entered(date, '10:00')],
      },
      { to: ann.user.email, about: 'New request', entry },
    ]);
    expect(emailTo(emails, booker)).toMatch(/When: .*11:00 – 11:30 .*\nPrevious time: .*10:00 – 10:30 /);
    expect(emailTo(emails, booker)).toContain('/booking/');
    expect(emailTo(emails, ann.user.email)).toContain(
      `Confirm or decline booking:\n${service.appUrl}/bookings/${moved}`,
    );
    expect(emailTo(emails, guest)).toMatch(/When: .*10:00 – 10:30 /);
    expect(emailTo(emails, guest)).not.toMatch(/11:00|https?:/);
  });

  test('once it is confirmed brings the guests the new time, in the same entry of their calendars', async () => {
    const { own, date } = await confirmedBooking();
    const moved = uidIn(await moveAsAttendee(own, inBerlin(date, '11:00')));
    await takeEmails();

    bodyOf(await act(`${moved}/confirm`));

    const entry = ['REQUEST', 'CONFIRMED', '3', entered(date, '11:00')];
    expect(await takeEmails()).toMatchObject([
      { to: booker, about: 'Confirmed', entry },
      { to: guest, about: 'Booked', entry },
      { to: ann.user.email, about: 'Confirmed', entry },
    ]);
  });

  test('of a request confirms it without the host where nothing has to be confirmed any more', async () => {
    const type = await addEventType(service, ann.user, { requiresConfirmation: true });
    const { own, date } = await anyBooking(type);
    await db.update(eventTypes).set({ requiresConfirmation: false }).where(eq(eventTypes.id, type.id));

    await moveAsAttendee(own, inBerlin(date, '11:00'));

    const text = emailTo(await takeEmails(), booker);
    expect(text).toContain('This booking is confirmed.');
    expect(text).toMatch(/Previous time: .*10:00 – 10:30 /);
    expect(text).not.toContain('The host');
  });

  test('of what was never confirmed is no news to guests, neither then nor when it is declined', async () => {
    const { own, date } = await anyBooking();

    const moved = uidIn(await moveAsAttendee(own, inBerlin(date, '11:00')));
    const first = await takeEmails();
    bodyOf(await act(`${moved}/decline`));

    expect(await statusOf(moved)).toBe('rejected');
    expect(first.map(({ to, about }) => [to, about])).toEqual([
      [booker, 'Pending'],
      [ann.user.email, 'New request'],
    ]);
    expect((await takeEmails()).map(({ to }) => to)).toEqual([booker, ann.user.email]);
  });

  test('is settled immediately where nothing is to be confirmed', async () => {
    const { own, date } = await anyBooking(talk);

    const moved = uidIn(await moveAsAttendee(own, inBerlin(date, '11:00')));

    expect(await statusOf(moved)).toBe('accepted');
    expect((await takeEmails()).map(({ about, entry }) => [about, entry[1]])).toEqual(
      Array.from({ length: 3 }, () => ['Rescheduled', 'CONFIRMED']),
    );
  });
});

test('a booking that was confirmed in the meantime is not rescheduled: its emails would be wrong', async () => {
  const { uid, date } = await anyBooking();
  const asSeen = await findBooking(db, uid);
  if (asSeen === undefined) throw new Error('no booking');
  bodyOf(await act(`${uid}/confirm`));
  await takeEmails();

  const moved = await rescheduleBooking(service.app, asSeen, new Date(inBerlin(date, '11:00')), {
    by: 'attendee',
    reason: null,
    sender: undefined,
  });

  expect(moved).toEqual({ ok: false, reason: 'booking_changed' });
  expect(await statusOf(uid)).toBe('accepted');
  expect(await takeEmails()).toEqual([]);
  // The booking still keeps its time.
  const again = await callApi(service, 'POST', '/bookings', {
    body: { eventTypeId: asked.id, start: inBerlin(date, '10:00'), attendee: { ...dana, timeZone: 'UTC' } },
    remoteAddress: anyAddress(),
  });
  expect(again.statusCode).toBe(409);
});

describe('handing a round robin booking over', () => {
  async function turnsBooking(requiresConfirmation: boolean) {
    const type = await addTeamEventType(service, team, [ann.user, ben.user], 'roundRobin', {
      requiresConfirmation,
    });
    const booking = await anyBooking(type);
    const { hosts } = bodyOf(
      await callApi(service, 'GET', `/bookings/${booking.uid}`, { token: ann.token }),
    ).data;
    const [from, to] = hosts[0].id === ann.user.id ? [ann.user, ben.user] : [ben.user, ann.user];
    return { ...booking, from, to };
  }

  test('tells all attendees who hosts it now, under its new title, and takes it out of the former host’s calendar', async () => {
    const { uid, date, from, to } = await turnsBooking(false);

    bodyOf(await act(`${uid}/reassign`, { reason: 'Swap' }));

    const emails = await takeEmails();
    const entry = ['REQUEST', 'CONFIRMED', '1', entered(date, '10:00')];
    expect(emails).toHaveLength(4);
    expect(emails).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ to: booker, about: 'New host', entry }),
        expect.objectContaining({ to: guest, about: 'New host', entry }),
        expect.objectContaining({ to: to.email, about: 'Assigned to you', entry }),
        expect.objectContaining({
          to: from.email,
          about: 'Reassigned',
          entry: ['CANCEL', 'CANCELLED', '1', entered(date, '10:00')],
        }),
      ]),
    );
    const title = `Talk between Test ${to.username} and Dana`;
    for (const { text } of emails) expect(text).toContain(`What: ${title}`);
    expect(bodyOf(await callApi(service, 'GET', `/bookings/${uid}`, { token: ann.token })).data.title).toBe(
      title,
    );
    expect(emailTo(emails, from.email)).not.toContain('/bookings/');
  });

  test('while it waits asks the new host to confirm it, and tells no guest', async () => {
    const { uid, date, from, to } = await turnsBooking(true);

    bodyOf(await act(`${uid}/reassign`));

    const emails = await takeEmails();
    const entry = ['REQUEST', 'TENTATIVE', '1', entered(date, '10:00')];
    expect(emails).toHaveLength(3);
    expect(emails).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ to: booker, about: 'New host', entry: ['', '', '', ''] }),
        expect.objectContaining({ to: to.email, about: 'New request', entry }),
        expect.objectContaining({
          to: from.email,
          entry: ['CANCEL', 'CANCELLED', '1', entered(date, '10:00')],
        }),
      ]),
    );
    expect(emailTo(emails, to.email)).toContain(
      `Confirm or decline booking:\n${service.appUrl}/bookings/${uid}`,
    );
    expect(await statusOf(uid)).toBe('pending');
  });

  test('by a reschedule, because the host is not free then, notifies the former host too', async () => {
    const { uid, date, from, to } = await turnsBooking(false);
    const busy = await addEventType(service, from);
    await bookOn(service, busy.path, inBerlin(date, '11:00'));
    await takeEmails();

    bodyOf(await act(`${uid}/reschedule`, { start: inBerlin(date, '11:00') }), 201);

    const emails = await takeEmails();
    expect(emails.map((email) => [email.to, email.about]).toSorted()).toEqual(
      [
        [booker, 'Rescheduled'],
        [guest, 'Rescheduled'],
        [to.email, 'Assigned to you'],
        [from.email, 'Reassigned'],
      ].toSorted(),
    );
    const taken = emails.find((email) => email.to === from.email);
    expect(taken?.entry).toEqual(['CANCEL', 'CANCELLED', '1', entered(date, '10:00')]);
  });
});

describe('the time of day in an email', () => {
  const attendee = { ...dana, timeZone: 'Europe/Berlin' };

  async function bookAtApi(language: string | undefined): Promise<string> {
    const start = inBerlin(nextDate(), '14:00');
    const body = { eventTypeId: talk.id, start, attendee: { ...attendee, language }, guests: [guest] };
    const answer = await callApi(service, 'POST', '/bookings', { body, remoteAddress: anyAddress() });
    return bodyOf(answer, 201).data.uid;
  }

  test.each([
    ['en-US', '2:00 – 2:30 PM'],
    // What stands there when nobody has said one.
    ['en', '14:00 – 14:30'],
    [undefined, '14:00 – 14:30'],
  ])('is for the attendee in %s and for guests: %s', async (language, times) => {
    await bookAtApi(language);

    const emails = await takeEmails();
    for (const to of [booker, guest]) expect(emailTo(emails, to)).toContain(`, ${times} (Europe/Berlin)`);
  });

  test('and the date are as a host writes them, when something is booked and when it is settled', async () => {
    const { id, email } = ann.user;
    await db.update(users).set({ dateLocale: 'en-GB', timeFormat: 12 }).where(eq(users.id, id));

    const uid = await bookAtApi('en-DE');
    const booked = await takeEmails();
    bodyOf(await act(`${uid}/cancel`));
    const cancelled = await takeEmails();
    await db.update(users).set({ dateLocale: null, timeFormat: 24 }).where(eq(users.id, id));

    for (const emails of [booked, cancelled]) {
      expect(emailTo(emails, email)).toMatch(/\nWhen: \w+, \d+ \w+ \d{4}, 2:00.{1,3}2:30 pm /i);
      expect(emailTo(emails, booker)).toContain(', 14:00–14:30 (Europe/Berlin)');
    }
  });

  test.each([
    ['en-US,en;q=0.9', 'en-US', '2:00 – 2:30 PM'],
    ['de-DE,de;q=0.9,en;q=0.8', 'de-DE', '14:00–14:30'],
    [undefined, 'en', '14:00 – 14:30'],
  ])('is as the page has it for a browser that reads %s', async (languages, language, times) => {
    const headers: Record<string, string> = languages === undefined ? {} : { 'accept-language': languages };
    const slot = inBerlin(nextDate(), '14:00');

    const form = await openWith(service, talk.path, { slot, timeZone: 'Europe/Berlin' }, { headers });
    const answer = await send(service, talk.path, await fillIn(service, talk.path, slot), { headers });

    const uid = uidIn(answer.headers.location ?? '');
    const [row] = await db.select().from(bookings).where(eq(bookings.uid, uid));
    expect(row?.attendeeLanguage).toBe(language);
    expect(textOf(form.body)).toContain(`, ${times}`);
    expect(emailTo(await takeEmails(), booker)).toContain(`, ${times}`);
  });
});

describe('what does not take place', () => {
  test.each(['cancel', 'decline'])(
    'by %s leads the attendee, and nobody else, to another time (contract §8, bookingUrl)',
    async (action) => {
      const { uid } = action === 'cancel' ? await confirmedBooking() : await anyBooking();

      bodyOf(await act(`${uid}/${action}`));

      const emails = await takeEmails();
      const address = `${service.appUrl}${asked.path}`;
      expect(emailTo(emails, booker)).toContain(`\n\nBook another time:\n${address}\n`);
      for (const email of emails.filter(({ to }) => to !== booker)) expect(email.text).not.toContain(address);
      for (const { calendar } of emails) expect(calendar).not.toContain('URL:');
    },
  );

  test('leads nowhere when its event type is gone', async () => {
    const gone = await addEventType(service, ann.user);
    const { uid } = await anyBooking(gone);
    await db.delete(eventTypes).where(eq(eventTypes.id, gone.id));

    bodyOf(await act(`${uid}/cancel`));

    const emails = await takeEmails();
    expect(emailTo(emails, booker)).toContain('This booking was cancelled.');
    expect(emailTo(emails, booker)).not.toContain('Book another time');
  });
});

describe('what an email says besides', () => {
  const linesTo = (emails: readonly Sent[], to: string) => emailTo(emails, to).split('\n');

  test.each([
    ['the host', async (uid: string, _own: string) => act(`${uid}/cancel`, { cancellationReason: 'Ill' })],
    ['Dana (attendee)', async (_uid: string, own: string) => send(service, `${own}/cancel`, {})],
  ] as const)('is that %s cancelled it', async (who, cancel) => {
    const { uid, own } = await anyBooking(talk);

    await cancel(uid, own);

    const emails = await takeEmails();
    expect(emails).toHaveLength(3);
    for (const { text } of emails) {
      expect(text).toContain('This booking was cancelled.\n');
      expect(text).toContain(`\nCancelled by: ${who}\n`);
    }
  });

  test.each([
    ['the host', async (uid: string, _own: string, start: string) => act(`${uid}/reschedule`, { start })],
    [
      'Dana (attendee)',
      async (_uid: string, own: string, slot: string) => send(service, `${own}/reschedule`, { slot }),
    ],
  ] as const)('is that %s moved it', async (who, move) => {
    const { uid, own, date } = await anyBooking(talk);

    await move(uid, own, inBerlin(date, '11:00'));

    const emails = await takeEmails();
    for (const to of [booker, guest, ann.user.email])
      expect(linesTo(emails, to)).toContain(`Rescheduled by: ${who}`);
  });

  test('is a host’s reason, to hosts and without links to the attendee; guests don’t read it (security C51)', async () => {
    const { uid, own } = await anyBooking(talk);

    await act(`${uid}/cancel`, { cancellationReason: 'Ill, see evil.example/x\nWhen: never' });

    const emails = await takeEmails();
    expect(linesTo(emails, ann.user.email)).toContain('Reason: Ill, see evil.example/x');
    expect(linesTo(emails, booker)).toContain('Reason: Ill, see evil. example/x When: never');
    expect(emailTo(emails, guest)).not.toContain('Ill');
    expect(emailTo(emails, booker)).toContain(`View booking:\n${service.appUrl}${own}`);
    expect(textOf((await openWith(service, own)).body)).toContain('Ill');
  });

  test('is nothing that the attendee wrote, except to hosts: the other addresses are not verified', async () => {
    const date = nextDate();
    const notes = 'Pay now\nWhen: https://evil.example/notes';
    const own = await bookOn(service, talk.path, inBerlin(date, '10:00'), { guests: guest, notes });
    await send(service, `${own}/reschedule`, {
      slot: inBerlin(date, '11:00'),
      reason: 'https://evil.example/moved',
    });
    const [moved] = await db
      .select({ to: bookings.rescheduledToUid })
      .from(bookings)
      .where(eq(bookings.uid, uidIn(own)));
    bodyOf(await act(`${moved?.to}/cancel`));

    const emails = await takeEmails();
    const to = (address: string) => emails.filter((email) => email.to === address);
    expect([to(booker), to(guest), to(ann.user.email)].map(({ length }) => length)).toEqual([3, 3, 3]);
    for (const { text, calendar } of [...to(booker), ...to(guest)])
      expect(`${text}${calendar}`).not.toMatch(/evil|Pay now/);
    const told = to(ann.user.email).map(({ text, calendar }) => `${text}${calendar}`);
    // No line looks like a separate fact.
    expect(told[0]).toContain('\nNotes: Pay now\n    When: https://evil.example/notes\n');
    expect(told.join('').replaceAll('\r\n ', '')).toContain(
      'DESCRIPTION:Pay now\\nWhen: https://evil.example/notes\r\n',
    );
    expect(told.join('')).toContain('\nReason: https://evil.example/moved\n');
  });

  test('is where a host finds it in the calendar; nobody’s private link stands there', async () => {
    const own = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'), { guests: guest });

    const emails = await takeEmails();
    expect(entryTo(emails, ann.user.email).replaceAll('\r\n ', '')).toContain(
      `\r\nURL:${service.appUrl}/bookings/${uidIn(own)}\r\n`,
    );
    for (const to of [booker, guest]) expect(entryTo(emails, to)).not.toMatch(/URL:|\/booking\//);
  });

  test('is why one gets it, at the end of its text too', async () => {
    await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'), { guests: guest });

    const emails = await takeEmails();
    expect(emailTo(emails, guest)).toMatch(
      /\n\n-- \nYou received this email because someone added you as a guest\..*\nLatchkey\n$/,
    );
    expect(emailTo(emails, booker)).toMatch(
      /\n-- \n.* If it wasn’t you, use the link to cancel it\.\nLatchkey\n$/,
    );
  });
});

test('an email without the link does not say that the link cancels it', async () => {
  const { uid } = await anyBooking(talk);

  bodyOf(await act(`${uid}/cancel`));

  const rows = await db.select().from(outbox).where(eq(outbox.recipient, booker));
  expect(rows).toHaveLength(1);
  expect(rows[0]?.html).toContain('If it wasn’t you, ignore this email.');
  expect(rows[0]?.html).not.toContain('use the link to cancel it');
});

test.each([
  ['a booking', talk, 'You’re booked with'],
  ['a request', asked, 'Your request to'],
])('an email about %s is headed by the other person', async (_name, { path }, heading) => {
  await bookOn(service, path, inBerlin(nextDate(), '10:00'));

  const rows = await emptyOutbox(db);

  const headings = rows.map((row) => {
    const { html } = openEmail(row, service.rootSecret, row.createdAt);
    return [row.recipient, textOf(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? '')];
  });
  expect(Object.fromEntries(headings)).toEqual({
    [booker]: `${heading} Test ${ann.user.username}`,
    [ann.user.email]: expect.stringMatching(
      new RegExp(`^(${heading} ${dana.name}|${dana.name} asks for .*)$`),
    ),
  });
});
