import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createUser } from '../../src/accounts/store.ts';
import { listLiveSecrets } from '../../src/oauth/clients/secrets/store.ts';
import { createClient } from '../../src/oauth/clients/store.ts';
import { clientSecrets } from '../../src/oauth/tables.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import { noteUses } from '../../src/platform/last-use/store.ts';
import { openEmbedded } from '../../src/platform/open-database.ts';
import { checkAppendOnly } from '../support/audit.ts';
import { prepareDataDirectory } from '../support/prepared-directory.ts';
import { makeDirectoryForFile } from '../support/temporary-directory.ts';

const directory = await makeDirectoryForFile();
await prepareDataDirectory(directory);
const { db, close } = await openEmbedded(directory);
afterAll(close);
const { id: key, lastUsedAt } = clientSecrets;
const at = (minute: number): Date => new Date(Date.UTC(2026, 2, 1, 12, minute));

test('no event is changed in the embedded database, none of the last year is deleted, and all of them neither (security C73)', async () => {
  await checkAppendOnly(db);
});

test('the embedded database notes the last use of a secret by the same statement (contract §2)', async () => {
  const profile = { email: 'o@example.com', username: 'o', name: 'O', passwordHash: 'none' };
  const owner = await createUser(
    db,
    { ...profile, timeZone: 'UTC', weekStart: 'Monday' },
    systemContext(at(0)),
  );
  const texts = {
    id: 'c',
    name: 'C',
    purpose: 'Testing',
    websiteUrl: null,
    scopes: null,
    postLogoutRedirectUris: [],
    requiresPkce: false,
  };
  const client = { ...texts, type: 'confidential', redirectUris: [] } as const;
  const [used, unused] = [randomUUID(), randomUUID()];
  const secret = { id: used, secretHash: 'none', hint: 'used' };
  await createClient(
    db,
    { ...client, ownerId: owner.ok ? owner.value.id : 0 },
    secret,
    [],
    systemContext(at(0)),
  );
  await db.insert(clientSecrets).values({ ...secret, id: unused, clientId: 'c', createdAt: at(1) });

  await noteUses(db, { key, lastUsedAt }, [[used, at(2)]]);
  await noteUses(db, { key, lastUsedAt }, [[used, at(1)]]);

  expect((await listLiveSecrets(db, 'c')).map(({ id, lastUsedAt }) => [id, lastUsedAt])).toEqual([
    [used, at(2)],
    [unused, null],
  ]);
});
