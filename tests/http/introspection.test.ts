import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { basicOf } from '../support/basic.ts';
import { setClientStatus } from '../support/client-status.ts';
import { reviewDecisions } from '../support/registration.ts';
import { submitEdit } from '../support/review.ts';
import { few, sharedService, sparingService } from '../support/service.ts';
import { suspend } from '../support/suspension.ts';
import { grantsOf, issueTokens, postBody, refusalOf, revoke, usable, use } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  clientFields,
  connect,
  startSession,
  type TestClient,
  type Tokens,
} from '../support/world.ts';

const service = await sharedService();
const adminCookie = await startSession(service, await addUser(service, { isAdmin: true }));
const path = '/v2/auth/oauth2/introspect';

const ask = (
  client: TestClient,
  token: string,
  spoilt: Readonly<Record<string, string>> = {},
  at = service,
) => postBody(at, new URLSearchParams({ ...clientFields(client), token, ...spoilt }).toString(), {}, path);

const kinds = [
  ['its access token', ({ access_token: token }: Tokens) => token],
  ['its refresh token', ({ refresh_token: token }: Tokens) => token],
] as const;
const inactive = [200, '{"active":false}'];

describe('a client sees its own tokens (RFC 7662 §2.2, contract §7)', () => {
  test('its access token, as it is and as it says itself', { tags: 'parts' }, async () => {
    const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
    const { access_token: token } = await issueTokens(service, client, { scope: 'BOOKING_READ' });
    const { iss, aud, sub, client_id, scope, iat, exp, jti } = decodeJwt(token);

    const answer = await ask(client, token);

    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
    expect(answer.json()).toEqual({
      active: true,
      token_type: 'bearer',
      ...{ iss, aud, sub, client_id, scope, iat, exp, jti },
    });
    expect(scope).toBe('BOOKING_READ');
  });

  test('its refresh token, which that neither spends nor replaces', async () => {
    const client = await addClient(service, { scopes: ['PROFILE_READ'] });
    const user = await addUser(service);
    const tokens = await connect(service, client, await startSession(service, user));

    const answers = [await ask(client, tokens.refresh_token), await ask(client, tokens.refresh_token)];

    for (const answer of answers)
      expect(answer.json()).toEqual({
        active: true,
        iss: service.appUrl,
        aud: service.appUrl,
        sub: String(user.id),
        client_id: client.id,
        scope: 'PROFILE_READ',
      });
    expect(await grantsOf(service, client)).toMatchObject([{ generation: 1 }]);
    expect(await use(service, client, tokens)).toEqual(usable);
  });

  test('by HTTP Basic, by JSON, and with any hint (RFC 7662 §2.1)', async () => {
    const client = await addClient(service);
    const { access_token: token } = await issueTokens(service, client);
    const json = JSON.stringify({ ...clientFields(client), token });

    const answers = [
      await postBody(service, `token=${token}`, { authorization: basicOf(client) }, path),
      await postBody(service, json, { 'content-type': 'application/json' }, path),
      await ask(client, token, { token_type_hint: 'refresh_token' }),
      await ask(client, token, { token_type_hint: 'unknown' }),
    ];

    for (const answer of answers) expect(answer.json()).toMatchObject({ active: true });
  });

  test.each(kinds)(
    'no more than is registered by now: %s (security C60)',
    { tags: 'parts' },
    async (_name, choose) => {
      const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_WRITE'] });
      const tokens = await issueTokens(service, client);
      await submitEdit(service, client.id, { scopes: ['BOOKING_READ'] });
      await reviewDecisions.accept(service, client.id, adminCookie);
      const narrowed = await ask(client, choose(tokens));
      await submitEdit(service, client.id, { scopes: ['SCHEDULE_READ'] });
      await reviewDecisions.accept(service, client.id, adminCookie);

      const answer = await ask(client, choose(tokens));

      expect(narrowed.json()).toMatchObject({ active: true, scope: 'BOOKING_READ' });
      expect([answer.statusCode, answer.body]).toEqual(inactive);
    },
  );
});

