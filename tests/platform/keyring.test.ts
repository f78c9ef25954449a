import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { pino } from 'pino';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createCleanup } from '../../src/cleanup.ts';
import { readConfig } from '../../src/config.ts';
import { verifyAccessToken } from '../../src/oauth/core/access-token.ts';
import { issueIdToken } from '../../src/oauth/core/id-token.ts';
import { readIdTokenHint } from '../../src/oauth/core/id-token-hint.ts';
import { deleteKeys, listKeys, openKeyring, rotateKeys } from '../../src/oauth/keyring.ts';
import { idTokenKeys, retiredKeys, signingKeys } from '../../src/oauth/tables.ts';
import { loadParts } from '../../src/parts.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { reencryptAll } from '../../src/platform/reencryption/store.ts';
import { nodeHash } from '../../src/platform/runtime.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { openTestDatabase } from '../support/database.ts';
import { createTestClock } from '../support/service.ts';

const parts = await loadParts();

const database = await openTestDatabase();
afterAll(database.close);
const runtime = createTestClock();
const silent = pino({ level: 'silent' });
const token = { payload: '', signature: '' };
const [former, next] = ['a former root secret of 32 bytes!', 'the next root secret of 32 bytes!'];

function open(...secrets: readonly [string, ...string[]]) {
  return openKeyring({ db: database.db, runtime, secrets: createSecrets(secrets) });
}

test('a new SECRET in front can be taken back until the keys have moved under it, and then the old one may go (contract §1)', async () => {
  const { keyId } = (await open(former)).signer();

  const app = { db: database.db, parts, secrets: createSecrets([next, former]) };
  const keyring = await open(next, former);
  const takenBack = await open(former);
  await reencryptAll({ ...app, config: readConfig({ SECRET: `${next},${former}`, DATABASE: 'embedded' }) });
  const alone = await open(next);

  expect([keyring, takenBack, alone].map((opened) => opened.signer().keyId)).toEqual([keyId, keyId, keyId]);
  await expect(open(former)).rejects.toThrow("SECRET can't decrypt the stored signing keys");
});

