import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { anyAddress } from '../support/any-visitor.ts';
import {
  contentTypeOf,
  exampleOf,
  fetchDocument,
  isOfRfc,
  type ListedOperation,
  listOperations,
  openSchemas,
} from '../support/document.ts';
import { emptyTable } from '../support/empty-table.ts';
import { openTestService } from '../support/service.ts';
import { trustingMail } from '../support/verification.ts';
import { openRows } from './rows.ts';
import { valuesOf } from './values.ts';
import { listPlaces, put, schemaIn } from './wrong-values.ts';

/** `tests/fuzz/run.ts` sends more. */
const perOperation = Number(process.env['FUZZ_PER_OPERATION'] ?? 6);
const seed = Number(process.env['FUZZ_SEED'] ?? 1);

const service = await openTestService({ ...trustingMail, CALENDAR_ALLOW_PRIVATE: '127.0.0.0/8' });
const document = await fetchDocument(service.app);
const operations = listOperations(document);
const findMisfits = openSchemas(document, { isStrict: true });

/** Nothing, or one in so many. */
const oneIn = <Value>(count: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.oneof({ weight: count - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });

/** The parameters of a place that are sent: what is needed, and one in so many of the others. */
function parametersOf({ operation }: ListedOperation, place: string, count: number) {
  const listed = operation.parameters.filter((parameter) => parameter.in === place);
  return fc.record(
    Object.fromEntries(
      listed.map((parameter) => {
        const example = exampleOf(parameter);
        const made = valuesOf(parameter.schema, document);
        const value = example === undefined ? made : fc.oneof(made, fc.constant(example));
        return [parameter.name, oneIn(count, value)];
      }),
    ),
  );
}

/** Changes of an example: values of the schema in some places, seldom any value, or all of it made from the schema. */
function bodiesOf(listed: ListedOperation): fc.Arbitrary<(example: unknown) => unknown> {
  const { path, method, operation } = listed;
  const contentType = contentTypeOf(listed);
  const schema = operation.requestBody?.content[contentType]?.schema;
  if (schema === undefined) return fc.constant(() => undefined);
  const schemaAt = ['paths', path, method, 'requestBody', 'content', contentType, 'schema'];
  const places = listPlaces(document, { at: [], schemaAt }).filter(({ at }) => at.length > 0);
  const changes = places.map(({ at, schemaAt: place }) =>
    valuesOf(schemaIn(document, place), document).map((value) => (body: unknown) => put(body, at, value)),
  );
  const same = fc.constant((body: unknown) => body);
  const anywhere = fc
    .tuple(fc.constantFrom([], ...places.map(({ at }) => at)), fc.jsonValue({ maxDepth: 2 }))
    .map(
      ([at, value]) =>
        (body: unknown) =>
          put(body, at, value),
    );
  return fc.oneof(
    { weight: 2, arbitrary: same },
    { weight: 6, arbitrary: changes.length === 0 ? same : fc.oneof(...changes) },
    { weight: 1, arbitrary: valuesOf(schema, document).map((value) => () => value) },
    { weight: 1, arbitrary: anywhere },
  );
}

function requestsOf(listed: ListedOperation) {
  const place = (name: string, count: number) => parametersOf(listed, name, count);
  return fc.record({
    body: bodiesOf(listed),
    path: place('path', 12),
    query: place('query', 8),
    header: place('header', 12),
    who: oneIn(12, fc.constantFrom('nobody', 'colleague', 'attendee')),
    isForm: fc.boolean(),
  });
}

type Generated = ReturnType<typeof requestsOf> extends fc.Arbitrary<infer Value> ? Value : never;
/** The example of the document, so that a third of the requests get beyond all rules of the input. */
const plain: Generated = {
  ...{ body: (example) => example, path: {}, query: {}, header: {} },
  ...{ who: undefined, isForm: false },
};

type Rows = Awaited<ReturnType<typeof openRows>>;

const toMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The path with the rows that it names; some of them are no rows. */
async function pathOf({ path }: ListedOperation, values: Generated['path'], rows: Rows): Promise<string> {
  let [pattern, real, sent] = ['', '', ''];
  for (const part of path.split('/').slice(1)) {
    pattern += `/${part}`;
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const right = name === undefined ? part : await rows.rowAt(pattern, real);
    const made = name === undefined ? undefined : values[name];
    real += `/${right}`;
    // Not iCloud: no test looks a host name up.
    sent += `/${encodeURIComponent(asText(made === 'apple' ? right : (made ?? right)).toWellFormed())}`;
  }
  return sent;
}

function queryOf({ operation }: ListedOperation, values: Generated['query'], rows: Rows): string {
  const query = new URLSearchParams();
  for (const { name, in: place, required, example } of operation.parameters) {
    if (place !== 'query') continue;
    const value =
      values[name] ?? (required ? example : name === 'eventTypeId' ? rows.fixed[name]?.() : undefined);
    for (const one of [value ?? []].flat()) query.append(name, asText(one));
  }
  return query.toString();
}

async function send(listed: ListedOperation, generated: Generated, rows: Rows) {
  const { operation, method } = listed;
  const path = await pathOf(listed, generated.path, rows);
  const body = generated.body(rows.bodyOf(listed));
  const isForm = generated.isForm && operation.requestBody !== undefined && isOfRfc(listed);
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : [];
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const credentials = {
    right: rows.credentialsOf(listed),
    nobody: {},
    colleague: { authorization: `Bearer ${rows.colleagueToken}` },
    attendee: { 'x-booking-token': rows.bookingTokenOf() ?? 'none' },
  }[generated.who ?? 'right'];
  const headers = Object.entries({ ...generated.header }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, asText(value)]],
  );
  const request = {
    method: toMethod.parse(method.toUpperCase()),
    url: `${path}?${queryOf(listed, generated.query, rows)}`,
    remoteAddress: anyAddress(),
    headers: {
      ...credentials,
      ...Object.fromEntries(headers),
      ...(body === undefined ? {} : { 'content-type': type }),
    },
    ...(body === undefined
      ? {}
      : {
          payload: isForm
            ? new URLSearchParams(fields.map(([name, value]) => [name, asText(value)])).toString()
            : JSON.stringify(body),
        }),
  };
  return { request, answer: await service.app.inject(request) };
}

