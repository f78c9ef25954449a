import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { organizerOf, renderCalendarEntry } from '../../src/scheduling/bookings/emails/calendar-entry.ts';

const now = new Date('2031-06-01T09:00:00Z');
const entry = {
  icsUid: 'abc@cal.example',
  sequence: 2,
  title: 'Talk between Ann and Dana',
  description: '',
  startsAt: new Date('2031-06-02T08:00:00Z'),
  endsAt: new Date('2031-06-02T08:30:00Z'),
  organizer: { name: 'Ann, Ben', email: 'no-reply@cal.example' },
  attendees: [
    { name: 'Dana', email: 'dana@example.com', hasAccepted: true },
    { name: 'Ben', email: 'ben+abcdefghijklmnopqrstuvwxy@example.com', hasAccepted: true },
    { name: 'guest@example.com', email: 'guest@example.com', hasAccepted: false },
  ],
  isConfirmed: true,
};

function eventOf(text: string) {
  const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
  if (event === null) throw new Error('no event');
  return event;
}

function peopleIn(text: string): readonly (readonly string[])[] {
  return eventOf(text)
    .getAllProperties('attendee')
    .map((one) => [
      String(one.getFirstValue()),
      ...['partstat', 'rsvp'].map((name) => String(one.getFirstParameter(name) ?? '')),
    ]);
}

test('nobody is asked for a reply, which nobody would read (RFC 5545 §3.2.12, §3.2.17)', () => {
  const text = renderCalendarEntry(entry, 'REQUEST', now);

  expect(peopleIn(text)).toEqual([
    ['mailto:dana@example.com', 'ACCEPTED', ''],
    ['mailto:ben@example.com', 'ACCEPTED', ''],
    ['mailto:guest@example.com', 'NEEDS-ACTION', ''],
  ]);
  expect(String(eventOf(text).getFirstPropertyValue('organizer'))).toBe('mailto:no-reply@cal.example');
});

test('what is published names nobody but its organizer (RFC 5546 §3.2.1)', () => {
  const text = renderCalendarEntry({ ...entry, attendees: [] }, 'PUBLISH', now);

  expect(peopleIn(text)).toEqual([]);
  expect(eventOf(text).hasProperty('organizer')).toBe(true);
});

const appUrl = 'https://cal.example:8443';

test.each([
  ['Latchkey <no-reply@cal.example>', 'no-reply@cal.example'],
  ['"a@b.example" <bookings@cal.example>', 'bookings@cal.example'],
  ['bookings@cal.example', 'bookings@cal.example'],
])('the organizer is the sender of %s, under the hosts’ names (RFC 6047 §2.3)', (from, email) => {
  const config = { ...readConfig({}), appUrl, mail: { smtpUrl: 'smtp://localhost', from } };

  expect(organizerOf(config, [{ name: 'Ann' }, { name: 'Ben' }])).toEqual({ name: 'Ann, Ben', email });
});

test('without a mail server or hosts there still is an organizer, as a request must have', () => {
  const config = { ...readConfig({}), appUrl, mail: undefined };

  expect(organizerOf(config, [])).toEqual({ name: 'Latchkey', email: 'no-reply@cal.example' });
});

test.each([
  ['latin letters', 'x'.repeat(400)],
  ['letters of three octets', '訳'.repeat(200)],
  ['letters of four octets', 'ab😀'.repeat(100)],
])('no line is longer than 75 octets, and %s come whole (RFC 5545 §3.1)', (_words, title) => {
  const text = renderCalendarEntry({ ...entry, title, description: `${title}\nand more` }, 'REQUEST', now);

  const longest = Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)));
  expect(longest).toBeLessThanOrEqual(75);
  expect(longest).toBeGreaterThan(70);
  expect(eventOf(text).getFirstPropertyValue('summary')).toBe(title);
  expect(eventOf(text).getFirstPropertyValue('description')).toBe(`${title}\nand more`);
});

test.each([
  ['carriage returns', '\r'],
  ['vertical tabs', '\v'],
  ['next lines', '\u0085'],
  ['line separators', '\u2028'],
])(
  '%s, which others take for the end of a line, add no property and no event (RFC 5545 §3.1)',
  (_words, end) => {
    const hostile = ['Hello', 'URL:https://evil.example', 'END:VEVENT', 'BEGIN:VEVENT', 'UID:other'].join(
      end,
    );

    const text = renderCalendarEntry({ ...entry, description: hostile, title: hostile }, 'REQUEST', now);

    expect(text.replaceAll('\r\n', '')).not.toContain(end);
    const calendar = new ICAL.Component(
      ICAL.parse(text.replaceAll(end, '\r\n').replaceAll('\r\r', '\r').replaceAll('\n\n', '\n')),
    );
    expect(calendar.getAllSubcomponents('vevent')).toHaveLength(1);
    expect(eventOf(text).hasProperty('url')).toBe(false);
  },
);

test('a name cannot add a line or a parameter of its own', () => {
  const hostile = 'Eve";X-EVIL=1:\r\nATTENDEE:mailto:evil@example.com';

  const [attendee = { name: '', email: '', hasAccepted: true }] = entry.attendees;
  const attendees = [{ ...attendee, name: hostile }];
  const organizer = { ...entry.organizer, name: hostile };

  const text = renderCalendarEntry({ ...entry, organizer, attendees, title: hostile }, 'REQUEST', now);

  expect(peopleIn(text)).toHaveLength(1);
  expect(text).not.toMatch(/^(X-EVIL|ATTENDEE:)/m);
});