test('a token of a key that another instance has just made is taken, and unknown keys cause one look a second', async () => {
  const queries: string[] = [];
  const counted = await openPostgres(database.url, {
    queryLogger: { logQuery: (text) => void queries.push(text) },
  });
  onTestFinished(() => counted.close());
  const keyring = await openKeyring({ db: counted.db, runtime, secrets: createSecrets([next]) });
  const find = async (kid: string) => keyring.lookUp()({ alg: 'ES256', kid }, token);
  runtime.advance(1);
  const app = { db: database.db, runtime, secrets: createSecrets([next]) };
  const { id } = await rotateKeys(app, true);

  const found = await Promise.all([find(id), find(id), find(id)]);
  const readings = queries.filter((text) => /from "signing_keys"/.test(text)).length;
  const flood = await Promise.allSettled(Array.from({ length: 100 }, (_, index) => find(`none-${index}`)));
  runtime.advance(1);
  await Promise.allSettled([find('none'), find('none too')]);

  expect(found).toHaveLength(3);
  expect(readings).toBe(2);
  expect(new Set(flood.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(queries.filter((text) => /from "signing_keys"/.test(text))).toHaveLength(3);
});

test('verified tokens can stay remembered until the keys change (ADR 12)', async () => {
  const app = { db: database.db, runtime, secrets: createSecrets([next]) };
  const keyring = await openKeyring(app);
  const first = keyring.lookUp();

  await keyring.renew();
  const renewed = keyring.lookUp();
  runtime.advance(1);
  const { id } = await rotateKeys(app, true);
  await keyring.renew();

  expect(renewed).toBe(first);
  expect(keyring.lookUp()).not.toBe(first);
  expect(keyring.signer().keyId).toBe(id);
});

describe('keys of ID tokens (contract §7)', () => {
  const issuer = 'https://id.example';
  const day = 86_400;
  const about = { issuer, clientId: 'app', userId: '7', accessToken: 'a', nonce: null, claims: {} };

  /** An installation of its own. */
  async function openOwn(signsIdTokens = true) {
    const own = await openTestDatabase();
    onTestFinished(own.close);
    const clock = createTestClock();
    const app = { db: own.db, runtime: clock, secrets: createSecrets([next]) };
    const idTokenOf = async (
      keyring: Awaited<ReturnType<typeof openKeyring>>,
      algorithm: 'RS256' | 'ES256',
    ) => {
      const signer = algorithm === 'RS256' ? await keyring.idTokenSigner() : keyring.signer();
      return issueIdToken({ ...about, authenticatedAt: clock.now() }, signer, nodeHash, clock.now());
    };
    return { own, clock, app, idTokenOf, keyring: await openKeyring(app, signsIdTokens) };
  }

  const publishedBy = async (keyring: Awaited<ReturnType<typeof openKeyring>>) => {
    await keyring.fill();
    return keyring.jwks();
  };
  const algorithmsOf = async (keyring: Awaited<ReturnType<typeof openKeyring>>) =>
    (await publishedBy(keyring)).keys.map(({ alg, use, kid, kty }) => [alg, use, kty, kid?.length]);

  test('a start makes none; the first one that needs it does, and all that need it at once make one', async () => {
    const { own, app, keyring } = await openOwn();
    const [made, others] = [await own.db.$count(idTokenKeys), [await openKeyring(app, true), keyring]];

    const ids = await Promise.all(
      [...others, ...others].map(async (one) => (await one.idTokenSigner()).keyId),
    );

    expect(made).toBe(0);
    expect(new Set(ids).size).toBe(1);
    expect(await algorithmsOf(keyring)).toEqual([
      ['ES256', 'sig', 'EC', 43],
      ['RS256', 'sig', 'RSA', 43],
    ]);
  });

  test('a door without OpenID Connect has none, publishes none, and makes none', async () => {
    const { own, keyring } = await openOwn(false);

    await keyring.renew();

    expect(await algorithmsOf(keyring)).toEqual([['ES256', 'sig', 'EC', 43]]);
    await expect(keyring.idTokenSigner()).rejects.toThrow('no part signs ID tokens');
    expect(await own.db.$count(idTokenKeys)).toBe(0);
  });

  test('each kind rotates alike, and every ID token is verified by the published keys', async () => {
    const { app, clock, keyring, idTokenOf } = await openOwn();
    const used = { RS256: new Set<string>(), ES256: new Set<string>() };

    for (let days = 0; days < 200; days += 0.5) {
      await keyring.renew();
      for (const algorithm of ['RS256', 'ES256'] as const) {
        const idToken = await idTokenOf(keyring, algorithm);
        const published = createLocalJWKSet(keyring.jwks());
        const { protectedHeader } = await jwtVerify(idToken, published, {
          ...{ algorithms: [algorithm], currentDate: clock.now() },
        });
        used[algorithm].add(protectedHeader.kid ?? '');
      }
      clock.advance(day / 2);
    }

    expect([used.RS256.size, used.ES256.size]).toEqual([3, 3]);
    expect((await listKeys(app)).map(({ algorithm, state }) => [algorithm, state])).toEqual([
      ['ES256', 'active'],
      ['RS256', 'active'],
    ]);
  });

  test('the public half of a retired key reads hints for a year, of either algorithm, and is published no more', async () => {
    const { own, app, clock, keyring, idTokenOf } = await openOwn();
    const hints = [await idTokenOf(keyring, 'RS256'), await idTokenOf(keyring, 'ES256')];
    const former = (await publishedBy(keyring)).keys.map(({ kid }) => kid);
    const read = async () => {
      const expected = { issuer, keys: keyring.lookUpHint, clientId: 'app' };
      return (await Promise.all(hints.map((hint) => readIdTokenHint(hint, expected)))).map(({ ok }) => ok);
    };
    const cleanUp = () => createCleanup({ ...app, config: readConfig({}), parts, log: silent }).run();

    clock.advance(1);
    for (const algorithm of ['ES256', 'RS256'] as const) await rotateKeys(app, true, algorithm);
    await keyring.renew();
    clock.advance(1800 + day + 1);
    await keyring.renew();
    const [stored, retired] = [
      [...(await own.db.select().from(signingKeys)), ...(await own.db.select().from(idTokenKeys))],
      await own.db.select().from(retiredKeys),
    ];
    const afterADay = await read();
    clock.advance(365 * day - 10);
    await cleanUp();
    const afterAYear = await read();
    clock.advance(20);
    await cleanUp();

    expect(retired.map(({ id }) => id).toSorted()).toEqual(former.toSorted());
    expect(stored.some(({ id }) => former.includes(id))).toBe(false);
    expect(JSON.stringify(retired)).not.toMatch(/"(?:d|p|q|dp|dq|qi)":/);
    expect((await publishedBy(keyring)).keys.some(({ kid }) => former.includes(kid))).toBe(false);
    expect([afterADay, afterAYear, await read()]).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
  });

  test('a key that leaked reads no hints: whoever has it could make them (security C342)', async () => {
    for (const which of ['all', 'one'] as const) {
      const { app, clock, keyring, idTokenOf } = await openOwn();
      const hint = await idTokenOf(keyring, 'RS256');
      const { keyId } = await keyring.idTokenSigner();

      clock.advance(1);
      for (const algorithm of ['ES256', 'RS256'] as const) await rotateKeys(app, true, algorithm);
      await keyring.renew();
      clock.advance(2 * day);
      await keyring.renew();
      const deleted = await deleteKeys(app, which === 'one' ? keyId : undefined);
      await keyring.renew();

      expect(deleted).toBe(which === 'one' ? 1 : 4);
      expect(await readIdTokenHint(hint, { issuer, keys: keyring.lookUpHint })).toMatchObject({ ok: false });
      expect((await publishedBy(keyring)).keys.length).toBe(2);
    }
  });

  test('a key that is named as no key can be costs no statement (security C37)', async () => {
    const { own, keyring } = await openOwn();
    await keyring.fill();
    own.statements.splice(0);

    for (const kid of ['', '\0', 'x'.repeat(43), '\ud800', 'x'.repeat(5000)])
      await expect(keyring.lookUpHint({ alg: 'RS256', kid }, token)).rejects.toThrow('no applicable key');

    expect(own.statements.filter((text) => /retired_keys/.test(text))).toHaveLength(1);
  });

  test('no key of ID tokens signs an access token, whatever a token says of itself (security C342)', async () => {
    const { app, clock, keyring } = await openOwn();
    const { sign, keyId } = await keyring.idTokenSigner();
    const now = Math.floor(clock.now().getTime() / 1000);
    const claims = {
      iss: issuer,
      aud: issuer,
      sub: '7',
      client_id: 'app',
      gid: 'g',
      iat: now,
      exp: now + 60,
      jti: 'j',
      scope: '',
    };
    const expected = { issuer, audience: issuer, keys: keyring.lookUp() };
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

    for (const alg of ['RS256', 'ES256', 'none', 'HS256']) {
      const input = `${encode({ alg, typ: 'at+jwt', kid: keyId })}.${encode(claims)}`;
      const jwt = `${input}.${Buffer.from(await sign(Buffer.from(input))).toString('base64url')}`;
      expect(await verifyAccessToken(jwt, expected, clock.now())).toMatchObject({ ok: false });
    }
    const [{ publicJwk } = { publicJwk: {} }] = await app.db.select().from(idTokenKeys);
    const asSecret = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: keyId })
      .sign(Buffer.from(JSON.stringify(publicJwk)));
    expect(await verifyAccessToken(asSecret, expected, clock.now())).toMatchObject({ ok: false });
  });
});
