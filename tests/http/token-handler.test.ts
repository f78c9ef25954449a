import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { issueRefreshToken } from '../../src/oauth/core/refresh.ts';
import { createTokenHandler, openIssuer } from '../../src/oauth/http/fetch.ts';

const url = 'https://auth.example/oauth';
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), kid: 'key' };
const open = (...secrets: [string, ...string[]]) =>
  openIssuer({ issuer: url, scopes: [], secrets, keys: [key] });
const opened = await open('s'.repeat(32));

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

describe('a request to the handler', () => {
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

describe('a revocation', () => {
  const clientId = 'client-of-the-token';
  const grant = { id: '00000000-0000-7000-8000-000000000001', clientId };

  test.each([
    [clientId, 1],
    ['another-client', 0],
  ])('by %s ends %i grants: a token is its own client’s to revoke (RFC 7009 §2.1)', async (by, ended) => {
    const revoked: unknown[] = [];
    const client = { id: by, type: 'public', status: 'accepted', scopes: null, secrets: [] };
    const holding = {
      ...store,
      find: async () => ({ client, grant }),
      revoke: async (one: unknown) => void revoked.push(one),
    };
    const token = await issueRefreshToken({ grantId: grant.id, generation: 1 }, opened.issuer.mac);
    const body = new URLSearchParams({ client_id: by, token });

    const answer = await handlerOf({ store: holding })(
      new Request(`${url}/revoke`, { method: 'POST', body }),
    );

    expect(answer.status).toBe(200);
    expect(revoked).toHaveLength(ended);
  });
});

describe('an issuer', () => {
  test.each<[string, unknown]>([
    ['an empty secret', ''],
    ['a secret of 31 bytes', 's'.repeat(31)],
    ['no secret', undefined],
  ])('is not opened with %s, first or later (contract §1, SECRET)', async (_name, secret) => {
    const message = 'each secret has to be a string of 32 bytes or more';

    await expect(open(secret as string)).rejects.toThrow(message);
    await expect(open('s'.repeat(32), secret as string)).rejects.toThrow(message);
  });
});

describe('an issuer with keys for ID tokens', () => {
  const rsaKey = async (modulusLength: number, kid?: string) => {
    const made = await generateKeyPair('RS256', { extractable: true, modulusLength });
    return { ...(await exportJWK(made.privateKey)), ...(kid !== undefined && { kid }) };
  };
  const openWith = (...idTokenKeys: JWK[]) =>
    openIssuer({ issuer: url, scopes: [], secrets: ['s'.repeat(32)], keys: [key], idTokenKeys });

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
