import { eq } from 'drizzle-orm';
import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { users } from '../../src/accounts/tables.ts';
import { openWith } from '../support/any-visitor.ts';
import { bodyOf } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { openAs } from '../support/groups.ts';
import { addressesOn, isOwnAddress, textOf, titleOf } from '../support/page-content.ts';
import { openAnotherInstance, sharedService } from '../support/service.ts';
import { startSession } from '../support/world.ts';

const { service, ann, ...api } = await openBookingsApi(sharedService());
const link = 'https://meet.example/secret-room?pwd=a&b';
const locations = [{ type: 'link', link, public: false }];
const appUrl = service.app.config.appUrl;
const cookie = await startSession(service, ann.user);
const guest = 'guest@example.com';
const direct = await openAnotherInstance(service, { MEETING_HOSTS: 'Meet.example, calls.example' });

async function booked(changes: object = {}, booking: object = {}) {
  const { id } = await api.addEventType({ locations, ...changes });
  return api.booked(id, { guests: [guest], ...booking });
}

async function sentAbout({ icsUid }: { icsUid: string }) {
  const emails = await api.emailsAbout(icsUid);
  return emails.map(({ recipient, calendarEntry, text, html }) => {
    const event = new ICAL.Component(ICAL.parse(calendarEntry ?? '')).getFirstSubcomponent('vevent');
    return { recipient, text, html, event, calendarEntry: calendarEntry?.replaceAll('\r\n ', '') ?? '' };
  });
}

const pathIn = (text: string): string => /\/booking\/\w+\/[\w-]+\/join/.exec(text)?.[0] ?? '';
const open = (path: string) => openWith(service, path);
/** Addresses of others to which a page leads. */
const leadsTo = ({ body }: { body: string }) => addressesOn(body).filter((one) => !isOwnAddress(one));
const ownPath = ({ links }: { links: { view: string } }): string => new URL(links.view).pathname;

test('a confirmed booking leads to its meeting: on both pages, in emails and in calendars', async () => {
  const booking = await booked();
  const own = await open(ownPath(booking));
  const hosted = await openAs(service, `/bookings/${booking.uid}`, cookie);
  const file = await open(`${ownPath(booking)}/calendar.ics`);

  for (const { body } of [own, hosted]) {
    const [, join = ''] = /<a [^>]*href="([^"]+)">Join<\/a>/.exec(body) ?? [];
    expect(leadsTo(await open(join))).toEqual([link]);
  }
  const joinAddress = `${appUrl}${pathIn(file.body.replaceAll('\r\n ', ''))}`;
  expect(file.body.replaceAll('\r\n ', '')).toContain(
    `CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL=Join:${joinAddress}`,
  );
  expect(leadsTo(await open(new URL(joinAddress).pathname))).toEqual([link]);
  const emails = await sentAbout(booking);
  expect(emails).toHaveLength(3);
  for (const { recipient, text, html, event } of emails) {
    const address = recipient === ann.user.email ? link : `${appUrl}${pathIn(text)}`;
    expect(text).toContain(`Join:\n${address}\n`);
    expect(html).toContain(`>Join</a>`);
    expect(event?.getFirstPropertyValue('conference')).toBe(address);
    expect(String(event?.getFirstPropertyValue('description')).includes(`Join: ${address}`)).toBe(
      address !== link,
    );
    if (address !== link) expect(event?.getFirstPropertyValue('url')).toBe(address);
  }
});

test('people without an account get an address of ours, which opens the meeting and nothing else (security C51, C272)', async () => {
  const booking = await booked();
  const sent = (await sentAbout(booking)).filter(({ recipient }) => recipient !== ann.user.email);

  for (const { text, html, calendarEntry } of sent) {
    expect(`${text}${html}${calendarEntry}`).not.toContain('meet.example');
    const path = pathIn(text);
    const opened = await open(path);
    expect([opened.statusCode, opened.headers.location, leadsTo(opened)]).toEqual([200, undefined, [link]]);
    for (const other of ['', '/cancel', '/reschedule', '/calendar.ics'])
      expect((await open(path.replace(/\/join$/, other))).statusCode).toBe(404);
  }
  expect((await open(`${ownPath(booking)}/join`)).statusCode).toBe(404);
});

