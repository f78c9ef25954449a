import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import type { ClientType } from '../../src/oauth/core/client.ts';
import { deleteKeys } from '../../src/oauth/keyring.ts';
import { setClientStatus } from '../support/client-status.ts';
import { scopeNames } from '../support/scopes.ts';
import { openTestService, type TestService } from '../support/service.ts';
import { readServiceKey, signAgain } from '../support/signing.ts';
import { listen, sendRaw, writeRequest } from '../support/socket.ts';
import {
  grantIdOf,
  grantsOf,
  issueCode,
  issueTokens,
  refreshFields,
  revoke,
  rotate,
} from '../support/tokens.ts';
import {
  addClient,
  addUser,
  callMe,
  connect,
  hiddenFieldsOf,
  postForm,
  refresh,
  requestToken,
  startSession,
  type TestClient,
  type Tokens,
} from '../support/world.ts';

const service = await openTestService({ API_URL: 'https://api.example', APP_URL: 'https://auth.example' });
const port = await listen(service);
const client = await addClient(service);
const { access_token: token } = await issueTokens(service, client);
const cookie = await startSession(service, await addUser(service));
const resourceMetadata = 'resource_metadata="https://api.example/.well-known/oauth-protected-resource"';
const withoutToken = expect.stringContaining('The Authorization header has no token.');

describe.each([
  ['/v2/me', '/v2/me', `scope="PROFILE_READ", ${resourceMetadata}`],
  ['/v2/auth/oauth2/clients/{client_id}', `/v2/auth/oauth2/clients/${client.id}`, resourceMetadata],
])('GET %s', (_name, path, metadata) => {
  const call = (headers: Readonly<Record<string, string>>, query = '') =>
    service.app.inject({ url: `${path}${query}`, headers });

  test.each(['Bearer', 'bearer', 'BEARER'])(
    'takes the scheme in any case: %s (RFC 9110 §11.1)',
    async (scheme) => {
      const answer = await call({ authorization: `${scheme} ${token}` });

      expect(answer.statusCode).toBe(200);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    },
  );

  test.each([
    ['no header', {}, ''],
    ['the token in the query', {}, `?access_token=${token}`],
    ['another scheme', { authorization: 'Basic eDp5' }, ''],
    ['a session of a person', { cookie }, ''],
  ])(
    'without a token answers 401 and names no error: %s (RFC 6750 §3.1, contract §5)',
    async (_name, headers, query) => {
      const answer = await call(headers, query);

      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe(`Bearer ${metadata}, DPoP algs="ES256 Ed25519 EdDSA"`);
      expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'Unauthorized' } });
    },
  );

  test.each([
    ['no token behind the scheme', 'Bearer'],
    ['blanks behind the scheme', 'Bearer   '],
    ['two tokens behind the scheme', `Bearer ${token} ${token}`],
    ['two schemes in one header', `Bearer ${token}, Bearer ${token}`],
    ['the token alone', token],
    ['a colon', `Bearer: ${token}`],
  ])('with %s answers 401', async (_name, authorization) => {
    const answer = await call({ authorization });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain(metadata);
  });

  test('that is an empty Bearer is told that there is no token', async () => {
    const answer = await call({ authorization: 'Bearer ' });

    expect(answer.statusCode).toBe(401);
    expect(answer.json().error).toMatchObject({ code: 'Unauthorized', message: withoutToken });
  });

  test('with a token that is invalid says so (RFC 6750 §3.1, contract §5)', async () => {
    const answer = await call({ authorization: 'Bearer invalid' });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(`Bearer error="invalid_token", ${metadata}`);
  });

  test('with tokens in header and query answers 400 (RFC 6750 §2, security C38)', async () => {
    const answer = await call({ authorization: `Bearer ${token}` }, `?x=y&access_token=${token}`);

    expect(answer.statusCode).toBe(400);
    expect(answer.headers['www-authenticate']).toBe(`Bearer error="invalid_request", ${metadata}`);
    expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'BadRequest' } });
  });

  test.each([
    ['the same', `Bearer ${token}`, `Bearer ${token}`],
    ['a bad one first', 'Bearer invalid', `Bearer ${token}`],
    ['a bad one last', `Bearer ${token}`, 'Bearer invalid'],
    ['another scheme', `Bearer ${token}`, 'Basic eDp5'],
  ])(
    'with two Authorization headers answers 400: %s (RFC 6750 §3.1, security C38)',
    async (_name, first, second) => {
      const headers = [
        ['Authorization', first],
        ['authorization', second],
      ] as const;

      const answer = await sendRaw(port, writeRequest(`GET ${path}`, headers));

      expect(answer.status).toBe(400);
      expect(answer.head.toLowerCase()).toContain('www-authenticate: bearer error="invalid_request"');
      expect(JSON.parse(answer.body)).toMatchObject({ status: 'error', error: { code: 'BadRequest' } });
    },
  );

  test('over a real connection with one Authorization header answers 200', async () => {
    const answer = await sendRaw(port, writeRequest(`GET ${path}`, [['Authorization', `Bearer ${token}`]]));

    expect(answer.status).toBe(200);
  });
});

