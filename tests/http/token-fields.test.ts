import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import {
  grantsOf,
  issueCode,
  issueTokens,
  postBody,
  refreshFields,
  refusalOf,
  revocationPath,
  type TokenFields,
  tokenPath,
} from '../support/tokens.ts';
import { addClient, createPkce, requestToken } from '../support/world.ts';

const service = await sharedService();
const confidential = await addClient(service);
const publicClient = await addClient(service, { type: 'public' });

const rightRequests = {
  'the exchange of a confidential client': () => issueCode(service, confidential, { pkce: createPkce() }),
  'the exchange of a public client': () => issueCode(service, publicClient),
  'the refresh of a confidential client': async () =>
    refreshFields(confidential, (await issueTokens(service, confidential)).refresh_token),
  'the refresh of a public client': async () =>
    refreshFields(publicClient, (await issueTokens(service, publicClient)).refresh_token),
} as const satisfies Record<string, () => Promise<TokenFields>>;

const fields = [
  ...['client_id', 'client_secret', 'grant_type', 'code', 'redirect_uri', 'code_verifier'],
  ...['refresh_token', 'scope'],
];

const missingClient = [400, 'invalid_request', 'client_id is required'] as const;

const missingGrantType = [
  400,
  'invalid_request',
  "grant_type must be 'authorization_code' or 'refresh_token'",
] as const;

const missingSecret = [401, 'invalid_client', 'invalid_client_credentials'] as const;
const missing = (field: string) => [400, 'invalid_request', `${field} is required`] as const;

describe.each([
  { wire: 'a form', json: false },
  { wire: 'JSON', json: true },
])('as $wire', ({ json }) => {
  test.each([
    ['the exchange of a confidential client', 'client_id', missingClient],
    ['the exchange of a confidential client', 'client_secret', missingSecret],
    ['the exchange of a confidential client', 'grant_type', missingGrantType],
    ['the exchange of a confidential client', 'code', missing('code')],
    ['the exchange of a confidential client', 'redirect_uri', missing('redirect_uri')],
    ['the exchange of a confidential client', 'code_verifier', missing('code_verifier')],
    ['the exchange of a public client', 'code_verifier', missing('code_verifier')],
    ['the refresh of a confidential client', 'refresh_token', missing('refresh_token')],
    ['the refresh of a public client', 'refresh_token', missing('refresh_token')],
  ] as const)('%s needs %s, and empty counts as absent (contract §4)', async (name, field, refusal) => {
    const request = await rightRequests[name]();
    const { [field]: _left, ...without } = request;

    const absent = await requestToken(service, without, { json });
    const empty = await requestToken(service, { ...request, [field]: '' }, { json });
    const right = await requestToken(service, request, { json });

    expect(refusalOf(absent)).toEqual(refusal);
    expect(empty.body).toBe(absent.body);
    expect(right.statusCode).toBe(200);
  });

  test.each(Object.entries(rightRequests))(
    '%s answers five members, flat (contract §4)',
    async (_name, make) => {
      const answer = await requestToken(service, await make(), { json });

      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json()).toEqual({
        access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refresh_token: expect.stringMatching(/^lkr_[\w-]{70}$/),
        token_type: 'bearer',
        expires_in: 1800,
      });
    },
  );

  test.each(Object.entries(rightRequests))('%s ignores unknown fields (contract §4)', async (_name, make) => {
    const strangers = {
      extra: 'x',
      'scope[a]': 'b',
      'client_id[]': 'x',
      constructor: 'x',
      toString: 'x',
      ['__proto__']: 'x',
      token: 'x',
      redirect_uris: '',
    };

    const answer = await requestToken(service, { ...strangers, ...(await make()) }, { json });

    expect(answer.statusCode).toBe(200);
  });

  test.each(['the exchange of a public client', 'the refresh of a public client'] as const)(
    '%s ignores a client_secret (contract §4)',
    async (name) => {
      const request = { ...(await rightRequests[name]()), client_secret: 'of no meaning' };

      const answer = await requestToken(service, request, { json });

      expect(answer.statusCode).toBe(200);
    },
  );

  test.each([...fields, 'unknown'])('NUL in %s answers 400 (security C35)', async (field) => {
    const request = await rightRequests['the exchange of a confidential client']();
    const values: TokenFields = request;

    for (const value of ['\0', `\0${values[field] ?? ''}`, `${values[field] ?? ''}\0`]) {
      const answer = await requestToken(service, { ...request, [field]: value }, { json });
      expect(refusalOf(answer)).toEqual([
        400,
        'invalid_request',
        'a value must not contain the NUL character',
      ]);
    }
  });

  test('NUL in the name of a field answers 400 (security C35)', async () => {
    const request = await rightRequests['the exchange of a confidential client']();

    const answer = await requestToken(service, { ...request, 'code\0': 'x' }, { json });

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'a value must not contain the NUL character']);
  });
});

const client = await addClient(service);

