import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { rateLimits } from '../../src/platform/limits/tables.ts';
import { openSurface, type Sent, sentTo, type Target } from '../fuzz/surface.ts';
import { put } from '../fuzz/wrong-values.ts';
import { anyAddress } from '../support/any-visitor.ts';
import { emptyTable } from '../support/empty-table.ts';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';

const [service, routes] = await recordingRoutes(() => openTestService());
const { targets } = await openSurface(service, routes);

/** A body may have 64 KB, and so may all headers; other fields need some of it. */
const room = 62 * 1024;
const fill = (text: string, before = '', after = ''): string =>
  before + text.repeat((room - before.length - after.length) / text.length) + after;

const hostileValues: Readonly<Record<string, string>> = {
  'one long run of letters': fill('a'),
  'one long run of digits': fill('9'),
  'an address that is percent-encoded thousands of times': fill('25', 'https://app.example/%', '41'),
  'percent signs that encode nothing': fill('%', 'https://app.example/'),
  'separators without anything between': fill('?&#', 'https://app.example/'),
  'user info without an end': fill('//a@', 'https:'),
  'a host of thousands of labels': fill('a.', 'https://', '!'),
  'an email address of thousands of labels': fill('a.', 'a@', '!'),
  'a slug that ends wrong': fill('a-', '', '!'),
  'blanks and one letter': fill(' ', '', 'a'),
  'blanks between letters': fill('a ', '', '\t'),
  'line breaks': fill('\r\n', 'a', 'a'),
  'combining marks': fill('\u0301\u0323', 'a'),
  'letters that NFKC makes long': fill('\uFDFA'),
  'dots after the head of a JWT': fill('.', 'eyJ'),
  'an unfinished quotation': fill('\\"', '"'),
  'commas and weights': fill('en;q=0.1,'),
  'scopes without end': fill('BOOKING_READ '),
  'a deep list': fill('['),
};

/** Cut so that it has room when it is percent-encoded. */
function fitted(value: string): string {
  const { length } = encodeURIComponent(value);
  return length <= room ? value : value.slice(0, Math.floor((value.length * room) / length));
}

type Place = readonly [name: string, with_: (value: string) => Target];

/** Where a value of a request can be another one. The form's token comes before all of them. */
function placesOf(target: Target): readonly Place[] {
  const { params, query, fields, isForm } = target;
  const place = isForm ? fitted : (value: string): string => value;
  return [
    ...Object.keys(params).map(
      (name): Place => [name, (value) => ({ ...target, params: { ...params, [name]: fitted(value) } })],
    ),
    ...Object.keys(query).map(
      (name): Place => [name, (value) => ({ ...target, query: { ...query, [name]: fitted(value) } })],
    ),
    ...fields
      .filter(([name]) => name !== 'form_token')
      .map(
        (at): Place => [at.join('.'), (value) => ({ ...target, body: put(target.body, at, place(value)) })],
      ),
  ];
}

interface Cost {
  readonly cpuMs: number;
  readonly heapMb: number;
}

async function costOf(sent: Sent): Promise<Cost> {
  const request = { ...sent, remoteAddress: anyAddress() };
  const [cpu, heap] = [process.cpuUsage(), process.memoryUsage().heapUsed];
  const { statusCode } = await service.app.inject(request);
  // What is recorded after the answer counts too.
  await new Promise((resolve) => setImmediate(resolve));
  const { user, system } = process.cpuUsage(cpu);
  const heapMb = (process.memoryUsage().heapUsed - heap) / 2 ** 20;
  expect(statusCode, sent.url.slice(0, 200)).toBeLessThan(500);
  return { cpuMs: (user + system) / 1000, heapMb };
}

const isCheap = ({ cpuMs, heapMb }: Cost): boolean => cpuMs <= 50 && heapMb <= 10;

const maxTries = 8;

/**
 * Other threads and the garbage collector of the process count, too, and a collection may last for
 * several requests: each try comes later than the last one. What is costly is costly every time.
 */
async function isEverCheap(sent: Sent): Promise<boolean> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    if (tries > 0) await sleep(2 ** tries);
    if (isCheap(await costOf(sent))) return true;
  }
  return false;
}

/** So many requests of one grant are too many in a minute. */
let sentInMinute = 0;
async function costlyOf(all: Iterable<readonly [name: string, sent: Sent]>): Promise<readonly string[]> {
  const costly: string[] = [];
  for (const [name, sent] of all) {
    sentInMinute += 1;
    if (sentInMinute % 400 === 0) service.clock.advance(60);
    if (!(await isEverCheap(sent))) costly.push(name);
  }
  return costly;
}

beforeEach(async () => {
  await emptyTable(service.database.db, rateLimits);
});

const takesAll = process.env['EVERY_VALUE'] !== undefined;
const taken = new Set<string>();

/**
 * Fields of one name are read by one parser, in whatever operation they are: each value goes to
 * one of them, and to every field of the token endpoint. `tests/fuzz/run.ts` takes all.
 */
