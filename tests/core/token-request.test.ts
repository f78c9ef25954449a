import { decodeJwt, decodeProtectedHeader } from 'jose';
import { describe, expect, test } from 'vitest';
import type { Signer } from '../../src/oauth/core/access-token.ts';
import { type Client, type ClientWithSecrets, hashClientSecret } from '../../src/oauth/core/client.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import { webCryptoHash } from '../../src/oauth/core/crypto.ts';
import { issueDpopNonce } from '../../src/oauth/core/dpop.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import type {
  MovedGrant,
  TokenEndpoint,
  TokenRequest,
  TokenStore,
  UsualRequest,
} from '../../src/oauth/core/ports.ts';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import type { GrantedScopes } from '../../src/oauth/core/scope.ts';
import { answerTokenRequest, issueTokens, tokenResponse } from '../../src/oauth/core/token-request.ts';
import { generateRsaKey, nodeRsaSigner } from '../../src/platform/signing-key.ts';
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
import { createDpopKey, signProof } from '../support/dpop.ts';
import { scopeNames } from '../support/scopes.ts';

const client = buildClient('confidential');
const publicClient = buildClient('public');
const credentials = { clientId: client.id, clientSecret: 'secret' };
const signer: Signer = { keyId: 'key', sign: () => new Uint8Array(64) };
const emptyHash = await hashClientSecret('', webCryptoHash);
const [api, notes] = ['https://api.example', 'https://notes.example'];

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
  const boundTo: (string | null)[] = [];
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
    async redeem({ dpopJkt }) {
      calls.push('redeem');
      boundTo.push(dpopJkt);
      return !isOvertaken;
    },
    async advance({ dpopJkt }, generation) {
      calls.push(`advance to ${generation}`);
      boundTo.push(dpopJkt);
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
      resources: [api, notes],
      scopes: scopeNames,
      signer: () => given,
      mac,
      randomBytes: (length) => new Uint8Array(length),
    },
    lifetimes,
    hash: webCryptoHash,
    url: 'https://api.example/token',
    now: () => secondsAfter(noon, 30),
    noteSecretUse: (secretId) => calls.push(`used ${secretId}`),
    noteAhead: ({ generation }) => calls.push(`ahead of ${generation}`),
    ...changes,
  };
  return { endpoint, calls, boundTo };
}

async function exchangeOf(grant: Grant, presented = credentials) {
  return {
    grantType: 'authorization_code',
    client: presented,
    code: await issueCode(grant.id, mac),
    redirectUri: grant.redirectUri,
    codeVerifier: undefined,
  } satisfies TokenRequest;
}

