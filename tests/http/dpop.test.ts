import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { createProofMemory } from '../../src/oauth/dpop.ts';
import { grants } from '../../src/oauth/tables.ts';
import { callApi } from '../support/api.ts';
import { createDpopKey, type DpopKey, proofFor } from '../support/dpop.ts';
import { addOwnedClient, expectExplained, readFailedRequests } from '../support/failed-requests.ts';
import { openTestService, sharedService } from '../support/service.ts';
import { grantIdOf, issueCode, refreshFields, type TokenFields } from '../support/tokens.ts';
import {
  addClient,
  addUser,
  createPkce,
  openAuthorizePage,
  requestToken,
  startSession,
  type TestClient,
  type Tokens,
} from '../support/world.ts';

const service = await sharedService();
const { db } = service.database;
const key = createDpopKey();
const stranger = createDpopKey();
const algs = 'algs="ES256 Ed25519 EdDSA"';

async function send(fields: TokenFields, by: DpopKey | undefined, changes = {}) {
  const headers: Record<string, string> =
    by === undefined ? {} : { dpop: await proofFor(service, by, {}, changes) };
  return requestToken(service, fields, { headers });
}

async function connectBound(client: TestClient, by = key): Promise<Tokens> {
  const fields = await issueCode(service, client, { pkce: createPkce() });
  const answer = await send(fields, by);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json();
}

/** Calls the API with a bound token, and a proof unless it's null. */
async function call(
  token: string,
  { scheme = 'DPoP', path = '/v2/me', proof }: { scheme?: string; path?: string; proof?: string | null } = {},
) {
  const [bare = ''] = path.split('?');
  const dpop = proof ?? (await proofFor(service, key, { method: 'GET', path: bare, accessToken: token }));
  const headers = { authorization: `${scheme} ${token}`, ...(proof === null ? {} : { dpop }) };
  return service.app.inject({ url: path, headers });
}

const jktOf = async (tokens: Tokens) => {
  const [row] = await db
    .select()
    .from(grants)
    .where(eq(grants.id, grantIdOf(tokens)));
  return row?.dpopJkt;
};

describe.each(['public', 'confidential'] as const)('a %s client that sends proofs', (type) => {
  test('gets tokens of type DPoP, bound to its key, and the nonce of its next proof (RFC 9449 §5, §6.1, §8.2)', async () => {
    const client = await addClient(service, { type });

    const answer = await send(await issueCode(service, client, { pkce: createPkce() }), key);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ token_type: 'DPoP', expires_in: 1800 });
    expect(decodeJwt(answer.json().access_token)).toMatchObject({ cnf: { jkt: key.jkt } });
    expect(answer.headers['dpop-nonce']).toMatch(/^[\w-]{48}$/);
    expect(await jktOf(answer.json())).toBe(type === 'public' ? key.jkt : null);
  });

  test('calls the API with token and proof, and refreshes both (RFC 9449 §7.1)', async () => {
    const client = await addClient(service, { type });
    const first = await connectBound(client);
    const refreshed = await send(refreshFields(client, first.refresh_token), key);

    const { access_token: token } = refreshed.json<Tokens>();
    const answer = await call(token);

    expect(answer.statusCode).toBe(200);
    expect(answer.headers['dpop-nonce']).toMatch(/^[\w-]{48}$/);
    expect(decodeJwt(token)).toMatchObject({ cnf: { jkt: key.jkt } });
  });

  test('is asked for a nonce first, and the same request works with it (RFC 9449 §8)', async () => {
    const client = await addClient(service, { type });
    const fields = await issueCode(service, client, { pkce: createPkce() });

    const asked = await send(fields, key, { nonce: undefined });
    const answer = await send(fields, key, { nonce: asked.headers['dpop-nonce'] });

    expect(asked.statusCode).toBe(400);
    expect(asked.json()).toMatchObject({ error: 'use_dpop_nonce' });
    expect(answer.statusCode).toBe(200);
  });

  test('binds a code beforehand: nobody exchanges it without the key (RFC 9449 §10)', async () => {
    const client = await addClient(service, { type });
    const parameters = { dpop_jkt: key.jkt };
    const fields = await issueCode(service, client, { pkce: createPkce(), parameters });

    const answers = [
      await send(fields, undefined),
      await send(fields, stranger),
      await send(fields, key),
    ] as const;

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 200]);
    for (const refused of answers.slice(0, 2))
      expect(refused.json()).toMatchObject({
        error: 'invalid_grant',
        error_description: 'dpop_key_mismatch',
      });
  });
});

