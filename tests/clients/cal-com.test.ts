import { expect, test } from 'vitest';
import { findRefusedFields } from '../../src/v2/differences.ts';
import { type ApiMethod, callApi, represent } from '../support/api.ts';
import { basicOf } from '../support/basic.ts';
import { fetchDocument, type ListedOperation, listOperations } from '../support/document.ts';
import { addPlatformClient } from '../support/platform.ts';
import { recordingRoutes } from '../support/routes.ts';
import { openTestService } from '../support/service.ts';
import newestThen from './cal-com.json' with { type: 'json' };
import otherVersions from './cal-com-versions.json' with { type: 'json' };

const [service, routes] = await recordingRoutes(() => openTestService());
const document = await fetchDocument(service.app);
const operations = listOperations(document);
const { token } = await represent(service);
const platform = await addPlatformClient(service);
const asPlatform = { token: undefined, headers: { authorization: basicOf(platform) } };

/** The inputs of Cal.com's older versions and its newest have more; a path names a nested field. */
const versions: readonly (readonly [string, (typeof otherVersions)[keyof typeof otherVersions]])[] = [
  ...Object.entries(newestThen),
  ...Object.entries(otherVersions),
];
const facts = Object.entries(Object.groupBy(versions, ([name]) => name))
  .map(([name, same = []]) => {
    const fieldsAt = (place: 'query' | 'body') => [...new Set(same.flatMap(([, fields]) => fields[place]))];
    return [name, { query: fieldsAt('query'), body: fieldsAt('body') }] as const;
  })
  .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Parameters of paths have other names. */
const isSamePath = (one: string, other: string): boolean =>
  one.replaceAll(/\{\w+\}/g, '{}') === other.replaceAll(/\{\w+\}/g, '{}');

function bodyFieldsOf({ operation }: ListedOperation): string[] {
  const { schema } = operation.requestBody?.content['application/json'] ?? {};
  const name = schema?.$ref?.split('/').at(-1) ?? '';
  const fields = Object.entries((document.components.schemas[name] ?? schema)?.properties ?? {});
  return fields.flatMap(([field, { oneOf = [], anyOf = [] }]) => {
    const inner = [...oneOf, ...anyOf].flatMap(({ properties = {} }) => Object.keys(properties));
    return [field, ...inner.map((one) => `${field}.${one}`)];
  });
}

/** Without them, what is made and answered is the same. */
const harmless = new Set([
  ...['bookerLayouts', 'calVideoSettings', 'color', 'hideOrganizerEmail', 'interfaceLanguage'],
  ...['lockTimeZoneToggleOnBookingPage', 'avatarUrl', 'bio', 'locale', 'time', 'timeUnit', 'id', 'uid'],
  ...['skipContactOwner', 'crmAppSlug', 'crmOwnerRecordType', 'email', '_isDryRun', 'debug', 'teamId'],
  ...['embedConnectVersion', 'isTeamEvent', 'shouldServeCache', '_shouldServeCache'],
  ...['emailVerificationCode', 'rescheduledBy'],
]);

/** Sent with an otherwise right request: a 400 names it, or it has no effect. */
async function isRefused({ method, path, operation }: ListedOperation, field: string, isQuery: boolean) {
  const address = path
    .replace(/^\/v2/, '')
    .replace('{clientId}', platform.id)
    .replaceAll(/\{\w+\}/g, '1');
  const example = operation.requestBody?.content['application/json']?.example;
  const sent = isQuery ? `${address}?${field}=1` : address;
  const [outer = '', inner] = field.split('.');
  const value = inner === undefined ? 1 : { [inner]: 1 };
  const body = isQuery ? example : Object.assign({}, example, { [outer]: value });
  const verb = method.toUpperCase() as ApiMethod;
  const caller = path.includes('{clientId}') ? asPlatform : { token };
  const options = { ...caller, ...(operation.requestBody === undefined ? {} : { body: Object(body) }) };
  const answer = await callApi(service, verb, sent, options);
  if ([401, 403].includes(answer.statusCode)) throw new Error(`${method} ${path} was not read`);
  return answer.statusCode === 400 && field in answer.json().error.details;
}