describe('a field that is repeated', () => {
  const repeated = [400, 'invalid_request', 'a field must not be sent more than once'] as const;

  test.each([...fields.slice(0, 6), 'unknown', '__proto__'])(
    'in a form is refused: %s (RFC 6749 §3.2, security C21)',
    async (field) => {
      const request = new URLSearchParams(await issueCode(service, client, { pkce: createPkce() }));
      if (!request.has(field)) request.append(field, 'x');
      request.append(field, request.get(field) ?? '');

      const answer = await postBody(service, request.toString());

      expect(refusalOf(answer)).toEqual(repeated);
    },
  );

  test('in JSON is the last one, as everywhere in JSON: a wrong one is refused, and a right one is none (RFC 8259 §4, security C21)', async () => {
    const answers = [];
    for (const order of [0, 1]) {
      const sent = await issueCode(service, client);
      const members = [`"code":"x"`, `"code":${JSON.stringify(sent['code'])}`];
      const rest = JSON.stringify({ ...sent, code: undefined }).slice(1, -1);
      const payload = `{${rest},"__proto__":"a","__proto__":"b",${(order === 0 ? members : members.toReversed()).join()}}`;
      answers.push(await postBody(service, payload, { 'content-type': 'application/json' }));
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 400]);
  });

  test('that is empty the second time is refused, too (RFC 6749 §3.2)', async () => {
    const request = new URLSearchParams(await issueCode(service, client)).toString();

    const answer = await postBody(service, `${request}&code=`);

    expect(refusalOf(answer)).toEqual(repeated);
  });
});

describe('a value in JSON that is no string', () => {
  const values = [0, 1, true, false, [], ['x'], {}, { code: 'x' }, [['x'], ['y']]];

  test.each(fields)('is refused in %s (contract §4, security C21)', async (field) => {
    const request = await issueCode(service, client, { pkce: createPkce() });

    for (const value of values) {
      const answer = await requestToken(service, { ...request, [field]: value }, { json: true });
      expect(refusalOf(answer)).toEqual([
        400,
        'invalid_request',
        'the value of every field must be a string',
      ]);
    }
  });

  test('counts as absent where it is null (contract §4)', async () => {
    const request = { ...(await issueCode(service, client)), code_verifier: null, scope: null };

    const answer = await requestToken(service, request, { json: true });

    expect(answer.statusCode).toBe(200);
  });

  test.each([
    '"__proto__":{"client_id":"x"}',
    '"constructor":{"prototype":{"client_id":"x"}}',
    '"prototype":["x"]',
    '"extra":{"__proto__":null}',
    `"extra":${'['.repeat(5000)}${']'.repeat(5000)}`,
  ])('is ignored in an unknown field: %.40s (contract §4, security C21, C36)', async (member) => {
    const request = JSON.stringify(await issueCode(service, client));

    const answer = await postBody(service, request.replace('{', `{${member},`), {
      'content-type': 'application/json',
    });

    expect(answer.statusCode).toBe(200);
  });

  test.each(['{"__proto__":{"client_id":"x"}}', '{"constructor":{"client_id":"x"}}'])(
    'does not become a field by inheritance: %s (security C21)',
    async (payload) => {
      const answer = await postBody(service, payload, { 'content-type': 'application/json' });

      expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'client_id is required']);
    },
  );
});

const formType = 'application/x-www-form-urlencoded';
const bodyLimit = 64 * 1024;
const plainSentence = expect.stringMatching(/^[a-z][^_{}]+$/);
const toForm = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
const toJson = (fields: Readonly<Record<string, string>>): string => JSON.stringify(fields);

describe('a content type and character set that is taken (contract §4)', () => {
  test.each([
    ['application/x-www-form-urlencoded', toForm],
    ['application/x-www-form-urlencoded;charset=UTF-8', toForm],
    ['application/x-www-form-urlencoded; charset="utf-8"', toForm],
    ['application/x-www-form-urlencoded; charset=ISO-8859-1', toForm],
    ['application/x-www-form-urlencoded; charset=windows-1252', toForm],
    ['Application/X-WWW-Form-URLEncoded', toForm],
    ['application/json', toJson],
    ['application/json; charset=utf-8', toJson],
    ['APPLICATION/JSON; Charset=UTF-8', toJson],
    ['application/json; charset=us-ascii', toJson],
  ] as const)('%s', async (contentType, write) => {
    const body = write(await issueCode(service, client));

    const answer = await postBody(service, body, { 'content-type': contentType });

    expect(answer.statusCode).toBe(200);
  });

  test('JSON with a byte order mark is read (RFC 8259 §8.1)', async () => {
    const body = `\uFEFF${toJson(await issueCode(service, client))}`;

    const answer = await postBody(service, body, { 'content-type': 'application/json' });

    expect(answer.statusCode).toBe(200);
  });

  test('a body that says it is not encoded', async () => {
    const body = toForm(await issueCode(service, client));

    const answer = await postBody(service, body, { 'content-encoding': 'identity' });

    expect(answer.statusCode).toBe(200);
  });
});

const right = toForm({ client_id: client.id, grant_type: 'refresh_token', refresh_token: 'x' });
const rightJson = toJson({ client_id: client.id, grant_type: 'refresh_token', refresh_token: 'x' });

