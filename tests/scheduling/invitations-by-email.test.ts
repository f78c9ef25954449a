import ICAL from 'ical.js';
import { beforeEach, expect, test } from 'vitest';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { openEmail } from '../../src/platform/mail/email.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { sendThrough, useMailServer } from '../mail/mailroom.ts';
import { anyAddress, openWith } from '../support/any-visitor.ts';
import { bodyOf, callApi, represent } from '../support/api.ts';
import { addEventType, addTeamEventType, bookOn, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { emptyOutbox, emptyTable } from '../support/empty-table.ts';
import type { MailServer } from '../support/mail-server.ts';
import { addPlatformClient, makeManagedUser } from '../support/platform.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';

const from = 'Latchkey <no-reply@cal.example>';
const service = await openTestService({
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: from,
  EMAIL_VERIFICATION: 'off',
});
const { db } = service.database;
const ann = await represent(service);
const ben = await represent(service);
const team = await addTeam(service, ann.user);
await joinTeam(service, team, ben.user, 'member');
const [booker, guest, other] = ['dana@example.com', 'guest@example.com', 'other@example.com'];

beforeEach(async () => {
  await emptyOutbox(db);
  await emptyTable(db, rateLimits);
});

/** What a mail program finds in an email. */
interface Invitation {
  readonly to: string;
  readonly method: string;
  readonly sequence: number;
  readonly uid: string;
  readonly status: string;
  readonly organizer: string;
  readonly attendees: readonly string[];
  readonly replyTo: readonly (string | undefined)[];
}

/** Sends all emails by SMTP, and reads them as mail programs do. */
async function deliver(server: MailServer): Promise<readonly Invitation[]> {
  const rows = await emptyOutbox(db);
  const before = server.received.length;
  const send = sendThrough(server);
  for (const row of rows) await send({ ...row, ...openEmail(row, service.rootSecret, row.createdAt) });
  send.close?.();
  return server.received.slice(before).map(({ recipients: [to = ''], email }) => {
    const parts = email.attachments.map(({ mimeType, content, ...part }) => ({
      ...part,
      mimeType,
      text: typeof content === 'string' ? content : new TextDecoder().decode(content),
    }));
    const [part, file] = parts;
    // RFC 6047 §2.4: an alternative with its method; and a file, for programs that know that alone.
    expect(parts).toHaveLength(2);
    expect(part).toMatchObject({ mimeType: 'text/calendar', disposition: null });
    expect(file).toMatchObject({ mimeType: 'application/ics', filename: 'invite.ics' });
    expect(file?.text).toBe(part?.text);
    const calendar = new ICAL.Component(ICAL.parse(part?.text ?? ''));
    const [event, ...more] = calendar.getAllSubcomponents('vevent');
    if (event === undefined) throw new Error('no event');
    expect(more).toEqual([]);
    const method = String(calendar.getFirstPropertyValue('method'));
    expect(part?.method).toBe(method);
    return {
      to,
      method,
      sequence: Number(event.getFirstPropertyValue('sequence')),
      uid: String(event.getFirstPropertyValue('uid')),
      status: String(event.getFirstPropertyValue('status')),
      organizer: String(event.getFirstPropertyValue('organizer')),
      replyTo: (email.replyTo ?? []).map(({ address }) => address),
      attendees: event.getAllProperties('attendee').map((one) => String(one.getFirstValue())),
    };
  });
}

const mailto = (...addresses: readonly string[]) => addresses.map((address) => `mailto:${address}`);

test('a booking, its new time and its end are one event to every mail program (RFC 5546 §2.1.4)', async () => {
  const server = await useMailServer();
  const { path } = await addEventType(service, ann.user);
  const date = nextDate();

  const own = await bookOn(service, path, inBerlin(date, '10:00'), { guests: `${guest}\n${other}` });
  const booked = await deliver(server);
  const moved = bodyOf(
    await callApi(service, 'POST', `/bookings/${uidIn(own)}/reschedule`, {
      token: ann.token,
      body: { start: inBerlin(date, '11:00') },
    }),
    201,
  ).data;
  const updated = await deliver(server);
  bodyOf(await callApi(service, 'POST', `/bookings/${moved.uid}/cancel`, { token: ann.token, body: {} }));
  const ended = await deliver(server);

  const everybody = [booker, guest, other, ann.user.email];
  for (const to of everybody) {
    const got = [...booked, ...updated, ...ended].filter((one) => one.to === to);
    expect(got.map(({ method, sequence, status }) => [method, sequence, status])).toEqual([
      ['REQUEST', 0, 'CONFIRMED'],
      ['REQUEST', 1, 'CONFIRMED'],
      ['CANCEL', 2, 'CANCELLED'],
    ]);
    expect(new Set(got.map(({ uid }) => uid)).size).toBe(1);
    // Programs take updates from the organizer alone. The booker answers the host, as at Cal.com;
    // hosts' programs add no invitation from oneself, and guests don't get an address of others.
    const organizer = to === booker ? ann.user.email : 'no-reply@cal.example';
    expect(new Set(got.map((one) => one.organizer))).toEqual(new Set(mailto(organizer)));
    const answered = { [booker]: [ann.user.email], [ann.user.email]: [booker] }[to] ?? [];
    for (const { replyTo } of got) expect(replyTo).toEqual(answered);
    for (const { attendees } of got) expect(attendees).toContain(`mailto:${to}`);
  }
});

test('no host’s address, nor another guest’s, goes to people who only take part (security C51)', async () => {
  const server = await useMailServer();
  const { path } = await addTeamEventType(service, team, [ann.user, ben.user], 'collective');

  const own = await bookOn(service, path, inBerlin(nextDate(), '10:00'), { guests: `${guest}\n${other}` });

  const sent = await db.select().from(outbox);
  const invitations = await deliver(server);
  const attendeesTo = (to: string) => invitations.find((one) => one.to === to)?.attendees;
  expect(attendeesTo(booker)).toEqual(mailto(booker, guest, other));
  expect(attendeesTo(guest)).toEqual(mailto(guest));
  expect(attendeesTo(other)).toEqual(mailto(other));
  for (const { email } of [ann.user, ben.user])
    expect(attendeesTo(email)).toEqual(mailto(booker, ann.user.email, ben.user.email, guest, other));
  const download = (await openWith(service, `${own}/calendar.ics`)).body;
  const strangers = sent.filter(({ recipient }) => [booker, guest, other].includes(recipient));
  expect(strangers).toHaveLength(3);
  expect(invitations.find(({ to }) => to === booker)?.replyTo).toEqual([]);
  for (const { email } of [ann.user, ben.user])
    for (const text of [download, ...strangers.map((row) => Object.values(row).join(' '))])
      expect(text).not.toContain(email);
});

test('a managed user’s address, which nobody has shown to be theirs, goes to nobody (contract §8, security C51)', async () => {
  const server = await useMailServer();
  const client = await addPlatformClient(service);
  const { user } = bodyOf(await makeManagedUser(service, client), 201).data;
  const { id } = await addEventType(service, { ...user, username: '', password: '' });
  const attendee = { name: 'Dana', email: booker, timeZone: 'UTC' };
  const body = { eventTypeId: id, start: `${nextDate()}T09:00:00Z`, attendee };

  bodyOf(await callApi(service, 'POST', '/bookings', { body, remoteAddress: anyAddress() }), 201);

  expect(await deliver(server)).toMatchObject([
    { to: booker, organizer: 'mailto:no-reply@cal.example', replyTo: [] },
  ]);
});

test('a change of the host keeps the organizer, and ends the event for the former host alone', async () => {
  const server = await useMailServer();
  const type = await addTeamEventType(service, team, [ann.user, ben.user], 'roundRobin');
  const own = await bookOn(service, type.path, inBerlin(nextDate(), '10:00'));
  const booked = await deliver(server);

  bodyOf(await callApi(service, 'POST', `/bookings/${uidIn(own)}/reassign`, { token: ann.token, body: {} }));

  const changed = await deliver(server);
  expect(new Set([...booked, ...changed].map(({ organizer }) => organizer)).size).toBe(1);
  expect(new Set([...booked, ...changed].map(({ uid }) => uid)).size).toBe(1);
  const former = booked.find(({ to }) => to !== booker)?.to;
  expect(changed.filter(({ method }) => method === 'CANCEL').map(({ to }) => to)).toEqual([former]);
});

test('who books with an address twice is one attendee (RFC 5545 §3.8.4.1)', async () => {
  const server = await useMailServer();
  const { path } = await addEventType(service, ann.user);

  await bookOn(service, path, inBerlin(nextDate(), '10:00'), { guests: `${booker}\n${guest}` });

  const toHost = (await deliver(server)).find(({ to }) => to === ann.user.email);
  expect(toHost?.attendees).toEqual(mailto(booker, ann.user.email, guest));
});

test('the emails about the longest booking are small: one request can cause twelve (security C50)', async () => {
  const { id } = await addEventType(service, ann.user);
  const invited = Array.from(
    { length: 10 },
    (_, index) => `${'g'.repeat(60)}${index}@${'x'.repeat(60)}.example`,
  );
  const body = {
    eventTypeId: id,
    start: inBerlin(nextDate(), '10:00'),
    attendee: { name: '"'.repeat(80), email: booker, timeZone: 'Europe/Berlin' },
    guests: invited,
    // The longest as HTML.
    bookingFieldsResponses: { notes: '"'.repeat(2000) },
  };

  bodyOf(await callApi(service, 'POST', '/bookings', { body, remoteAddress: anyAddress() }), 201);

  const rows = await emptyOutbox(db);
  expect(rows).toHaveLength(12);
  const sizes = rows.map(({ text, html, calendarEntry }) => `${text}${html}${calendarEntry}`.length);
  expect(Math.max(...sizes)).toBeLessThan(40_000);
  expect(sizes.toSorted((a, b) => a - b).at(-2)).toBeLessThan(16_000);
});