describe('whatever does not work is inactive, and nothing else is told (RFC 7662 §2.2, security C95)', () => {
  test.each([
    ['a refresh token that was never issued', `lkr_${'A'.repeat(70)}`],
    ['a JWT that we did not sign', 'eyJhbGciOiJub25lIn0.eyJnaWQiOiJ4In0.'],
    ['4 KB', 'x'.repeat(4096)],
  ])('%s', async (_name, token) => {
    const answer = await ask(await addClient(service), token);

    expect([answer.statusCode, answer.body]).toEqual(inactive);
  });

  test.each(kinds)("another client's token, live or revoked: %s", async (_name, choose) => {
    const [client, other] = [await addClient(service), await addClient(service)];
    const tokens = await issueTokens(service, other);
    const [live, liveCost] = await costOf(() => ask(client, choose(tokens)));
    await revoke(service, other, tokens.refresh_token);
    const [revoked, revokedCost] = await costOf(() => ask(client, choose(tokens)));

    expect([live.body, live.headers['content-length']]).toEqual([
      revoked.body,
      revoked.headers['content-length'],
    ]);
    expect([live.statusCode, live.body]).toEqual(inactive);
    expect(liveCost).toEqual(revokedCost);
  });

  test.each(kinds)("once the user's account is suspended: %s (security C72)", async (_name, choose) => {
    const client = await addClient(service);
    const user = await addUser(service);
    const tokens = await connect(service, client, await startSession(service, user));
    await suspend(service, user, adminCookie, 'Spam');

    const answer = await ask(client, choose(tokens));

    expect([answer.statusCode, answer.body]).toEqual(inactive);
  });

  test('once the client was suspended, also when it is accepted again', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    await reviewDecisions.suspend(service, client.id, adminCookie);
    const meanwhile = await ask(client, tokens.access_token);
    await setClientStatus(service.database.db, client.id, 'accepted');

    const answers = [await ask(client, tokens.access_token), await ask(client, tokens.refresh_token)];

    expect(refusalOf(meanwhile)).toEqual([401, 'invalid_client', 'client_not_accepted']);
    for (const answer of answers) expect([answer.statusCode, answer.body]).toEqual(inactive);
  });
});

describe('only clients that prove who they are may ask (RFC 7662 §2.1, security C95)', () => {
  test.each([
    ['no client', { client_id: '', client_secret: '' }, [400, 'invalid_request', 'client_id is required']],
    ['an unknown client', { client_id: 'unknown' }, [401, 'invalid_client', 'client_not_found']],
    ['a wrong secret', { client_secret: 'wrong' }, [401, 'invalid_client', 'invalid_client_credentials']],
    ['no secret', { client_secret: '' }, [401, 'invalid_client', 'invalid_client_credentials']],
    ['no token', { token: '' }, [400, 'invalid_request', 'token is required']],
  ] as const)('%s', async (_name, spoilt, refusal) => {
    const client = await addClient(service);
    const { access_token: token } = await issueTokens(service, client);

    expect(refusalOf(await ask(client, token, spoilt))).toEqual(refusal);
  });
});

describe('what it may cost (security C41, C95)', () => {
  test.each(kinds)('at most two statements, which read: %s', async (_name, choose) => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);

    const [answer, statements] = await costOf(() => ask(client, choose(tokens)));

    expect(answer.json()).toMatchObject({ active: true });
    expect(statements.length).toBeLessThanOrEqual(2);
    for (const statement of statements) expect(statement).toMatch(/^select /);
  });

  test.each(kinds)(
    'so many a minute for one client and grant, which no other request counts among: %s',
    async (_name, choose) => {
      const sparing = await sparingService();
      const client = await addClient(sparing);
      const [tokens, others] = [await issueTokens(sparing, client), await issueTokens(sparing, client)];
      const statuses: number[] = [];
      for (let sent = 0; sent <= few; sent += 1)
        statuses.push((await ask(client, choose(tokens), {}, sparing)).statusCode);

      expect(statuses.indexOf(429)).toBe(few);
      expect((await ask(client, choose(others), {}, sparing)).json()).toMatchObject({ active: true });
      expect(await use(sparing, client, tokens)).toEqual(usable);
    },
  );

  test('a burst of wrong secrets is limited, and keeps the right one in', async () => {
    const sparing = await sparingService();
    const client = await addClient(sparing);
    const { access_token: token } = await issueTokens(sparing, client);
    const statuses = new Set<number>();
    for (let sent = 0; sent <= few; sent += 1)
      statuses.add((await ask(client, token, { client_secret: 'wrong' }, sparing)).statusCode);

    expect([...statuses]).toEqual([401, 429]);
    expect((await ask(client, token, {}, sparing)).json()).toMatchObject({ active: true });
  });
});

/** The outbox is read in the background. */
async function costOf<Answer>(act: () => Promise<Answer>): Promise<[Answer, string[]]> {
  service.takeStatements();
  const answer = await act();
  return [answer, service.takeStatements()];
}