describe.each([tokenPath, revocationPath])('POST %s', (path) => {
  test.each([
    ['text/plain', right],
    ['text/json', rightJson],
    [
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="client_id"\r\n\r\nx\r\n--b--',
    ],
    ['application/xml', '<client_id>x</client_id>'],
    ['application/json-patch+json', rightJson],
    ['application/jsonp', rightJson],
    ['application/json, text/plain', rightJson],
    ['application/', rightJson],
    ['application/json; charset=utf-16', Buffer.from(rightJson, 'utf16le')],
    ['application/json; charset=iso-8859-1', rightJson],
    [`${formType}; charset=utf-16`, Buffer.from(right, 'utf16le')],
    [`${formType}; charset=iso-8859-1`, Buffer.from(`${right}&scope=é`, 'latin1')],
    [`${formType}; charset=windows-1252`, `${right}&scope=é`],
  ])('with the content type %s answers 415 (contract §4, security C22)', async (contentType, body) => {
    const answer = await postBody(service, body, { 'content-type': contentType }, path);

    expect(refusalOf(answer)).toEqual([415, 'invalid_request', plainSentence]);
  });

  test.each([undefined, right])('without a content type answers 415 (contract §4)', async (payload) => {
    const sent = payload === undefined ? {} : { payload };
    const answer = await service.app.inject({ method: 'POST', url: path, ...sent });

    expect(refusalOf(answer)).toEqual([415, 'invalid_request', plainSentence]);
  });

  test.each(['gzip', 'deflate', 'br', 'gzip, identity'])(
    'with the content encoding %s answers 415 (security C22)',
    async (encoding) => {
      const answer = await postBody(service, gzipSync(right), { 'content-encoding': encoding }, path);

      expect(refusalOf(answer)).toEqual([415, 'invalid_request', plainSentence]);
    },
  );

  test.each([
    ['nothing', ''],
    ['form text', right],
    ['null', 'null'],
    ['a string', '"client_id=x"'],
    ['a number', '1'],
    ['an array', `[${rightJson}]`],
    ['a cut object', rightJson.slice(0, -1)],
    ['two objects', rightJson + rightJson],
    ['a comma too many', rightJson.replace('}', ',}')],
    ['single quotes', rightJson.replaceAll('"', "'")],
    ['a comment', `/* */${rightJson}`],
    ['UTF-16 that is not declared', Buffer.from(rightJson, 'utf16le')],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${rightJson}`, 'utf16le')],
    ['gzip that is not declared', gzipSync(rightJson)],
    ['brackets without end', '['.repeat(60_000)],
  ])('with %s as JSON answers 400 (contract §4, security C21, C22)', async (_name, body) => {
    const answer = await postBody(service, body, { 'content-type': 'application/json' }, path);

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'the body cannot be read']);
  });

  test('with JSON as a form answers 415, and says which types there are (contract §4)', async () => {
    const answer = await postBody(service, rightJson, {}, path);

    expect(refusalOf(answer)).toEqual([415, 'invalid_request', expect.stringContaining('application/json')]);
  });

  test.each([
    ['a byte order mark first', `\uFEFF${right}`],
    ['UTF-16 that is not declared', Buffer.from(right, 'utf16le')],
    ['gzip that is not declared', gzipSync(right)],
    ['nothing', ''],
  ])('with %s as a form answers 400 (security C22)', async (_name, body) => {
    const answer = await postBody(service, body, {}, path);

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', expect.any(String)]);
  });

  test.each([
    ['JSON', 'application/json', (length: number) => rightJson.padEnd(length)],
    ['a form', formType, (length: number) => `${right}&padding=`.padEnd(length, 'x')],
  ] as const)(
    'with %s of exactly 64 KB reads it, and one byte more answers 413 (contract §4)',
    async (_name, contentType, pad) => {
      const headers = { 'content-type': contentType };

      const largest = await postBody(service, pad(bodyLimit), headers, path);
      const tooLarge = await postBody(service, pad(bodyLimit + 1), headers, path);

      expect(largest.statusCode).not.toBe(413);
      expect(refusalOf(tooLarge)).toEqual([413, 'invalid_request', plainSentence]);
    },
  );

  test('with a body of unknown length that grows beyond 64 KB answers 413 (contract §4)', async () => {
    const endless = Readable.from(Array.from({ length: 10 }, () => Buffer.alloc(bodyLimit / 8, 'x')));

    const answer = await service.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': formType, 'transfer-encoding': 'chunked' },
      payload: endless,
    });

    expect(refusalOf(answer)).toEqual([413, 'invalid_request', plainSentence]);
  });
});

test('parameters in the query are not read (RFC 6749 §2.3.1)', async () => {
  const fields = await issueCode(service, client);

  const answer = await postBody(service, '', {}, `${tokenPath}?${toForm(fields)}`);

  expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'client_id is required']);
  const unspent = await grantsOf(service, client);
  expect(unspent.filter(({ generation }) => generation === 0)).not.toEqual([]);
});

test('NUL in the query changes nothing (security C35)', async () => {
  const fields = await issueCode(service, client);

  const answer = await postBody(service, toForm(fields), {}, `${tokenPath}?client_id=%00&code=%00`);

  expect(answer.statusCode).toBe(200);
});
