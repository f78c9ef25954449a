import { eq } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { openWith, send } from '../support/any-visitor.ts';
import { addEventType, addTeamEventType, bookOn, fillIn, rewriteBooking, uidIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser } from '../support/world.ts';
import { measure, tags } from './list.ts';
import { said, speakPseudo, untranslatedIn } from './pseudo-language.ts';

const service = await openTestService(trustingMail);
speakPseudo();
const { db } = service.database;
const timeZone = 'Europe/Berlin';
const named = async () => {
  const user = await addUser(service);
  await db.update(users).set({ name: 'Ωμέγα' }).where(eq(users.id, user.id));
  return { ...user, name: 'Ωμέγα' };
};
const host = await named();
const eventType = { title: 'Δοκιμή', description: 'Μια δοκιμή' };
const talk = await addEventType(service, host, eventType);
const slot = () => inBerlin(nextDate(), '10:00');
const typed = { name: 'Δανάη', notes: 'Σημείωση' };

/** A page and the faults on it have no word that is said in English alone. */
function expectTranslated(pages: Readonly<Record<string, LightMyRequestResponse>>): void {
  const left = Object.entries(pages).map(([name, { body }]) => [name, untranslatedIn(body)] as const);
  expect(left.filter(([, words]) => words.length > 0)).toEqual([]);
  for (const [name, { body, statusCode }] of Object.entries(pages)) {
    expect.soft(body, name).toContain('⟦');
    expect.soft(statusCode, name).not.toBe(500);
  }
}

test('pages to choose a time say every word in the reader’s language (contract §1)', async () => {
  const team = await addTeam(service, host, 'owner', 'Ομάδα');
  const members = await Promise.all(Array.from({ length: 6 }, named));
  for (const member of members) await joinTeam(service, team, member, 'member');
  const oneOf = await addTeamEventType(service, team, members.slice(0, 2), 'roundRobin', eventType);
  const oneOfMany = await addTeamEventType(service, team, members, 'roundRobin', eventType);
  const together = await addTeamEventType(service, team, members, 'collective', eventType);
  const long = await addEventType(service, host, {
    ...eventType,
    ...{ lengthInMinutes: 90, lengthOptions: [30, 60, 90], requiresConfirmation: true },
    locations: [{ type: 'link', link: 'https://meet.example/a', public: false }, { type: 'attendeePhone' }],
  });
  const open = (path: string, query = {}) => openWith(service, path, query);

  expectTranslated({
    person: await open(`/${host.username}`),
    team: await open(`/team/${team.slug}`),
    own: await open(talk.path, { date: '2030-05-06', timeZone }),
    'one of two': await open(oneOf.path),
    'one of many': await open(oneOfMany.path),
    'all together': await open(together.path),
    'a long one': await open(long.path),
    'no free day': await open(talk.path, { date: '2030-05-05', timeZone }),
    'no such zone': await open(talk.path, { timeZone: 'Ατλαντίδα' }),
    'no such day': await open(talk.path, { date: '2019-01-01' }),
    'last month': await open(talk.path, { month: '2036-10' }),
    'taken time': await open(talk.path, { slot: inBerlin('2030-05-05', '10:00'), timeZone }),
    'no event type': await open(`${talk.path}-x`),
    'no person': await open('/no-such-person'),
  });
});

test('the form says every word and every fault in the reader’s language', async () => {
  const asked = ['text', 'textarea', 'number', 'phone', 'url', 'multiemail', 'boolean'] as const;
  const questions = asked.map((type) => ({
    ...{ type, slug: type, label: 'Ερώτηση', required: type === 'boolean', hidden: false },
  }));
  const options = { options: ['άλφα', 'βήτα'], hidden: false, label: 'Επιλογή' };
  const { path } = await addEventType(service, host, {
    ...eventType,
    bookingFields: [
      ...questions,
      { ...options, type: 'select', slug: 'select', required: true },
      { ...options, type: 'radio', slug: 'radio', required: true },
      { ...options, type: 'checkbox', slug: 'boxes', required: false },
    ],
    locations: [
      ...[{ type: 'address', address: 'Αθήνα', public: true } as const],
      ...([{ type: 'attendeeAddress' }, { type: 'attendeeDefined' }, { type: 'attendeePhone' }] as const),
    ],
  });
  const fields = await fillIn(service, path, slot(), typed);
  const wrong = { 'q.number': '+', 'q.phone': '+', 'q.url': '+', 'q.multiemail': '+', 'q.select': '+' };
  const tooLong = { 'q.text': 'ξ'.repeat(5000), 'q.boolean': 'on', 'q.select': 'άλφα', 'q.radio': 'άλφα' };
  const post = (changes: object) => send(service, path, { ...fields, ...changes });

  expectTranslated({
    form: await openWith(service, path, { slot: slot(), timeZone }),
    empty: await post({ name: '', email: '', guests: '+', location: '9' }),
    wrong: await post({ ...wrong, name: 'ξ'.repeat(201), email: '+', location: '3', place: '+' }),
    'no place': await post({ ...wrong, name: '\u202E', notes: 'ξ'.repeat(2001), location: '1' }),
    'too many guests': await post({
      guests: Array.from({ length: 11 }, (_, at) => `a${at}@b.example`).join('\n'),
    }),
    'too long': await post(tooLong),
  });
});

