import { afterAll, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openKeyring, rotateKeys } from '../../src/oauth/keyring.ts';
import { loadParts } from '../../src/parts.ts';
import { openPostgres } from '../../src/platform/open-database.ts';
import { reencryptAll } from '../../src/platform/reencryption/store.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { openTestDatabase } from '../support/database.ts';
import { createTestClock } from '../support/service.ts';

const parts = await loadParts();

const database = await openTestDatabase();
afterAll(database.close);
const runtime = createTestClock();
const [former, next] = ['a former root secret of 32 bytes!', 'the next root secret of 32 bytes!'];

function open(...secrets: readonly [string, ...string[]]) {
  return openKeyring({ db: database.db, runtime, secrets: createSecrets(secrets) });
}

test('a new SECRET in front can be taken back until the keys have moved under it, and then the old one may go (contract §1)', async () => {
  const { keyId } = (await open(former)).signer();

  const app = { db: database.db, parts, secrets: createSecrets([next, former]) };
  const keyring = await open(next, former);
  const takenBack = await open(former);
  await reencryptAll({ ...app, config: readConfig({ SECRET: `${next},${former}` }) });
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
  const token = { payload: '', signature: '' };
  const find = async (kid: string) => keyring.lookUp()({ alg: 'ES256', kid }, token);
  runtime.advance(1);
  const { id } = await rotateKeys({ db: database.db, runtime, secrets: createSecrets([next]) }, true);

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
