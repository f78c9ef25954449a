import { describe, expect, test } from 'vitest';
import { curlOf } from '../../src/docs/curl.ts';
import { fieldsOf, notesOf, typeOf } from '../../src/docs/types.ts';
import type { Operation } from '../../src/openapi/document.ts';
import { fetchDocument, listOperations } from '../support/document.ts';
import { textOf } from '../support/page-content.ts';
import { openTestService } from '../support/service.ts';
import { addUser, signIn } from '../support/world.ts';

const service = await openTestService({ API_URL: 'https://api.example', APP_URL: 'https://app.example' });
const document = await fetchDocument(service.app);
const operations = listOperations(document);
const page = await service.app.inject('/docs');
const text = textOf(page.body);

/** The part of the page about one operation. */
function cardOf(id: string): string {
  const [card] = new RegExp(
    `<article class="card operation" aria-labelledby="${id}">.*?</article>`,
    's',
  ).exec(page.body) ?? [''];
  return textOf(card);
}

describe('/docs (contract §7)', () => {
  test('is a page like any other, that needs no script and nothing from elsewhere', async () => {
    const home = await service.app.inject('/');

    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toBe(home.headers['content-security-policy']);
    expect(page.body).not.toContain('<script');
  });

  test.each(['/', '/signin', '/docs', '/nowhere'])('is linked at the foot of %s', async (url) => {
    const { body } = await service.app.inject(url);

    expect(body).toMatch(/<footer>.*<a href="\/docs">API documentation<\/a>.*<\/footer>/s);
  });

  test('says that state and iss are to be checked (RFC 6749 §10.12, RFC 9207 §2.4)', () => {
    expect(textOf(page.body)).toContain(
      `check first that the state in the address is yours, and that iss is ${service.appUrl}.`,
    );
  });

  test('leads nowhere on the page that is not there, and has no id twice', () => {
    const targets = [...page.body.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
    const ids = [...page.body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);

    expect(targets.length).toBeGreaterThan(operations.length);
    expect(targets.filter((id) => !ids.includes(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('shows who is signed in, though the reference is rendered once', async () => {
    const cookie = await signIn(service, await addUser(service));

    const signedIn = await service.app.inject({ url: '/docs', headers: { cookie } });

    expect(signedIn.body).toContain('Sign out');
    expect((await service.app.inject('/docs')).body).toBe(page.body);
  });

  test.each(operations)(
    'has $method $path with all that the document says of it',
    ({ method, path, operation }) => {
      const card = cardOf(operation.operationId);

      expect(card).toContain(operation.summary);
      expect(card).toContain(operation.description ?? '');
      expect(card).toContain(`${method.toUpperCase()} ${path}`);
      for (const { name, description = '' } of operation.parameters) {
        expect(card).toContain(name);
        expect(card).toContain(description);
      }
      for (const { description } of Object.values(operation.responses).slice(1))
        expect(card).toContain(description);
      expect(card).toContain('https://api.example/v2/');
    },
  );

  test.each(Object.entries(document.components.schemas))(
    'has the object %s with its fields',
    (name, schema) => {
      expect(page.body).toContain(`id="schema-${name}"`);
      for (const field of Object.keys(schema.properties ?? {})) expect(text).toContain(field);
    },
  );

  test.each([
    ['getMe', 'An access token with PROFILE_READ.'],
    ['getOAuthClient', 'Any valid access token.'],
    ['createBooking', 'Anybody.'],
    ['listEventTypes', 'Anybody; for the token’s own account EVENT_TYPE_READ.'],
    ['requestTokens', 'A client, by HTTP Basic or in the body.'],
    ['createManagedUser', 'A client, by its id and secret.'],
  ])('says who may call %s', (id, words) => {
    expect(cardOf(id)).toContain(`Who may call it: ${words}`);
  });
});

describe('the command of an operation', () => {
  const commandOf = (id: string): string => {
    const found = operations.find(({ operation }) => operation.operationId === id);
    return found === undefined
      ? ''
      : curlOf({ ...found, method: found.method.toUpperCase() }, 'https://api.example');
  };

  test('has the token, the version, the query and the body that it needs', () => {
    expect(commandOf('getMe')).toBe(
      "curl 'https://api.example/v2/me' \\\n  -H 'Authorization: Bearer YOUR_ACCESS_TOKEN'",
    );
    expect(commandOf('createSchedule')).toMatch(
      /^curl -X POST .*\n.*Bearer.*\n {2}-H 'Content-Type: application\/json' .*\n {2}-d '\{\n/,
    );
    expect(commandOf('updateEventType')).toContain("'https://api.example/v2/event-types/42'");
    expect(commandOf('listSlots')).toContain('/v2/slots?start=2030-01-07&end=2030-01-07&eventTypeId=42');
    expect(commandOf('listSlots')).toContain("-H 'cal-api-version: 2024-09-04'");
    expect(commandOf('listSlots')).not.toContain('Bearer');
    expect(commandOf('requestTokens')).toContain("--data-urlencode 'grant_type=authorization_code'");
    expect(commandOf('createManagedUser')).toContain("-u 'YOUR_CLIENT_ID:YOUR_CLIENT_SECRET'");
  });

  test('is quoted, so that a shell reads every text as it is', () => {
    const operation: Operation = {
      operationId: 'say',
      summary: 'Say',
      tags: ['Me'],
      security: [{}],
      parameters: [],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: {}, example: { text: "it's $HOME" } } },
      },
      responses: {},
    };

    expect(curlOf({ method: 'POST', path: '/say', operation }, '')).toContain(String.raw`it'\''s $HOME`);
  });
});

describe('a type in words', () => {
  const words = (schema: Parameters<typeof typeOf>[0]): string =>
    typeOf(schema)
      .map((part) => part.text)
      .join('');

  test.each<[string, Parameters<typeof typeOf>[0]]>([
    ['Booking', { $ref: '#/components/schemas/Booking' }],
    ['"asc" or "desc"', { type: 'string', enum: ['asc', 'desc'] }],
    ['string or null', { type: ['string', 'null'] }],
    [
      'date or date-time',
      {
        anyOf: [
          { type: 'string', format: 'date' },
          { type: 'string', format: 'date-time' },
        ],
      },
    ],
    ['array of integer', { type: 'array', items: { type: 'integer' } }],
    ['object of string', { type: 'object', additionalProperties: { type: 'string' } }],
    ['anything', {}],
    ['true', { type: 'boolean', const: true }],
    [
      '{ disabled: true } or { type: "calendarDays", value: integer }',
      {
        anyOf: [
          { type: 'object', properties: { disabled: { type: 'boolean', const: true } } },
          {
            type: 'object',
            properties: { type: { type: 'string', const: 'calendarDays' }, value: { type: 'integer' } },
          },
        ],
      },
    ],
  ])('%s', (expected, schema) => {
    expect(words(schema)).toBe(expected);
  });

  test('comes with its bounds and its default', () => {
    expect(notesOf({ minimum: 1, maximum: 250, default: 100 })).toEqual(['1 to 250.', 'Default: 100.']);
    expect(notesOf({ maxLength: 80, maxItems: 3 })).toEqual(['At most 80 characters.', 'At most 3 items.']);
    expect(notesOf({ minimum: 1, maximum: 2_147_483_647 })).toEqual([]);
  });

  test('shows of an object in several forms only the fields of which there is more to say', () => {
    const always = { type: 'object', properties: { type: { type: 'string', const: 'always' } } };
    const days = {
      type: 'object',
      properties: { value: { type: 'integer', description: 'How many days.' } },
      required: ['value'],
    };

    const [field] = fieldsOf({ properties: { window: { anyOf: [always, days] } } });

    expect(field?.fields).toMatchObject([
      { name: 'value', isRequired: false, description: 'How many days.' },
    ]);
  });

  test('shows the fields of objects that have no name of their own', () => {
    const [field] = fieldsOf({
      properties: {
        hosts: { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } },
      },
      required: ['hosts'],
    });

    expect(field).toMatchObject({
      name: 'hosts',
      isRequired: true,
      fields: [{ name: 'id', isRequired: false }],
    });
  });
});
