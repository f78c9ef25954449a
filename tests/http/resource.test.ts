import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { ClientWithSecrets } from '../../src/oauth/core/client.ts';
import { hashClientSecret } from '../../src/oauth/core/client.ts';
import { issueCode } from '../../src/oauth/core/code.ts';
import { webCryptoHash, webCryptoMac } from '../../src/oauth/core/crypto.ts';
import type { Grant } from '../../src/oauth/core/grant.ts';
import { authorizationServer } from '../../src/oauth/http/authorization-server.ts';
import { newGrant } from '../../src/oauth/http/new-grant.ts';
import { memoryStore } from '../../src/oauth/memory.ts';
import { byIntrospection, inStore, resourceServer } from '../../src/oauth/resource.ts';

const issuer = 'https://id.example/tenant';
const [api, notes] = ['https://api.example', 'https://notes.example'] as const;
const scopes = ['notes:read', 'notes:write'];
const secrets = ['a-secret-of-this-test-32-bytes-ok'] as const;
const redirectUri = 'https://app.example/callback';
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), kid: 'key' };
const secret = { id: 'secret', hash: await hashClientSecret('of-the-notes', webCryptoHash) };
const app: ClientWithSecrets = {
  ...{ id: 'app', type: 'confidential', status: 'accepted', redirectUris: [redirectUri] },
  ...{ scopes, requiresPkce: false, secrets: [secret] },
};
const implies = (held: string, wanted: string) => held === 'notes:write' && wanted === 'notes:read';

async function open() {
  const store = memoryStore([app, { ...app, id: 'notes', resource: notes }]);
  const server = await authorizationServer({
    ...{ issuer, resources: [api, notes], scopes, implies, keys: [key], secrets, store },
    onFault: (fault) => {
      throw fault;
    },
  });
  const asked: string[] = [];
  const answers = new Map<string, () => Response>();
  /** The network, where nothing but the issuer is, unless `answers` says otherwise. */
  const ask = async (address: string, init?: RequestInit) => {
    asked.push(new URL(address).pathname);
    return answers.get(new URL(address).pathname)?.() ?? server.fetch(new Request(address, init));
  };
  const faults: unknown[] = [];
  const onFault = (fault: unknown) => faults.push(fault);
  const resource = (changes: object = {}) =>
    resourceServer({ issuer, audience: notes, implies, onFault, fetch: ask, ...changes });
  const credentials = { clientId: 'notes', clientSecret: 'of-the-notes', fetch: ask };
  return { store, server, asked, answers, faults, resource, credentials };
}

type Opened = Awaited<ReturnType<typeof open>>;

/** The access token of a grant, as its app gets it. */
async function connect({ store, server }: Opened, changes: Partial<Grant> = {}, dpop?: string) {
  const about = { clientId: 'app', userId: 'ann', redirectUri, scopes, resources: [notes] };
  const grant = { ...newGrant(about), ...changes };
  await store.add(grant);
  const code = await issueCode(grant.id, webCryptoMac(secrets, issuer));
  const fields = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const body = new URLSearchParams({ ...fields, client_id: 'app', client_secret: 'of-the-notes' });
  const headers = dpop === undefined ? {} : { dpop };
  const answer = await server.fetch(new Request(`${issuer}/token`, { method: 'POST', body, headers }));
  const { access_token: token } = await answer.json();
  return { grant, token: String(token), nonce: answer.headers.get('dpop-nonce') ?? '' };
}

const call = (token?: string, scheme = 'Bearer', headers: object = {}) =>
  new Request(`${notes}/today?page=2`, {
    headers: token === undefined ? {} : { authorization: `${scheme} ${token}`, ...headers },
  });

const seen = (answer: object) =>
  answer instanceof Response ? [answer.status, answer.headers.get('www-authenticate')] : answer;

const algs = 'algs="ES256 Ed25519 EdDSA"';
const invalid = [401, 'Bearer error="invalid_token"'];

