import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';
import { digestOf } from '../../clients/typescript/digest.ts';
import { apiErrors } from '../../src/api/errors.ts';
import { nameOf, type Schema } from '../../src/api/openapi/document.ts';
import { memoryLimits } from '../../src/platform/limits/limits.ts';
import { around } from '../../src/platform/limits/whose.ts';
import { packageFolder } from '../../src/platform/package.ts';
import { exampleOf, fetchDocument, isOfRfc, listOperations, openSchemas } from '../support/document.ts';
import { listRoutes } from '../support/routes.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestService } from '../support/service.ts';

const gzip = { 'accept-encoding': 'gzip' };
const service = await openTestService({ API_URL: 'https://api.example', APP_URL: 'https://app.example' });
const document = await fetchDocument(service.app);
const text = JSON.stringify(document);
const operations = listOperations(document);
const findMisfits = openSchemas(document, { isStrict: true });
const ids = operations.map(({ operation }) => operation.operationId);

describe('/openapi.json (contract §7)', () => {
  test('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(JSON.parse(text));

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toBe('3.1.1');
  });

  /** The rules of the linter that don't fit, with the reasons. */
  const unfit = {
    'info-contact': 'who runs a service is for its operator to say',
    'tags-alphabetical': 'readers get what everybody needs first',
    'path-http-verbs-order': 'readers get what makes a thing before what lists it',
    'path-segment-plural': 'the paths are Cal.com’s (contract §8) and OAuth’s',
    'request-mime-type': 'OAuth takes forms (RFC 6749 §3.2)',
    'operation-4xx-problem-details-rfc7807': 'contract §5 has a shape of its own',
    'operation-description': 'some summaries say it all',
    'scalar-property-missing-example': 'objects have examples as wholes',
    'required-string-property-missing-min-length': 'answers don’t promise lengths',
  };

  test('has no fault that Redocly’s linter finds, with all rules that fit', async () => {
    const off = Object.fromEntries(Object.keys(unfit).map((rule) => [rule, 'off'] as const));
    const config = await createConfig({ extends: ['all'], rules: off });
    const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });

    expect(problems.map(({ ruleId, location: [at] }) => [ruleId, at?.pointer])).toEqual([]);
  });

  test('is what the types of clients/typescript were made of', { tags: 'parts' }, async () => {
    const types = await readFile(join(packageFolder, 'clients/typescript/src/schema.ts'), 'utf8');

    expect(types.slice(0, types.indexOf('\n'))).toContain(digestOf(document));
  });

  test('may be read by programs in a browser', async () => {
    const { headers } = await service.app.inject('/openapi.json');

    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'access-control-allow-origin': '*',
    });
  });

  test('is sent compressed to those who take it, and kept for five minutes (contract §7)', async () => {
    const url = '/openapi.json';
    const plain = await service.app.inject(url);
    const { headers, rawPayload } = await service.app.inject({ url, headers: gzip });

    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=300',
      vary: 'accept-encoding',
    });
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
    expect(gunzipSync(rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(plain.headers).not.toHaveProperty('content-encoding');
  });

  test('is written once: requests cost less than writing it would (security C145)', async () => {
    const times = 20;
    const costOf = async (work: () => unknown) => {
      const before = process.cpuUsage();
      for (let count = 0; count < times; count++) await work();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };

    const writing = await costOf(() => gzipSync(JSON.stringify(document)));
    const asking = await costOf(() => service.app.inject({ url: '/openapi.json', headers: gzip }));

    expect(asking).toBeLessThan(writing / 2);
  });

  const listed = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted();
  const refusing = /^(GET|PUT|PATCH|DELETE) \/v2\/auth\/oauth2\/(token|revoke|introspect)$/;
  const routes = listRoutes(service.app).filter(({ path }) => path.startsWith('/v2/'));
  const served = routes.map(({ method, path }) => `${method} ${path}`);

  test('has every route below /v2, and no other', () => {
    expect(served).toContain('GET /v2/me');
    expect(served.filter((route) => !refusing.test(route)).toSorted()).toEqual(listed);
  });

  test('leaves out the routes that answer 405 alone', async () => {
    const refused = routes.filter(({ method, path }) => refusing.test(`${method} ${path}`));
    const requests = refused.map(({ method, path: url }) => {
      if (method === 'GET' || method === 'PUT' || method === 'PATCH' || method === 'DELETE')
        return service.app.inject({ method, url });
      throw new Error(method);
    });

    expect(refused).toHaveLength(12);
    for (const { statusCode } of await Promise.all(requests)) expect(statusCode).toBe(405);
  });

  test('says where the API is, and where people give permission', () => {
    expect(document.servers[0].url).toBe('https://api.example');
    expect(document.components).toMatchObject({
      securitySchemes: {
        oauth2: {
          flows: {
            authorizationCode: {
              authorizationUrl: 'https://app.example/auth/oauth2/authorize',
              tokenUrl: 'https://api.example/v2/auth/oauth2/token',
              refreshUrl: 'https://api.example/v2/auth/oauth2/token',
            },
          },
        },
      },
    });
  });

  test('says by oneOf, and a discriminator where its choices are objects with a type, what generators in Go need (contract §7)', () => {
    const unions: Schema[][] = [];
    JSON.parse(text, (key, value) => {
      if (key === 'anyOf') unions.push(value);
      return value;
    });
    const { schemas } = document.components;
    const locations = schemas['NewEventType']?.properties?.['locations']?.items;

    expect(unions.filter((one) => !one.some(({ type }) => type === 'null'))).toEqual([]);
    expect(locations?.discriminator?.mapping['address']).toBe('#/components/schemas/AddressLocation');
    expect(Object.keys(schemas['BookedLocationChoice']?.discriminator?.mapping ?? {})).toHaveLength(6);
  });

  test('has an id for each operation, all different, that can be the name of a function', () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).toEqual([]);
  });

  test('begins with a guide, which says to check state and iss (RFC 6749 §10.12, RFC 9207 §2.4)', {
    tags: 'parts',
  }, () => {
    const headings = document.info.description.split('\n').filter((line) => line.startsWith('## '));

    expect(headings).toEqual([
      '## Call the API from your own script',
      '## Try a call without a token',
      '## Get an access token',
      '## Use an OAuth library',
      '## Sign people in',
      '## Make requests',
      '## Versions',
      '## Errors',
      '## Pagination and filtering',
      '## Attendees without an account',
      '## Idempotent requests',
      '## Rate limits',
    ]);
    expect(document.info.description).toContain(
      'first check that `state` is yours and that `iss` is `https://app.example`',
    );
  });

  test('the guide says which family answers in which version (contract §8)', { tags: 'parts' }, () => {
    expect(document.info.description).toContain(`
| Me, teams, calendars, webhooks, managed users | \`2024-04-15\` |
| Schedules | \`2024-06-11\` |
| Event types | \`2024-06-14\` |
| Bookings | \`2024-08-13\` |
| Slots | \`2024-09-04\` |
`);
  });

  test('the guide gives the limits that hold, and what to do at each status', () => {
    const { description } = document.info;
    const { requests, slots, bookings } = memoryLimits;
    const counts = { Requests: requests, 'of them for slots': slots, 'bookings and reservations': bookings };
    const rows = Object.entries(counts).map(([name, { max }]) => {
      const numbers = [max, max * around];
      return `| ${name} | ${numbers.map((number) => number.toLocaleString('en')).join(' | ')} |`;
    });

    for (const row of rows) expect(description).toContain(`${row}\n`);
    for (const status of Object.values(apiErrors).filter((it) => it < 413 || it > 415))
      expect(description).toMatch(new RegExp(`^\\| .*\\b${status}\\b`, 'm'));
  });

  test('has a family for each operation, and words for each family', () => {
    const families = new Set(operations.map(({ operation }) => operation.tags[0]));

    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...families].toSorted());
    expect(document.tags.filter(({ description }) => description === '')).toEqual([]);
  });

  test('has each schema once, and none that nothing uses', () => {
    const names = Object.keys(document.components.schemas);

    expect(names.filter((name) => names.includes(`${name}Input`))).toEqual([]);
    expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
  });

  test('is read by generators: no patterns of JavaScript alone, no defaults on unions, named enumerations, plain types', () => {
    const [enumerations, defaults, types]: [string[], string[], string[]] = [[], [], []];
    JSON.parse(text, (_key, value: Schema | null) => {
      if (value?.enum !== undefined && value.enum.length > 1) enumerations.push(JSON.stringify(value));
      const isUnion = value?.anyOf !== undefined || value?.oneOf !== undefined || Array.isArray(value?.type);
      const isDeep = JSON.stringify(value?.default ?? '').startsWith('[{');
      if ((isUnion || isDeep) && value !== null && 'default' in value) defaults.push(JSON.stringify(value));
      const { type, const: only, anyOf = [] } = value ?? {};
      const isOdd =
        (type === 'number' && only !== undefined) ||
        anyOf.some((one) => one.type === 'object' && one.properties === undefined) ||
        (anyOf.length > 0 && anyOf.every((one) => one.type === 'string' && one.format !== undefined)) ||
        (Object.keys(value ?? {}).length > 1 && type === 'null');
      if (isOdd) types.push(JSON.stringify(value));
      return value;
    });
    const parameters = operations.flatMap(({ operation }) => operation.parameters);
    const bodies = operations.flatMap((listed) => {
      const { operation } = listed;
      const contentTypes = Object.keys(operation.requestBody?.content ?? {});
      const usual = isOfRfc(listed) ? 'application/x-www-form-urlencoded' : 'application/json';
      return contentTypes.length === 0 || contentTypes.join() === usual ? [] : [operation.operationId];
    });
    const schemas = Object.values(document.components.schemas).map((schema) => JSON.stringify(schema));

    expect(text).not.toContain(String.raw`\\p{`);
    expect(enumerations.filter((written) => !schemas.includes(written))).toEqual([]);
    expect(defaults).toEqual([]);
    expect(types).toEqual([]);
    expect(parameters.filter(({ schema }) => schema.anyOf?.some(({ type }) => type === 'array'))).toEqual([]);
    expect(bodies).toEqual([]);
  });

  test('has no example of an optional filter, because importers (Bruno) send what has one', () => {
    const sent = operations.flatMap(({ operation: { operationId, parameters } }) =>
      parameters
        .filter(
          ({ in: place, required, schema }) => place === 'query' && !required && schema.default === undefined,
        )
        .filter((parameter) => exampleOf(parameter) !== undefined && !('$ref' in parameter.schema))
        .map(({ name }) => `${operationId} ${name}`),
    );

    // Slots are those of an event type.
    expect(sent).toEqual(['listSlots eventTypeId', 'listAvailableSlots eventTypeId']);
  });

  test('leaves out what tells a reader nothing: patterns of formats, the bounds of JavaScript', () => {
    expect(text).not.toMatch(/"format":"[^"]+","pattern"|"pattern":"[^"]+","format"/);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    expect(text).not.toContain('Default Response');
  });
});

