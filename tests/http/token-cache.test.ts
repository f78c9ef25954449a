import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { withoutTable } from '../support/database-faults.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import {
  issueTokens,
  postBody,
  refreshFields,
  refusalOf,
  revocationPath,
  tokenPath,
} from '../support/tokens.ts';
import { addClient, clientFields, requestToken } from '../support/world.ts';

const service = await openTestService();
const client = await addClient(service);

const formOf = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
const rightClient = formOf({ ...clientFields(client), grant_type: 'refresh_token', token: 'unknown' });
const wrongSecret = formOf({
  client_id: client.id,
  client_secret: 'wrong',
  token: 'x',
  grant_type: 'refresh_token',
});

/** Any answer of these endpoints must stay out of every cache, RFC 6749 §5.1. */
function expectUncached(answer: LightMyRequestResponse): void {
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['pragma']).toBe('no-cache');
}

/** What a fault of ours may tell: the contract's words and nothing else. */
const told = (error: string, words: string): string =>
  `{"error":"${error}","error_description":"${words}","error_uri":"${service.appUrl}/docs/errors#${words}"}`;
const internalError = told('server_error', 'internal_error');
const tryAgain = told('temporarily_unavailable', 'try_again');

describe('no answer is stored in a cache (RFC 6749 §5.1, security C20)', () => {
  test('200 with tokens', async () => {
    const { refresh_token: token } = await issueTokens(service, client);

    const answer = await requestToken(service, refreshFields(client, token));

    expect(answer.statusCode).toBe(200);
    expectUncached(answer);
  });

  test('200 of a revocation', async () => {
    const answer = await postBody(service, rightClient, {}, revocationPath);

    expect(answer.statusCode).toBe(200);
    expectUncached(answer);
  });

  test.each([
    [400, tokenPath, '', {}],
    [401, tokenPath, `${wrongSecret}&refresh_token=x`, {}],
    [413, tokenPath, 'x'.repeat(64 * 1024 + 1), {}],
    [415, tokenPath, 'x', { 'content-type': 'text/plain' }],
    [415, tokenPath, 'x', { 'content-encoding': 'gzip' }],
    [400, revocationPath, '', {}],
    [401, revocationPath, wrongSecret, {}],
    [413, revocationPath, 'x'.repeat(64 * 1024 + 1), {}],
    [415, revocationPath, 'x', { 'content-type': 'text/plain' }],
  ])('%i at %s', async (status, path, body, headers) => {
    const answer = await postBody(service, body, headers, path);

    expect(answer.statusCode).toBe(status);
    expectUncached(answer);
  });

  test.each(
    (['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const).flatMap((method) => [
      [method, tokenPath] as const,
      [method, revocationPath] as const,
    ]),
  )('405 for %s %s, which names POST', async (method, path) => {
    const answer = await service.app.inject({ method, url: path });

    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('POST');
    expectUncached(answer);
  });

  test('405 speaks OAuth', async () => {
    const answer = await service.app.inject({ method: 'GET', url: tokenPath });

    expect(refusalOf(answer)).toEqual([405, 'invalid_request', expect.any(String)]);
  });

  test('429', async () => {
    const limited = await addClient(service);
    const request = { ...refreshFields(limited, 'x'), client_secret: 'wrong' };
    const answers = await Promise.all(Array.from({ length: 100 }, () => requestToken(service, request)));

    const refused = answers.filter(({ statusCode }) => statusCode === 429);

    expect(refused).not.toEqual([]);
    for (const answer of refused) expectUncached(answer);
  });

  test.each([
    ['the exchange or refresh', tokenPath, `${rightClient}&refresh_token=x`, 'grants'],
    ['the look for the client', tokenPath, `${rightClient}&refresh_token=x`, 'clients'],
    ['the revocation', revocationPath, rightClient, 'client_secrets'],
  ])('500, when %s fails, in words that tell nothing', async (_name, path, body, table) => {
    const answer = await withoutTable(service.database, table, () => postBody(service, body, {}, path));

    expect([answer.statusCode, answer.body]).toEqual([500, internalError]);
    expectUncached(answer);
    expect((await postBody(service, body, {}, path)).statusCode).toBeLessThan(500);
  });
});

describe('while the database is away (contract §4, security C46)', () => {
  const openOnLine = async () => {
    const line = await layDatabaseLine(service.database.url);
    const instance: TestService = await openAnotherInstance(service, { DATABASE_URL: line.url });
    return { line, instance };
  };

  test.each([
    ['the token endpoint', tokenPath, `${rightClient}&refresh_token=x`, 400],
    ['the revocation endpoint', revocationPath, rightClient, 200],
  ])('%s answers 503 with Retry-After, and is back by itself', async (_name, path, body, status) => {
    const { line, instance } = await openOnLine();
    const before = await postBody(instance, body, {}, path);

    await line.cut();
    const away = await postBody(instance, body, {}, path);
    const still = await postBody(instance, body, {}, path);
    await line.mend();
    await expect
      .poll(() => postBody(instance, body, {}, path), { timeout: 10_000 })
      .toMatchObject({
        statusCode: status,
      });

    expect(before.statusCode).toBe(status);
    for (const answer of [away, still]) {
      expect([answer.statusCode, answer.body]).toEqual([503, tryAgain]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expectUncached(answer);
    }
  });

  test('the API answers 503 with Retry-After in the general shape', async () => {
    const tokens = await issueTokens(service, client);
    const { line, instance } = await openOnLine();
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    await line.cut();

    const answer = await instance.app.inject({ url: '/v2/me', headers });
    await line.mend();

    expect(answer.statusCode).toBe(503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'ServiceUnavailable' } });
  });
});
