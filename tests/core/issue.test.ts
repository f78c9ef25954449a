import { describe, expect, test } from 'vitest';
import type { Signer } from '../../src/oauth/core/access-token.ts';
import type { Client, ClientWithSecrets } from '../../src/oauth/core/client.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import type {
  CodeExchange,
  Refresh,
  TokenEndpoint,
  TokenRequest,
  TokenStore,
} from '../../src/oauth/core/endpoint.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import { answerTokenRequest } from '../../src/oauth/core/issue.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import { hashClientSecret } from '../../src/oauth/core/secret.ts';
import {
  buildActiveGrant,
  buildClient,
  buildIssuedGrant,
  challenge,
  lifetimes,
  mac,
  noon,
  secondsAfter,
  verifier,
} from '../support/core-builders.ts';

const client = buildClient('confidential');
const publicClient = buildClient('public');
const credentials = { clientId: client.id, clientSecret: 'secret' };
const signer: Signer = { keyId: 'key', sign: () => new Uint8Array(64) };

interface Setting {
  /** Without it, the confidential client. */
  readonly client?: Client;
  readonly grant?: Grant;
  /** What else is true of the endpoint. */
  readonly changes?: Partial<TokenEndpoint>;
  readonly signer?: Signer;
  /** Another request moved or revoked the grant after it was found. */
  readonly isOvertaken?: boolean;
}

/** A token endpoint on a store in memory that holds one client and one grant, and its calls in order. */
async function openEndpoint(setting: Setting) {
  const { grant, changes, signer: given = signer, isOvertaken = false } = setting;
  const calls: string[] = [];
  const hash = await hashClientSecret('secret', webCryptoHash);
  const known: ClientWithSecrets = { ...(setting.client ?? client), secrets: [{ id: 'secret-1', hash }] };
  const store: TokenStore = {
    async find(clientId, grantId) {
      calls.push('find');
      return {
        client: clientId === known.id ? known : undefined,
        grant: grantId === grant?.id ? grant : undefined,
      };
    },
    async redeem() {
      calls.push('redeem');
      return !isOvertaken;
    },
    async advance(_grant, generation) {
      calls.push(`advance to ${generation}`);
      return !isOvertaken;
    },
    async revoke(_grant, reason) {
      calls.push(`revoke: ${reason}`);
    },
  };
  const endpoint: TokenEndpoint = {
    store,
    issuer: {
      issuer: 'https://id.example',
      resources: ['https://api.example'],
      signer: () => given,
      mac,
      randomBytes: (length) => new Uint8Array(length),
    },
    lifetimes,
    hash: webCryptoHash,
    url: 'https://api.example/token',
    now: () => secondsAfter(noon, 30),
    noteSecretUse: (secretId) => calls.push(`used ${secretId}`),
    ...changes,
  };
  return { endpoint, calls };
}

async function exchangeOf(grant: Grant, presented = credentials): Promise<CodeExchange> {
  return {
    grantType: 'authorization_code',
    client: presented,
    code: await issueCode(grant.id, mac),
    redirectUri: grant.redirectUri,
    codeVerifier: undefined,
  };
}

async function refreshOf(grant: Grant, generation: number): Promise<Refresh> {
  const refreshToken = await issueRefreshToken({ grantId: grant.id, generation }, mac);
  return { grantType: 'refresh_token', client: credentials, refreshToken, scope: undefined };
}

const issued = buildIssuedGrant(client);
const active = buildActiveGrant(client, { generation: 4 });

/** Each kind of request that succeeds, its grant, and what the store hears. */
const successes = [
  ['an exchange', issued, () => exchangeOf(issued), 'redeem', 1],
  ['a refresh', active, () => refreshOf(active, 4), 'advance to 5', 5],
  ['a refresh that is repeated', active, () => refreshOf(active, 3), 'advance to 4', 4],
] as const;