test.each(operations)(
  '$method $path is described, with its parameters, scopes and examples (contract §7)',
  ({ method, path, operation }) => {
    const { parameters, responses, security, requestBody } = operation;
    const statuses = Object.keys(responses);
    const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
    const scopes = security.flatMap(({ oauth2 = [] }) => oauth2);
    const place = ['paths', path, method];
    const contents = [
      ...Object.entries(requestBody?.content ?? {}).map(([type, media]) => ({
        at: [...place, 'requestBody', 'content', type, 'schema'],
        media,
      })),
      ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
        Object.entries(content)
          .filter(() => status.startsWith('2'))
          .map(([type, media]) => ({
            at: [...place, 'responses', status, 'content', type, 'schema'],
            media,
          })),
      ),
    ];

    expect.soft(operation.summary, 'it says what it does').not.toBe('');
    const silent = parameters.filter(({ description = '' }) => description === '');
    expect.soft(silent, 'it says what each parameter means').toEqual([]);
    expect.soft(statuses.filter((status) => status.startsWith('2'))).toHaveLength(1);
    expect.soft(statuses, 'it says what goes wrong').toEqual(expect.arrayContaining(['500', '503']));
    expect.soft(statuses.filter((status) => !/^[245]\d\d$/.test(status))).toEqual([]);
    expect
      .soft(named, 'it names the parameters of its path')
      .toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    const unknown = scopes.filter((scope) => ![...scopeNames, 'openid'].includes(scope));
    expect.soft(unknown, 'it names scopes that there are').toEqual([]);
    if (security.every((way) => Object.keys(way).length > 0))
      expect.soft(responses, 'it says 401 where a token is needed').toHaveProperty('401');
    for (const { at, media } of contents) {
      expect.soft(media.example, at.join(' ')).toBeDefined();
      expect.soft(findMisfits(at, media.example), at.join(' ')).toEqual([]);
    }
    for (const [index, parameter] of parameters.entries()) {
      const example = exampleOf(parameter);
      if (example !== undefined)
        expect
          .soft(findMisfits([...place, 'parameters', String(index), 'schema'], example), parameter.name)
          .toEqual([]);
    }
  },
);

