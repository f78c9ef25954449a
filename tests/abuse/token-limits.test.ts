import { describe, expect, test } from 'vitest';
import { basicOf } from '../support/basic.ts';
import { few, sparingService } from '../support/service.ts';
import {
  issueCode,
  issueTokens,
  postBody,
  refreshFields,
  refusalOf,
  revocationPath,
} from '../support/tokens.ts';
import {
  addClient,
  clientFields,
  createPkce,
  refresh,
  requestToken,
  type TestClient,
} from '../support/world.ts';

const service = await sparingService();

const burst = few + 1;
const limited = [429, 'temporarily_unavailable', expect.stringMatching(/^[a-z][^_{}]+$/)] as const;

/** Sends wrong secrets until one is limited; answers what the last one got. */
async function sendWrongSecrets(client: TestClient) {
  const request = { ...refreshFields(client, 'unknown'), client_secret: 'wrong' };
  let answer = await requestToken(service, request);
  for (let sent = 1; sent < burst && answer.statusCode !== 429; sent += 1)
    answer = await requestToken(service, request);
  return answer;
}

describe('a burst of wrong secrets (contract §4, security C41)', () => {
  test('gets 429 with Retry-After, in OAuth’s shape, JSON and form alike', async () => {
    const client = await addClient(service);

    const toForm = await sendWrongSecrets(client);
    const toJson = await requestToken(
      service,
      { ...refreshFields(client, 'unknown'), client_secret: 'wrong' },
      { json: true },
    );

    expect(refusalOf(toForm)).toEqual(limited);
    expect(Number(toForm.headers['retry-after'])).toBeGreaterThan(0);
    expect(toJson.body).toBe(toForm.body);
  });

  test('does not keep the right secret out, at any grant, in any way', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    const request = await issueCode(service, client);
    await sendWrongSecrets(client);

    const exchanged = await requestToken(service, request);
    const refreshed = await refresh(service, client, tokens.refresh_token);
    const { refresh_token: next } = refreshed.json();
    const byBasic = await requestToken(
      service,
      { grant_type: 'refresh_token', refresh_token: next },
      { headers: { authorization: basicOf(client) } },
    );

    expect([exchanged, refreshed, byBasic].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });

  test('at one client leaves the others alone, wrong secrets too', async () => {
    const [client, other] = [await addClient(service), await addClient(service)];
    await sendWrongSecrets(client);

    const answer = await requestToken(service, {
      ...refreshFields(other, 'unknown'),
      client_secret: 'wrong',
    });

    expect(answer.statusCode).toBe(401);
  });

  test('is over as long after as Retry-After says', async () => {
    const client = await addClient(service);
    const { headers } = await sendWrongSecrets(client);
    service.clock.advance(Number(headers['retry-after']));

    const answer = await requestToken(service, {
      ...refreshFields(client, 'unknown'),
      client_secret: 'wrong',
    });

    expect(answer.statusCode).toBe(401);
  });

  test('at the revocation endpoint gets 429, too: a secret cannot be guessed there either', async () => {
    const client = await addClient(service);
    const body = new URLSearchParams({ client_id: client.id, client_secret: 'wrong', token: 'x' }).toString();

    const statuses = new Set<number>();
    for (let sent = 0; sent < burst; sent += 1)
      statuses.add((await postBody(service, body, {}, revocationPath)).statusCode);

    expect([...statuses]).toEqual([401, 429]);
  });

  test('of a public client’s ignored secrets is no failure', async () => {
    const client = await addClient(service, { type: 'public' });

    const answer = await sendWrongSecrets(client);

    expect(answer.statusCode).toBe(400);
  });
});

describe('a flood of requests for one grant (contract §4, security C41)', () => {
  const flood = few + 1;

  const sendFlood = async (request: Readonly<Record<string, string>>) => {
    let answer = await requestToken(service, request);
    for (let sent = 1; sent < flood && answer.statusCode !== 429; sent += 1)
      answer = await requestToken(service, request);
    return answer;
  };

  test('gets 429 with Retry-After and revokes nothing', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);

    const answer = await sendFlood(refreshFields(client, tokens.refresh_token));

    expect(refusalOf(answer)).toEqual(limited);
    service.clock.advance(Number(answer.headers['retry-after']));
    expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(200);
  });

  test('by another client, which has found a token of it, does not keep the right client out', async () => {
    const [client, stranger] = [await addClient(service), await addClient(service)];
    const tokens = await issueTokens(service, client);
    const stolen = { ...refreshFields(client, tokens.refresh_token), ...clientFields(stranger) };
    await sendFlood(stolen);

    const answer = await refresh(service, client, tokens.refresh_token);

    expect(answer.statusCode).toBe(200);
  });

  test('by someone who has found a used code and proves nothing does not keep the right client out (contract §4)', async () => {
    const client = await addClient(service, { type: 'public' });
    const request = await issueCode(service, client, { pkce: createPkce() });
    const tokens = (await requestToken(service, request)).json();

    const answer = await sendFlood({ ...request, code_verifier: 'x'.repeat(43) });

    expect(refusalOf(answer)).toEqual([400, 'invalid_grant', 'code_invalid_or_expired']);
    expect((await refresh(service, client, tokens.refresh_token)).statusCode).toBe(200);
  });
});
