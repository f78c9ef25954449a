import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { outbox } from '../../src/platform/mail/tables.ts';
import { bookings } from '../../src/scheduling/tables.ts';
import { anyAddress, openWith, send } from '../support/any-visitor.ts';
import {
  addEventType,
  addTeamEventType,
  bookOn,
  dana,
  emailSentTo,
  fillIn,
  uidIn,
} from '../support/booking.ts';
import { inBerlin, nextDate } from '../support/dates.ts';
import { hostileTexts } from '../support/hostile-texts.ts';
import {
  addressesOn,
  faultOf,
  isOwnAddress,
  skeletonOf,
  textOf,
  titleOf,
  typedIn,
} from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addTeam, joinTeam } from '../support/teams.ts';
import { addUser, hiddenFieldsOf, startSession } from '../support/world.ts';

const service = await openTestService();
const { db } = service.database;
const ann = await addUser(service);
const talk = await addEventType(service, ann);
const timeZone = 'Europe/Berlin';

const daysOn = (html: string): string[] =>
  [...html.matchAll(/<a class="day" href="[^"?]*\?([^"#]*)#times"/g)].map(
    ([, query]) => new URLSearchParams(textOf(query ?? '')).get('date') ?? '',
  );
const timesOn = (html: string): string[] =>
  [...html.matchAll(/<a class="button plain" href="[^"?]*\?[^"]*"><time datetime="[^"]*">([^<]*)</g)].map(
    ([, words]) => words ?? '',
  );
const bookingsOf = (email: string) => db.select().from(bookings).where(eq(bookings.attendeeEmail, email));
const lettersTo = (email: string) => db.select().from(outbox).where(eq(outbox.recipient, email));

describe('the page of an event type', () => {
  test('shows what it is and who hosts it, and is never kept in a cache', async () => {
    const page = await openWith(service, talk.path);

    expect(page.statusCode).toBe(200);
    expect(titleOf(page)).toBe('Talk');
    expect(textOf(page.body)).toContain(`Test ${ann.username}`);
    expect(textOf(page.body)).toContain('30 minutes');
    expect(textOf(page.body)).toContain('A first talk');
    expect(page.headers['cache-control']).toBe('no-store');
    expect(addressesOn(page.body).filter((address) => !isOwnAddress(address))).toEqual([]);
  });

  test('links exactly the days of the month that have times', async () => {
    const { body } = await openWith(service, talk.path, { month: '2030-05', timeZone });

    expect(textOf(body)).toContain('May 2030');
    expect(daysOn(body).slice(0, 5)).toEqual([
      '2030-05-01',
      '2030-05-02',
      '2030-05-03',
      '2030-05-06',
      '2030-05-07',
    ]);
    expect(daysOn(body)).toHaveLength(23);
  });

  test('opens the first free day, and a chosen one even where it has no times', async () => {
    const open = (query: Record<string, string>) =>
      openWith(service, talk.path, { ...query, timeZone }, { headers: { 'accept-language': 'en-US' } });
    const [month, day, sunday] = [
      await open({ month: '2030-06' }),
      await open({ date: '2030-06-04' }),
      await open({ date: '2030-06-02' }),
    ];

    expect(textOf(month.body)).toContain('Monday, June 3, 2030');
    expect(month.body).toMatch(/date=2030-06-03[^>]*aria-current="date"/);
    expect(timesOn(month.body)[0]).toBe('9:00 AM');
    // Another time zone may have another first day.
    expect(hiddenFieldsOf(month.body)).toEqual({ month: '2030-06' });
    expect(textOf(day.body)).toContain('Tuesday, June 4, 2030');
    expect(textOf(sunday.body)).toContain('No times available on this day.');
    expect(timesOn(sunday.body)).toEqual([]);
  });

  test('leaves out the weeks that are over', async () => {
    const weeksOn = (html: string): number => html.split('<tbody>')[1]?.match(/<tr>/g)?.length ?? 0;
    const open = () => openWith(service, talk.path, { timeZone: 'UTC' });
    const whole = weeksOn((await open()).body);
    service.clock.advance(10 * 86_400);

    const later = await open();

    const today = service.clock.now().getUTCDate();
    expect(weeksOn(later.body)).toBeLessThan(whole);
    expect(later.body.split('</tr>')[1]).toMatch(new RegExp(`>${today}<.*, today`));
  });

  test('says who tells the place where an event type has none', async () => {
    const placed = await addEventType(service, ann, { locations: [{ type: 'attendeePhone' }] });
    const later = 'The host will tell you where';

    expect(textOf((await openWith(service, talk.path)).body)).toContain(later);
    expect(textOf((await openWith(service, placed.path)).body)).not.toContain(later);
  });

  test('offers time zones by city, with the time there', async () => {
    const headers = { 'accept-language': 'en-US' };
    const now = service.clock.now();
    const { body } = await openWith(service, talk.path, { timeZone: 'Asia/Kolkata' }, { headers });

    const zones = [...body.matchAll(/<option value="([^"]+)"/g)].map(([, words]) => words);
    const there = { timeZone: 'Asia/Kolkata', hour: 'numeric', minute: '2-digit' } as const;
    const time = new Intl.DateTimeFormat('en-US', there).format(now).replaceAll('\u202F', ' ');
    expect(zones).toEqual(expect.arrayContaining([`Kolkata · ${time}`, `Mumbai · ${time}`]));
    expect(zones).toContainEqual(expect.stringMatching(/^New York · /));
    expect(zones[0]).toMatch(/^Abidjan · /);
  });

  test.each([
    ['Europe/Berlin', '09:00', '16:30'],
    ['America/New_York', '03:00', '10:30'],
    ['Asia/Kolkata', '12:30', '20:00'],
  ])('tells the times of a day in %s', async (zone, first, last) => {
    const page = await openWith(service, talk.path, { date: '2030-05-06', timeZone: zone });
    const { body } = page;

    expect(timesOn(body)).toHaveLength(16);
    expect([timesOn(body)[0], timesOn(body).at(-1)]).toEqual([first, last]);
    expect(typedIn(page, 'timeZone')).toContain(`${zone.split('/').at(-1)?.replace('_', ' ')} · `);
  });

  test('proposes the zone of the host, and to a signed-in person their own', async () => {
    const cookie = await startSession(service, await addUser(service));

    const stranger = await openWith(service, talk.path);
    const guest = await openWith(service, talk.path, {}, { headers: { cookie } });
    const chosen = await openWith(service, talk.path, { timeZone: 'Asia/Tokyo' });

    expect(typedIn(stranger, 'timeZone')).toMatch(/^Berlin · /);
    expect(stranger.body).toContain('data-own-zone="Europe/Berlin"');
    expect(typedIn(guest, 'timeZone')).toMatch(/^Berlin · /);
    expect(chosen.body).not.toContain('data-own-zone');
  });

  test('leads to the months before and after, but not into the past', async () => {
    const now = await openWith(service, talk.path, { timeZone });
    const later = await openWith(service, talk.path, { month: '2030-05', timeZone });

    expect(now.body).not.toContain('arrow previous');
    expect(addressesOn(later.body).map(textOf)).toEqual(
      expect.arrayContaining([
        `${talk.path}?month=2030-04&timeZone=Europe%2FBerlin`,
        `${talk.path}?month=2030-06&timeZone=Europe%2FBerlin`,
      ]),
    );
  });

  test.each([
    ['a past month', { month: '2001-01' }, 'That day can’t be booked'],
    ['a month far away', { month: '9999-12' }, 'That day can’t be booked'],
    ['a month that is none', { month: '2031-13' }, 'That day can’t be booked'],
    ['a day that is none', { date: '2031-02-30' }, 'That day can’t be booked'],
    ['a past day', { date: '1999-01-01' }, 'That day can’t be booked'],
    ['a year beyond all calendars', { date: '+275761-01-01' }, 'That day can’t be booked'],
    ['NUL', { date: '\0', timeZone: '\0' }, 'We don’t know that time zone'],
    ['an unknown zone', { timeZone: 'Mars/Olympus' }, 'We don’t know that time zone'],
    ['a zone with markup', { timeZone: '<script>' }, 'We don’t know that time zone'],
    ['a slot that is none', { slot: 'tomorrow' }, 'Days with available times'],
    ['a slot beyond all calendars', { slot: '9999-12-31T23:59:59Z' }, 'That day can’t be booked'],
    ['a time between the slots', { slot: '2030-05-06T07:07:00Z' }, 'no longer available'],
    ['a time at night', { slot: '2030-05-06T01:00:00Z' }, 'no longer available'],
  ])('shows a calendar all the same for %s', async (_name, query, words) => {
    const page = await openWith(service, talk.path, query);

    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<table class="month">');
    expect(textOf(page.body)).toContain(words);
  });

  test('repeated parameters and broken escapes are no fault of ours', async () => {
    for (const query of ['date=2030-05-06&date=x', 'timeZone[a]=b', 'slot=%zz', 'month=%00'])
      expect((await service.app.inject(`${talk.path}?${query}`)).statusCode).toBe(200);
  });

  test('asks the database as often for a month as for a day, whatever the number of hosts', async () => {
    const team = await addTeam(service, ann);
    const others = await Promise.all(Array.from({ length: 4 }, () => addUser(service)));
    await Promise.all(others.map((other) => joinTeam(service, team, other, 'member')));
    const large = await addTeamEventType(service, team, [ann, ...others]);
    const count = async (path: string, query: Record<string, string>): Promise<number> => {
      service.takeStatements();
      expect((await openWith(service, path, query)).statusCode).toBe(200);
      // But for the outbox, which is looked into now and then.
      return service.takeStatements().length;
    };

    const counts = [
      await count(talk.path, { month: '2030-05' }),
      await count(talk.path, { date: '2030-05-06' }),
      await count(large.path, { date: '2030-05-06' }),
      await count(large.path, { slot: inBerlin('2030-05-06', '10:00') }),
    ];

    expect(Math.max(...counts)).toBeLessThanOrEqual(5);
  });

  test.each([
    ['no such person', '/nobody-at-all/talk'],
    ['no such team', '/team/nowhere/talk'],
    ['no person with public event types', '/nobody-at-all'],
    ['no team with public event types', '/team/nowhere'],
    ['a reserved name', '/settings/nowhere'],
    ['a fixed page below', '/signin/nowhere'],
  ])('is the ordinary 404 for %s', async (_name, path) => {
    const page = await openWith(service, path);

    expect(page.statusCode).toBe(404);
    expect(titleOf(page)).toBe('Page not found');
  });

  test.each([`/${ann.username}/nothing`, `/${ann.username}/%3Cscript%3E`])(
    'at %s, which is none, leads to what its host offers',
    async (path) => {
      const page = await openWith(service, path);

      expect([page.statusCode, titleOf(page)]).toEqual([404, 'Event type not found']);
      expect(page.body).toContain(`<a href="/${ann.username}">See what Test ${ann.username} offers</a>`);
      expect((await openWith(service, `/${ann.username}`)).statusCode).toBe(200);
    },
  );

  test.each([
    [talk.path, `Talk with Test ${ann.username}`, '30 minutes · A first talk'],
    [`/${ann.username}`, `Book Test ${ann.username}`, 'Choose an event type and a time that suits you.'],
  ])('at %s shows chats what it is (Open Graph)', async (path, title, text) => {
    const { body } = await openWith(service, path);

    const said = (name: string) =>
      new RegExp(`<meta property="og:${name}" content="([^"]*)">`).exec(body)?.[1];
    expect(['title', 'description'].map(said)).toEqual([title, text]);
    const image = said('image') ?? '';
    expect(image.startsWith(`${service.appUrl}/assets/`)).toBe(true);
    const { statusCode, headers } = await service.app.inject(image.slice(service.appUrl.length));
    expect([statusCode, headers['content-type']]).toEqual([200, 'image/png']);
  });

  test('is for search engines if its host shows and describes it, and no other page is (contract §8)', async () => {
    const described = { description: 'About roses.' };
    const hidden = await addEventType(service, ann, { title: 'Hidden', hidden: true, ...described });
    const plain = await addEventType(service, ann, { title: 'Plain', description: '' });
    const robotsAt = async (path: string) =>
      /<meta name="robots" content="([^"]*)">/.exec((await openWith(service, path)).body)?.[1];

    expect(await robotsAt(talk.path)).toBeUndefined();
    for (const path of [hidden.path, plain.path, `/${ann.username}`])
      expect(await robotsAt(path), path).toBe('noindex');
  });

  test('is found whatever the case of the username', async () => {
    expect(
      (await openWith(service, talk.path.replace(ann.username, ann.username.toUpperCase()))).statusCode,
    ).toBe(200);
  });

  test.each(Object.entries(hostileTexts))('%s stays text (security C33)', async (_name, text) => {
    const plain = await addEventType(service, ann, { title: 'Plain', description: 'Plain' });
    const hostile = await addEventType(service, ann, { title: text, description: text });

    const page = await openWith(service, hostile.path);

    expect(skeletonOf(page.body)).toEqual(skeletonOf((await openWith(service, plain.path)).body));
    expect(titleOf(page)).toBe(text);
  });
});

