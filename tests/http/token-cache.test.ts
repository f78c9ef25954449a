import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { withoutTable } from '../support/database-faults.ts';
import { layDatabaseLine } from '../support/database-line.ts';
import { openAnotherInstance, openTestService, type TestService } from '../support/service.ts';
import {
  issueCode,
  issueTokens,
  postBody,
  refreshFields,
  refusalOf,
  revocationPath,
  revoke,
  tokenPath,
} from '../support/tokens.ts';
import {
  addClient,
  callMe,
  clientFields,
  createPkce,
  refresh,
  requestToken,
  type Tokens,
} from '../support/world.ts';

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

/** Every row of every table, as text. */
async function dumpTables(): Promise<string> {
  const { db } = service.database;
  const tables = await db.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  );
  const dumps: string[] = [];
  for (const { name } of Array.isArray(tables) ? tables : []) {
    const rows = await db.execute(sql`select t::text as row from ${sql.identifier(String(name))} t`);
    dumps.push(JSON.stringify(rows));
  }
  return dumps.join('\n');
}

/** The canaries that a text contains, each in any of the ways in which it could be written. */
function findCanaries(text: string, canaries: Readonly<Record<string, string>>): string[] {
  return Object.entries(canaries)
    .filter(([, canary]) =>
      [canary, encodeURIComponent(canary), Buffer.from(canary).toString('base64')].some((form) =>
        text.includes(form),
      ),
    )
    .map(([name]) => name);
}

const canarySecret = 'canary-client-secret-0f1e2d3c';
const wrongCanary = 'canary-wrong-secret-4b5a6978';

describe('secrets are echoed nowhere (contract §4, security C25)', () => {
  test('a whole life of a grant leaves none in the log or in the database', async () => {
    const client = await addClient(service, { secret: canarySecret });
    const pkce = createPkce();
    const request = await issueCode(service, client, { pkce });
    const first: Tokens = (await requestToken(service, request)).json();
    const second: Tokens = (await refresh(service, client, first.refresh_token)).json();
    await callMe(service, second.access_token);
    await requestToken(service, request);
    service.clock.advance(11);
    await requestToken(service, request);
    await revoke(service, client, second.access_token);

    const canaries = {
      secret: canarySecret,
      code: String(request['code']),
      verifier: pkce.verifier,
      'first access token': first.access_token,
      'first refresh token': first.refresh_token,
      'second access token': second.access_token,
      'second refresh token': second.refresh_token,
      'root secret': 'a-root-secret-for-tests-only',
    };
    expect(findCanaries(service.logText(), canaries)).toEqual([]);
    expect(findCanaries(await dumpTables(), canaries)).toEqual([]);
    expect(service.logText()).toContain('a token request was refused');
    expect(await dumpTables()).toContain(client.id);
  });

  test('no refusal holds anything of the request, in the answer or in the log', async () => {
    const client = await addClient(service, { scopes: ['PROFILE_READ'] });
    const tokens = await issueTokens(service, client);
    const canaries = {
      'wrong secret': wrongCanary,
      code: 'canary-code-8796a5b4',
      verifier: `canary-verifier-${'x'.repeat(40)}`,
      token: 'canary-token-c3d2e1f0',
      'redirect URI': 'https://canary-redirect.example/1029',
      'grant type': 'canary-grant-type-3847',
      scope: 'canary-scope-5665',
      'broken body': 'canary-body-7483',
      'field name': 'canary_name_9201',
    };
    const exchange = {
      ...clientFields(client),
      grant_type: 'authorization_code',
      code: canaries.code,
      redirect_uri: canaries['redirect URI'],
      code_verifier: canaries.verifier,
    };
    const json = { 'content-type': 'application/json' };
    const bearer = { authorization: `Bearer ${canaries.token}` };

    const answers: readonly LightMyRequestResponse[] = [
      await requestToken(service, exchange),
      await requestToken(service, { ...exchange, client_secret: canaries['wrong secret'] }),
      await requestToken(service, { ...exchange, client_id: canaries['wrong secret'] }),
      await requestToken(service, { ...exchange, grant_type: canaries['grant type'] }),
      await requestToken(service, { ...exchange, code: `${canaries.code}\0` }),
      await requestToken(service, { ...exchange, code: [canaries.code] }, { json: true }),
      await requestToken(service, refreshFields(client, canaries.token)),
      await requestToken(service, { ...refreshFields(client, tokens.refresh_token), scope: canaries.scope }),
      await requestToken(service, exchange, {
        headers: { authorization: `Basic ${canaries['wrong secret']}` },
      }),
      await postBody(service, `{"code":"${canaries['broken body']}`, json),
      await postBody(service, `${canaries['field name']}=a&${canaries['field name']}=b`),
      await postBody(service, canaries['broken body'], { 'content-type': `text/${canaries['field name']}` }),
      await postBody(service, '', {}, `/v2/auth/oauth2/token?client_secret=${canaries['wrong secret']}`),
      await postBody(
        service,
        `token=${canaries.token}&client_secret=${canaries['wrong secret']}`,
        {},
        revocationPath,
      ),
      await service.app.inject({ url: '/v2/me', headers: bearer }),
      await service.app.inject({ url: `/v2/me?access_token=${canaries.token}` }),
      await service.app.inject({ url: `/v2/nowhere?access_token=${canaries.token}` }),
      await service.app.inject({ method: 'PUT', url: `/v2/auth/oauth2/token?code=${canaries.code}` }),
    ];

    for (const answer of answers) {
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(findCanaries(`${JSON.stringify(answer.headers)}${answer.body}`, canaries)).toEqual([]);
    }
    const { 'redirect URI': _public, scope: _word, ...secrets } = canaries;
    expect(findCanaries(service.logText(), secrets)).toEqual([]);
  });

  test('a fault of ours logs that it happened and no value of the statement', async () => {
    const client = await addClient(service, { secret: canarySecret });
    const request = await issueCode(service, client);

    await withoutTable(service.database, 'grants', () => requestToken(service, request));

    expect(service.logText()).toContain('a token request failed');
    const values = { secret: canarySecret, code: String(request['code']), client: client.id };
    const faults = service
      .logText()
      .split('\n')
      .filter((line) => line.includes('a token request failed'));
    expect(findCanaries(faults.join('\n'), values)).toEqual([]);
  });
});