/** What is wrong with an answer; nothing when the document describes it. */
function faultsOf({ path, method, operation }: ListedOperation, answer: LightMyRequestResponse) {
  const { statusCode } = answer;
  const described = operation.responses[statusCode];
  if (described === undefined) return [`${statusCode} is not in the document`];
  if (statusCode >= 500 && !(statusCode === 502 && answer.json().error.code === 'CalendarUnavailable'))
    return [`${statusCode}`];
  const [type] = Object.keys(described.content ?? {});
  if (type === undefined) return answer.body === '' ? [] : ['there is a body'];
  const place = ['paths', path, method, 'responses', String(statusCode), 'content', type, 'schema'];
  return findMisfits(place, answer.json());
}

const endings = /\/(cancel|confirm|decline|disconnect|reschedule)$/;

test.each(operations)(
  `$method $path: ${perOperation} requests of its own schemas, seed ${seed}, are answered as the document says (contract §7)`,
  async (listed) => {
    const { method, path, operation } = listed;
    await emptyTable(service.database.db, rateLimits);
    let rows = await openRows(service, document, listed);
    const wrong: unknown[] = [];
    const statuses: number[] = [];

    const made = fc.sample(requestsOf(listed), { seed, numRuns: perOperation });
    for (const generated of made.map((one, index) => (index % 3 === 0 ? plain : one))) {
      // So that most requests are answered, not limited, and nobody has as much as one may have.
      if (statuses.length % 15 === 14) {
        service.clock.advance(60);
        rows = await openRows(service, document, listed);
      }
      const { request, answer } = await send(listed, generated, rows);
      const faults = faultsOf(listed, answer);
      if (faults.length > 0) wrong.push({ faults, request, answer: answer.body.slice(0, 2000) });
      statuses.push(answer.statusCode);
      if (answer.statusCode >= 300) continue;
      if (operation.operationId === 'requestTokens') rows.useRefreshToken(answer.json().refresh_token);
      if (method === 'delete' || endings.test(path)) rows.forget();
    }

    expect(wrong.slice(0, 5)).toEqual([]);
    // Otherwise most would end at the first rule, and the answers of what lies behind would never be seen.
    const wellGone = statuses.filter((status) => status < 300).length;
    expect(wellGone, statuses.join(' ')).toBeGreaterThanOrEqual(perOperation / 3);
  },
  20_000 + perOperation * 500,
);
