import { sql } from 'drizzle-orm';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, test } from 'vitest';
import { withoutTable } from '../support/database-faults.ts';
import { sharedService } from '../support/service.ts';
import {
  issueCode,
  issueTokens,
  postBody,
  refreshFields,
  revocationPath,
  revoke,
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

const service = await sharedService();

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
const wrongSecret = 'canary-wrong-secret-4b5a6978';

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
      'wrong secret': wrongSecret,
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