/** Fields whose names say it all. */
const obvious = new Set(
  `id uid name title slug description email username timeZone language phoneNumber status start end date days
  startTime endTime duration lengthInMinutes time type disabled timestamp createdAt updatedAt client_id grant_type
  token_type error redirect_uris totalItems returnedItems itemsPerPage currentPage totalPages remainingItems hasNextPage
  hasPreviousPage`.split(/\s+/),
);

/** The fields of an object, and of the objects in it that have no name of their own. */
function fieldsOf(schema: Schema): { name: string; schema: Schema }[] {
  const parts = [schema, schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return parts.flatMap((part) =>
    Object.entries(part?.properties ?? {}).flatMap(([name, field]) => [
      { name, schema: field },
      ...fieldsOf(field),
    ]),
  );
}

/** Whether a schema is one with a name of its own, or a list of those, or a choice among them. */
function isNamed(schema: Schema): boolean {
  const parts = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return nameOf(schema) !== undefined || parts.some((part) => part !== undefined && isNamed(part));
}

test.each(Object.entries(document.components.schemas))(
  'there are examples of %s that fit it, and its fields are described, unless their names or named schemas say it all',
  (name, schema) => {
    const { examples = [] } = schema;
    const undescribed = fieldsOf(schema).filter(
      ({ name: field, schema: { description = '', ...rest } }) =>
        description === '' && !obvious.has(field) && !isNamed(rest),
    );

    expect.soft(examples).not.toEqual([]);
    for (const example of examples)
      expect.soft(findMisfits(['components', 'schemas', name], example)).toEqual([]);
    expect.soft(undescribed.map(({ name: field }) => field)).toEqual([]);
  },
);

test('the comparison finds what is missing, what is wrong and, if strict, what is too much', () => {
  const place = ['components', 'schemas', 'Rescheduling'];
  const right = { start: '2030-01-07T09:00:00Z' };
  const [strict, open] = [findMisfits, openSchemas(document, { isStrict: false })];

  expect([strict(place, right), open(place, right), open(place, { ...right, more: 1 })]).toEqual([
    [],
    [],
    [],
  ]);
  expect(strict(place, { ...right, more: 1 })).toHaveLength(1);
  expect(open(place, {})).toHaveLength(1);
  expect(open(place, { start: 'soon' })).toHaveLength(1);
});
