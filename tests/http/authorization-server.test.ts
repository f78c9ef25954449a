import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import type { ClientWithSecrets } from '../../src/oauth/core/client.ts';
import { issueTokens, tokenResponse } from '../../src/oauth/core/token-request.ts';
import { authorizationServer } from '../../src/oauth/http/authorization-server.ts';
import { openIssuer } from '../../src/oauth/http/issuer.ts';
import { newGrant } from '../../src/oauth/http/new-grant.ts';
import { memoryStore } from '../../src/oauth/memory.ts';
import { toNode } from '../../src/oauth/node.ts';
import { tokenStoreTests } from '../../src/oauth/store-test.ts';

const issuer = 'https://id.example';
const redirectUri = 'https://app.example/callback';
const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), kid: 'key' };
const client: ClientWithSecrets = {
  ...{ id: 'app', type: 'public', status: 'accepted', redirectUris: [redirectUri], requiresPkce: true },
  ...{ scopes: ['notes:read', 'notes:write'], secrets: [] },
};
const session = 'session-1';

async function open(changes: object = {}) {
  const clock = { now: new Date() };
  const store = memoryStore([client, { ...client, id: 'other' }]);
  const server = await authorizationServer({
    ...{ issuer, scopes: ['notes:read', 'notes:write'], keys: [key], store },
    secrets: ['a-secret-of-this-test-32-bytes-ok'],
    now: () => clock.now,
    onFault: (fault) => {
      throw fault;
    },
    ...changes,
  });
  return { server, store, clock };
}

type Opened = Awaited<ReturnType<typeof open>>;

const addressOf = (changes: Readonly<Record<string, string>> = {}): string => {
  const asked = { client_id: 'app', redirect_uri: redirectUri, state: 'a b&c', code_challenge: challenge };
  const query = new URLSearchParams({ ...asked, scope: 'notes:read notes:write', ...changes });
  return `${issuer}/authorize?${query}`;
};

async function ask({ server }: Opened, address = addressOf()) {
  const asked = await server.authorize.read(new Request(address));
  if (asked instanceof Response) throw new Error(`answered ${asked.status}`);
  return asked;
}

const answerOf = (response: Response): URL => new URL(response.headers.get('location') ?? 'none:');

async function allow(opened: Opened, changes: object = {}, asked?: Awaited<ReturnType<typeof ask>>) {
  const request = asked ?? (await ask(opened));
  const formToken = await request.formToken(session);
  return request.allow({ userId: 'ann', session, formToken, ...changes });
}

async function exchange({ server }: Opened, response: Response) {
  const code = answerOf(response).searchParams.get('code') ?? '';
  const fields = { client_id: 'app', redirect_uri: redirectUri, code_verifier: verifier, code };
  const body = new URLSearchParams({ grant_type: 'authorization_code', ...fields });
  const answer = await server.fetch(new Request(`${issuer}/token`, { method: 'POST', body }));
  return { status: answer.status, body: await answer.json() };
}

/** As a store does whose column is null. */
const loseScopes = <Found extends { readonly grant: object | undefined }>(found: Found): Found => ({
  ...found,
  grant: found.grant && { ...found.grant, scopes: null },
});

const withToken = (token: string, headers: object = {}) =>
  new Request(`${issuer}/notes`, { headers: { authorization: `Bearer ${token}`, ...headers } });

