import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import { grantsOf, issueCode, postBody, refusalOf, revocationPath, tokenPath } from '../support/tokens.ts';
import { addClient } from '../support/world.ts';

const service = await sharedService();
const client = await addClient(service);

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