test('resource_metadata leads to the document of this very resource (RFC 9728 §3.3)', async () => {
  const { headers } = await service.app.inject('/v2/me');
  const [, address = ''] = /resource_metadata="([^"]+)"/.exec(String(headers['www-authenticate'])) ?? [];

  const document = await service.app.inject(new URL(address).pathname);

  expect(new URL(address).origin).toBe('https://api.example');
  expect(document.json()).toMatchObject({ resource: decodeJwt(token).aud });
});

test('an empty Bearer is told that there is no token where none is needed, too', {
  tags: 'parts',
}, async () => {
  const answer = await service.app.inject({
    url: '/v2/event-types?username=nobody',
    headers: { authorization: 'Bearer ' },
  });

  expect(answer.statusCode).toBe(401);
  expect(answer.json().error).toMatchObject({ code: 'Unauthorized', message: withoutToken });
});

const serviceKey = await readServiceKey(service);
const tokens = await issueTokens(service, client);
const genuine = tokens.access_token;
const [genuineHeader = '', genuineClaims = '', genuineSignature = ''] = genuine.split('.');
const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const foreignJwk = foreign.publicKey.export({ format: 'jwk' });
const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
const claimsWith = (changes: object): string => encode({ ...decodeJwt(genuine), ...changes });

describe('an access token (RFC 9068, contract §5)', () => {
  test('says exactly what the contract lists, for 1800 seconds', { tags: 'parts' }, () => {
    const now = Math.floor(service.clock.now().getTime() / 1000);

    expect(decodeJwt(genuine)).toEqual({
      iss: 'https://auth.example',
      aud: 'https://api.example',
      sub: expect.stringMatching(/^[1-9]\d*$/),
      client_id: client.id,
      gid: grantIdOf(tokens),
      iat: now,
      exp: now + 1800,
      jti: expect.stringMatching(/^[\w-]{22}$/),
      scope: scopeNames.join(' '),
    });
  });

  test('works when the test signs it again unchanged, so that the changes below are what is refused', async () => {
    const again = await signAgain(genuine, serviceKey.privateKey, {});

    expect((await callMe(service, again)).statusCode).toBe(200);
  });
});