test('docs/cal-com.md compares our document with Cal.com’s, field by field (with -u it is written)', async () => {
  const rows: string[] = [];
  const counts = { operations: 0, known: 0, fields: 0, supported: 0, refused: 0, ignored: 0 };
  const undecided: string[] = [];
  for (const [name, { query, body }] of facts) {
    const [method = '', path = ''] = name.split(' ');
    const own = operations.find((it) => it.method.toUpperCase() === method && isSamePath(it.path, path));
    counts.operations += 1;
    if (own === undefined) {
      rows.push(`| \`${name}\` | absent | | |`);
      continue;
    }
    counts.known += 1;
    const params = own.operation.parameters.map((it) => it.name);
    const known = { query: params, body: bodyFieldsOf(own) };
    const kinds = { supported: [] as string[], refused: [] as string[], ignored: [] as string[] };
    for (const [place, fields] of Object.entries({ query, body })) {
      const isQuery = place === 'query';
      for (const field of fields) {
        if (known[isQuery ? 'query' : 'body'].includes(field)) kinds.supported.push(field);
        else if (await isRefused(own, field, isQuery)) kinds.refused.push(field);
        else if (harmless.has(field)) kinds.ignored.push(field);
        else undecided.push(field);
      }
    }
    counts.fields += query.length + body.length;
    counts.supported += kinds.supported.length;
    counts.refused += kinds.refused.length;
    counts.ignored += kinds.ignored.length;
    const cell = (fields: string[]): string => fields.map((field) => `\`${field}\``).join(', ');
    rows.push(`| \`${name}\` | ${cell(kinds.supported)} | ${cell(kinds.refused)} | ${cell(kinds.ignored)} |`);
  }
  const share = (part: number, whole: number): string =>
    `${part} of ${whole} (${Math.round((100 * part) / whole)} %)`;
  const written = `# Cal.com's v2 API and ours

Written by \`tests/clients/cal-com.test.ts\`, which sends every field that we don't list;
\`npx vitest run tests/clients/cal-com.test.ts -u\` writes it again. It compares our OpenAPI document with
Cal.com's of June 2025, and with the inputs of its other versions from 2024-04-15 to 2026-02-25, in the families of [contract.md](contract.md#8-v2-api), by the names of query
parameters and of the body's fields. [cal-com-clients.md](cal-com-clients.md) has the programs that were tried.

- Operations here: ${share(counts.known, counts.operations)}.
- Fields of these operations supported: ${share(counts.supported, counts.fields)}; refused by a 400 that names them:
  ${counts.refused}; ignored because they are harmless: ${counts.ignored}.

*Refused* fields are accepted with a value that means what happens here anyway: \`null\`, \`false\`, 0, an empty
one or \`{"disabled": true}\`; names that only other versions have are refused with any value, and
the answer says what to send. The reference says of each operation which these are. Without a harmless field what is
made is the same.

## What differs besides

- Hours of a schedule until 23:59 last to the end of the day, as those until 24:00 do.
- Any date is accepted in \`cal-api-version\`, and the answer names its own. At Cal.com the shape of an answer
  changes with it, and without it is the oldest. Here each family has one shape, because several would be as many
  sets of rules to keep right; a client that sends no version gets the family's.
- \`location\` as a string is one of the event type's, or what the attendee says; an event type without
  locations takes any text but links and conferencing apps. A stranger's link would look like the host's.
- A booking is read, cancelled and rescheduled by who has its \`bookingToken\` or a token of its host. At Cal.com
  its uid is enough. Here uids are in webhooks, calendars, metadata of other services and logs, and no secrets.
- A webhook's secret is answered once. A client that finds its webhook again sends a new one with \`PATCH\`, or deletes
  the webhook and creates it again; otherwise it can't check signatures.
- Webhooks of an event type count among the 20 of its owner, who sees them at \`/settings/webhooks\`, too.

| Operation | Supported | Refused | Ignored because harmless |
|---|---|---|---|
${rows.join('\n')}
`;

  expect(undecided).toEqual([]);
  await expect(written).toMatchFileSnapshot('../../docs/cal-com.md');
});

const different = routes
  .filter(({ method }) => method !== 'HEAD')
  .flatMap(({ config: { differences = {} } = {}, schema: { operationId } = {} }) =>
    [
      ...Object.entries(differences.refused ?? {}).map(([field, [, ...asHere]]) => {
        return [field, asHere.includes(true) ? 'on' : 'off'];
      }),
      ...Object.keys(differences.renamed ?? {}).map((field) => [field, 'nothing']),
    ].map(([field = '', asHere]) => ({ operationId, differences, field, asHere })),
  );

test.each(different)(
  '$operationId refuses $field, which it names (contract §8)',
  ({ differences, field, asHere }) => {
    const [name = '', inner] = field.split('.');
    const inputWith = (value: unknown) =>
      inner === undefined ? { [name]: value } : { [name]: [{ userId: 1 }, { [inner]: value }] };
    const off = [false, 0, '', [], {}, { disabled: true }];
    const supported = [null, ...(asHere === 'off' ? off : asHere === 'on' ? [true] : [])];

    const others = asHere === 'off' ? [true] : asHere === 'on' ? off : [true, ...off];
    for (const value of [...others, 1, 'x', ['x'], { disabled: false }, { disabled: true, type: 'x' }])
      expect(findRefusedFields(differences, inputWith(value))).toEqual({
        [field]: expect.stringMatching(/^Not supported\. .+\.$/),
      });
    for (const value of supported) expect(findRefusedFields(differences, inputWith(value))).toEqual({});
  },
);

test('what is off, and what is harmless, books and makes the same as without it (contract §8)', async () => {
  const { token } = await represent(service);
  const off = { seats: { disabled: true }, recurrence: null, disableGuests: false, offsetStart: 0 };
  const body = { title: 'Talk', slug: 'talk', lengthInMinutes: 30, color: { lightThemeHex: '#fff' }, ...off };
  const made = await callApi(service, 'POST', '/event-types', { token, body });
  const attendee = { name: 'Bob', email: 'bob@example.com', timeZone: 'UTC' };
  const start = '2030-01-07T10:00:00Z';
  const book = (more: object) =>
    callApi(service, 'POST', '/bookings', {
      body: { eventTypeId: made.json().data.id, start, attendee, ...more },
    });

  expect(made.statusCode).toBe(201);
  expect((await book({ instant: true, recurrenceCount: 3 })).json().error.details).toEqual({
    instant: 'Not supported. There are no instant meetings.',
    recurrenceCount: 'Not supported. Bookings don’t repeat.',
  });
  expect((await book({ instant: false, recurrenceCount: null })).statusCode).toBe(201);
});
