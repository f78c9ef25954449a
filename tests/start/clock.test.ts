import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestClock, openTestService } from '../support/service.ts';
import {
  addClient,
  addUser,
  authorizePath,
  clientFields,
  createPkce,
  deviceCookieOf,
  hiddenFieldsOf,
  type TestClient,
  type TestUser,
} from '../support/world.ts';
import { shiftedBy, startInstance } from './server-process.ts';

const service = await openTestService({}, createTestClock(new Date()));
const wrongBySeconds = 300;
const tokenAnswer = z.object({ access_token: z.string(), refresh_token: z.string() });
const ready = z.object({ clockSkewSeconds: z.number() });

const startShifted = (seconds: number) => startInstance(service.database.url, shiftedBy(seconds));

async function post(url: string, fields: Readonly<Record<string, string>>, cookie = ''): Promise<Response> {
  const headers = { 'sec-fetch-site': 'same-origin', cookie };
  return fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) });
}

/** Signs in, allows the client, and answers what the exchange needs. */
async function allow(
  address: string,
  client: TestClient,
  user: TestUser,
): Promise<Readonly<Record<string, string>>> {
  const { email, password } = user;
  const signedIn = await post(`${address}/signin`, { email, password }, deviceCookieOf(service, user));
  const [session = ''] = signedIn.headers.getSetCookie().filter((text) => text.includes('latchkey_session'));
  const [cookie = ''] = session.split(';');
  const { verifier, challenge } = createPkce();
  const asked = { client_id: client.id, redirect_uri: client.redirectUri, code_challenge: challenge };
  const url = `${address}${authorizePath}`;
  const page = await fetch(`${url}?${new URLSearchParams(asked).toString()}`, { headers: { cookie } });
  const fields = { ...hiddenFieldsOf(await page.text()), action: 'allow' };
  const location = (await post(url, fields, cookie)).headers.get('location') ?? 'none:';
  return {
    ...clientFields(client),
    grant_type: 'authorization_code',
    code: new URL(location).searchParams.get('code') ?? '',
    redirect_uri: client.redirectUri,
    code_verifier: verifier,
  };
}

async function request(
  address: string,
  fields: Readonly<Record<string, string>>,
): Promise<z.infer<typeof tokenAnswer>> {
  const answer = await post(`${address}/v2/auth/oauth2/token`, fields);
  expect(answer.status).toBe(200);
  return tokenAnswer.parse(await answer.json());
}

test('of two processes, whose clocks are 5 minutes fast and slow, each takes the other’s codes, retries and tokens, all by the database’s clock (contract §4, security C64)', {
  timeout: 120_000,
}, async () => {
  const client = await addClient(service, { type: 'public' });
  const user = await addUser(service);
  const [fast, slow] = await Promise.all([startShifted(wrongBySeconds), startShifted(-wrongBySeconds)]);
  const refreshAt = (address: string, { refresh_token: token }: z.infer<typeof tokenAnswer>) =>
    request(address, { ...clientFields(client), grant_type: 'refresh_token', refresh_token: token });

  for (const [one, other] of [
    [fast, slow],
    [slow, fast],
  ] as const) {
    const tokens = await request(other.address, await allow(one.address, client, user));
    const refreshed = await refreshAt(one.address, tokens);
    const retried = await refreshAt(other.address, tokens);

    expect(retried.refresh_token).toBe(refreshed.refresh_token);
    for (const { access_token: token } of [tokens, refreshed, retried]) {
      const { iat = 0, exp = 0 } = decodeJwt(token);
      expect(Math.abs(iat - Date.now() / 1000)).toBeLessThan(60);
      expect(exp - iat).toBe(1800);
    }
    for (const { address } of [one, other]) {
      const headers = { authorization: `Bearer ${refreshed.access_token}` };
      expect((await fetch(`${address}/v2/me`, { headers })).status).toBe(200);
    }
  }
  for (const [{ server, address }, seconds] of [
    [fast, wrongBySeconds],
    [slow, -wrongBySeconds],
  ] as const) {
    const readiness = ready.parse(await (await fetch(`${address}/readyz`)).json());
    expect(readiness.clockSkewSeconds).toBeCloseTo(seconds, 0);
    expect(server.output()).toContain('differs from the database’s');
  }
});
