import { describe, expect, test } from 'vitest';
import { openWith, send } from '../support/any-visitor.ts';
import { bodyOf, callApi } from '../support/api.ts';
import { bookOn, fillIn, uidIn } from '../support/booking.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { addPerson, openAs } from '../support/groups.ts';
import { textOf, typedIn } from '../support/page-content.ts';
import { postOwnForm } from '../support/registration.ts';
import { sharedService } from '../support/service.ts';

const { service, ann, ...api } = await openBookingsApi(sharedService());
/** A Monday; Berlin is two hours before UTC then. */
const monday = '2031-06-02';
const lengths = { lengthInMinutes: 30, lengthInMinutesOptions: [60, 30, 15, 15] };
const addEventType = (changes: object = {}) => api.addEventType({ ...lengths, ...changes });
const change = (id: number, body: object) =>
  callApi(service, 'PATCH', `/event-types/${id}`, { token: ann.token, body });
const slotsOf = (id: number, query: string) =>
  callApi(service, 'GET', `/slots?eventTypeId=${id}&start=${monday}&end=${monday}&format=range&${query}`);
const detailsOf = (answer: Awaited<ReturnType<typeof change>>) => bodyOf(answer, 400).error.details;

describe('lengths to choose from (contract §8)', () => {
  test('are kept once each and sorted, and left out where there is no choice', async () => {
    const chosen = await addEventType();
    const usual = await api.addEventType({ lengthInMinutesOptions: [] });

    expect(chosen).toMatchObject({ lengthInMinutes: 30, lengthInMinutesOptions: [15, 30, 60] });
    expect(usual).not.toHaveProperty('lengthInMinutesOptions');
    expect(bodyOf(await change(chosen.id, { lengthInMinutesOptions: null })).data).not.toHaveProperty(
      'lengthInMinutesOptions',
    );
  });

  test('have the usual length among them, whichever of both is changed', async () => {
    const { id } = await addEventType();
    const body = { title: 'Talk', slug: 'none', lengthInMinutes: 20, lengthInMinutesOptions: [15, 30] };

    const refused = [
      await callApi(service, 'POST', '/event-types', { token: ann.token, body }),
      await change(id, { lengthInMinutes: 20 }),
      await change(id, { lengthInMinutesOptions: [15, 60] }),
    ];

    for (const answer of refused)
      expect(detailsOf(answer)).toEqual({ lengthInMinutesOptions: 'Include lengthInMinutes.' });
    expect(bodyOf(await change(id, { lengthInMinutes: 60 })).data.lengthInMinutes).toBe(60);
  });

  test.each([
    ['eleven', Array.from({ length: 11 }, (_, index) => 30 + index)],
    ['none', [30, 0]],
    ['longer than a day', [30, 1441]],
    ['not a number', [30, '60']],
  ])('are up to ten, of 1 to 1440 minutes: %s', async (_name, lengthInMinutesOptions) => {
    const { id } = await addEventType();

    expect(Object.keys(detailsOf(await change(id, { lengthInMinutesOptions })))[0]).toMatch(
      /^lengthInMinutesOptions/,
    );
  });

  test('decide how far slots are apart, unless the event type says it', async () => {
    const { id } = await addEventType();
    const { id: quarterly } = await addEventType({ slotInterval: 15 });
    const firstTwo = async (eventTypeId: number, query: string) =>
      bodyOf(await slotsOf(eventTypeId, query)).data[monday].slice(0, 2);
    const slot = (start: string, end: string) => ({
      start: `${monday}T${start}:00.000Z`,
      end: `${monday}T${end}:00.000Z`,
    });

    expect(await firstTwo(id, '')).toEqual([slot('07:00', '07:30'), slot('07:30', '08:00')]);
    expect(await firstTwo(id, 'duration=60')).toEqual([slot('07:00', '08:00'), slot('08:00', '09:00')]);
    expect(await firstTwo(quarterly, 'duration=60')).toEqual([
      slot('07:00', '08:00'),
      slot('07:15', '08:15'),
    ]);
    expect(detailsOf(await slotsOf(id, 'duration=45'))).toEqual({
      duration: 'Must be one of the event type’s lengths, or omitted.',
    });
  });

  test('are booked, and no others', async () => {
    const { id } = await addEventType();

    const booking = await api.booked(id, { lengthInMinutes: 15 });
    const refused = await api.book({ eventTypeId: id, start: api.nextSlot(), lengthInMinutes: 45 });

    expect(booking.duration).toBe(15);
    expect(Date.parse(booking.end) - Date.parse(booking.start)).toBe(15 * 60_000);
    expect(detailsOf(refused)).toEqual({
      lengthInMinutes: 'This must be one of the event type’s lengths.',
    });
  });

  test('stay with a booking that is rescheduled, even when they are no longer offered', async () => {
    const { id } = await addEventType({ slotInterval: 15 });
    const booking = await api.booked(id, { start: '2031-06-03T07:00:00Z', lengthInMinutes: 60 });
    await change(id, { lengthInMinutesOptions: null });
    const uid = `bookingUidToReschedule=${booking.uid}`;

    const { data: slots } = bodyOf(await slotsOf(id, uid));
    const { data: moved } = bodyOf(
      await api.act('POST', `/${booking.uid}/reschedule`, { start: '2031-06-03T10:15:00Z' }),
      201,
    );

    const [{ start, end }] = slots[monday];
    expect(Date.parse(end) - Date.parse(start)).toBe(60 * 60_000);
    expect(bodyOf(await slotsOf(id, `${uid}&duration=60`)).data).toEqual(slots);
    expect(detailsOf(await slotsOf(id, `${uid}&duration=30`))).toHaveProperty('duration');
    expect(moved).toMatchObject({ duration: 60, end: '2031-06-03T11:15:00.000Z' });
  });

  test('are reserved', async () => {
    const { id } = await addEventType();
    const reserve = (slotDuration: number) =>
      callApi(service, 'POST', '/slots/reservations', {
        body: { eventTypeId: id, slotStart: '2031-06-04T07:00:00Z', slotDuration },
      });

    const refused = await reserve(45);
    const { data } = bodyOf(await reserve(60), 201);
    const left = await callApi(
      service,
      'GET',
      `/slots?eventTypeId=${id}&start=2031-06-04&end=2031-06-04&duration=15`,
    );

    expect(detailsOf(refused)).toEqual({
      slotDuration: 'Must be one of the event type’s lengths, or omitted.',
    });
    expect(data).toMatchObject({ slotDuration: 60, slotEnd: '2031-06-04T08:00:00.000Z' });
    expect(bodyOf(left).data['2031-06-04'][0].start).toBe('2031-06-04T08:00:00.000Z');
  });
});

