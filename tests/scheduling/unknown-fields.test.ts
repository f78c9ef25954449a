import { expect, test } from 'vitest';
import { bodyOf, callApi } from '../support/api.ts';
import { openBookingsApi } from '../support/bookings-api.ts';
import { sharedService } from '../support/service.ts';

const { service, ann } = await openBookingsApi(sharedService());
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

test.each([
  [
    'POST',
    '/schedules',
    { name: 'Mine', timeZone: 'UTC', isDefault: false, availabilities: [] },
    'availabilities',
    'availability',
  ],
  ['PATCH', '/event-types/1', { length: 45 }, 'length', 'lengthInMinutes'],
] as const)(
  '%s %s with a name of another version of Cal.com’s says which one to send (contract §8)',
  async (method, path, body, field, name) => {
    expect(bodyOf(await callApi(service, method, path, { token, body }), 400).error.details).toEqual({
      [field]: `Not supported. Send \`${name}\`.`,
    });
  },
);

const eventType = { title: 'Talk', slug: 'unsupported', lengthInMinutes: 30 };

test.each([
  [
    'confirmationPolicy.blockUnconfirmedBookingsInBooker',
    { confirmationPolicy: { type: 'always', blockUnconfirmedBookingsInBooker: false } },
  ],
  ['disableCancelling.disabled', { disableCancelling: { disabled: true } }],
  ['requiresBookerEmailVerification', { requiresBookerEmailVerification: true }],
  ['disableRescheduling.minutesBefore', { disableRescheduling: { minutesBefore: 60 } }],
])('%s is refused where it isn’t what happens anyway (contract §8)', async (field, sent) => {
  const answer = await callApi(service, 'POST', '/event-types', { token, body: { ...eventType, ...sent } });

  expect(Object.keys(bodyOf(answer, 400).error.details)).toEqual([field]);
});

test('what says that a pending booking holds its time, and may be cancelled, is accepted (contract §8)', async () => {
  const sent = {
    confirmationPolicy: { type: 'always', blockUnconfirmedBookingsInBooker: true },
    disableCancelling: { disabled: false },
  };

  expect(
    (await callApi(service, 'POST', '/event-types', { token, body: { ...eventType, ...sent } })).statusCode,
  ).toBe(201);
});
