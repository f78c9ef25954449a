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
