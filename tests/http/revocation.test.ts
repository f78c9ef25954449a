import { describe, expect, test } from 'vitest';
import { basicOf } from '../support/basic.ts';
import { sharedService } from '../support/service.ts';
import {
  dead,
  grantsOf,
  issueTokens,
  postBody,
  refusalOf,
  revocationPath,
  revoke,
  rotate,
  usable,
  use,
} from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  clientFields,
  connect,
  startSession,
  type Tokens,
} from '../support/world.ts';

const service = await sharedService();

describe.each(['confidential', 'public'] as const)('a %s client', (type) => {
  test.each([
    ['its refresh token', ({ refresh_token: token }: Tokens) => token],
    ['its access token', ({ access_token: token }: Tokens) => token],
  ])('ends its grant by %s, immediately and for good (RFC 7009 §2.1)', async (_name, choose) => {
    const client = await addClient(service, { type });
    const first = await issueTokens(service, client);
    const second = await rotate(service, client, first);

    const answer = await revoke(service, client, choose(second));

    expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
    expect(await use(service, client, first)).toEqual(dead);
    expect(await use(service, client, second)).toEqual(dead);
    expect(await grantsOf(service, client)).toMatchObject([{ revocationReason: 'client' }]);
  });

  test('ends that grant and no other of the user (RFC 7009 §2.1)', async () => {
    const client = await addClient(service, { type });
    const cookie = await startSession(service, await addUser(service));
    const [ended, kept] = [await connect(service, client, cookie), await connect(service, client, cookie)];

    await revoke(service, client, ended.refresh_token);

    expect(await use(service, client, ended)).toEqual(dead);
    expect(await use(service, client, kept)).toEqual(usable);
  });
});

const formOf = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();

describe('the revocation endpoint (RFC 7009, contract §7)', () => {
  test.each([
    ['a refresh token that was never issued', `lkr_${'A'.repeat(70)}`],
    ['a JWT that we did not sign', 'eyJhbGciOiJub25lIn0.eyJnaWQiOiJ4In0.'],
    ['4 KB', 'x'.repeat(4096)],
  ])('answers 200 to %s (RFC 7009 §2.2)', async (_name, token) => {
    const client = await addClient(service);

    const answer = await revoke(service, client, token);

    expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
  });

  test.each(['refresh_token', 'access_token', 'unknown', ''])(
    'takes token_type_hint "%s" for a hint, right or wrong (RFC 7009 §2.1)',
    async (hint) => {
      const client = await addClient(service);
      const tokens = await issueTokens(service, client);
      const body = formOf({
        ...clientFields(client),
        token: tokens.refresh_token,
        token_type_hint: hint,
      });

      const answer = await postBody(service, body, {}, revocationPath);

      expect(answer.statusCode).toBe(200);
      expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
    },
  );

  test('takes JSON as well as a form (contract §4)', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    const body = JSON.stringify({ ...clientFields(client), token: tokens.refresh_token });

    const answer = await postBody(service, body, { 'content-type': 'application/json' }, revocationPath);

    expect([answer.statusCode, answer.body]).toEqual([200, '{}']);
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
  });

  test('takes HTTP Basic (RFC 7009 §2.1)', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    const headers = { authorization: basicOf(client) };

    const answer = await postBody(service, formOf({ token: tokens.refresh_token }), headers, revocationPath);

    expect(answer.statusCode).toBe(200);
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(401);
  });

  test.each([
    ['no client', { client_id: '', client_secret: '' }, [400, 'invalid_request', 'client_id is required']],
    ['an unknown client', { client_id: 'unknown' }, [401, 'invalid_client', 'client_not_found']],
    ['a wrong secret', { client_secret: 'wrong' }, [401, 'invalid_client', 'invalid_client_credentials']],
    ['no secret', { client_secret: '' }, [401, 'invalid_client', 'invalid_client_credentials']],
  ] as const)(
    'wants the client authenticated: %s is refused and ends nothing (RFC 7009 §2.1)',
    async (_name, spoilt, refusal) => {
      const client = await addClient(service);
      const tokens = await issueTokens(service, client);
      const body = formOf({ ...clientFields(client), token: tokens.refresh_token, ...spoilt });

      const answer = await postBody(service, body, {}, revocationPath);

      expect(refusalOf(answer)).toEqual(refusal);
      expect(answer.headers['www-authenticate']).toBeUndefined();
      expect(await use(service, client, tokens)).toEqual(usable);
    },
  );

  test('asks for Basic where Basic was wrong (RFC 6749 §5.2)', async () => {
    const client = await addClient(service);
    const headers = { authorization: basicOf({ ...client, secret: 'wrong' }) };

    const answer = await postBody(service, 'token=x', headers, revocationPath);

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(/^Basic realm="[^"]+"/);
  });

  test.each(['absent', 'empty'])('wants a token: %s (RFC 7009 §2.1)', async (how) => {
    const client = await addClient(service);
    const body = formOf({ ...clientFields(client), ...(how === 'empty' ? { token: '' } : {}) });

    const answer = await postBody(service, body, {}, revocationPath);

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'token is required']);
  });

  test.each([
    ['repeated', 'token=a&token=b'],
    ['with NUL', 'token=a%00'],
  ])('refuses a token %s (security C21, C35)', async (_name, fields) => {
    const client = await addClient(service);

    const answer = await postBody(service, `${formOf(clientFields(client))}&${fields}`, {}, revocationPath);

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', expect.any(String)]);
  });

  test('refuses a token that is no text (security C21)', async () => {
    const client = await addClient(service);
    const body = JSON.stringify({ ...clientFields(client), token: ['x'] });

    const answer = await postBody(service, body, { 'content-type': 'application/json' }, revocationPath);

    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'the value of every field must be a string']);
  });
});