describe('the booking page', () => {
  const timeZone = 'Europe/Berlin';

  test('offers the lengths, keeps the chosen one, and books it', async () => {
    const eventType = await addEventType();
    const path = new URL(eventType.bookingUrl).pathname;

    const usual = await openWith(service, path, { timeZone, date: '2031-07-01' });
    const hour = await openWith(service, path, { timeZone, date: '2031-07-01', duration: '60' });
    const fields = await fillIn(service, path, '2031-07-01T07:00:00Z');
    const form = await openWith(service, path, {
      timeZone,
      slot: '2031-07-01T07:00:00.000Z',
      duration: '60',
    });
    const booked = await send(service, path, { ...fields, duration: '60' });

    expect(textOf(usual.body).replaceAll(/\s+/g, ' ')).toContain('15 minutes 30 minutes 1 hour');
    expect(usual.body).toMatch(/duration=30" aria-current="true">30 minutes/);
    expect(hour.body).toMatch(/duration=60" aria-current="true">1 hour/);
    expect(hour.body).toContain(
      'slot=2031-07-01T07%3A00%3A00.000Z&amp;timeZone=Europe%2FBerlin&amp;duration=60',
    );
    expect(hour.body).not.toContain('slot=2031-07-01T07%3A30');
    expect(form.body).toContain('<input type="hidden" name="duration" value="60">');
    const uid = uidIn(String(booked.headers.location));
    expect(bodyOf(await api.act('GET', `/${uid}`)).data).toMatchObject({ duration: 60 });
  });

  test.each(['45', '-30', 'x', '99999'])('ignores a length that it does not offer: %s', async (duration) => {
    const { bookingUrl } = await addEventType();

    const page = await openWith(service, new URL(bookingUrl).pathname, { timeZone, duration });

    expect(page.statusCode).toBe(200);
    expect(page.body).toMatch(/duration=30" aria-current="true">30 minutes/);
    expect(page.body).not.toContain('name="duration"');
  });

  test('of a booking offers times of its length, when it is rescheduled', async () => {
    const { bookingUrl } = await addEventType();
    const path = new URL(bookingUrl).pathname;
    const own = await bookOn(service, path, '2031-07-02T07:00:00.000Z', { duration: '60' });

    const page = await openWith(service, `${own}/reschedule`, { date: '2031-07-03', timeZone });

    expect(page.body).toContain('slot=2031-07-03T08%3A00%3A00.000Z');
    expect(page.body).not.toContain('slot=2031-07-03T07%3A30');
  });

  test('lists all lengths, and none to choose where there is one', async () => {
    const { user, cookie } = await addPerson(service);
    const home = '/settings/event-types';
    const fields = { title: 'Talk', slug: 'talk', lengthInMinutes: '30', isListed: 'on' };
    const { headers } = await postOwnForm(service, `${home}/new`, fields, cookie);
    const path = String(headers.location).replace(/\?.*/, '');
    const saved = { ...fields, lengthInMinutesOptions: '60, 15 30' };
    await postOwnForm(service, path, saved, cookie);
    await postOwnForm(service, `${home}/new`, { ...fields, slug: 'one' }, cookie);

    const list = await openWith(service, `/${user.username}`);
    const one = await openWith(service, `/${user.username}/one`);

    expect(textOf(list.body)).toContain('15 minutes · 30 minutes · 1 hour');
    expect(one.body).not.toContain('aria-label="Length"');
  });
});

test('the settings page shows the other lengths again, and refuses what is none', async () => {
  const { user, cookie } = await addPerson(service);
  const home = '/settings/event-types';
  const fields = { title: 'Talk', slug: 'talk', lengthInMinutes: '30', description: '' };
  const { headers } = await postOwnForm(service, `${home}/new`, fields, cookie);
  const path = String(headers.location).replace(/\?.*/, '');
  const sendForm = (lengthInMinutesOptions: string) =>
    postOwnForm(service, path, { ...fields, lengthInMinutesOptions }, cookie);

  const refused = [await sendForm('15 quick'), await sendForm('0'), await sendForm('1 2 3 4 5 6 7 8 9 10')];
  const saved = await sendForm('60, 15 90');
  const form = await openAs(service, path, cookie);

  for (const page of refused) {
    expect(page.statusCode).toBe(400);
    expect(textOf(page.body)).toContain('Enter up to 9 lengths of 1 minute to 24 hours');
  }
  expect(saved.statusCode, user.username).toBe(303);
  expect(typedIn(form, 'lengthInMinutesOptions')).toBe('15, 60, 90');
});