async function refreshOf(grant: Grant, generation: number): Promise<TokenRequest> {
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
        scopeNames,
        isFullAccess: true,
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

    expect(answer).toMatchObject({
      reason: 'too_many_requests',
      detail: 'too many requests for this grant',
      cause: { kind: 'grant_rate_limited' },
    });
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

test('a refresh token that the database has lost is noted once its grant has moved (ADR 13)', async () => {
  const ahead = await refreshOf(active, 5);
  const first = await openEndpoint({ grant: active });
  const overtaken = await openEndpoint({ grant: active, isOvertaken: true });

  await answerTokenRequest(first.endpoint, ahead);
  await answerTokenRequest(overtaken.endpoint, ahead);

  expect(first.calls).toEqual(['find', 'used secret-1', 'advance to 6', 'ahead of 4']);
  expect(overtaken.calls).not.toContain('ahead of 4');
});

test('an endpoint that notes and limits nothing issues tokens all the same', async () => {
  const { endpoint } = await openEndpoint({ grant: active });
  const { store, issuer, hash, url, now } = endpoint;
  const bare = { store, issuer, lifetimes, hash, url, now };

  const answer = await answerTokenRequest(bare, await refreshOf(active, 5));

  expect(answer).toMatchObject({ ok: true });
});

describe('with a proof of a key (RFC 9449 §5)', () => {
  const key = createDpopKey();
  const prove = async (htm: string) => {
    const iat = secondsAfter(noon, 30).getTime() / 1000;
    const nonce = await issueDpopNonce(mac, noon);
    return signProof(key, { jti: 'proof-1', htm, htu: 'https://api.example/token', iat, nonce });
  };

  const requests = [
    [
      'an exchange',
      (owner: Client) => buildIssuedGrant(owner, { codeChallenge: challenge }),
      async (grant: Grant) => ({ ...(await exchangeOf(grant)), codeVerifier: verifier }),
    ],
    [
      'a refresh',
      (owner: Client) => buildActiveGrant(owner, { generation: 4 }),
      (grant: Grant) => refreshOf(grant, 4),
    ],
  ] as const;
  const bindings = [
    ['binds the grant of a public client to it', publicClient, key.jkt],
    ['leaves that of a confidential client unbound', client, null],
  ] as const;

  describe.each(requests)('%s', (_request, grantOf, requestFor) => {
    test.each(bindings)('gives tokens for the key, and %s', async (_, owner, bound) => {
      const grant = grantOf(owner);
      const { endpoint, boundTo } = await openEndpoint({ client: owner, grant });
      const presented = { ...credentials, clientId: owner.id };
      const request = { ...(await requestFor(grant)), client: presented, dpopProof: await prove('POST') };

      expect(await answerTokenRequest(endpoint, request)).toMatchObject({
        ok: true,
        value: { jkt: key.jkt },
      });
      expect(boundTo).toEqual([bound]);
    });

    test('for another method is refused before anything is looked up', async () => {
      const grant = grantOf(client);
      const { endpoint, calls } = await openEndpoint({ grant });
      const request = { ...(await requestFor(grant)), dpopProof: await prove('GET') };

      expect(await answerTokenRequest(endpoint, request)).toMatchObject({
        reason: 'invalid_dpop_proof',
        cause: { fault: 'htm' },
      });
      expect(calls).toEqual([]);
    });
  });
});

describe('a resource that was not granted (RFC 8707 §2.2, contract §4)', () => {
  test.each([
    ['our API', null, [api]],
    ['others, of which one is no longer listed', [notes, 'https://gone.example'], [notes]],
  ])(
    'is refused by a grant for %s, spends nothing, and the cause names what is left',
    async (_, resources, granted) => {
      const requests = [
        [buildIssuedGrant(client, { resources }), exchangeOf],
        [buildActiveGrant(client, { resources }), (grant: Grant) => refreshOf(grant, 1)],
      ] as const;
      for (const [grant, requestFor] of requests) {
        const { endpoint, calls } = await openEndpoint({ grant });

        const answer = await answerTokenRequest(endpoint, {
          ...(await requestFor(grant)),
          resource: 'https://evil.example',
        });

        expect(answer).toEqual({
          ok: false,
          reason: 'resource_not_granted',
          cause: { kind: 'resource_not_granted', granted },
        });
        expect(calls).toEqual(['find', 'used secret-1']);
      }
    },
  );
});

test.each([
  ['our API alone', null, api],
  ['several', [api, notes], [api, notes]],
])(
  'an access token for %s names its grant, its holders and its key (RFC 9068 §2.2, RFC 9449 §6.1)',
  async (_, resources, aud) => {
    const { endpoint } = await openEndpoint({});
    const grant = buildActiveGrant(client, { teamId: 3 });
    const access = { scopes: ['BOOKING_READ'], resources, jkt: 'thumbprint' } as const;

    const { accessToken } = await issueTokens(endpoint.issuer, grant, 1, access, noon);

    expect(decodeJwt(accessToken)).toMatchObject({
      ...{ iss: 'https://id.example', aud, sub: '7', client_id: client.id, gid: grant.id, team_id: 3 },
      ...{ scope: 'BOOKING_READ', cnf: { jkt: 'thumbprint' } },
    });
  },
);

test.each([
  ['of full access', true, scopeNames, null, { token_type: 'bearer' }],
  [
    'with scopes',
    false,
    ['BOOKING_READ', 'PROFILE_READ'],
    null,
    { token_type: 'bearer', scope: 'BOOKING_READ PROFILE_READ' },
  ],
  ['bound to a key', true, scopeNames, 'thumbprint', { token_type: 'DPoP' }],
] as const)(
  'the response for tokens %s (RFC 6749 §5.1, RFC 9449 §5)',
  (_, isFullAccess, names, jkt, rest) => {
    const tokens = { grantId: issued.id, accessToken: 'access', refreshToken: 'refresh' };

    expect(tokenResponse({ ...tokens, isFullAccess, scopeNames: names, jkt })).toStrictEqual({
      ...{ access_token: 'access', refresh_token: 'refresh', expires_in: 1800 },
      ...rest,
    });
  },
);

test.each([
  ['no refresh token of ours', { refreshToken: 'lkr_unknown' }, 'token_unreadable'],
  ['the refresh token of a grant that is gone', {}, 'grant_gone'],
])('%s is invalid_refresh_token, and its cause says which (contract §4)', async (_name, change, kind) => {
  const { endpoint } = await openEndpoint({});

  const answer = await answerTokenRequest(endpoint, { ...(await refreshOf(active, 4)), ...change });

  expect(answer).toMatchObject({ reason: 'invalid_refresh_token', cause: { kind } });
});

test.each([
  ['no code of ours', { code: 'lkc_unknown' }, 'token_unreadable'],
  ['the code of a grant that is gone', {}, 'grant_gone'],
])('%s is code_invalid_or_expired, and its cause says which (contract §4)', async (_name, change, kind) => {
  const { endpoint } = await openEndpoint({});

  const answer = await answerTokenRequest(endpoint, { ...(await exchangeOf(issued)), ...change });

  expect(answer).toMatchObject({ reason: 'code_invalid_or_expired', cause: { kind } });
});

describe('a usual request moves its grant in one step (ADR 12)', () => {
  const registered = { scopes: ['BOOKING_READ', 'PROFILE_READ'], isFullAccess: true };
  const moving = { grant: { ...issued, scopes: ['BOOKING_READ'] }, registered, secretId: 'secret-1' };

  /** The store holds nothing, so whatever is left to it is refused. */
  async function openShortcut(moved: MovedGrant | undefined = moving, changes: Partial<TokenEndpoint> = {}) {
    const asked: UsualRequest[] = [];
    const counted: string[] = [];
    const grantLimit = { isReached: () => false, allows: (id: string) => counted.push(id) > 0 };
    const shortcut = {
      async move(usual: UsualRequest) {
        asked.push(usual);
        return moved;
      },
    };
    const opened = await openEndpoint({ changes: { shortcut, grantLimit, ...changes } });
    return { ...opened, asked, counted };
  }

  const redirectUri = issued.redirectUri;
  test.each<readonly [string, () => Promise<TokenRequest>, UsualRequest['exchange'], number]>([
    ['an exchange', () => exchangeOf(issued), { redirectUri, codeChallenge: null }, 0],
    [
      'one with a verifier',
      async () => ({ ...(await exchangeOf(issued)), codeVerifier: verifier }),
      { redirectUri, codeChallenge: challenge },
      0,
    ],
    [
      'one for our API',
      async () => ({ ...(await exchangeOf(issued)), resource: `${api}/v2` }),
      { redirectUri, codeChallenge: null },
      0,
    ],
    ['a refresh', () => refreshOf(active, 4), undefined, 4],
  ])('%s gives what is granted and registered, and is counted', async (_, request, exchange, generation) => {
    const { endpoint, calls, asked, counted } = await openShortcut();

    const answer = await answerTokenRequest(endpoint, await request());

    const secretHash = await hashClientSecret('secret', webCryptoHash);
    const presented = { clientId: client.id, secretHash, grantId: issued.id, jkt: null };
    expect(asked).toEqual([{ ...presented, generation, exchange, now: endpoint.now() }]);
    expect([calls, counted]).toEqual([['used secret-1'], [issued.id]]);
    const refreshToken = await issueRefreshToken({ grantId: issued.id, generation: generation + 1 }, mac);
    const given = { scopeNames: ['BOOKING_READ'], isFullAccess: false, refreshToken, jkt: null };
    expect(answer).toMatchObject({ ok: true, value: given });
  });

  test.each<readonly [string, () => Promise<TokenRequest>, Partial<TokenEndpoint>]>([
    ['for another resource', async () => ({ ...(await refreshOf(active, 4)), resource: notes }), {}],
    [
      'for a part of the scopes',
      async () => ({ ...(await refreshOf(active, 4)), scope: 'BOOKING_READ' }),
      {},
    ],
    ['with a malformed verifier', async () => ({ ...(await exchangeOf(issued)), codeVerifier: 'short' }), {}],
    [
      'over the limit',
      () => exchangeOf(issued),
      { grantLimit: { isReached: () => true, allows: () => true } },
    ],
    ['with no token of ours', async () => ({ ...(await refreshOf(active, 4)), refreshToken: 'lkr_x' }), {}],
  ])('one %s is left to the store', async (_, request, changes) => {
    const { endpoint, calls, asked } = await openShortcut(moving, changes);

    expect(await answerTokenRequest(endpoint, await request())).toMatchObject({ ok: false });
    expect([asked, calls[0]]).toEqual([[], 'find']);
  });

  test('one that is right in no shortcut’s eyes is left to the store, and not counted here', async () => {
    const shortcut = { move: async () => undefined };
    const { endpoint, calls, counted } = await openShortcut(moving, { shortcut });

    expect(await answerTokenRequest(endpoint, await exchangeOf(issued))).toMatchObject({ ok: false });
    expect([calls, counted]).toEqual([['find', 'used secret-1'], []]);
  });

  test('without a secret, limits or notes it moves all the same, and without a key it moves nothing', async () => {
    const { endpoint, asked } = await openShortcut({ ...moving, secretId: undefined });
    const { store, issuer, hash, url, now, shortcut } = endpoint;
    const signer = () => {
      throw new Error('no key');
    };
    const bare = { store, issuer, lifetimes, hash, url, now, ...(shortcut && { shortcut }) };
    const client = { clientId: publicClient.id, clientSecret: undefined };
    const request = { ...(await refreshOf(active, 4)), client };

    expect(await answerTokenRequest(endpoint, request)).toMatchObject({ ok: true });
    expect(await answerTokenRequest(bare, request)).toMatchObject({ ok: true });
    const keyless = answerTokenRequest({ ...bare, issuer: { ...issuer, signer } }, request);
    await expect(keyless).rejects.toThrow('no key');
    expect(asked).toMatchObject([1, 2].map(() => ({ secretHash: emptyHash })));
  });
});

test.each<readonly [string, () => Promise<TokenRequest>, boolean]>([
  ['a refresh for some', async () => ({ ...(await refreshOf(active, 4)), scope: 'BOOKING_READ' }), true],
  ['a refresh', () => refreshOf(active, 4), false],
  [
    'an exchange of a code that was asked for with some',
    async () => ({
      ...(await exchangeOf(issued)),
      code: await issueCode(issued.id, mac, { isScopeAsked: true }),
    }),
    true,
  ],
  ['an exchange', () => exchangeOf(issued), false],
])(
  '%s knows whether scopes were asked for, which its response names: %s (RFC 6749 §5.1)',
  async (_, request, isAsked) => {
    const asking = await request();
    const { endpoint } = await openEndpoint({
      grant: asking.grantType === 'refresh_token' ? active : issued,
    });

    const answer = await answerTokenRequest(endpoint, asking);

    if (!answer.ok) throw new Error(answer.reason);
    expect(answer.value.isScopeAsked).toBe(isAsked ? true : undefined);
    expect('scope' in tokenResponse(answer.value)).toBe(isAsked);
  },
);

describe('an ID token (OpenID Connect Core, section 3.1.3.3)', () => {
  const signedIn = buildIssuedGrant(client, { scopes: ['openid', 'email', 'BOOKING_READ'] });
  const scopes = [...scopeNames, 'openid', 'email'];
  const identity = { authenticatedAt: noon, nonce: 'n', claims: { email: 'ann@example.com' } };

  async function open(grant: Grant, registered: GrantedScopes = scopes) {
    const opened = await openEndpoint({ client: { ...client, scopes: registered }, grant });
    const { endpoint, calls } = opened;
    const asked: unknown[] = [];
    const identities = {
      async find({ id }: Grant, seen: readonly string[]) {
        calls.push('identity');
        asked.push([id, seen]);
        return identity;
      },
    };
    return { calls, asked, endpoint: { ...endpoint, issuer: { ...endpoint.issuer, scopes }, identities } };
  }
  const exchangeFor = async (grant: Grant): Promise<TokenRequest> => ({
    ...(await exchangeOf(grant)),
    code: await issueCode(grant.id, mac, { isScopeAsked: true, isForSignIn: true }),
  });

  test('comes with the tokens of a code that openid was asked with, before the grant moves', async () => {
    const { endpoint, calls, asked } = await open(signedIn);

    const answer = await answerTokenRequest(endpoint, await exchangeFor(signedIn));

    if (!answer.ok) throw new Error(answer.reason);
    const { id_token: idToken = '', access_token: accessToken } = tokenResponse(answer.value);
    expect(calls).toEqual(['find', 'used secret-1', 'identity', 'redeem']);
    expect(asked).toEqual([[signedIn.id, ['openid', 'email', 'BOOKING_READ']]]);
    expect(decodeJwt(idToken)).toMatchObject({
      ...{ iss: 'https://id.example', sub: '7', aud: client.id, nonce: 'n', email: 'ann@example.com' },
      auth_time: noon.getTime() / 1000,
    });
    expect(decodeJwt(accessToken)).toMatchObject({ sub: '7', scope: 'openid email BOOKING_READ' });
  });

  test('is signed with RS256 for a client that says so, and the access token never is', async () => {
    const { endpoint, calls } = await open(signedIn);
    const rsa = await generateRsaKey();
    const idTokenSigner = async () => nodeRsaSigner(rsa.id, rsa.privateKey);
    const find: TokenStore['find'] = async (...named) => {
      const found = await endpoint.store.find(...named);
      return { ...found, client: found.client && { ...found.client, idTokenAlgorithm: 'RS256' } };
    };
    const asking = { ...endpoint, store: { ...endpoint.store, find } };
    const issuer = { ...endpoint.issuer, idTokenSigner };

    const without = answerTokenRequest(asking, await exchangeFor(signedIn));
    await expect(without).rejects.toThrow('the issuer has no key for RS256');
    const callsWithout = calls.splice(0);
    const answer = await answerTokenRequest({ ...asking, issuer }, await exchangeFor(signedIn));

    if (!answer.ok) throw new Error(answer.reason);
    const { id_token: idToken = '', access_token: accessToken } = tokenResponse(answer.value);
    expect(callsWithout).not.toContain('redeem');
    expect([idToken, accessToken].map(decodeProtectedHeader)).toMatchObject([
      { alg: 'RS256', typ: 'JWT', kid: rsa.id },
      { alg: 'ES256', typ: 'at+jwt' },
    ]);
  });

  test('is asked for by no shortcut, which is left out', async () => {
    const { endpoint, calls } = await open(signedIn);
    const moved = { move: () => expect.unreachable() };

    const answer = await answerTokenRequest({ ...endpoint, shortcut: moved }, await exchangeFor(signedIn));

    expect(answer.ok).toBe(true);
    expect(calls).toContain('identity');
  });

  test.each([
    ['the code says nothing of it', signedIn, exchangeOf, scopes],
    ['openid was narrowed away', signedIn, exchangeFor, ['BOOKING_READ']],
    ['the grant has full access', issued, exchangeFor, 'all'],
  ] as const)(
    'is neither looked up nor issued where %s (contract §6)',
    async (_name, grant, request, registered) => {
      const { endpoint, calls } = await open(grant, registered);

      const answer = await answerTokenRequest(endpoint, await request(grant));

      expect(answer).toMatchObject({ ok: true });
      expect(answer).not.toHaveProperty('value.idToken');
      expect(calls).toEqual(['find', 'used secret-1', 'redeem']);
    },
  );

  test('comes with no refresh, which looks for none (OpenID Connect Core, section 12.2)', async () => {
    const { endpoint, calls } = await open(buildActiveGrant(client, { ...signedIn, generation: 4 }));

    const answer = await answerTokenRequest(endpoint, await refreshOf(signedIn, 4));

    expect(answer).not.toHaveProperty('value.idToken');
    expect(calls).not.toContain('identity');
  });

  test('is missing where the host issues none', async () => {
    const { endpoint } = await open(signedIn);

    const answer = await answerTokenRequest(
      { ...endpoint, identities: undefined },
      await exchangeFor(signedIn),
    );

    expect(answer).toMatchObject({ ok: true });
    expect(answer).not.toHaveProperty('value.idToken');
  });

  test('of a user who is gone refuses the code, and spends nothing', async () => {
    const { endpoint, calls } = await open(signedIn);
    const identities = { find: async () => undefined };

    const answer = await answerTokenRequest({ ...endpoint, identities }, await exchangeFor(signedIn));

    expect(answer).toMatchObject({
      reason: 'code_invalid_or_expired',
      detail: 'grant_gone',
      cause: { kind: 'grant_gone' },
    });
    expect(calls).not.toContain('redeem');
  });
});
