import { expect, test } from 'vitest';
import { bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';

const { service, ann } = await openBookingsApi();
const { token } = ann;

test.each([
  ['resembles none of the operation’s', { zone: 'UTC', ['x'.repeat(60)]: 1 }],
  ['is one of Cal.com’s that is ignored here', { locale: 'en', bio: 'Hello.' }],
  ['stands beside a known one', { timeZone: 'UTC', timezone: 'UTC' }],
])('an unknown name is accepted that %s (contract §8)', async (_, body) => {
  expect((await callApi(service, 'PATCH', '/me', { token, body })).statusCode).toBe(200);
});

test('Cal.com’s fields that aren’t supported are named beside every other fault (contract §5)', async () => {
  const body = { recurrenceCount: 3, guests: ['x'] };

  const answer = await callApi(service, 'POST', '/bookings?_silentCalendarFailures=perhaps', { token, body });

  expect(bodyOf(answer, 400).error.details).toEqual({
    recurrenceCount: 'Not supported. Bookings don’t repeat.',
    start: 'This field is required.',
    attendee: 'This field is required.',
    'guests.0': 'Must be an email address, such as alice@example.com.',
    eventTypeId: expect.stringMatching(/^Send eventTypeId/),
    _silentCalendarFailures: expect.any(String),
  });
});
