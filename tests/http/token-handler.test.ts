import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
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