describe('an app asks, a person allows it, and the app has access', () => {
  test('by text ids and names of scopes that are the host’s own', async () => {
    const opened = await open();
    const response = await allow(opened);
    const { state, iss } = Object.fromEntries(answerOf(response).searchParams);
    const { status, body } = await exchange(opened, response);
    const access = await opened.server.access(withToken(body.access_token), 'notes:write');

    expect([response.status, state, iss]).toEqual([303, 'a b&c', issuer]);
    expect([status, decodeJwt(body.access_token).sub]).toEqual([200, 'ann']);
    expect(access).toMatchObject({ userId: 'ann', clientId: 'app', scopes: ['notes:read', 'notes:write'] });
  });

  test('with the scopes that the person gave, and no others (security C421)', async () => {
    const opened = await open();
    const { body } = await exchange(opened, await allow(opened, { scopes: ['notes:read', 'admin'] }));
    const denied = await opened.server.access(withToken(body.access_token), 'notes:write');

    expect(body.scope).toBe('notes:read');
    if (!(denied instanceof Response)) throw new Error('access was given');
    expect([denied.status, denied.headers.get('www-authenticate')]).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="notes:write"',
    ]);
  });

  test('with a scope that the host says another one implies, and with no other', async () => {
    const implies = (held: string, wanted: string) => held === 'notes:write' && wanted === 'notes:read';
    const opened = await open({ implies });
    const asked = await ask(opened, addressOf({ scope: 'notes:write' }));
    const { body } = await exchange(opened, await allow(opened, {}, asked));
    const narrowed = await exchange(opened, await allow(opened, { scopes: ['notes:read'] }, asked));

    expect(await opened.server.access(withToken(body.access_token), 'notes:read')).toMatchObject({
      scopes: ['notes:write'],
    });
    expect(await opened.server.access(withToken(body.access_token), 'notes:all')).toBeInstanceOf(Response);
    expect(narrowed.body.scope).toBe('notes:read');
  });

  test('full access gives all scopes by name, and lost scopes are a fault (security C424)', async () => {
    const faults: unknown[] = [];
    const full = memoryStore([{ ...client, scopes: 'all' }]);
    const opened = await open({ store: full, onFault: (fault: unknown) => faults.push(fault) });
    const asked = await ask(opened, addressOf({ scope: '' }));
    const { body } = await exchange(opened, await allow(opened, {}, asked));
    const lost = {
      ...full,
      find: async (...of: Parameters<typeof full.find>) => loseScopes(await full.find(...of)),
    };
    const broken = await open({ store: lost, onFault: (fault: unknown) => faults.push(fault) });
    const fields = { grant_type: 'refresh_token', client_id: 'app', refresh_token: body.refresh_token };
    const request = { method: 'POST', body: new URLSearchParams(fields) };
    const refused = await broken.server.fetch(new Request(`${issuer}/token`, request));

    expect(body.scope).toBe('notes:read notes:write');
    expect([refused.status, String(faults)]).toEqual([
      500,
      expect.stringContaining('scopes have to be a list'),
    ]);
  });

  test('none of them is a refusal', async () => {
    expect(answerOf(await allow(await open(), { scopes: [] })).searchParams.get('error')).toBe(
      'access_denied',
    );
  });

  test('a second click is the same grant, and its code works once', async () => {
    const opened = await open();
    const asked = await ask(opened);
    const formToken = await asked.formToken(session);
    const clicks = await Promise.all([1, 2].map(() => allow(opened, { formToken }, asked)));
    const codes = clicks.map((click) => answerOf(click).searchParams.get('code'));
    const exchanges = await Promise.all(clicks.map((click) => exchange(opened, click)));

    expect(codes[0]).toBe(codes[1]);
    expect(exchanges.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('until its end, at once', async () => {
    const opened = await open();
    const { body } = await exchange(opened, await allow(opened));
    const given = await opened.server.access(withToken(body.access_token), 'notes:read');
    if (given instanceof Response) throw new Error('no access');
    const { grantId, clientId } = given;
    await opened.server.end({ id: grantId, clientId: 'other' });
    const still = await opened.server.access(withToken(body.access_token), 'notes:read');
    await opened.server.end({ id: grantId, clientId });
    const ended = await opened.server.access(withToken(body.access_token), 'notes:read');

    expect(still).toMatchObject({ userId: 'ann' });
    expect(ended instanceof Response && ended.status).toBe(401);
  });
});

test('a refresh token of before is generation 1 of a grant, and a lost answer to it loses nothing', async () => {
  const opened = await open();
  const scopes = ['notes:read', 'notes:write'];
  const grant = { ...newGrant({ clientId: 'app', userId: 'ann', scopes, redirectUri: '' }), generation: 1 };
  await opened.store.add({ ...grant, redeemedAt: grant.issuedAt, rotatedAt: grant.issuedAt });
  const secrets = ['a-secret-of-this-test-32-bytes-ok'] as const;
  const { issuer: tokenIssuer } = await openIssuer({ issuer, scopes, secrets, keys: [key] });
  const access = { scopes, resources: null, jkt: null };
  const answers = await Promise.all([1, 2].map(() => issueTokens(tokenIssuer, grant, 1, access, new Date())));
  const [first, again] = answers.map(tokenResponse);
  const fields = { grant_type: 'refresh_token', client_id: 'app', refresh_token: first?.refresh_token ?? '' };
  const body = new URLSearchParams(fields);
  const refreshed = await opened.server.fetch(new Request(`${issuer}/token`, { method: 'POST', body }));

  expect(again?.refresh_token).toBe(first?.refresh_token);
  expect(await opened.server.access(withToken(first?.access_token ?? ''), 'notes:read')).toMatchObject({
    userId: 'ann',
  });
  expect([refreshed.status, (await refreshed.json()).scope]).toEqual([200, 'notes:read notes:write']);
});

describe('an answer is bound to what was shown (security C420)', () => {
  test.each([
    ['another session', { session: 'session-2' }],
    ['no form token', { formToken: '' }],
    ['a made-up form token', { formToken: 'AAAA' }],
  ])('%s gets no code, and the app hears nothing', async (_name, changes) => {
    const response = await allow(await open(), changes);

    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test.each([
    { state: 'another' },
    { scope: 'notes:read' },
    { code_challenge: 'c'.repeat(43) },
    { response_mode: 'fragment' },
  ])('the form of another request: %j', async (changes) => {
    const opened = await open();
    const formToken = await (await ask(opened)).formToken(session);
    const response = await allow(opened, { formToken }, await ask(opened, addressOf(changes)));

    expect(response.status).toBe(400);
  });

  test('a page that was shown two hours ago', async () => {
    const opened = await open();
    const asked = await ask(opened);
    const formToken = await asked.formToken(session);
    opened.clock.now = new Date(opened.clock.now.getTime() + 7_200_000);

    expect((await allow(opened, { formToken }, asked)).status).toBe(400);
  });
});

describe('an answer by a form (OAuth 2.0 Form Post Response Mode, security C427)', () => {
  const state = `"><script>alert(1)</script>'&amp;`;
  const fieldsOf = (page: string) =>
    [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code)),
    ]);

  test('is posted to the redirect URI alone, and its code works', async () => {
    const opened = await open();
    const asked = await ask(opened, addressOf({ response_mode: 'form_post', state }));
    const response = await allow(opened, {}, asked);
    const page = await response.clone().text();
    const { code = '', ...rest } = Object.fromEntries(fieldsOf(page));
    const sent = Response.redirect(`${redirectUri}?code=${code}`);
    const script = /<script>(.*)<\/script>$/.exec(page)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');

    expect(rest).toEqual({ state, iss: issuer });
    expect(page.match(/<form.*?>/g)).toEqual([`<form method="post" action="${redirectUri}">`]);
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; script-src 'sha256-${hash}'; form-action https:; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'strict-origin',
    });
    expect((await exchange(opened, sent)).status).toBe(200);
  });

  test('says a refusal, too, and on the host’s own page where there is one', async () => {
    const shown: unknown[] = [];
    const formPage = (form: unknown) => {
      shown.push(form);
      return new Response('own');
    };
    const address = addressOf({ response_mode: 'form_post' });
    const denied = (await ask(await open(), address)).deny();
    const own = (await ask(await open({ formPage }), address)).deny();

    expect(Object.fromEntries(fieldsOf(await denied.text()))).toMatchObject({ error: 'access_denied' });
    expect([await own.text(), shown]).toEqual([
      'own',
      [expect.objectContaining({ action: redirectUri, targets: ['https:'] })],
    ]);
  });
});