test('what stands in the way of a booking is said in the reader’s language', async () => {
  const taken = await fillIn(service, talk.path, slot(), typed);
  const again = await fillIn(service, talk.path, String(taken['slot']), typed);
  await send(service, talk.path, taken);
  const withoutMail = await openAnotherInstance(service);

  expectTranslated({
    'taken meanwhile': await send(service, talk.path, again),
    'form without mail': await openWith(withoutMail, talk.path, { slot: slot(), timeZone }),
  });
});

test('an attendee’s own pages say every word in the reader’s language', async () => {
  const confirmed = await addEventType(service, host, { ...eventType, requiresConfirmation: true });
  const guests = 'guest@example.com';
  const [booked, pending, past, moved, cancelled, declined] = [
    await bookOn(service, talk.path, slot(), { ...typed, guests }),
    await bookOn(service, confirmed.path, slot(), typed),
    await bookOn(service, talk.path, slot(), typed),
    await bookOn(service, talk.path, slot(), typed),
    await bookOn(service, talk.path, slot(), typed),
    await bookOn(service, confirmed.path, slot(), typed),
  ];
  const day = new Date('2020-05-06T10:00:00Z');
  await rewriteBooking(db, uidIn(past), { startsAt: day, endsAt: new Date(+day + 1_800_000) });
  await rewriteBooking(db, uidIn(declined), { status: 'rejected' });
  const to = { slot: slot(), timeZone };
  const { headers } = await send(service, `${moved}/reschedule`, { ...to, reason: 'Λόγος' });
  await send(service, `${cancelled}/cancel`, { reason: 'Λόγος' });
  const open = (path: string, query = {}) => openWith(service, path, query);

  expectTranslated({
    booked: await open(booked),
    pending: await open(pending),
    past: await open(past),
    moved: await open(moved),
    'its new time': await open(String(headers.location)),
    cancelled: await open(cancelled),
    declined: await open(declined),
    cancel: await open(`${booked}/cancel`),
    'a wrong reason': await send(service, `${booked}/cancel`, { reason: 'ξ'.repeat(501) }),
    reschedule: await open(`${booked}/reschedule`),
    'to a time': await open(`${booked}/reschedule`, to),
    'pending to a time': await open(`${pending}/reschedule`, { slot: slot(), timeZone }),
    'no such booking': await open(booked.slice(0, -1)),
  });
});

test('emails of bookings say every word in their readers’ language', async () => {
  const confirmed = await addEventType(service, host, { ...eventType, requiresConfirmation: true });
  const email = 'reader@example.com';
  const people = { ...typed, email, guests: 'friend@example.com' };
  const own = await bookOn(service, talk.path, slot(), people);
  const { headers } = await send(service, `${own}/reschedule`, { slot: slot(), timeZone, reason: 'Λόγος' });
  await send(service, `${headers.location}/cancel`, { reason: 'Λόγος' });
  const pending = await bookOn(service, confirmed.path, slot(), people);
  await send(service, `${pending}/reschedule`, { slot: slot(), timeZone, reason: '' });
  const rows = await db.select().from(outbox);
  const left = rows.flatMap(({ subject, html }) => {
    // Style and private links aren't read.
    const words = untranslatedIn(html.replaceAll(/\(a link that only[^)]*\)/g, ''));
    return words.length === 0 ? [] : [[subject, words]];
  });

  expect(rows.length).toBeGreaterThan(10);
  expect(left).toEqual([]);
  expect(rows.filter(({ subject }) => !subject.startsWith('⟦'))).toEqual([]);
});

test.each(tags)('%s has nearly all that these pages have said, as announced (contract §1)', (tag) => {
  const { missing, share } = measure(
    tag,
    [...said].filter((text) => !/[\u0370-\u03ff\u1f00-\u1fff]/.test(text)),
  );

  expect(said.size).toBeGreaterThan(100);
  expect(share, missing.join('\n')).toBeGreaterThan(0.95);
});
