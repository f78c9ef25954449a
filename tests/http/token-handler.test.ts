import Fastify from 'fastify';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { createTokenHandler, openIssuer } from '../../src/oauth/http/fetch.ts';
import { tokenServicePlugin } from '../../src/oauth/http/plugin.ts';

const url = 'https://auth.example/oauth';
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), kid: 'key' };
const secret = 'a-secret-of-this-test-32-bytes-ok';
const open = (...secrets: [string, ...string[]]) =>
  openIssuer({ issuer: url, scopes: [], secrets, keys: [key] });
const opened = await open(secret);

const away = () => Promise.reject(new Error('away'));
const store = { find: away, redeem: away, advance: away, revoke: away };
const faults: unknown[] = [];
const handlerOf = (changes: object = {}) =>
  createTokenHandler({ ...opened, store, onFault: (fault) => void faults.push(fault), ...changes });

describe('a token service that is mounted at a path', () => {
  test.each([
    '/oauthconstructor',
    '/oauthtoken',
    '/oauth/constructor',
    '/oauth/__proto__',
    '/oauth',
    '/toString',
  ])('answers %s with 404, for it is nothing of its own', async (path) => {
    const handle = handlerOf();
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect((await handle(new Request(`https://auth.example${path}`, { method }))).status).toBe(404);
  });

  test('answers what is below it', async () => {
    const answer = await handlerOf()(new Request(`${url}/jwks.json`));

    expect([answer.status, (await answer.json()).keys]).toMatchObject([200, [{ kid: 'key' }]]);
  });

  test('tells a fault of its keys, too, and answers it', async () => {
    const fault = new Error('the keys are away');
    const failing = () => {
      throw fault;
    };

    const answer = await handlerOf({ jwks: failing })(new Request(`${url}/jwks.json`));

    expect(answer.status).toBe(500);
    expect(faults).toEqual([fault]);
  });
});

describe('the metadata (RFC 8414)', () => {
  const wellKnown = '/.well-known/oauth-authorization-server';

  test.each([
    ['https://auth.example', 'https://auth.example/oauth', wellKnown],
    ['https://auth.example/oauth', 'https://auth.example/oauth', `${wellKnown}/oauth`],
    ['https://auth.example/tenant', 'https://api.example/oauth', `${wellKnown}/tenant`],
  ])('of %s with endpoints at %s is at %s', async (issuer, at, path) => {
    const made = await openIssuer({ issuer, scopes: [], secrets: [secret], keys: [key] });
    const answer = await handlerOf({ ...made, url: at })(new Request(new URL(path, at)));
    const app = Fastify();
    await app.register(tokenServicePlugin, { ...made, store, onFault: () => {}, prefix: '/oauth', url: at });
    const byFastify = await app.inject(path);
    await app.close();

    expect(await answer.json()).toMatchObject({ issuer, token_endpoint: `${at}/token` });
    expect(byFastify.json()).toMatchObject({ issuer, token_endpoint: `${at}/token` });
  });

  test.each([
    [undefined, { response_types_supported: [] }],
    [
      'https://auth.example/consent',
      {
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      },
    ],
  ])('with the consent page %s promises what is there (RFC 9207 §3)', async (page, promised) => {
    const changes = page === undefined ? {} : { authorizationEndpoint: page };
    const answer = await handlerOf(changes)(new Request(`${url}${wellKnown}`));
    const described = await answer.json();

    expect(described).toMatchObject(promised);
    expect('authorization_response_iss_parameter_supported' in described).toBe(page !== undefined);
  });
});

describe('a request to the handler', () => {
  test.each([
    ['grant_type=password', 'unsupported_grant_type'],
    ['scope=x', 'invalid_request'],
  ])('with %s is %s (RFC 6749 §5.2)', async (body, error) => {
    const answer = await ask('/token', [], `client_id=app&${body}`);
    expect([answer.status, (await answer.json()).error]).toEqual([400, error]);
  });

  test('whose sender cuts it off is a bad request, and no fault', async () => {
    faults.splice(0);
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('the sender is gone'));
      },
    });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = { method: 'POST', headers, body, duplex: 'half' };
    const request = new Request(`${url}/token`, sent);

    expect((await handlerOf()(request)).status).toBe(400);
    expect(faults).toEqual([]);
  });

  test('lets programs in browsers read its own headers, and no others', async () => {
    const { headers } = await ask('/token', [], 'x=y');
    expect(headers.get('access-control-expose-headers')).toBe('www-authenticate, dpop-nonce, retry-after');
  });

  const ask = (path: string, headers: readonly (readonly [string, string])[], body: string) => {
    const request = new Request(`${url}${path}`, { method: 'POST', body });
    request.headers.set('content-type', 'application/x-www-form-urlencoded');
    for (const [name, value] of headers) request.headers.append(name, value);
    return handlerOf()(request);
  };
  const basic = `Basic ${btoa('one:secret')}`;

  test.each([[[basic, basic]], [[basic, `Basic ${btoa('two:secret')}`]], [[basic, 'Bearer token']]])(
    'that says twice who it is is refused before its store is asked: %j (security C23)',
    async (values) => {
      faults.splice(0);
      const sent = values.map((value) => ['authorization', value] as const);

      const answer = await ask('/token', sent, 'grant_type=refresh_token&refresh_token=x');

      expect([answer.status, (await answer.json()).error]).toEqual([400, 'invalid_request']);
      expect(faults).toEqual([]);
    },
  );
});

