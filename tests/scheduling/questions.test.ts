import { describe, expect, test } from 'vitest';
import { openWith } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { addEventType, emailSentTo, fillIn, uidIn } from '../support/booking.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { addPerson, openAs } from '../support/groups.ts';
import { faultOf, textOf, typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';

const { service, ann, ...api } = await openBookingsApi(sharedService());
const company = { type: 'text', slug: 'company', label: 'Company', required: true };
const colors = {
  ...{ type: 'checkbox', slug: 'colors', label: 'Colors', required: false },
  options: ['Red', 'Blue', 'Green'],
};
const terms = { type: 'boolean', slug: 'terms', label: 'I accept the terms', required: true };
const internal = { type: 'number', slug: 'internal', label: 'Internal number', required: true, hidden: true };
const ask = (...bookingFields: object[]) => api.addEventType({ bookingFields });
const change = (id: number, bookingFields: object[]) =>
  callApi(service, 'PATCH', `/event-types/${id}`, { token: ann.token, body: { bookingFields } });
const detailsOf = (answer: Awaited<ReturnType<typeof change>>) => bodyOf(answer, 400).error.details;

describe('bookingFields of an event type (contract §8)', () => {
  test('are kept in their order, replaced as a whole, sent back as they are answered', async () => {
    const { id, bookingFields } = await ask(company, colors);
    const again = bodyOf(await change(id, bookingFields)).data;
    const changed = bodyOf(await change(id, [terms])).data;

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

    expect(detailsOf(await change(id, [field]))).toHaveProperty([where]);
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
      expect(detailsOf(await change(id, fields))).toHaveProperty('bookingFields');
    expect((await change(id, many(20, 'x'))).statusCode).toBe(200);
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
    ['a missing one', { terms: true }, 'company', 'Answer this question.'],
    ['an unchecked box', { company: 'Acme', terms: false }, 'terms', 'Check this box.'],
    [
      'an unknown option',
      { company: 'Acme', terms: true, colors: ['Pink'] },
      'colors',
      'Choose from the options.',
    ],
    ['another kind', { company: 7, terms: true }, 'company', 'Must be a text.'],
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

  test('of an event type without questions are any, as they were', async () => {
    const { id } = await api.addEventType();

    const booking = await api.booked(id, { bookingFieldsResponses: { anything: 'goes' } });

    expect(booking.bookingFieldsResponses).toMatchObject({ anything: 'goes' });
  });

  test('are told to hosts by label, even when the question is gone, and to no one else by email', async () => {
    const { id } = await ask(company, colors);
    const email = 'quentin@example.com';
    const attendee = { name: 'Quentin', email, timeZone: 'UTC', language: 'en' };
    const bookingFieldsResponses = { company: 'Acme & Sons', colors: ['Red', 'Blue'] };

    const booking = await api.booked(id, { attendee, bookingFieldsResponses });
    await change(id, []);
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
