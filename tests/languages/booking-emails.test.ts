import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { openEmail } from '../../src/platform/mail/email.ts';
import { outbox } from '../../src/platform/mail/tables.ts';
import { send } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { addEventType, fillIn } from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { openTestService } from '../support/service.ts';
import { trustingMail } from '../support/verification.ts';
import { addUser } from '../support/world.ts';

const service = await openTestService(trustingMail);
const { db } = service.database;
const ann = await addUser(service);
const talk = await addEventType(service, ann);
const slot = () => inBerlin(nextDate(), '14:00');

let bookers = 0;
const anyone = () => {
  bookers += 1;
  return `booker-${bookers}@example.com`;
};

async function emailsTo(recipient: string) {
  const rows = await db
    .select()
    .from(outbox)
    .where(eq(outbox.recipient, recipient))
    .orderBy(outbox.createdAt);
  return rows.map((row) => ({ ...row, ...openEmail(row, service.rootSecret, row.createdAt) }));
}

async function bookIn(language: string, email: string, fields = {}): Promise<string> {
  const filled = await fillIn(service, talk.path, slot(), { email, ...fields });
  const answer = await send(service, talk.path, filled, { headers: { 'accept-language': language } });
  return String(answer.headers.location);
}

/** Unfolds lines (RFC 5545 §3.1). */
const summaryOf = (entry: string | null) =>
  /^SUMMARY:(.*)$/m.exec((entry ?? '').replaceAll('\r\n ', ''))?.[1];

describe('emails of a booking (contract §1)', () => {
  test('are in the language of its page for attendee and guests, with the calendar entry', async () => {
    const [email, guest] = [anyone(), anyone()];
    const own = await bookIn('de-AT', email, { guests: guest });
    const [booked] = await emailsTo(email);
    const [invited] = await emailsTo(guest);

    expect(booked?.html).toContain('<html lang="de">');
    expect(booked?.subject).toMatch(/^Gebucht: Talk zwischen .* und Dana, /);
    expect(booked?.text).toContain('Diese Buchung ist bestätigt.');
    expect(booked?.text).toMatch(/\nWann: \S+, \d+\. \S+ \d{4}, 14:00–14:30 Uhr \(Europe\/Berlin\)\n/);
    expect(booked?.text).toContain(`Buchung verschieben oder absagen:\n${service.app.config.appUrl}${own}`);
    expect(invited?.text).toContain('weil jemand Sie als Gast hinzugefügt hat');
    expect(summaryOf(booked?.calendarEntry ?? null)).toMatch(/^Talk zwischen .* und Dana/);
  });

  test('stay in it when the booking changes later', async () => {
    const email = anyone();
    const own = await bookIn('fr', email);
    await send(service, `${own}/cancel`, { reason: '' }, { headers: { 'accept-language': 'ja' } });
    const emails = await emailsTo(email);

    expect(emails.map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^Annulée : Talk entre /),
    );
    expect(emails[0]?.text).toMatch(/\nQuand : .*\n/);
    expect(emails[0]?.text).toMatch(/ :\nhttp/);
  });

  test('are in the host’s own language, chosen or last signed in with', async () => {
    const { id, email } = ann;
    const subjects: string[] = [];
    for (const languages of [
      { language: 'ja', lastLanguage: 'de' },
      { language: null, lastLanguage: 'es' },
      { language: null, lastLanguage: null },
    ]) {
      await db.update(users).set(languages).where(eq(users.id, id));
      await db.delete(outbox).where(eq(outbox.recipient, email));
      await bookIn('de', anyone());
      subjects.push(...(await emailsTo(email)).map(({ subject }) => subject));
    }

    expect(subjects.map((subject) => subject.split(':')[0])).toEqual(['予約済み', 'Reservada', 'Booked']);
  });

  test.each([
    ['pt-BR', 'Agendado: '],
    ['ar', 'محجوز: '],
    ['nl', 'Booked: '],
    [undefined, 'Booked: '],
  ])('of the API are in attendee.language: %s', async (language, beginning) => {
    const email = anyone();
    const attendee = { name: 'Dana', email, timeZone: 'Europe/Berlin', language };
    const body = { eventTypeId: talk.id, start: new Date(slot()).toISOString(), attendee };
    bodyOf(await callApi(service, 'POST', '/bookings', { body }), 201);
    const [booked] = await emailsTo(email);

    expect(booked?.subject.startsWith(beginning)).toBe(true);
    expect(booked?.html.includes('dir="rtl"')).toBe(language === 'ar');
  });
});