describe.each(successes)('%s', (_name, grant, request, move, generation) => {
  test('finds, issues and moves the grant, in two calls of the store (architecture §2)', async () => {
    const { endpoint, calls } = await openEndpoint({ grant });

    const answer = await answerTokenRequest(endpoint, await request());

    expect(calls).toEqual(['find', 'used secret-1', move]);
    expect(answer).toEqual({
      ok: true,
      value: {
        grantId: grant.id,
        accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
        refreshToken: await issueRefreshToken({ grantId: grant.id, generation }, mac),
        scopes: null,
        jkt: null,
      },
    });
  });

  test('spends nothing when the tokens can’t be issued', async () => {
    const broken: Signer = { keyId: 'key', sign: () => Promise.reject(new Error('no key')) };
    const { endpoint, calls } = await openEndpoint({ grant, signer: broken });

    await expect(answerTokenRequest(endpoint, await request())).rejects.toThrow('no key');
    expect(calls).not.toContain(move);
  });

  test('gives no tokens when another request was first (contract §4)', async () => {
    const { endpoint } = await openEndpoint({ grant, isOvertaken: true });

    const answer = await answerTokenRequest(endpoint, await request());

    const reason = move === 'redeem' ? 'code_invalid_or_expired' : 'invalid_refresh_token';
    expect(answer).toMatchObject({ ok: false, reason });
  });

  test('over the rate limit leaves the grant as it is (security C41)', async () => {
    const { endpoint, calls } = await openEndpoint({
      grant,
      changes: { grantLimit: { isReached: () => false, allows: (id) => id !== grant.id } },
    });

    const answer = await answerTokenRequest(endpoint, await request());

    expect(answer).toMatchObject({ reason: 'too_many_requests', cause: { kind: 'grant_rate_limited' } });
    expect(calls).not.toContain(move);
  });
});

describe.each<readonly [string, Grant, (grant: Grant) => Promise<TokenRequest>, readonly string[]]>([
  [
    'a replay',
    buildActiveGrant(client),
    (grant) => exchangeOf(grant),
    ['used secret-1', 'revoke: code_replay'],
  ],
  [
    "a public client's spent token",
    buildActiveGrant(publicClient, { generation: 4 }),
    async (grant) => ({
      ...(await refreshOf(grant, 1)),
      client: { ...credentials, clientId: grant.clientId },
    }),
    ['revoke: refresh_token_theft'],
  ],
  ["a confidential client's spent token", active, (grant) => refreshOf(grant, 1), ['used secret-1']],
])('%s', (_name, grant, request, effects) => {
  test('is refused, ends the grant if it proves theft, and counts against no limit (contract §4, RFC 9700 §4.14.2)', async () => {
    const owner = grant.clientId === publicClient.id ? publicClient : client;
    const { endpoint, calls } = await openEndpoint({
      client: owner,
      grant,
      changes: { grantLimit: { isReached: () => false, allows: () => false } },
    });

    const answer = await answerTokenRequest(endpoint, await request(grant));

    expect(answer).toMatchObject({ ok: false });
    expect(answer).not.toMatchObject({ reason: 'too_many_requests' });
    expect(calls).toEqual(['find', ...effects]);
  });
});

test.each([
  ['without a challenge is a replay', null, ['revoke: code_replay']],
  ['with a challenge may be a double submit', challenge, []],
])('an exchange that another one overtook, %s (contract §4)', async (_name, codeChallenge, effects) => {
  const grant = buildIssuedGrant(client, { codeChallenge });
  const { endpoint, calls } = await openEndpoint({ grant, isOvertaken: true });
  const codeVerifier = codeChallenge === null ? undefined : verifier;

  await answerTokenRequest(endpoint, { ...(await exchangeOf(grant)), codeVerifier });

  expect(calls).toEqual(['find', 'used secret-1', 'redeem', ...effects]);
});

test.each([
  ['an unknown client', { ...credentials, clientId: 'unknown' }, 'client_not_found'],
  ['a wrong secret', { ...credentials, clientSecret: 'wrong' }, 'invalid_client_credentials'],
])('%s changes nothing, and no use of a secret is noted (contract §4)', async (_name, presented, reason) => {
  const { endpoint, calls } = await openEndpoint({ grant: issued });

  const answer = await answerTokenRequest(endpoint, await exchangeOf(issued, presented));

  expect(answer).toMatchObject({ ok: false, reason });
  expect(calls).toEqual(['find']);
});

test.each([
  ['no code of ours', { code: 'lkc_unknown' }, 'token_unreadable'],
  ['the code of a grant that is gone', {}, 'grant_gone'],
])('%s is code_invalid_or_expired, and its cause says which (contract §4)', async (_name, change, kind) => {
  const { endpoint } = await openEndpoint({});

  const answer = await answerTokenRequest(endpoint, { ...(await exchangeOf(issued)), ...change });

  expect(answer).toMatchObject({ reason: 'code_invalid_or_expired', cause: { kind } });
});