/** A few of each kind; `core/access-token-forgery` has all. */
const forgeries: readonly (readonly [name: string, forge: () => string | Promise<string>])[] = [
  ['alg none', () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${genuineClaims}.`],
  [
    'claims changed behind the signature',
    () => `${genuineHeader}.${claimsWith({ sub: '1' })}.${genuineSignature}`,
  ],
  ['HS256 with our public key', () => hs256(Buffer.from(JSON.stringify(serviceKey.publicJwk)))],
  ['another key under our kid', () => signAgain(genuine, foreign.privateKey, {})],
  [
    'another key, its JWK in the header',
    () => signAgain(genuine, foreign.privateKey, { header: { jwk: foreignJwk, kid: undefined } }),
  ],
  ['a kid that is SQL', () => signAgain(genuine, foreign.privateKey, { header: { kid: "' or 1=1 --" } })],
  ['the refresh token', () => tokens.refresh_token],
  ['a code', async () => String((await issueCode(service, client))['code'])],
  ['dots', () => '..'],
  ['10 KB', () => 'x'.repeat(10_000)],
];

async function hs256(secret: string | Buffer): Promise<string> {
  return signAgain(genuine, new Uint8Array(Buffer.from(secret)), { header: { alg: 'HS256' } });
}

describe('a token that we did not sign is refused (RFC 8725 §3, security C37)', () => {
  test.each(forgeries)('%s', async (_name, forge) => {
    const answer = await callMe(service, await forge());

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'Unauthorized' } });
  });
});

describe('a token of ours that was made for something else is refused (RFC 9068 §4, security C37)', () => {
  const now = Math.floor(service.clock.now().getTime() / 1000);

  test.each([
    ['typ JWT', { header: { typ: 'JWT' } }],
    ['another issuer', { claims: { iss: 'https://evil.example' } }],
    ['another audience', { claims: { aud: 'https://api.other.example' } }],
    ['a time that has passed', { claims: { exp: now - 1 } }],
    ['a gid that is no grant', { claims: { gid: randomUUID() } }],
  ])('%s', async (_name, change) => {
    const answer = await callMe(service, await signAgain(genuine, serviceKey.privateKey, change));

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
  });
});

test('an access token works for 1800 seconds and no longer (contract §4)', async () => {
  const fresh = await issueTokens(service, client);

  service.clock.advance(1799);
  const inTime = await callMe(service, fresh.access_token);
  service.clock.advance(1);
  const tooLate = await callMe(service, fresh.access_token);

  expect(inTime.statusCode).toBe(200);
  expect(tooLate.statusCode).toBe(401);
  expect(tooLate.headers['www-authenticate']).toContain('error="invalid_token"');
});

test('a token that was taken before ends with its key, at once where the keys are read again (security C37)', async () => {
  const own = await openTestService();
  const { access_token: token } = await issueTokens(own, await addClient(own));
  const before = await callMe(own, token);

  await deleteKeys({ db: own.database.db, runtime: own.app.runtime }, undefined);
  await own.app.keys.renew();
  const after = await callMe(own, token);

  expect([before.statusCode, after.statusCode]).toEqual([200, 401]);
});

const lookUp = ({ app }: TestService, { access_token: token }: Tokens, { id }: TestClient) =>
  app.inject({ url: `/v2/auth/oauth2/clients/${id}`, headers: { authorization: `Bearer ${token}` } });

describe('a grant that is revoked takes its access tokens with it immediately (contract §5)', () => {
  test.each([
    [
      'by its client',
      async (client: TestClient, tokens: Tokens) => {
        await revoke(service, client, tokens.refresh_token);
      },
    ],
    [
      'by its user',
      async (client: TestClient, _tokens: Tokens, cookie: string) => {
        const page = await service.app.inject({ url: '/settings/apps', headers: { cookie } });
        await postForm(service, `/settings/apps/${client.id}/disconnect`, hiddenFieldsOf(page.body), cookie);
      },
    ],
    [
      'by a theft',
      async (client: TestClient, tokens: Tokens) => {
        await rotate(service, client, await rotate(service, client, tokens));
        await refresh(service, client, tokens.refresh_token);
      },
      'public',
    ],
  ] as const)('%s', async (_name, end, type: ClientType = 'confidential') => {
    const client = await addClient(service, { type });
    const cookie = await startSession(service, await addUser(service));
    const tokens = await connect(service, client, cookie);
    const before = await callMe(service, tokens.access_token);

    await end(client, tokens, cookie);
    const answers = [await callMe(service, tokens.access_token), await lookUp(service, tokens, client)];

    expect(before.statusCode).toBe(200);
    for (const answer of answers) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
      expect(answer.json()).toMatchObject({ status: 'error', error: { code: 'Unauthorized' } });
      expect(answer.body).not.toContain(grantIdOf(tokens));
    }
  });

  test('and a refresh that came before takes nothing away: the older access token still works (contract §4)', async () => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    await rotate(service, client, tokens);

    expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  });
});

describe('a token of a client that is not accepted any more does nothing, though its grant stands (contract §5)', () => {
  const listEventTypes = ({ app }: TestService, { access_token: token }: Tokens) =>
    app.inject({ url: '/v2/event-types', headers: { authorization: `Bearer ${token}` } });

  test.each(['pending', 'rejected'] as const)('%s', { tags: 'parts' }, async (status) => {
    const client = await addClient(service);
    const tokens = await issueTokens(service, client);
    const callAll = async () => [
      await callMe(service, tokens.access_token),
      await lookUp(service, tokens, client),
      await listEventTypes(service, tokens),
    ];
    const before = await callAll();

    await setClientStatus(service.database.db, client.id, status);
    const after = await callAll();
    await setClientStatus(service.database.db, client.id, 'accepted');

    expect(before.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    for (const answer of after) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    }
    expect((await grantsOf(service, client)).map(({ revokedAt }) => revokedAt)).toEqual([null]);
    expect((await callAll()).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  });
});

describe('scopes (contract §6)', () => {
  test('without PROFILE_READ the user is not told: 403 names what to ask for, with what is held (RFC 6750 §3.1, contract §5)', {
    tags: 'parts',
  }, async () => {
    const client = await addClient(service, { scopes: ['BOOKING_WRITE', 'SCHEDULE_WRITE'] });
    const tokens = await issueTokens(service, client);

    const answer = await callMe(service, tokens.access_token);

    expect(answer.statusCode).toBe(403);
    expect(answer.headers['www-authenticate']).toBe(
      'Bearer error="insufficient_scope", scope="PROFILE_READ BOOKING_WRITE SCHEDULE_WRITE", resource_metadata="https://api.example/.well-known/oauth-protected-resource"',
    );
    expect(answer.json()).toMatchObject({
      status: 'error',
      error: {
        code: 'Forbidden',
        message:
          'This access token doesn’t have the scope PROFILE_READ. Register the app for it and ask the user again, or create a token that has it.',
      },
    });
  });

  test('of an access token that was narrowed at refresh hold for that token alone', {
    tags: 'parts',
  }, async () => {
    const client = await addClient(service, { scopes: ['PROFILE_READ', 'BOOKING_READ'] });
    const tokens = await issueTokens(service, client);
    const narrowed = await requestToken(service, {
      ...refreshFields(client, tokens.refresh_token),
      scope: 'BOOKING_READ',
    });

    expect((await callMe(service, narrowed.json().access_token)).statusCode).toBe(403);
    expect((await callMe(service, tokens.access_token)).statusCode).toBe(200);
  });

  test('are not asked for at the client look-up: any valid token may (contract §2)', async () => {
    const client = await addClient(service, { scopes: ['PROFILE_WRITE'] });
    const tokens = await issueTokens(service, client);

    expect((await lookUp(service, tokens, client)).statusCode).toBe(200);
  });
});