function isDue({ route, isForm }: Target, place: string, value: string): boolean {
  if (takesAll || route.startsWith('/v2/auth/')) return true;
  const name = place.split('.').findLast((part) => !/^\d+$/.test(part));
  const shape = `${isForm} ${name} ${value}`;
  const isNew = !taken.has(shape);
  taken.add(shape);
  return isNew;
}

describe('any value of 62 KB costs at most 50 ms and 10 MB, in whatever place of a request (security C55)', () => {
  test.each(targets.map((target) => [target.method, target.route, target] as const))(
    '%s %s',
    async (_method, _route, target) => {
      const asked = placesOf(target).flatMap(([place, changed]) =>
        Object.entries(hostileValues).flatMap(([name, value]): (readonly [string, Sent])[] =>
          isDue(target, place, name) ? [[`${place}: ${name}`, sentTo(changed(value))]] : [],
        ),
      );

      expect(await costlyOf(asked)).toEqual([]);
    },
  );

  const headers = {
    '/': ['cookie', 'accept-language', 'user-agent', 'referer', 'origin', 'host', 'x-forwarded-for'],
    '/signin': ['cookie', 'content-type', 'origin', 'sec-fetch-site'],
    '/v2/me': ['authorization', 'cal-api-version', 'origin', 'accept', 'cookie', 'dpop'],
    '/v2/bookings': ['authorization', 'cal-api-version', 'idempotency-key', 'content-type'],
    '/v2/bookings/:uid': ['x-booking-token'],
    '/v2/oauth-clients/:clientId/users': ['authorization', 'x-cal-client-id', 'x-cal-secret-key'],
    '/v2/auth/oauth2/token': ['authorization', 'content-type', 'origin', 'dpop'],
    '/mcp': ['authorization', 'accept', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'origin'],
    '/assets/style.css': ['if-none-match', 'if-modified-since', 'range', 'accept-encoding'],
  } as const;
  const begins = ['', 'Bearer ', 'DPoP ', 'Basic ', 'latchkey_session=', 'W/"'] as const;

  const toolCalls = targets.filter(({ method, route }) => method === 'POST' && route === '/mcp');
  /** Headers are read before it is known which tool is called: each pair goes to one tool, in both versions. */
  const isTurnOf = (target: Target, pair: number): boolean => {
    const call = toolCalls.indexOf(target);
    return takesAll || call < 0 || Math.floor(call / 2) === pair % (toolCalls.length / 2);
  };

  test.each(Object.entries(headers))('headers of %s', async (route, names) => {
    const some = targets.filter((target) => target.route === route);
    const asked = some.flatMap((target) =>
      names.flatMap((name, at) =>
        Object.entries(hostileValues).flatMap(([way, value], index): (readonly [string, Sent])[] => {
          if (!isTurnOf(target, at + index)) return [];
          const sent = sentTo(target);
          const text = `${begins[index % begins.length]}${value.replaceAll(/[\r\n]/g, ' ')}`;
          return [
            [`${target.method} ${name}: ${way}`, { ...sent, headers: { ...sent.headers, [name]: text } }],
          ];
        }),
      ),
    );

    expect(asked.length).toBeGreaterThan(0);
    expect(await costlyOf(asked)).toEqual([]);
  });

  const many = (text: (index: number) => string, between: string): string =>
    Array.from({ length: 5000 }, (_, index) => text(index)).join(between);
  const [form, json] = ['application/x-www-form-urlencoded', 'application/json'] as const;
  const bodies: readonly (readonly [string, string, string])[] = [
    ['lists in lists', json, fill('[')],
    ['objects in objects', json, fill('{"a":')],
    ['lists in lists that end', json, '['.repeat(room / 2) + ']'.repeat(room / 2)],
    ['thousands of keys', json, `{${many((index) => `"k${index}":1`, ',')}}`],
    ['one key again and again', json, `{${many(() => '"name":1', ',')}}`],
    ['long numbers', json, fill('9', '{"a":', '}')],
    ['escapes', json, fill('\\u0061', '"', '"')],
    ['thousands of fields', form, many((index) => `k${index}=1`, '&')],
    ['one field again and again', form, many(() => 'name=1', '&')],
    ['brackets in names', form, many((index) => `a[${index}][b]=1`, '&')],
    ['percent signs', form, fill('%')],
    ['plus signs', form, fill('+', 'name=')],
  ];

  test.each(bodies)('a body of %s', async (_name, type, payload) => {
    const taking = targets.filter(
      ({ method, route }) => method === 'POST' && /^\/(signup|v2|mcp)/.test(route),
    );
    const asked = taking.map((target): readonly [string, Sent] => {
      const sent = sentTo(target);
      return [target.route, { ...sent, headers: { ...sent.headers, 'content-type': type }, payload }];
    });

    expect(await costlyOf(asked)).toEqual([]);
  });
});

test('NUL, in every place of every request, is no fault (security C35)', async () => {
  const asked = targets.flatMap((target) => placesOf(target).map(([, changed]) => sentTo(changed('a\0b'))));

  expect(asked.length).toBeGreaterThan(500);
  for (const [index, sent] of asked.entries()) {
    if (index % 400 === 0) service.clock.advance(60);
    await costOf(sent);
  }
});