describe('an issuer', () => {
  test.each<[string, unknown]>([
    ['an empty secret', ''],
    ['a secret of 31 bytes', 's'.repeat(31)],
    ['no secret', undefined],
  ])('is not opened with %s, first or later (contract §1, SECRET)', async (_name, short) => {
    const message = 'each secret has to be a string of 32 bytes or more';

    await expect(open(short as string)).rejects.toThrow(message);
    await expect(open(secret, short as string)).rejects.toThrow(message);
  });

  test.each<[string, object, string]>([
    ['an issuer of ftp', { issuer: 'ftp://auth.example' }, 'an https address'],
    ['an issuer of http elsewhere', { issuer: 'http://auth.example' }, 'an https address'],
    ['an issuer with a query', { issuer: `${url}?` }, 'without query'],
    ['an issuer with a fragment', { issuer: `${url}#x` }, 'without query and fragment'],
    ['an issuer with a password', { issuer: 'https://a:b@auth.example' }, 'an https address'],
    ['no address', { issuer: 'auth.example' }, 'an https address'],
    ['one letter 32 times', { secrets: ['0'.repeat(32)] }, 'has to be random'],
    ['a scope with a blank', { scopes: ['notes read'] }, 'a scope'],
    ['an empty scope', { scopes: [''] }, 'a scope'],
    ['two keys of one kid', { keys: [key, key] }, 'a kid of its own'],
  ])('is not opened with %s (RFC 8414 §2, RFC 6749 §3.3)', async (_name, wrong, message) => {
    const right = { issuer: url, scopes: [], secrets: [secret], keys: [key] } as const;

    await expect(openIssuer({ ...right, ...wrong })).rejects.toThrow(message);
  });

  test.each(['http://localhost:8787', 'http://127.0.0.1:3000/oauth', 'https://id.example'])(
    'is opened at %s',
    async (issuer) => {
      const made = await openIssuer({ issuer, scopes: ['notes:read'], secrets: [secret], keys: [key] });
      expect(made.issuer.issuer).toBe(issuer);
    },
  );
});

describe('an issuer with keys for ID tokens', () => {
  const rsaKey = async (modulusLength: number, kid?: string) => {
    const made = await generateKeyPair('RS256', { extractable: true, modulusLength });
    return { ...(await exportJWK(made.privateKey)), ...(kid !== undefined && { kid }) };
  };
  const openWith = (...idTokenKeys: JWK[]) =>
    openIssuer({ issuer: url, scopes: [], secrets: [secret], keys: [key], idTokenKeys });

  test('signs RS256 with the first, and publishes the public halves of all', async () => {
    const { issuer, jwks } = await openWith(await rsaKey(2048, 'first'), await rsaKey(2048, 'second'));
    const signer = await issuer.idTokenSigner?.();

    expect([signer?.algorithm, signer?.keyId]).toEqual(['RS256', 'first']);
    expect(jwks().keys.map(({ kid, alg, d }) => [kid, alg, d])).toEqual([
      ['key', 'ES256', undefined],
      ['first', 'RS256', undefined],
      ['second', 'RS256', undefined],
    ]);
    expect(opened.issuer.idTokenSigner).toBeUndefined();
  });

  test('is not opened with keys of another kind, without a kid or of fewer than 2,048 bits', async () => {
    const message = 'a key for ID tokens has to be an RSA JWK of 2,048 bits or more with a kid';
    const { n: _, ...short } = await rsaKey(2048, 'short');

    for (const wrong of [key, await rsaKey(2048), { ...short, n: 'AQAB' }])
      await expect(openWith(wrong)).rejects.toThrow(message);
  });
});
