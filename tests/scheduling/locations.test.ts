import { describe, expect, test } from 'vitest';
import { openWith, send } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { addEventType, emailSentTo, fillIn, uidIn } from '../support/booking.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { addPerson, openAs } from '../support/groups.ts';
import { faultOf, textOf, typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';

const { service, ann, ...api } = await openBookingsApi(sharedService());
const office = { type: 'address', address: 'Main St 1', public: true };
const secret = { type: 'link', link: 'https://meet.example/secret-room', public: false };
const callMe = { type: 'attendeePhone' };

const change = (id: number, body: object) =>
  callApi(service, 'PATCH', `/event-types/${id}`, { token: ann.token, body });

const detailsOf = (answer: Awaited<ReturnType<typeof change>>) => bodyOf(answer, 400).error.details;

const bookedAt = (locations: object[], changes: object = {}) =>
  api.addEventType({ locations }).then(({ id }) => api.booked(id, changes));

describe('locations of an event type (contract §8)', () => {
  test('are kept as they are sent, replaced as a whole, and none by default', async () => {
    const { id, locations } = await api.addEventType({ locations: [office, secret, callMe] });
    const changed = bodyOf(await change(id, { locations: [callMe] })).data;
    const unchanged = bodyOf(await change(id, { title: 'Other' })).data;

    expect(locations).toEqual([office, secret, callMe]);
    expect(changed.locations).toEqual([callMe]);
    expect(unchanged.locations).toEqual([callMe]);
    expect((await api.addEventType()).locations).toEqual([]);
  });

  test('are not public unless they say so; strangers learn their kind alone', async () => {
    const { user, token } = ann;
    const made = await api.addEventType({ locations: [office, { type: 'phone', phone: '+49 30 1234' }] });
    const list = (caller?: string) =>
      callApi(
        service,
        'GET',
        `/event-types?${caller ? '' : `username=${user.username}&`}eventSlug=${made.slug}`,
        {
          token: caller,
        },
      );

    expect(made.locations[1]).toEqual({ type: 'phone', phone: '+49 30 1234', public: false });
    expect(bodyOf(await list()).data[0].locations).toEqual([office, { type: 'phone', public: false }]);
    expect(bodyOf(await list(token)).data[0].locations).toEqual(made.locations);
  });

  test.each([
    ['conferencing', { type: 'integration', integration: 'cal-video' }],
    ['an organizer’s app', { type: 'organizersDefaultApp' }],
    ['no address', { type: 'address', public: true }],
    ['a script', { type: 'link', link: 'javascript:alert(1)', public: true }],
    ['a link with a password', { type: 'link', link: 'https://ann:secret@meet.example', public: true }],
    ['a link with a disguise', { type: 'link', link: 'https://meet.example/\u202Egpj', public: true }],
    ['a long address', { type: 'address', address: 'x'.repeat(301), public: true }],
    ['lines', { type: 'address', address: 'Main St\n1', public: true }],
    ['no number', { type: 'phone', phone: '030', public: true }],
  ])('refuse %s by name', async (_name, location) => {
    const { id } = await api.addEventType();

    expect(Object.keys(detailsOf(await change(id, { locations: [location] })))[0]).toMatch(/^locations\.0/);
  });

  test('are ten at most', async () => {
    const { id } = await api.addEventType();

    expect(detailsOf(await change(id, { locations: Array(11).fill(office) }))).toHaveProperty('locations');
  });
});

describe('the location of a booking (contract §8)', () => {
  test('is the first of the host’s, the asked one, or what the attendee says', async () => {
    const all = [callMe, secret, office];

    expect(await bookedAt(all)).toMatchObject({ location: secret.link, meetingUrl: secret.link });
    const inPerson = await bookedAt(all, { location: { type: 'address' } });
    expect(inPerson.location).toBe('Main St 1');
    expect(inPerson).not.toHaveProperty('meetingUrl');
    expect(await bookedAt(all, { location: { type: 'attendeePhone', phone: '+1 555 0100' } })).toMatchObject({
      location: '+15550100',
    });
    expect(await bookedAt(all, { location: '+1 (555) 01-00' })).toMatchObject({ location: '+15550100' });
    expect(await bookedAt(all, { location: 'Main St 1' })).toMatchObject({ location: 'Main St 1' });
    expect(await bookedAt(all, { meetingUrl: secret.link })).toMatchObject({ meetingUrl: secret.link });
    expect((await bookedAt([])).location).toBe('');
  });

  test.each([
    ['a string that is not offered', [office], 'https://elsewhere.example'],
    ['none, where the attendee says it', [callMe], undefined],
    ['a number that is none', [callMe], { type: 'attendeePhone', phone: '0' }],
  ])('is not %s', async (_name, locations, location) => {
    const { id } = await api.addEventType({ locations });

    const details = detailsOf(await api.book({ eventTypeId: id, start: api.nextSlot(), location }));

    expect(Object.keys(details)[0]).toMatch(/^location/);
  });

  test('stays with a booking that is rescheduled', async () => {
    const booking = await bookedAt([office, callMe], {
      location: { type: 'attendeePhone', phone: '+1 555 0100' },
    });

    const path = `/${booking.uid}/reschedule`;
    const { data } = bodyOf(await api.act('POST', path, { start: api.nextSlot() }), 201);

    expect(data.location).toBe('+15550100');
  });

  test('takes no guests where the event type does not', async () => {
    const { id } = await api.addEventType({ disableGuests: true });
    const book = (guests: string[]) => api.book({ eventTypeId: id, start: api.nextSlot(), guests });

    expect(detailsOf(await book(['gus@example.com']))).toEqual({
      guests: 'This event type takes no guests.',
    });
    expect((await book([])).statusCode).toBe(201);
  });
});

describe('emails and calendar entries say where, without links for people without an account (security C51)', () => {
  test.each([
    ['a link', secret, undefined, ['Online', 'secret-room'], secret.link],
    ['an address', office, undefined, ['Main St 1', '@'], 'Main St 1'],
    [
      'what the attendee says',
      { type: 'attendeeDefined' },
      { type: 'attendeeDefined', location: 'win.example/prize' },
      ['The place you entered', 'prize'],
      'win.example/prize',
    ],
  ])('%s', async (_name, offered, location, [words = '', never = ''], full) => {
    const email = `dana-${Math.random().toString(36).slice(2)}@example.com`;
    const guest = `g${email}`;
    const attendee = { name: 'Dana', email, timeZone: 'UTC', language: 'en' };

    const { uid, icsUid } = await bookedAt([offered], { attendee, location, guests: [guest] });

    const entries = (await api.emailsAbout(icsUid)).map(({ recipient, calendarEntry, text }) => ({
      recipient,
      said: `${calendarEntry?.replaceAll('\r\n ', '')}\n${text}`,
    }));
    for (const { recipient, said } of entries.filter((one) => one.recipient !== ann.user.email)) {
      expect(said.replaceAll(recipient, '').replaceAll(email, ''), uid).not.toContain(`LOCATION:${never}`);
      if (never !== '@') expect(said).not.toContain(never);
    }
    expect(await emailSentTo(service, email, 'Booked')).toContain(words);
    const host = entries.find(({ recipient }) => recipient === ann.user.email)?.said;
    expect(host).toContain(`Where: ${full}`);
    expect(host).toContain(`LOCATION:${full}`);
  });
});

describe('pages', () => {
  const slot = (day: number) => `2031-08-0${day}T07:00:00.000Z`;
  const pathOf = ({ bookingUrl }: { bookingUrl: string }): string => new URL(bookingUrl).pathname;

  test('say where before a booking, and what is not public only afterwards', async () => {
    const path = pathOf(await api.addEventType({ locations: [office, secret] }));

    const page = await openWith(service, path);
    const form = await openWith(service, path, { slot: slot(4), timeZone: 'UTC' });
    const booked = await send(service, path, await fillIn(service, path, slot(4), { location: '1' }));
    const own = await openWith(service, String(booked.headers.location));
    const file = await openWith(service, `${booked.headers.location}/calendar.ics`);
    const google = await openWith(service, `${booked.headers.location}/calendar/google`);

    for (const { body } of [page, form]) {
      expect(textOf(body)).toContain('In person: Main St 1');
      expect(textOf(body)).toContain('Online');
      expect(body).not.toContain('secret-room');
    }
    expect(textOf(own.body)).toContain(secret.link);
    expect(file.body).toContain('LOCATION:Online');
    expect(google.headers.location).not.toContain('secret-room');
  });

  test('show the chosen one of several afterwards, as do emails and calendar entries', async () => {
    const studio = { type: 'address', address: 'Back Yard 2', public: true };
    const path = pathOf(await api.addEventType({ locations: [office, studio, callMe] }));
    const email = 'chooses@example.com';

    const booked = await send(service, path, await fillIn(service, path, slot(6), { email, location: '1' }));

    const own = await openWith(service, String(booked.headers.location));
    const file = await openWith(service, `${booked.headers.location}/calendar.ics`);
    const uid = uidIn(String(booked.headers.location));
    const emails = await api.emailsAbout(bodyOf(await api.act('GET', `/${uid}`)).data.icsUid);
    expect(textOf(own.body)).toContain('WhereBack Yard 2');
    expect(file.body).toContain('LOCATION:Back Yard 2');
    expect(emails.map(({ recipient }) => recipient).toSorted()).toEqual([email, ann.user.email].toSorted());
    for (const { text, calendarEntry } of emails) {
      expect(text).toContain('Where: Back Yard 2');
      expect(calendarEntry).toContain('LOCATION:Back Yard 2');
    }
  });

  test('ask the attendee, and keep what was typed when it is wrong', async () => {
    const path = pathOf(await api.addEventType({ locations: [office, callMe] }));
    const fields = await fillIn(service, path, slot(5), { location: '1', place: 'later' });

    const wrong = await send(service, path, fields);
    const odd = await send(service, path, { ...fields, location: '7' });
    const booked = await send(service, path, { ...fields, place: '+1 555 0100' });

    expect(wrong.statusCode).toBe(400);
    expect(faultOf(wrong, 'place')).toBe('Enter a phone number such as +49 30 123456.');
    expect(typedIn(wrong, 'place')).toBe('later');
    expect(wrong.body).toMatch(/name="location" value="1" required checked/);
    expect(odd.statusCode).toBe(400);
    const uid = uidIn(String(booked.headers.location));
    expect(bodyOf(await api.act('GET', `/${uid}`)).data.location).toBe('+15550100');
  });

  test('of settings are added and removed without JavaScript, and say which is wrong', async () => {
    const { cookie } = await addPerson(service);
    const home = '/settings/event-types';
    const fields = {
      ...{ title: 'Talk', slug: 'talk', lengthInMinutes: '30' },
      ...{ location0Type: 'address', location0Value: 'Main St 1', location0Public: 'on' },
      ...{ location1Type: '', location1Value: '', location3Type: 'attendeePhone', location3Value: '' },
    };
    const sendNew = (changes: object) =>
      postOwnForm(service, `${home}/new`, { ...fields, ...changes }, cookie);

    const refused = await sendNew({ location1Type: 'phone', location1Value: 'x' });
    const added = await sendNew({ add: 'location' });
    const removed = await sendNew({ remove: 'location0' });
    const { headers } = await sendNew({});
    const form = await openAs(service, String(headers.location), cookie);

    expect([refused, added, removed].map(({ statusCode }) => statusCode)).toEqual([400, 200, 200]);
    expect(faultOf(refused, 'location1Value')).toBe('Enter a number such as +49 30 123456.');
    expect(typedIn(refused, 'location0Value')).toBe('Main St 1');
    expect(added.body).toContain('name="location3Type" autofocus');
    expect(typedIn(removed, 'location0Value')).toBe('');
    expect(typedIn(form, 'location0Value')).toBe('Main St 1');
    expect(form.body).toContain('<option value="attendeePhone" selected>');
    expect(form.body).toContain('name="location0Public" checked');
    expect(form.body).not.toContain('name="location2Type"');
  });
});

const company = { type: 'text', slug: 'company', label: 'Company', required: true };

const colors = {
  ...{ type: 'checkbox', slug: 'colors', label: 'Colors', required: false },
  options: ['Red', 'Blue', 'Green'],
};

const terms = { type: 'boolean', slug: 'terms', label: 'I accept the terms', required: true };
const internal = { type: 'number', slug: 'internal', label: 'Internal number', required: true, hidden: true };
const ask = (...bookingFields: object[]) => api.addEventType({ bookingFields });

const changeFields = (id: number, bookingFields: object[]) =>
  callApi(service, 'PATCH', `/event-types/${id}`, { token: ann.token, body: { bookingFields } });

describe('bookingFields of an event type (contract §8)', () => {
  test('are kept in their order, replaced as a whole, sent back as they are answered', async () => {
    const { id, bookingFields } = await ask(company, colors);
    const again = bodyOf(await changeFields(id, bookingFields)).data;
    const changed = bodyOf(await changeFields(id, [terms])).data;

    expect(bookingFields).toEqual([
      { ...company, hidden: false, isDefault: false },
      { ...colors, hidden: false, isDefault: false },
    ]);
    expect(again.bookingFields).toEqual(bookingFields);
    expect(changed.bookingFields).toEqual([{ ...terms, hidden: false, isDefault: false }]);
    expect((await api.addEventType()).bookingFields).toEqual([]);
  });

  test.each([
    ['a default field', { type: 'name', label: 'Your name' }, 'bookingFields.0.type'],
    ['a default slug', { ...company, slug: 'notes' }, 'bookingFields.0.slug'],
    ['a slug that is none', { ...company, slug: '__proto__' }, 'bookingFields.0.slug'],
    ['a list without options', { ...company, type: 'select' }, 'bookingFields.0.options'],
    ['a text with options', { ...company, options: ['a'] }, 'bookingFields.0.options'],
    ['an option twice', { ...colors, options: ['a', 'a'] }, 'bookingFields.0.options'],
    ['51 options', { ...colors, options: Array.from({ length: 51 }, String) }, 'bookingFields.0.options'],
    ['filling in', { ...company, disableOnPrefill: true }, 'bookingFields.0.disableOnPrefill'],
    ['no label', { type: 'text', slug: 'a', required: true }, 'bookingFields.0.label'],
  ])('refuse %s by name', async (_name, field, where) => {
    const { id } = await api.addEventType();

    expect(detailsOf(await changeFields(id, [field]))).toHaveProperty([where]);
  });

  test('have each slug once, are 20 at most, and 10,000 characters', async () => {
    const { id } = await api.addEventType();
    const many = (count: number, label: string) =>
      Array.from({ length: count }, (_, index) => ({ ...company, slug: `q${index}`, label }));
    const long = many(20, 'x').map((one) => ({
      ...one,
      ...colors,
      slug: one.slug,
      options: ['a'.repeat(99)],
    }));

    for (const fields of [
      [company, company],
      many(21, 'x'),
      long.map((one) => ({ ...one, label: 'l'.repeat(200), placeholder: 'p'.repeat(200) })),
    ])
      expect(detailsOf(await changeFields(id, fields))).toHaveProperty('bookingFields');
    expect((await changeFields(id, many(20, 'x'))).statusCode).toBe(200);
  });
});

describe('answers of a booking (contract §8)', () => {
  test('are checked, kept and shown by slug', async () => {
    const { id } = await ask(company, colors, terms, internal);
    const answers = { company: 'Acme', colors: ['Red', 'Green'], terms: true, internal: '7', notes: 'Hi' };

    const { bookingFieldsResponses } = await api.booked(id, { bookingFieldsResponses: answers });

    expect(bookingFieldsResponses).toMatchObject({ ...answers, internal: 7 });
  });

  test.each([
    [
      'what is not asked',
      { company: 'Acme', terms: true, age: 7 },
      'age',
      'This event type doesn’t ask this.',
    ],
  ])('refuse %s by name', async (_name, bookingFieldsResponses, slug, fault) => {
    const { id } = await ask(company, colors, terms);

    const answer = await api.book({ eventTypeId: id, start: api.nextSlot(), bookingFieldsResponses });

    expect(detailsOf(answer)).toEqual({ [`bookingFieldsResponses.${slug}`]: fault });
  });

  test('are told to hosts by label, even when the question is gone, and to no one else by email', async () => {
    const { id } = await ask(company, colors);
    const email = 'quentin@example.com';
    const attendee = { name: 'Quentin', email, timeZone: 'UTC', language: 'en' };
    const bookingFieldsResponses = { company: 'Acme & Sons', colors: ['Red', 'Blue'] };

    const booking = await api.booked(id, { attendee, bookingFieldsResponses });
    await changeFields(id, []);
    await api.act('POST', `/${booking.uid}/cancel`);

    const emails = await api.emailsAbout(booking.icsUid);
    const toHost = emails.filter(({ recipient }) => recipient === ann.user.email);
    expect(toHost).toHaveLength(2);
    for (const { text } of toHost) {
      expect(text).toContain('Company: Acme & Sons');
      expect(text).toContain('Colors: Red, Blue');
    }
    expect(await emailSentTo(service, email, 'Booked')).not.toContain('Acme');
    expect(
      emails
        .filter(({ recipient }) => recipient === email)
        .map((one) => one.calendarEntry)
        .join(),
    ).not.toContain('Acme');
  });
});

describe('pages', () => {
  const pathOf = ({ bookingUrl }: { bookingUrl: string }): string => new URL(bookingUrl).pathname;
  const slot = (day: number) => `2031-08-1${day}T07:00:00.000Z`;

  test('ask, keep what was typed when something is wrong, and show the answers', async () => {
    const path = pathOf(await ask(company, colors, terms, internal));
    const fields = await fillIn(service, path, slot(1), { 'q.company': ' ', 'q.terms': '' });

    const form = await openWith(service, path, { slot: slot(1), timeZone: 'UTC' });
    const chosen = new URLSearchParams(fields);
    for (const one of ['Red', 'Blue']) chosen.append('q.colors', one);
    const sent = (changes: Record<string, string>) => {
      const body = new URLSearchParams(chosen);
      for (const [name, value] of Object.entries(changes)) body.set(name, value);
      return service.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: body.toString(),
      });
    };
    const wrong = await sent({});
    const booked = await sent({ 'q.company': 'Acme', 'q.terms': 'on' });
    const own = await openWith(service, String(booked.headers.location));

    expect(textOf(form.body)).toContain('Colors (optional)');
    expect(form.body).not.toContain('Internal number');
    expect(wrong.statusCode).toBe(400);
    expect(faultOf(wrong, 'q.company')).toBe('Answer this question.');
    expect(faultOf(wrong, 'q.terms')).toBe('Check this box.');
    expect(wrong.body).toMatch(/value="Red" checked/);
    expect(wrong.body).toMatch(/value="Blue" checked/);
    expect(wrong.body).not.toMatch(/value="Green" checked/);
    expect(booked.statusCode).toBe(303);
    const { data } = bodyOf(await api.act('GET', `/${uidIn(String(booked.headers.location))}`));
    expect(data.bookingFieldsResponses).toMatchObject({
      company: 'Acme',
      colors: ['Red', 'Blue'],
      terms: true,
    });
    for (const words of ['Company', 'Acme', 'Red, Blue', 'I accept the terms'])
      expect(textOf(own.body)).toContain(words);
  });

  test('of settings keep rows and slugs, make slugs, and say what is wrong', async () => {
    const { cookie, user } = await addPerson(service);
    const path = `/settings/event-types/${(await addEventType(service, user)).id}/questions`;
    const fields = {
      ...{ question0Label: 'Your company?', question0Type: 'text', question0Required: 'on' },
      ...{ question1Label: '', question1Type: 'text' },
      ...{ question2Label: 'Notes', question2Type: 'select', question2Options: 'One\r\n\r\nTwo ' },
    };

    const refused = await postOwnForm(service, path, { ...fields, question2Options: '' }, cookie);
    await postOwnForm(service, path, fields, cookie);
    const form = await openAs(service, path, cookie);

    expect(refused.statusCode).toBe(400);
    expect(faultOf(refused, 'question1Options')).toContain('Enter at least one option');
    expect(typedIn(refused, 'question0Label')).toBe('Your company?');
    expect(form.body).toContain('name="question0Slug" value="your-company"');
    expect(form.body).toContain('name="question1Slug" value="notes-1"');
    expect(form.body).toContain('name="question0Required" checked');
    expect(form.body).toMatch(/One\nTwo<\/textarea>/);
    expect(form.body).not.toContain('name="question2Label"');
  });
});
