import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, test } from 'vitest';
import { createTokenHandler, openIssuer } from '../../src/oauth/http/fetch.ts';

const url = 'https://auth.example/oauth';
const { privateKey } = await generateKeyPair('ES256', { extractable: true });
const key = { ...(await exportJWK(privateKey)), kid: 'key' };
const opened = await openIssuer({ issuer: url, secrets: ['s'.repeat(32)], keys: [key] });

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