test('an app that sends no proof gets what it always got (contract §4)', async () => {
  const client = await addClient(service, { type: 'public' });

  const answer = await send(await issueCode(service, client, { pkce: createPkce() }), undefined);

  expect(answer.json()).toMatchObject({ token_type: 'bearer' });
  expect(decodeJwt(answer.json().access_token)).not.toHaveProperty('cnf');
  expect(answer.headers).not.toHaveProperty('dpop-nonce');
});

describe('a proof at the token endpoint', () => {
  test.each([
    ['another address', { htu: 'https://evil.example/token' }, /htu has to be the address/],
    ['another method', { htm: 'GET' }, /htm has to be the method/],
    ['an old date', { iat: 1 }, /Set the clock of the device/],
  ])('with %s is refused, and the owner reads why (RFC 9449 §5)', async (_name, changes, says) => {
    await expectExplained(service, {
      name: '',
      fail: async (_service, client) => send(await issueCode(service, client), key, changes),
      says,
    });
  });

  test.each([
    ['no proof', undefined, /the request had no DPoP proof/],
    ['another key', stranger, /a DPoP proof of another key/],
  ])('with %s, where the code is bound, is explained to the owner (contract §2)', async (_name, by, says) => {
    const parameters = { dpop_jkt: key.jkt };
    await expectExplained(service, {
      name: '',
      fail: async (_service, client) => send(await issueCode(service, client, { parameters }), by),
      says,
    });
  });

  test('without a nonce is no failure: every app begins like that (RFC 9449 §8)', async () => {
    const owned = await addOwnedClient(service);

    const answer = await send(await issueCode(service, owned.client), key, { nonce: undefined });

    expect(answer.statusCode).toBe(400);
    expect(await readFailedRequests(service, owned)).toEqual([]);
  });

  test('names our address as clients know it, whatever Host a proxy sends (RFC 9449 §4.3, security C40)', async () => {
    const behind = await openTestService({ API_URL: 'https://api.example', APP_URL: 'https://auth.example' });
    const client = await addClient(behind);
    const dpop = await proofFor(behind, key, {});
    const fields = await issueCode(behind, client, { pkce: createPkce() });

    const answer = await requestToken(behind, fields, {
      headers: { dpop, host: 'internal.example', 'x-forwarded-host': 'evil.example' },
    });

    expect(answer.json()).toMatchObject({ token_type: 'DPoP' });
  });
});

test('dpop_jkt that is no thumbprint goes back to the app (RFC 9449 §10)', async () => {
  const client = await addClient(service);
  const cookie = await startSession(service, await addUser(service));
  const parameters = { client_id: client.id, redirect_uri: client.redirectUri, dpop_jkt: 'short' };

  const answer = await openAuthorizePage(service, parameters, cookie);

  const { searchParams } = new URL(String(answer.headers.location));
  expect(searchParams.get('error')).toBe('invalid_request');
  expect(searchParams.get('error_description')).toBe('dpop_jkt_must_be_43_base64url_characters');
});

