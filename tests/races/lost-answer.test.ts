import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { holdRow, holdTable } from '../support/held.ts';
import { openTestService } from '../support/service.ts';
import { listen, openRequest, writeRequest } from '../support/socket.ts';
import {
  grantIdOf,
  grantsOf,
  issueCode,
  issueTokens,
  refreshFields,
  refusalOf,
  rotate,
  type TokenFields,
  usable,
  use,
} from '../support/tokens.ts';
import { addClient, createPkce, refresh, requestToken, type TestClient } from '../support/world.ts';

const service = await openTestService();
const port = await listen(service);

const writeTokenRequest = (fields: TokenFields): string =>
  writeRequest(
    'POST /v2/auth/oauth2/token',
    [['Content-Type', 'application/x-www-form-urlencoded']],
    new URLSearchParams(fields).toString(),
  );

/** Waits until a client's only grant has come so far. */
async function untilGeneration(client: TestClient, generation: number): Promise<void> {
  await expect.poll(() => grantsOf(service, client), { timeout: 10_000 }).toMatchObject([{ generation }]);
}

/**
 * Sends a token request and cuts the line while its commit waits, then lets it commit: nobody hears
 * the answer.
 */
async function loseAnswer(
  client: TestClient,
  grantId: string,
  fields: TokenFields,
  generation: number,
): Promise<void> {
  const held = await holdRow(service, 'grants', grantId);
  const socket = await openRequest(port, writeTokenRequest(fields));
  await held.untilWaiting(1);
  socket.destroy();
  await held.release();
  await untilGeneration(client, generation);
}

describe.each(['confidential', 'public'] as const)('a %s client whose line is cut', (type) => {
  test('between commit and answer refreshes again and gets a usable pair (contract §4, security C12)', async () => {
    const client = await addClient(service, { type });
    const tokens = await issueTokens(service, client);
    await loseAnswer(client, grantIdOf(tokens), refreshFields(client, tokens.refresh_token), 2);

    const retried = await refresh(service, client, tokens.refresh_token);

    expect(retried.statusCode).toBe(200);
    expect(await use(service, client, retried.json())).toEqual(usable);
  });

  test('five times in a row still gets a usable pair (security C12)', async () => {
    const client = await addClient(service, { type });
    const tokens = await issueTokens(service, client);
    const fields = refreshFields(client, tokens.refresh_token);
    for (let attempt = 0; attempt < 5; attempt += 1) await loseAnswer(client, grantIdOf(tokens), fields, 2);

    const retried = await refresh(service, client, tokens.refresh_token);

    expect(await use(service, client, retried.json())).toEqual(usable);
  });

  test('in the exchange cannot use the code again, and nothing is revoked immediately (contract §4, security C45)', async () => {
    const client = await addClient(service, { type });
    const fields = await issueCode(service, client, { pkce: createPkce() });
    const [grant] = await grantsOf(service, client);
    await loseAnswer(client, String(grant?.id), fields, 1);

    const retried = await requestToken(service, fields);

    expect(refusalOf(retried)).toEqual([400, 'invalid_grant', 'code_invalid_or_expired']);
    expect(await grantsOf(service, client)).toMatchObject([{ generation: 1, revokedAt: null }]);
  });
});

test('a line that is cut in the middle of a request changes nothing (security C45)', async () => {
  const client = await addClient(service);
  const tokens = await issueTokens(service, client);
  const request = writeTokenRequest(refreshFields(client, tokens.refresh_token));

  for (const length of [request.indexOf('\r\n\r\n'), request.indexOf('\r\n\r\n') + 20, request.length - 1]) {
    const socket = await openRequest(port, request.slice(0, length));
    await sleep(20);
    socket.destroy();
  }
  await sleep(50);

  expect(await grantsOf(service, client)).toMatchObject([{ generation: 1 }]);
  expect(await use(service, client, tokens)).toEqual(usable);
});

describe('a request that its client has given up, read too late by an instance that stood still, ends nothing', () => {
  async function decideAfterHangUp(fields: TokenFields): Promise<void> {
    const held = await holdTable(service, 'client_secrets');
    const socket = await openRequest(port, writeTokenRequest(fields));
    await held.untilWaiting(1);
    socket.destroy();
    await expect.poll(countConnections).toBe(0);
    service.takeStatements();
    await held.release();
    await expect.poll(() => service.takeStatements().join()).toContain('pg_is_in_recovery');
    // What it would do next takes less.
    for (let times = 0; times < 20; times += 1) await service.database.db.execute('select 1');
  }

  const countConnections = async (): Promise<number> =>
    new Promise((resolve) => service.app.server.getConnections((_error, count) => resolve(count)));

  test('a public client’s refresh token that was spent meanwhile (contract §4, security C12)', async () => {
    const client = await addClient(service, { type: 'public' });
    const tokens = await issueTokens(service, client);
    const newest = await rotate(service, client, await rotate(service, client, tokens));

    await decideAfterHangUp(refreshFields(client, tokens.refresh_token));

    expect(await use(service, client, newest)).toEqual(usable);
  });

  test('a code that was exchanged meanwhile (contract §4, security C45)', async () => {
    const client = await addClient(service);
    const fields = await issueCode(service, client);
    const tokens = (await requestToken(service, fields)).json();

    await decideAfterHangUp(fields);

    expect(await use(service, client, tokens)).toEqual(usable);
  });
});