test('nobody gets to a link that a stranger set without a page that names its host and who set it (security C330)', async () => {
  const booking = await booked();
  const page = await open(pathIn((await open(ownPath(booking))).body));

  expect([page.statusCode, page.headers.location, titleOf(page)]).toEqual([
    200,
    undefined,
    'Join the meeting',
  ]);
  expect(textOf(page.body)).toContain(`Link set by${booking.hosts[0].name}`);
  expect(textOf(page.body)).toContain('Leads tomeet.example');
  expect(page.body).toMatch(/<a class="button" rel="noreferrer" href="https:\/\/meet\.example\//);
  // Guests have the address, and so has who sees a shared calendar.
  expect(page.body).not.toMatch(/dana@|guest@|\/cancel|\/reschedule/i);
});

test('a team’s link is the team’s, which anybody of its managers may have set (security C330)', async () => {
  const { id } = await api.addTeamEventType('collective', [ann, api.ben], { locations });
  const booking = await api.booked(id);

  const page = await open(pathIn((await open(ownPath(booking))).body));

  expect(textOf(page.body)).toContain(`Link set by${api.team.name}`);
});

test.each([
  ['https://meet.example/room', true],
  ['https://eu.calls.example/room', true],
  ['https://notmeet.example/room', false],
  ['https://meet.example.evil.example/', false],
  ['https://evil.example/meet.example', false],
  ['https://meet.example:8443/room', false],
  ['http://meet.example/room', false],
  ['https://meet.example./room', false],
  ['https://МEET.example/room', false],
])(
  '%s is joined directly where the operator named its host: %s (contract §1, security C330)',
  async (to, isDirect) => {
    const booking = await booked({ locations: [{ type: 'link', link: to, public: false }] }, { guests: [] });
    const path = pathIn((await open(ownPath(booking))).body);

    const opened = await openWith(direct, path);

    expect([opened.statusCode, opened.headers.location]).toEqual(isDirect ? [303, to] : [200, undefined]);
    expect((await open(path)).statusCode).toBe(200);
  },
);

test('what others wrote is no link in the file for a calendar (security C51, C330)', async () => {
  const booking = await booked(
    {
      title: 'See https://evil.example',
      locations: [{ type: 'address', address: 'evil.example/a', public: true }],
    },
    { bookingFieldsResponses: { notes: 'Pay at https://evil.example/pay or www.evil.example' } },
  );

  const file = await open(`${ownPath(booking)}/calendar.ics`);
  const google = await open(`${ownPath(booking)}/calendar/google`);

  const said = file.body.replaceAll('\r\n ', '');
  expect(said).toContain('Pay at https');
  expect(said).not.toMatch(/:\/\/|evil\.example|www\.evil/);
  expect(new URL(String(google.headers.location)).searchParams.get('text')).not.toMatch(
    /:\/\/|evil\.example/,
  );
});

test('a pending request shows neither link nor calendar to the attendee, and a confirmation brings both', async () => {
  const booking = await booked({ confirmationPolicy: { type: 'always' } });
  const path = ownPath(booking);
  const [own, file, google] = [
    await open(path),
    await open(`${path}/calendar.ics`),
    await open(`${path}/calendar/google`),
  ];

  expect(booking.status).toBe('pending');
  expect([booking.location, booking.meetingUrl]).toEqual(['', undefined]);
  expect(textOf(own.body)).toContain('WhereOnline');
  expect(own.body).not.toMatch(/meet\.example|Add to calendar|Join/);
  expect([file.headers.location, google.headers.location]).toEqual([path, path]);
  for (const { recipient, text, calendarEntry } of await sentAbout(booking))
    if (recipient !== ann.user.email)
      expect(`${text}${calendarEntry}`).not.toMatch(/meet\.example|\/join|CONFERENCE/);

  bodyOf(await api.act('POST', `/${booking.uid}/confirm`), 200);

  expect((await open(path)).body).toMatch(/Join<\/a>.*Add to calendar/s);
  const [confirmed] = (await sentAbout(booking)).filter(
    ({ recipient, text }) => recipient === guest && text.includes('Join:'),
  );
  expect(leadsTo(await open(pathIn(confirmed?.text ?? '')))).toEqual([link]);
});

test.each([
  ['is cancelled', ({ uid }: { uid: string }) => api.act('POST', `/${uid}/cancel`)],
  [
    'is rescheduled',
    ({ uid }: { uid: string }) => api.act('POST', `/${uid}/reschedule`, { start: api.nextSlot() }),
  ],
])('the address of a meeting that %s leads nowhere, and says so', async (_name, end) => {
  const booking = await booked();
  const [sent] = (await sentAbout(booking)).filter(({ recipient }) => recipient === guest);

  await end(booking);
  const opened = await open(pathIn(sent?.text ?? ''));

  expect(opened.statusCode).toBe(410);
  expect(opened.headers.location).toBeUndefined();
  expect(textOf(opened.body)).toContain('This meeting doesn’t take place');
});

test('what a suspended account sent leads nowhere (security C272)', async () => {
  const booking = await booked();
  const [sent] = (await sentAbout(booking)).filter(({ recipient }) => recipient === guest);
  const path = pathIn(sent?.text ?? '');
  const suspend = (suspendedAt: Date | null) =>
    api.db.update(users).set({ suspendedAt }).where(eq(users.id, ann.user.id));

  await suspend(service.clock.now());
  const whileSuspended = await open(path);
  await suspend(null);

  expect(whileSuspended.statusCode).toBe(410);
  expect(leadsTo(await open(path))).toEqual([link]);
});

test.each([
  ['a place', { type: 'address', address: 'https://example.com/map', public: true }, undefined],
  [
    'what the attendee says',
    { type: 'attendeeDefined' },
    { type: 'attendeeDefined', location: 'https://evil.example/' },
  ],
])('no Join is made of %s', async (_name, offered, location) => {
  const booking = await booked({ locations: [offered] }, { location });
  const hosted = await openAs(service, `/bookings/${booking.uid}`, cookie);

  expect(`${hosted.body}${(await open(ownPath(booking))).body}`).not.toMatch(
    /Join|href="https:\/\/(evil\.)?example/,
  );
  for (const { text } of await sentAbout(booking)) expect(text).not.toContain('Join:');
});

test('a meeting can be joined until half a day after its end, as meetings last longer than planned', async () => {
  const booking = await booked();
  const [sent] = (await sentAbout(booking)).filter(({ recipient }) => recipient === guest);
  const path = pathIn(sent?.text ?? '');
  const hours = (Date.parse(booking.end) - service.clock.now().getTime()) / 3_600_000;

  service.clock.advance((hours + 11) * 3600);
  expect((await open(path)).statusCode).toBe(200);
  service.clock.advance(3600);
  expect((await open(path)).statusCode).toBe(410);
});
