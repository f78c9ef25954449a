import fc from 'fast-check';
import { endingsOf, pathOf, type Target } from './surface.ts';
import { put } from './wrong-values.ts';

/** A request as it is sent; header names in lower case. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

const oddTexts = [
  ...['', ' ', '0', '-1', '1.5', '1e999', 'NaN', 'null', 'true', '[]', '{}', '2147483648', '9'.repeat(400)],
  ...['\0', 'a\0b', '%00', '%', '%zz', '%c3%28', '+', '&', '=', '#', '?', '\\', '//', '../../etc/passwd'],
  ...["'", '"', '`', "' or 1=1 --", '$1', '{{7*7}}', '<script>alert(1)</script>', '<%= it %>', '\u0024{7}'],
  ...[
    'a\r\nset-cookie: a=b',
    '\n'.repeat(500),
    '\u2028',
    '\ud800',
    '\u202Eabc',
    '\u200B',
    '\uFDFA'.repeat(99),
  ],
  ...['__proto__', 'constructor', 'toString', 'javascript:alert(1)', 'data:text/html,x', '//evil.example'],
  ...['http://127.0.0.1:1/', 'http://[::1]/', 'http://169.254.169.254/', 'file:///etc/passwd', 'http://0/'],
  ...['2030-01-07', '2030-02-30', '2030-13-01', '0000-01-01', '9999-12-31T23:59:59.999Z'],
  ...['+275760-09-13T00:00:00Z', '2030-01-07T09:00:00+99:99', '2030-03-31T02:30', '24:00', 'P1D'],
  ...['Europe/Berlin', 'Etc/GMT+14', 'utc', '../Europe', 'dana@example.com', 'a@b', '"a b"@example.com'],
  ...['a'.repeat(2049), 'é'.repeat(5000), 'a,'.repeat(3000), 'x'.repeat(60_000)],
] as const;

const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme' }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.double().map(String) },
  { weight: 1, arbitrary: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()) },
);
const json = fc.oneof(text, fc.jsonValue({ maxDepth: 4 }), fc.double({ noNaN: true }), fc.constant(null));

/** What a path's part is read as: a text of the database, or a number of it. */
const oddPart = fc.constantFrom('a\0b', '\0', '2147483648', '9'.repeat(20), '-1', '1e3', '%00', '..');
/** In a link: it belongs to whom it was sent, so not into a log. */
export const addressCanary = 'a-canary-in-an-address-0123456789';

const headerNames = [
  ...['accept', 'accept-encoding', 'accept-language', 'authorization', 'cookie', 'content-type', 'origin'],
  ...['referer', 'user-agent', 'sec-fetch-site', 'sec-fetch-mode', 'sec-purpose', 'if-none-match', 'range'],
  ...['cal-api-version', 'idempotency-key', 'x-cal-client-id', 'x-cal-secret-key', 'x-forwarded-host'],
  ...['x-forwarded-proto', 'x-request-id', 'x-http-method-override', 'access-control-request-method', 'te'],
  ...['dpop', 'x-booking-token'],
] as const;
/** Clients can send these values: no line breaks, no letters beyond Latin-1. */
const headerValue = text.map((value) => value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '').slice(0, 20_000));

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const types = [
  ...['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...['text/plain', 'application/json; charset=utf-16', 'application/xml', 'a'],
] as const;

/** Null, or one in so many. */
const oneIn = <Value>(count: number, arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: count - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });

const mutation = fc.record({
  method: oneIn(20, fc.constantFrom(...methods)),
  changes: fc.array(fc.tuple(fc.nat(), json), { maxLength: 3 }),
  headers: fc.array(fc.tuple(fc.constantFrom(...headerNames), headerValue), { maxLength: 2 }),
  /** With the session or the token of the request, without, or with another's. */
  who: fc.constantFrom('same', 'same', 'same', 'same', 'same', 'same', 'nobody', 'other'),
  type: oneIn(15, fc.constantFrom(...types)),
  rawBody: oneIn(
    15,
    fc.oneof(text, fc.json(), fc.constant('['.repeat(60_000)), fc.constant('x='.repeat(40_000))),
  ),
  rawPath: oneIn(30, text),
  part: oneIn(12, oddPart),
  canary: oneIn(12, fc.constantFrom('part', 'code', 'token', 'state')),
  query: fc.array(fc.tuple(fc.string({ maxLength: 20 }), text), { maxLength: 2 }),
  isOwnSite: fc.constantFrom(true, true, true, false),
  address: fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Requests over every target, each with some of its values, its sender or its form changed. What
 * ends something comes last, so that the others find what they are about.
 */
export function listHostile(targets: readonly Target[], seed: number, count: number) {
  const target = fc.constantFrom(...targets);
  return fc
    .sample(fc.tuple(target, target, mutation), { seed, numRuns: count })
    .toSorted(([one], [other]) => endingsOf(one) - endingsOf(other))
    .map(([one, other, change]) => hostileOf(one, other, change));
}

function hostileOf(target: Target, other: Target, change: Mutation): HostileRequest {
  const { route, params, query } = target;
  const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const sent = { params: { ...params }, query: { ...query, ...Object.fromEntries(change.query) } };
  let { body } = target;
  for (const [index, value] of change.changes) {
    const names = [...Object.keys(params), ...Object.keys(query)];
    const place = index % Math.max(names.length + target.fields.length, 1);
    const name = names[place];
    if (name === undefined) body = put(body, target.fields[place - names.length] ?? [], value);
    else if (name in params) sent.params[name] = asText(value);
    else sent.query[name] = asText(value);
  }
  const part = change.canary === 'part' ? addressCanary : change.part;
  if (part !== null) for (const name of Object.keys(params)) sent.params[name] = part;
  if (change.canary !== null) sent.query[change.canary] = addressCanary;
  const credentials = { same: target.headers, nobody: {}, other: other.headers }[change.who];
  const isForm = target.isForm || typeof body !== 'object';
  const fields = Object.entries(body ?? {}).map(([name, value]): [string, string] => [name, asText(value)]);
  const payload = isForm ? new URLSearchParams(fields).toString() : JSON.stringify(body);
  const usualType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  const method = change.method ?? target.method;
  const hasBody =
    !['GET', 'HEAD', 'OPTIONS'].includes(method) && (body ?? change.rawBody ?? undefined) !== undefined;
  const address = pathOf({ route, ...sent });
  return {
    method,
    path: change.rawPath === null ? address : asPath(`${address}${change.rawPath}`),
    headers: {
      'x-forwarded-for': ['10', ...change.address].join('.'),
      ...(change.isOwnSite ? { 'sec-fetch-site': 'same-origin' } : {}),
      ...credentials,
      ...(hasBody ? { 'content-type': change.type ?? usualType } : {}),
      ...Object.fromEntries(change.headers),
    },
    body: hasBody ? (change.rawBody ?? payload) : undefined,
  };
}

/** Without what no client can write into a request line; cut below the limit of all headers. */
const asPath = (text: string): string => text.replaceAll(/[^\x21-\x7e]/g, '').slice(0, 20_000);
