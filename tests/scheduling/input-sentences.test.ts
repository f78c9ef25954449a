import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { listWrongCalls } from '../fuzz/wrong-values.ts';
import { callApi, represent } from '../support/api.ts';
import { basicOf } from '../support/basic.ts';
import {
  fetchDocument,
  isOfRfc,
  type ListedOperation,
  listOperations,
  openSchemas,
} from '../support/document.ts';
import { addPlatformClient } from '../support/platform.ts';
import { openTestService } from '../support/service.ts';

/** A limit that is reached would hide what the later calls are answered. */
const limits = Object.fromEntries(Object.keys(memoryLimits).map((name) => [name, 100_000]));
const service = await openTestService({}, undefined, undefined, { limits });
const document = await fetchDocument(service.app);
const operations = listOperations(document);
const findMisfits = openSchemas(document, { isStrict: false });
const { token } = await represent(service);
const platform = await addPlatformClient(service);
const calls = (listed: ListedOperation) =>
  listWrongCalls(document, listed, { clientId: platform.id }, findMisfits);

const details = z.record(z.string(), z.string().regex(/^[A-Z].*\.$/));
const generalError = z.object({
  status: z.literal('error'),
  error: z.object({ code: z.string(), message: z.string().regex(/^[A-Z].*\.$/), details }),
});
const oauthError = z.object({ error: z.string(), error_description: z.string() });
const about = z.object({ error: z.object({ code: z.literal('BadRequest'), details }) });
const methods = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const zodsWords = /Invalid |expected .* received|Invalid option|Too (small|big)|undefined/;

/** Whether a 400 names the field, its parent, or a part; whatever else was refused was refused for another reason. */
function isAbout(field: string, answer: unknown): boolean {
  const parsed = about.safeParse(answer);
  const names = parsed.success ? Object.keys(parsed.data.error.details) : [field];
  return field === 'body'
    ? names.length > 0
    : names.some((name) => field.startsWith(name) || name.startsWith(field));
}

/** An empty flag is on, for Cal.com's clients (contract §8). */
const isTaken = (field: string, value: unknown): boolean =>
  field === '_silentCalendarFailures' && value === '';

/** What each kind of caller sends. */
function credentialsFor(listed: ListedOperation): Record<string, string> {
  if (isOfRfc(listed)) return {};
  const isClients = listed.operation.security.some((way) => 'clientBasic' in way);
  return { authorization: isClients ? basicOf(platform) : `Bearer ${token}` };
}

describe('a value of the wrong kind, in any field of any operation, is a 400 that says what is allowed (contract §5, security C21)', () => {
  test.each(operations)('$method $path', async (listed) => {
    const shape = isOfRfc(listed) ? oauthError : generalError;
    const wrong: unknown[] = [];

    for (const { field, value, path, headers, payload } of calls(listed)) {
      if (isTaken(field, value)) continue;
      const json = payload === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await service.app.inject({
        method: methods.parse(listed.method.toUpperCase()),
        url: path,
        headers: { ...credentialsFor(listed), ...headers, ...json },
        ...(payload === undefined ? {} : { payload }),
      });
      // A 404 or 409 has taken the value.
      const isRefused = answer.statusCode === 400 || (isOfRfc(listed) && answer.statusCode === 401);
      const isInWords = shape.safeParse(answer.json()).success && !zodsWords.test(answer.body);
      if (!isRefused || !isInWords || !isAbout(field, answer.json()))
        wrong.push({ field, value, status: answer.statusCode, body: answer.json() });
    }

    expect(wrong).toEqual([]);
  });
});

test('a field that is missing is called missing in any body, whatever its schema says of wrong values (contract §5)', {
  tags: 'parts',
}, async () => {
  // The calls before have used up a minute's rate limit.
  service.clock.advance(60);
  const unnamed = 'Send eventTypeId, or eventTypeSlug with username or teamSlug.';
  const named: string[] = [];
  for (const listed of operations.filter((it) => !isOfRfc(it)))
    for (const { field, path, payload } of calls(listed).filter(({ value }) => isEmptyObject(value))) {
      const answer = await service.app.inject({
        method: methods.parse(listed.method.toUpperCase()),
        url: path,
        headers: { ...credentialsFor(listed), 'content-type': 'application/json' },
        ...(payload === undefined ? {} : { payload }),
      });
      const parsed = about.safeParse(answer.json());
      for (const [name, words] of Object.entries(parsed.success ? parsed.data.error.details : {})) {
        if (name === field || !(field === 'body' || name.startsWith(`${field}.`))) continue;
        named.push(`${listed.operation.operationId} ${name}`);
        if (words !== unnamed) expect(words, named.at(-1)).toBe('This field is required.');
      }
    }

  expect(named).toEqual(
    expect.arrayContaining([
      'createEventType slug',
      'createEventType bookingFields.0.slug',
      'createEventType bookingFields.0.type',
      'createWebhook subscriberUrl',
      'createBooking start',
      'updateDestinationCalendar integration',
    ]),
  );
});

function isEmptyObject(value: unknown): boolean {
  return JSON.stringify(value) === '{}';
}