describe('what nobody may be asked is answered', () => {
  const read = async (address: string) => {
    const { server } = await open();
    const response = await server.authorize.read(new Request(address));
    if (!(response instanceof Response)) throw new Error('it was asked');
    return response;
  };

  test.each([
    ['an unknown app', addressOf({ client_id: 'nobody' })],
    ['no redirect URI', addressOf({ redirect_uri: '' })],
    ['another redirect URI', addressOf({ redirect_uri: `${redirectUri}/` })],
    ['two redirect URIs', `${addressOf()}&redirect_uri=${encodeURIComponent(redirectUri)}`],
    ['two states', `${addressOf()}&state=x`],
    ['bytes that are no UTF-8', `${addressOf()}&client_id=%FF`],
  ])('%s on a page (RFC 6749 §3.1.2.4)', async (_name, address) => {
    const response = await read(address);

    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  test.each([
    ['no challenge', addressOf({ code_challenge: '' }), 'invalid_request'],
    ['the method plain', addressOf({ code_challenge_method: 'plain' }), 'invalid_request'],
    ['two scopes', `${addressOf()}&scope=notes:read`, 'invalid_request'],
    ['an unknown scope', addressOf({ scope: 'admin' }), 'invalid_scope'],
    ['another response type', addressOf({ response_type: 'token' }), 'unsupported_response_type'],
    ['an unknown response mode', addressOf({ response_mode: 'jwt' }), 'invalid_request'],
    ['another resource', addressOf({ resource: 'https://other.example' }), 'invalid_target'],
  ])('%s to the app (RFC 6749 §4.1.2.1)', async (_name, address, error) => {
    const { searchParams } = answerOf(await read(address));

    expect(Object.fromEntries(searchParams)).toMatchObject({ error, iss: issuer });
  });

  test('a host’s own page says it in its words', async () => {
    const { server } = await open({ refusalPage: (reason: string) => new Response(reason, { status: 418 }) });
    const response = await server.authorize.read(new Request(addressOf({ client_id: 'nobody' })));

    expect(response instanceof Response && [response.status, await response.text()]).toEqual([
      418,
      'client_unknown',
    ]);
  });
});

describe('a token that is bound to a key (RFC 9449)', () => {
  test('opens nothing as Bearer, and with a proof of that key only (security C422)', async () => {
    const opened = await open();
    const proof = async (claims: object, made: CryptoKey = privateKey) => {
      const { d: _, kid: __, ...jwk } = key;
      const signed = new SignJWT({
        jti: String(Math.random()),
        htm: 'POST',
        htu: `${issuer}/token`,
        ...claims,
      });
      return signed.setProtectedHeader({ typ: 'dpop+jwt', alg: 'ES256', jwk }).setIssuedAt().sign(made);
    };
    const response = await allow(opened);
    const code = answerOf(response).searchParams.get('code') ?? '';
    const fields = { client_id: 'app', redirect_uri: redirectUri, code_verifier: verifier, code };
    const body = new URLSearchParams({ grant_type: 'authorization_code', ...fields }).toString();
    const send = (dpop: string) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', dpop };
      return opened.server.fetch(new Request(`${issuer}/token`, { method: 'POST', body, headers }));
    };
    const nonce = (await send(await proof({}))).headers.get('dpop-nonce') ?? '';
    const { access_token: token } = await (await send(await proof({ nonce }))).json();
    const ath = createHash('sha256').update(token).digest('base64url');
    const about = { htm: 'GET', htu: `${issuer}/notes`, nonce, ath };
    const authorization = `DPoP ${token}`;
    const tries = [
      withToken(token),
      withToken(token, { authorization }),
      withToken(token, { authorization, dpop: await proof({ ...about, htu: `${issuer}/other` }) }),
      withToken(token, { authorization, dpop: await proof(about) }),
    ];
    const answers = await Promise.all(tries.map((one) => opened.server.access(one, 'notes:read')));

    expect(answers.map((one) => (one instanceof Response ? one.status : one.userId))).toEqual([
      401,
      401,
      401,
      'ann',
    ]);
  });
});

test('handles says what fetch answers, and the metadata names the consent page', async () => {
  const { server } = await open();
  const paths = ['/token', '/revoke', '/introspect', '/jwks.json', '/.well-known/oauth-authorization-server'];
  const { authorization_endpoint, response_modes_supported } = await server.metadata().json();

  for (const path of paths) expect(server.handles(new Request(issuer + path))).toBe(true);
  for (const path of ['/authorize', '/', '/token/x'])
    expect(server.handles(new Request(issuer + path))).toBe(false);
  expect(server.authorize.matches(new Request(addressOf()))).toBe(true);
  expect([authorization_endpoint, response_modes_supported]).toEqual([
    `${issuer}/authorize`,
    ['query', 'fragment', 'form_post'],
  ]);
});

test('Node’s own server sends on what it is asked, and believes no Host', async () => {
  const { server } = await open();
  const seen: string[] = [];
  const handle = (request: Request) => {
    seen.push(request.url);
    return server.fetch(request);
  };
  const listening = createServer(toNode(handle, issuer)).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const at = `http://127.0.0.1:${Object(listening.address()).port}`;
  const body = new URLSearchParams({ grant_type: 'password', client_id: 'app' });
  const [refused, keys] = await Promise.all([
    fetch(`${at}/token`, { method: 'POST', body }),
    fetch(`${at}//x`),
  ]);
  listening.close();

  expect([refused.status, (await refused.json()).error]).toEqual([400, 'unsupported_grant_type']);
  expect(refused.headers.get('cache-control')).toBe('no-store');
  expect([keys.status, seen.toSorted()]).toEqual([404, [`${issuer}/token`, `${issuer}/x`].toSorted()]);
});

describe('the store in memory keeps what a store promises', () => {
  const registered: ClientWithSecrets = {
    ...{ id: 'app', type: 'confidential', status: 'accepted', scopes: ['notes:read'], requiresPkce: false },
    redirectUris: [redirectUri],
    secrets: [1, 2].map((number) => ({ id: `secret-${number}`, hash: new Uint8Array(32).fill(number) })),
  };
  const tests = tokenStoreTests(
    async () => {
      const store = memoryStore([registered, { ...registered, id: 'other' }]);
      return { store, client: registered, otherClientId: 'other', addGrant: (grant) => store.add(grant) };
    },
    { restarts: false },
  );
  for (const [promise, run] of Object.entries(tests)) test(promise, run);
});