describe('the list of a user’s event types', () => {
  test('shows the public ones alone, with relative links', async () => {
    const ben = await addUser(service);
    const shown = await addEventType(service, ben, { title: 'Shown' });
    await addEventType(service, ben, { title: 'Hidden one', hidden: true });

    const page = await openWith(service, `/${ben.username}`);

    expect(page.statusCode).toBe(200);
    expect(titleOf(page)).toBe(`Test ${ben.username}`);
    expect(addressesOn(page.body)).toContain(shown.path);
    expect(addressesOn(page.body).filter((address) => !isOwnAddress(address))).toEqual([]);
    expect(page.body).not.toContain('Hidden one');
  });

  test('a hidden one is booked by people who know its address', async () => {
    const hidden = await addEventType(service, ann, { hidden: true });

    expect(await bookOn(service, hidden.path, inBerlin(nextDate(), '10:00'))).toMatch(/^\/booking\//);
  });

  test('of a team names the team', async () => {
    const team = await addTeam(service, ann, 'owner', 'Sales team');
    const { path } = await addTeamEventType(service, team, [ann], 'collective');

    const list = await openWith(service, `/team/${team.slug}`);

    expect(titleOf(list)).toBe('Sales team');
    expect(addressesOn(list.body)).toContain(path);
    expect(textOf((await openWith(service, path)).body)).toContain(`Sales team: Test ${ann.username}`);
  });
});

describe('the form of a slot', () => {
  test('names the time in the chosen zone, and asks for name and email', async () => {
    const slot = inBerlin('2030-05-06', '10:00');

    const page = await openWith(service, talk.path, { slot, timeZone: 'America/New_York' });

    expect(textOf(page.body)).toContain('Monday, May 6, 2030, 04:00 – 04:30');
    expect(hiddenFieldsOf(page.body)).toMatchObject({ slot, timeZone: 'America/New_York' });
    expect([typedIn(page, 'name'), typedIn(page, 'email')]).toEqual(['', '']);
  });

  test('is filled in for a signed-in person', async () => {
    const eve = await addUser(service);
    const headers = { cookie: await startSession(service, eve) };

    const page = await openWith(service, talk.path, { slot: inBerlin('2030-05-06', '10:00') }, { headers });

    expect([typedIn(page, 'name'), typedIn(page, 'email')]).toEqual([`Test ${eve.username}`, eve.email]);
  });

  test('books, notifies all attendees, and shows what was booked (contract §8)', async () => {
    const email = 'Booker+test@example.com';
    const slot = inBerlin(nextDate(), '10:00');

    const path = await bookOn(service, talk.path, slot, {
      email,
      notes: 'Line one\r\nLine two',
      guests: 'one@example.com\r\n\r\n two@example.com \none@example.com',
      timeZone: 'America/New_York',
    });

    const [row] = await bookingsOf(email);
    expect(row).toMatchObject({
      uid: uidIn(path),
      status: 'accepted',
      attendeeName: 'Dana',
      attendeeTimeZone: 'America/New_York',
      guests: ['one@example.com', 'two@example.com'],
      responses: { notes: 'Line one\nLine two' },
    });
    expect(row?.startsAt.toISOString()).toBe(slot);
    expect(await emailSentTo(service, email, 'Booked')).toContain(`${service.appUrl}${path}`);
    expect(await lettersTo('one@example.com')).toHaveLength(1);
  });

  const slotFor = inBerlin(nextDate(), '11:00');
  test.each([
    ['no name', { name: ' ' }, 'name', 'Enter your name.'],
    [
      'a name with a line break',
      { name: 'a\nb' },
      'name',
      'Line breaks and control characters aren’t allowed.',
    ],
    ['NUL in the name', { name: 'a\0b' }, 'name', 'Line breaks and control characters aren’t allowed.'],
    ['no email address', { email: 'dana' }, 'email', 'Enter a valid email address.'],
    ['NUL in the notes', { notes: 'a\0b' }, 'notes', 'Control characters aren’t allowed.'],
    ['long notes', { notes: 'x'.repeat(2001) }, 'notes', 'Use at most 2000 characters.'],
    [
      'a name with a web address',
      { name: 'You won: https://evil.example/claim' },
      'name',
      'Enter a name without web addresses.',
    ],
    [
      'a guest who is none',
      { guests: 'one@example.com\ntwo' },
      'guests',
      '“\u2068two\u2069” isn’t a valid email address. Enter one per line.',
    ],
    [
      'too many guests',
      { guests: Array.from({ length: 11 }, (_, index) => `g${index}@example.com`).join('\n') },
      'guests',
      'Enter up to 10 guests.',
    ],
  ])('with %s says so beside the field and keeps the rest', async (_name, fields, field, words) => {
    const filled = await fillIn(service, talk.path, slotFor);
    const form = {
      ...filled,
      name: 'Faulty Form',
      notes: 'Kept',
      ...fields,
    };
    const sent = await send(service, talk.path, form);

    expect(sent.statusCode).toBe(400);
    expect(faultOf(sent, field)).toBe(words);
    expect(hiddenFieldsOf(sent.body)).toMatchObject({ slot: slotFor, form_id: filled['form_id'] });
    if (field !== 'notes') expect(typedIn(sent, 'notes')).toBe('Kept');
    expect(await db.$count(bookings, eq(bookings.attendeeName, 'Faulty Form'))).toBe(0);
  });

  test.each([{}, { slot: 'x' }, { slot: '1999-01-01T10:00:00Z' }])(
    'without a slot shows the calendar: %o',
    async (fields) => {
      const sent = await send(service, talk.path, { ...dana, ...fields });

      expect(sent.statusCode).toBe(400);
      expect(sent.body).toContain('<table class="month">');
    },
  );

  test('sent twice books once and ends at the same confirmation', async () => {
    const email = 'twice@example.com';
    const form = await fillIn(service, talk.path, inBerlin(nextDate(), '10:00'), { email });

    const answers = await Promise.all([send(service, talk.path, form), send(service, talk.path, form)]);
    const later = await send(service, talk.path, form);

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    expect(new Set([...answers, later].map(({ headers }) => headers.location)).size).toBe(1);
    expect(await bookingsOf(email)).toHaveLength(1);
    expect(await lettersTo(email)).toHaveLength(1);
  });

  test('sent again with other words says that it already booked', async () => {
    const email = 'changed@example.com';
    const form = await fillIn(service, talk.path, inBerlin(nextDate(), '10:00'), { email });
    await send(service, talk.path, form);

    const again = await send(service, talk.path, { ...form, name: 'Someone else' });

    expect(again.statusCode).toBe(409);
    expect(textOf(again.body)).toContain('You already made a booking with this form');
    expect(hiddenFieldsOf(again.body)['form_id']).not.toBe(form['form_id']);
    expect(await bookingsOf(email)).toHaveLength(1);
  });

  test('whose slot was taken meanwhile offers the other times of the day, and keeps what was typed', async () => {
    const date = nextDate();
    const form = await fillIn(service, talk.path, inBerlin(date, '10:00'), {
      email: 'late@example.com',
      notes: 'Typed before',
    });
    await bookOn(service, talk.path, inBerlin(date, '10:00'), { email: 'first@example.com' });

    const late = await send(service, talk.path, form);

    expect(late.statusCode).toBe(409);
    expect(textOf(late.body)).toContain('This time is no longer available');
    expect(late.body).toContain(`name="slot" value="${inBerlin(date, '10:30')}"`);
    expect(late.body).not.toContain(`name="slot" value="${inBerlin(date, '10:00')}"`);
    expect(typedIn(late, 'notes')).toBe('Typed before');
    expect(await bookingsOf('late@example.com')).toEqual([]);
    expect(await lettersTo('late@example.com')).toEqual([]);

    const second = { ...form, ...hiddenFieldsOf(late.body), slot: inBerlin(date, '10:30') };
    expect((await send(service, talk.path, second)).statusCode).toBe(303);
    expect(await bookingsOf('late@example.com')).toHaveLength(1);
  });

  test('on a day that is full leads to other days', async () => {
    const whole = await addEventType(service, await addUser(service), { lengthInMinutes: 480 });
    const slot = inBerlin(nextDate(), '09:00');
    const form = await fillIn(service, whole.path, slot, { email: 'full@example.com' });
    await bookOn(service, whole.path, slot);

    const late = await send(service, whole.path, form);

    expect(late.statusCode).toBe(409);
    expect(textOf(late.body)).toContain('No other times on this day');
    expect(late.body).not.toContain('<form class="card"');
  });

  test('sent too often from one address is asked to wait, and keeps what was typed', async () => {
    const remoteAddress = anyAddress();
    const form = await fillIn(service, talk.path, inBerlin(nextDate(), '10:00'), {
      email: 'many@example.com',
    });
    for (let index = 0; index < 60; index += 1)
      await send(service, talk.path, { ...form, slot: '2030-05-06T01:00:00Z' }, { remoteAddress });

    const refused = await send(service, talk.path, form, { remoteAddress });
    const elsewhere = await send(service, talk.path, form);

    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    expect(typedIn(refused, 'email')).toBe('many@example.com');
    expect(elsewhere.statusCode).toBe(303);
  });

  test('is not accepted from another site', async () => {
    const form = await fillIn(service, talk.path, inBerlin(nextDate(), '10:00'), {
      email: 'foreign@example.com',
    });

    const sent = await send(service, talk.path, form, { headers: { origin: 'https://evil.example' } });

    expect(sent.statusCode).toBe(403);
    expect(await bookingsOf('foreign@example.com')).toEqual([]);
  });

  test('asks for confirmation where the host wants that, and links the host to it', async () => {
    const ben = await addUser(service);
    const asked = await addEventType(service, ben, { requiresConfirmation: true });
    const slot = inBerlin(nextDate(), '10:00');
    const page = await openWith(service, asked.path, { slot });

    const path = await bookOn(service, asked.path, slot, { email: 'asks@example.com' });

    expect(textOf(page.body)).toContain('Request this time');
    expect(textOf((await openWith(service, path)).body)).toContain('Pending');
    expect(await emailSentTo(service, ben.email, 'New request')).toContain(
      `Confirm or decline booking:\n${service.appUrl}/bookings/${uidIn(path)}`,
    );
  });
});

test('what people typed is not logged but in an email, nor the addresses that open bookings (contract §1)', async () => {
  const path = await bookOn(service, talk.path, inBerlin(nextDate(), '10:00'), {
    email: 'quiet@example.com',
    notes: 'a canary in the notes',
  });
  await openWith(service, path);

  // Emails are logged where no mail server is; their private link is not.
  const log = service.logText();
  expect(log).not.toContain(path.split('/').at(-1));
  expect(log).toContain('/booking/:uid/:proof');
  const others = log.split('\n').filter((line) => !line.includes('"mail kept in the outbox: no SMTP_URL"'));
  expect(others.length).toBeGreaterThan(2);
  expect(others.join('\n')).not.toMatch(/a canary in the notes|quiet@example\.com/);
});
