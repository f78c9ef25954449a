import { afterAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openKeyring, rotateKeys } from '../../src/oauth/keyring.ts';
import { loadParts } from '../../src/parts.ts';
import { createSecrets } from '../../src/platform/secrets.ts';
import { reencryptAll } from '../../src/reencryption.ts';
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