describe('a resource server that knows its issuer by its address', () => {
  test('is opened by a token for it, and asks once for the metadata and the keys (RFC 9068 §4)', async () => {
    const opened = await open();
    const { grant, token } = await connect(opened, { scopes: ['notes:write'], teamId: 7 });
    const resource = opened.resource();
    const first = await resource.access(call(token), 'notes:read');
    await resource.access(call(token), 'notes:write');

    expect(first).toEqual({
      ...{ userId: 'ann', teamId: 7, clientId: 'app', grantId: grant.id, scopes: ['notes:write'] },
      expiresAt: expect.any(Date),
    });
    expect(opened.asked).toEqual(['/.well-known/oauth-authorization-server/tenant', '/tenant/jwks.json']);
  });

  test('answers with the challenge of each refusal (RFC 6750 §3, RFC 9449 §7.1)', async () => {
    const opened = await open();
    const { token } = await connect(opened, { scopes: ['notes:read'] });
    const resource = opened.resource();
    const [header, claims = '', signature] = token.split('.');
    const forged = `${header}.${claims.replace(/.$/, 'A')}.${signature}`;

    expect(seen(await resource.access(call(), 'notes:read'))).toEqual([401, `Bearer, DPoP ${algs}`]);
    expect(seen(await resource.access(call('garbage'), 'notes:read'))).toEqual(invalid);
    expect(seen(await resource.access(call(forged), 'notes:read'))).toEqual(invalid);
    expect(seen(await resource.access(call(token, 'Basic'), 'notes:read'))).toEqual([
      401,
      `Bearer, DPoP ${algs}`,
    ]);
    expect(seen(await resource.access(call(token, 'DPoP'), 'notes:read'))).toEqual(invalid);
    expect(seen(await resource.access(call(token), 'notes:write'))).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="notes:write"',
    ]);
  });

  test('a token for another resource opens nothing, here or at the issuer (RFC 8707 §3, security C425)', async () => {
    const opened = await open();
    const { token: ofNotes } = await connect(opened);
    const { token: ofApi } = await connect(opened, { resources: null });
    const resource = opened.resource();

    expect(seen(await resource.access(call(ofApi), 'notes:read'))).toEqual(invalid);
    expect(seen(await opened.server.access(call(ofNotes), 'notes:read'))).toEqual(invalid);
    expect(await opened.server.access(call(ofNotes), 'notes:read', notes)).toMatchObject({ userId: 'ann' });
  });

  test.each([
    ['is away', '/.well-known/oauth-authorization-server/tenant', () => new Response('', { status: 502 })],
    ['answers no JSON', '/.well-known/oauth-authorization-server/tenant', () => new Response('<html>')],
    ['answers null', '/.well-known/oauth-authorization-server/tenant', () => Response.json(null)],
    ['has no keys', '/tenant/jwks.json', () => new Response('', { status: 500 })],
    [
      'is another one (RFC 8414 §3.3, security C426)',
      '/.well-known/oauth-authorization-server/tenant',
      () => Response.json({ issuer: 'https://id.example', jwks_uri: 'https://id.example/jwks' }),
    ],
    [
      'has its keys where anybody could change them (security C426)',
      '/.well-known/oauth-authorization-server/tenant',
      () => Response.json({ issuer, jwks_uri: 'http://id.example/tenant/jwks.json' }),
    ],
  ])('where its issuer %s, it answers 503 until it can say more', async (_name, path, answer) => {
    const opened = await open();
    const { token } = await connect(opened);
    const resource = opened.resource();
    opened.answers.set(path, answer);
    const refused = await resource.access(call(token), 'notes:read');
    opened.answers.clear();

    expect(refused instanceof Response && [refused.status, refused.headers.get('retry-after')]).toEqual([
      503,
      '5',
    ]);
    expect(opened.faults).toHaveLength(1);
    expect(await resource.access(call(token), 'notes:read')).toMatchObject({ userId: 'ann' });
  });

  test('asks an issuer that is on http at its own host (security C426)', async () => {
    const opened = await open();
    const { token } = await connect(opened);
    const local = 'http://127.0.0.1/tenant';
    opened.answers.set('/.well-known/oauth-authorization-server/tenant', () =>
      Response.json({ issuer: local, jwks_uri: `${local}/jwks.json` }),
    );

    const refused = await opened.resource({ issuer: local }).access(call(token), 'notes:read');

    expect(seen(refused)).toEqual(invalid);
    expect(opened.asked.at(-1)).toBe('/tenant/jwks.json');
  });

  test('is told at the start what can’t be an issuer or a secret', async () => {
    const { resource } = await open();

    expect(() => resource({ issuer: 'ftp://id.example' })).toThrow('the issuer has to be');
    expect(() => resource({ secrets: ['short'] })).toThrow('32 bytes');
  });
});