describe('at the API', async () => {
  const client = await addClient(service, { type: 'public' });
  const { access_token: token } = await connectBound(client);
  const get = { method: 'GET', path: '/v2/me', accessToken: token } as const;

  test('a bound token sent as Bearer is refused, and DPoP offered (RFC 9449 §7.2)', async () => {
    const answer = await call(token, { scheme: 'Bearer' });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(
      new RegExp(`^Bearer error="invalid_token", .*, DPoP ${algs}$`),
    );
  });

  test('a token that is not bound needs no proof as Bearer, and is refused as DPoP (RFC 9449 §7.1)', async () => {
    const plain = await send(
      await issueCode(service, await addClient(service), { pkce: createPkce() }),
      undefined,
    );
    const { access_token: free } = plain.json<Tokens>();

    const asBearer = await call(free, { scheme: 'Bearer', proof: null });
    const answer = await call(free);

    expect(asBearer.statusCode).toBe(200);
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(
      new RegExp(`^DPoP error="invalid_token", ${algs}, scope=`),
    );
  });

  test('without a nonce the answer asks for one, and has it (RFC 9449 §9)', async () => {
    const answer = await call(token, { proof: await proofFor(service, key, get, { nonce: undefined }) });
    const nonce = answer.headers['dpop-nonce'];
    const again = await call(token, { proof: await proofFor(service, key, get, { nonce }) });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toMatch(new RegExp(`^DPoP error="use_dpop_nonce", ${algs}`));
    expect(again.statusCode).toBe(200);
  });

  test.each([
    ['no proof', async () => null, 'unreadable'],
    ['another key', () => proofFor(service, stranger, get), 'key'],
    ['another access token', () => proofFor(service, key, get, { ath: 'x' }), 'ath'],
    ['another method', () => proofFor(service, key, { ...get, method: 'POST' }), 'htm'],
    ['another path', () => proofFor(service, key, { ...get, path: '/v2/bookings' }), 'htu'],
  ])('with %s answers 401 and says why (RFC 9449 §7.1)', async (_name, make, fault) => {
    const answer = await call(token, { proof: await make() });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain(`DPoP error="invalid_dpop_proof", ${algs}`);
    expect(answer.json().error.details.DPoP).toEqual(expect.any(String));
    expect(service.takeLog()).toContain(`"detail":"${fault}"`);
  });

  test('a query is no part of what is proven (RFC 9449 §4.3)', async () => {
    expect((await call(token, { path: '/v2/me?x=y' })).statusCode).toBe(200);
  });

  test('missing scope is told in the scheme of the request (RFC 9449 §7.1)', { tags: 'parts' }, async () => {
    const narrow = await addClient(service, { scopes: ['BOOKING_READ'] });
    const { access_token: narrowToken } = await connectBound(narrow);

    const answer = await call(narrowToken);

    expect(answer.statusCode).toBe(403);
    expect(answer.headers['www-authenticate']).toMatch(/^DPoP error="insufficient_scope"/);
  });

  test('a proof is used once, and another of the same moment works (RFC 9449 §11.1)', async () => {
    const proof = await proofFor(service, key, get);

    const [first, replayed, other] = [
      await call(token, { proof }),
      await call(token, { proof }),
      await call(token),
    ];

    expect([first.statusCode, replayed.statusCode, other.statusCode]).toEqual([200, 401, 200]);
    expect(replayed.headers['www-authenticate']).toContain('error="invalid_dpop_proof"');
  });

  test('a proof is over with its nonce (RFC 9449 §8, §11.1)', async () => {
    const proof = await proofFor(service, key, get);
    service.clock.advance(120);

    const answer = await call(token, { proof });

    expect(answer.headers['www-authenticate']).toContain('error="use_dpop_nonce"');
  });

  test('without a token both schemes are offered (RFC 9449 §7.2)', async () => {
    const answer = await callApi(service, 'GET', '/me');

    expect(answer.headers['www-authenticate']).toMatch(new RegExp(`^Bearer scope=.*, DPoP ${algs}$`));
  });
});

describe('what this process remembers of proofs (RFC 9449 §11.1)', () => {
  const now = new Date(600_000);

  test('is kept for each user, as long as the nonce is good', () => {
    const remember = createProofMemory();

    expect(remember(1, 'proof', 10, now)).toBe('new');
    expect(remember(1, 'proof', 10, now)).toBe('used');
    expect(remember(2, 'proof', 10, now)).toBe('new');
    expect(remember(1, 'proof', 9, now)).toBe('new');
    expect(remember(1, 'proof', 10, new Date(719_999))).toBe('used');
  });

  test('has an end for each user: whoever floods it, with however many grants, harms nobody else', () => {
    const remember = createProofMemory();
    for (let index = 0; index < 4000; index += 1) remember(1, `proof ${index}`, 10, now);

    expect(remember(1, 'one more', 10, now)).toBe('full');
    expect(remember(1, 'proof 7', 10, now)).toBe('used');
    expect(remember(2, 'proof', 10, now)).toBe('new');
  });

  test('has an end for all: what it cannot remember is not accepted', () => {
    const remember = createProofMemory();
    for (let index = 0; index < 100_000; index += 1) remember(index % 1000, `${index}`, 10, now);

    expect(remember(1001, 'proof', 10, now)).toBe('full');
    expect(remember(7, '7', 10, now)).toBe('used');
    expect(remember(1001, 'proof', 11, new Date(660_000))).toBe('new');
  });
});
