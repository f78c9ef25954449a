import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { bookings } from '../../src/scheduling/tables.ts';
import { findMisspeltFields } from '../../src/v2/differences.ts';
import { type ApiMethod, bodyOf, callApi } from '../support/api.ts';
import { addEventType } from '../support/booking.ts';
import { openBookingsApi } from '../support/bookings-api.ts';

const { service, db, ann, nextSlot } = await openBookingsApi();
const { token } = ann;
const eventType = await addEventType(service, ann.user);

async function detailsOf(method: ApiMethod, path: string, body?: object): Promise<object> {
  const options = { token, ...(body === undefined ? {} : { body }) };
  return bodyOf(await callApi(service, method, path, options), 400).error.details;
}

describe('a name that is almost one of the operation’s is a 400 that names the right one (contract §8)', () => {
  test('guests of a booking, which isn’t made', async () => {
    const attendee = { name: 'Bob', email: 'bob@example.com', timeZone: 'Europe/Rome' };
    const body = { eventTypeId: eventType.id, start: nextSlot(), attendee, guest: ['carol@example.com'] };

    expect(await detailsOf('POST', '/bookings', body)).toEqual({ guest: 'Unknown. Did you mean guests?' });
    expect(await db.$count(bookings)).toBe(0);
  });

  test.each<[ApiMethod, string, object | undefined, string, string]>([
    ['PATCH', '/me', { timezone: 'Europe/Rome' }, 'timezone', 'timeZone'],
    [
      'GET',
      '/slots?eventTypeId=1&start=2030-01-01&end=2030-01-02&timezone=UTC',
      undefined,
      'timezone',
      'timeZone',
    ],
    ['GET', '/event-types?usernmaes[]=ann', undefined, 'usernmaes', 'usernames'],
    ['GET', '/bookings?sortstart=asc', undefined, 'sortstart', 'sortStart'],
    [
      'POST',
      '/bookings/none/cancel',
      { cancelationReason: 'ill' },
      'cancelationReason',
      'cancellationReason',
    ],
    ['POST', '/calendars/1/disconnect', { Id: 2 }, 'Id', 'id'],
  ])('%s %s %j', async (method, path, body, name, meant) => {
    expect(await detailsOf(method, path, body)).toEqual({ [name]: `Unknown. Did you mean ${meant}?` });
  });

  test.each([
    ['resembles none', { zone: 'UTC', displayname: 'Ann', tz: 'UTC', ['x'.repeat(60)]: 1 }],
    ['is one of Cal.com’s that is ignored here', { locale: 'en', bio: 'Hello.' }],
    ['stands beside the right one', { timeZone: 'UTC', timezone: 'UTC' }],
  ])('but an unknown name stays accepted that %s', async (_, body) => {
    expect((await callApi(service, 'PATCH', '/me', { token, body })).statusCode).toBe(200);
  });

  test('beside every other fault, and Cal.com’s fields that aren’t supported (contract §5)', async () => {
    const body = { strat: '2030-01-07T09:00:00Z', recurrenceCount: 3, guests: ['x'] };

    expect(await detailsOf('POST', '/bookings?_silentCalendarFailures=perhaps', body)).toEqual({
      strat: 'Unknown. Did you mean start?',
      recurrenceCount: 'Not supported. Bookings don’t repeat.',
      start: 'This field is required.',
      attendee: 'This field is required.',
      'guests.0': 'Must be an email address, such as alice@example.com.',
      eventTypeId: expect.stringMatching(/^Send eventTypeId/),
      _silentCalendarFailures: expect.any(String),
    });
  });

  test('a short name may differ in one letter, a longer one in two', () => {
    const schema = z.object({ start: z.string(), timeZone: z.string() });
    const wordsFor = (name: string) => findMisspeltFields({}, schema, { [name]: 1 })[name];

    expect(wordsFor('strat')).toBe('Unknown. Did you mean start?');
    expect(wordsFor('stats')).toBeUndefined();
    expect(wordsFor('tmieZon')).toBe('Unknown. Did you mean timeZone?');
    expect(wordsFor('timeZ')).toBeUndefined();
  });

  test('a body of many names costs little: fifty of fifty characters are looked at', () => {
    const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`timeZon${index}`, 1]));
    const schema = z.object({ timeZone: z.string() });

    expect(Object.keys(findMisspeltFields({}, schema, many)).length).toBeLessThanOrEqual(50);
    expect(findMisspeltFields({}, schema, { ...many, timezone: 1 })).not.toHaveProperty('timezone');
  });
});