describe.each([
  ['in the issuer’s store', ({ store }: Opened) => inStore({ store, scopes, implies })],
  ['by introspection (RFC 7662)', ({ credentials }: Opened) => byIntrospection(credentials)],
])('a resource server that asks %s', (_name, standing) => {
  test('is opened until the grant ends, and no longer', async () => {
    const opened = await open();
    const { grant, token } = await connect(opened);
    const resource = opened.resource({ standing: standing(opened) });
    const before = await resource.access(call(token), 'notes:write');
    await opened.server.end(grant);

    expect(before).toMatchObject({ userId: 'ann', scopes });
    expect(seen(await resource.access(call(token), 'notes:read'))).toEqual(invalid);
    expect(opened.faults).toEqual([]);
  });

  test('gives what the client is still registered for', async () => {
    const opened = await open();
    const { token } = await connect(opened);
    const { store } = opened;
    const find: typeof store.find = async (...of) => {
      const { client, grant } = await store.find(...of);
      return { client: client && { ...client, scopes: ['notes:read'] }, grant };
    };
    const narrowed = await open();
    const server = await authorizationServer({
      ...{ issuer, resources: [api, notes], scopes, implies, keys: [key], secrets },
      ...{ store: { ...store, find }, onFault: () => undefined },
    });
    const ask = async (address: string, init?: RequestInit) => server.fetch(new Request(address, init));
    const credentials = { ...opened.credentials, fetch: ask };
    const resource = narrowed.resource({
      standing: standing({ ...opened, store: { ...store, find }, credentials }),
    });

    expect(await resource.access(call(token), 'notes:read')).toMatchObject({ scopes: ['notes:read'] });
    expect(seen(await resource.access(call(token), 'notes:write'))).toMatchObject([403, expect.any(String)]);
  });
});

test('an issuer that refuses to be asked is a fault, and opens nothing (RFC 7662 §2.3)', async () => {
  const opened = await open();
  const { token } = await connect(opened);
  const standing = byIntrospection({ ...opened.credentials, clientSecret: 'wrong' });
  const refused = await opened.resource({ standing }).access(call(token), 'notes:read');

  expect(refused instanceof Response && refused.status).toBe(503);
  expect(String(opened.faults)).toContain('the introspection answered 401');
  expect(String(opened.faults)).not.toContain('wrong');
});

describe('a token that is bound to a key (RFC 9449 §7)', () => {
  const proofOf = async (claims: object) => {
    const { d: _, kid: __, ...jwk } = key;
    const signed = new SignJWT({ jti: crypto.randomUUID(), ...claims });
    return signed.setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk }).setIssuedAt().sign(privateKey);
  };
  const bind = async (opened: Opened) => {
    const about = { htm: 'POST', htu: `${issuer}/token` };
    const { nonce } = await connect(opened, {}, await proofOf(about));
    return connect(opened, {}, await proofOf({ ...about, nonce }));
  };

  test('opens nothing without a proof, with a wrong one, or with one that came before (security C422)', async () => {
    const opened = await open();
    const { token } = await bind(opened);
    const known = new Set<string>();
    const resource = opened.resource({
      isNewProof: (id: string) => known.size < known.add(id).size,
    });
    const ath = createHash('sha256').update(token).digest('base64url');
    const about = { htm: 'GET', htu: `${notes}/today`, ath };
    const asked = await resource.access(call(token, 'DPoP', { dpop: await proofOf(about) }), 'notes:read');
    if (!(asked instanceof Response)) throw new Error('no nonce was asked for');
    const nonce = asked.headers.get('dpop-nonce') ?? '';
    const right = await proofOf({ ...about, nonce });
    const answers = [
      await resource.access(call(token), 'notes:read'),
      await resource.access(call(token, 'DPoP'), 'notes:read'),
      await resource.access(
        call(token, 'DPoP', { dpop: await proofOf({ ...about, nonce, htu: `${api}/today` }) }),
        'notes:read',
      ),
      await resource.access(call(token, 'DPoP', { dpop: right }), 'notes:read'),
      await resource.access(call(token, 'DPoP', { dpop: right }), 'notes:read'),
    ];

    expect(seen(asked)).toEqual([401, `DPoP error="use_dpop_nonce", ${algs}`]);
    expect(answers.map(seen)).toEqual([
      [401, `Bearer error="invalid_token", DPoP error="invalid_token", ${algs}`],
      [401, `DPoP error="invalid_dpop_proof", ${algs}`],
      [401, `DPoP error="invalid_dpop_proof", ${algs}`],
      expect.objectContaining({ userId: 'ann' }),
      [401, `DPoP error="invalid_dpop_proof", ${algs}`],
    ]);
  });

  test('processes that share secrets know each other’s nonces, others don’t', async () => {
    const opened = await open();
    const { token } = await bind(opened);
    const ath = createHash('sha256').update(token).digest('base64url');
    const about = { htm: 'GET', htu: `${notes}/today`, ath };
    const ask = async (changes: object, nonce?: string) =>
      opened
        .resource(changes)
        .access(call(token, 'DPoP', { dpop: await proofOf({ ...about, nonce }) }), 'notes:read');
    const shared = { secrets: ['another-secret-of-32-bytes-or-so!!'] };
    const asked = await ask(shared);
    const nonce = (asked instanceof Response && asked.headers.get('dpop-nonce')) || '';

    expect(await ask(shared, nonce)).toMatchObject({ userId: 'ann' });
    expect(seen(await ask({}, nonce))).toEqual([401, `DPoP error="use_dpop_nonce", ${algs}`]);
  });
});