test('only operations that take any text, or no input, can be given nothing wrong', { tags: 'parts' }, () => {
  const allowing = operations.filter((listed) => calls(listed).length === 0);

  expect(allowing.map(({ operation }) => operation.operationId).toSorted()).toEqual([
    ...['getOAuthClient', 'getUserinfo', 'postUserinfo'],
  ]);
});

describe('the sentence for a field', () => {
  // The calls before have used up a minute's rate limit.
  beforeAll(() => service.clock.advance(60));

  async function sentenceFor(path: string, field: string, body?: object): Promise<unknown> {
    const answer = await callApi(service, body === undefined ? 'GET' : 'POST', path, {
      token,
      ...(body === undefined ? {} : { body }),
    });
    expect(answer.statusCode).toBe(400);
    return answer.json().error.details[field];
  }
  const eventType = { title: 'Talk', slug: 'talk', lengthInMinutes: 30 };

  test.each<[string, object, string]>([
    ['title', { title: 1 }, 'Must be a string.'],
    ['title', { title: undefined }, 'This field is required.'],
    ['title', { title: ' ' }, 'Can’t be empty.'],
    ['title', { title: 'x'.repeat(201) }, 'Must be at most 200 characters.'],
    ['lengthInMinutes', { lengthInMinutes: '30' }, 'Must be a number.'],
    ['lengthInMinutes', { lengthInMinutes: 1.5 }, 'Must be a whole number.'],
    ['lengthInMinutes', { lengthInMinutes: 0 }, 'Must be at least 1.'],
    ['lengthInMinutes', { lengthInMinutes: 1441 }, 'Must be at most 1440.'],
    ['hidden', { hidden: 'yes' }, 'Must be true or false.'],
    ['slug', { slug: 'A' }, 'Use lowercase letters, digits and single dashes, up to 80 characters.'],
    ['scheduleId', { scheduleId: true }, 'Must be a number.'],
    [
      'bookingWindow',
      { bookingWindow: { type: 'rolling', value: 3 } },
      'Use {"disabled": true}, {"type": "calendarDays", "value": 30} or "businessDays" with 1 to 3650 days, 1 to 90 with "rolling", or {"type": "range", "value": ["2030-09-05", "2030-09-09"]}.',
    ],
    ['confirmationPolicy', { confirmationPolicy: 'always' }, 'Use {"disabled": true} or {"type": "always"}.'],
  ])('%s of an event type: %j', async (field, changes, sentence) => {
    expect(await sentenceFor('/event-types', field, { ...eventType, ...changes })).toBe(sentence);
  });

  test.each([
    ['/slots?eventTypeId=1', 'start', 'This field is required.'],
    [
      '/slots?eventTypeId=1&start=now',
      'start',
      'Must be a date (YYYY-MM-DD) or a date-time such as 2030-01-31T09:00:00Z.',
    ],
    [
      // A form's blank, as browsers read it in a query (WHATWG URL, application/x-www-form-urlencoded).
      '/slots?eventTypeId=1&start=2026-11-25T09:00:00+01:00&end=2026-11-26',
      'start',
      'Must be a date (YYYY-MM-DD) or a date-time such as 2030-01-31T09:00:00Z. Write + as %2B in an address.',
    ],
    ['/event-types?take=0x10', 'take', 'Must be a whole number, 1 or more.'],
    ['/bookings?skip=-1', 'skip', 'Must be a whole number, 0 or more.'],
    ['/bookings?skip=1.5', 'skip', 'Must be a whole number, 0 or more.'],
    ['/bookings?eventTypeIds=1,x', 'eventTypeIds', 'Must be a whole number, 1 or more.'],
    [
      '/bookings?status=soon',
      'status',
      'Must be "upcoming", "past", "unconfirmed", "recurring", "accepted", "pending", "cancelled", or "rejected".',
    ],
    [`/bookings?eventTypeIds=${'1,'.repeat(100)}1`, 'eventTypeIds', 'Must be at most 100 items.'],
    ['/event-types?take=251', 'take', 'Must be at most 250.'],
    ['/event-types?sortCreatedAt=up', 'sortCreatedAt', 'Must be "asc" or "desc".'],
    ['/bookings?sortStart=asc&sortStart=asc', 'sortStart', 'Send this only once.'],
    ['/event-types/NaN', 'id', 'Must be a whole number, 1 or more.'],
    [
      '/calendars/busy-times?dateFrom=2030-01-01&dateTo=2030-01-02&calendarIds=x',
      'calendarIds',
      'Use up to 100 calendar IDs: calendarIds=1&calendarIds=2.',
    ],
  ])('%s', async (path, field, sentence) => {
    expect(await sentenceFor(path, field)).toBe(sentence);
  });

  test('every field that is missing is named in one answer', async () => {
    const missing = 'This field is required.';
    const eventTypeId = 'Send eventTypeId, or eventTypeSlug with username or teamSlug.';
    const send = async (path: string, body: object) =>
      (await callApi(service, 'POST', path, { body })).json().error.details;

    expect(await send('/bookings', { eventTypeSlug: 'talk' })).toEqual({
      start: missing,
      attendee: missing,
      eventTypeId,
    });
  });

  test('of a body that is none', async () => {
    expect(await sentenceFor('/event-types', 'body', [])).toBe('Must be a JSON object.');
  });
});
