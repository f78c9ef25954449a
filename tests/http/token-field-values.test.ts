import { describe, expect, test } from 'vitest';
import { sharedService } from '../support/service.ts';
import { issueCode, postBody, refusalOf } from '../support/tokens.ts';
import { addClient, createPkce, requestToken } from '../support/world.ts';

const service = await sharedService();
const client = await addClient(service);

describe('a field that is repeated', () => {
  const repeated = [400, 'invalid_request', 'a field must not be sent more than once'] as const;

  test.each([
    'client_id',
    'client_secret',
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'unknown',
    '__proto__',
  ])('in a form is refused: %s (RFC 6749 §3.2, security C21)', async (field) => {
    const request = new URLSearchParams(await issueCode(service, client, { pkce: createPkce() }));
    if (!request.has(field)) request.append(field, 'x');
    request.append(field, request.get(field) ?? '');

    const answer = await postBody(service, request.toString());

    expect(refusalOf(answer)).toEqual(repeated);
  });

  test.each([
    ['plainly', '"code":"x"'],
    ['with the same value twice', '"extra":1,"extra":1'],
    ['in escaped letters', String.raw`"c\u006fde":"x"`],
    ['in escaped letters, all of them', String.raw`"\u0063\u006F\u0064\u0065":"x"`],
    ['as null', '"code":null'],
    ['as an object', '"code":{"code":"x"}'],
    ['behind a nested object of the same name', '"nested":{"code":["{",{}]},"code":"x"'],
    ['behind a string with quotes and brackets', String.raw`"text":"\\\"}],{","code":"x"`],
    ['as __proto__', '"__proto__":"a","__proto__":"b"'],
  ])('in JSON is refused: %s (RFC 6749 §3.2, security C21)', async (_name, members) => {
    const request = JSON.stringify(await issueCode(service, client));
    const payload = request.replace('}', `,${members}}`);

    const answer = await postBody(service, payload, { 'content-type': 'application/json' });

    expect(refusalOf(answer)).toEqual(repeated);
  });

  test('that is empty the second time is refused, too (RFC 6749 §3.2)', async () => {
    const request = new URLSearchParams(await issueCode(service, client)).toString();

    const answer = await postBody(service, `${request}&code=`);

    expect(refusalOf(answer)).toEqual(repeated);
  });

  test('in nested objects alone is none (security C21)', async () => {
    const request = JSON.stringify(await issueCode(service, client));
    const payload = request.replace('}', ',"extra":{"code":1,"code":2,"deep":[{"code":3},{"code":4}]}}');

    const answer = await postBody(service, payload, { 'content-type': 'application/json' });

    expect(answer.statusCode).toBe(200);
  });
});

describe('a value in JSON that is no string', () => {
  const fields = [
    'client_id',
    'client_secret',
    'grant_type',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'scope',
  ];
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
