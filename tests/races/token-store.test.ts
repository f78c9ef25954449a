import { hash } from 'node:crypto';
import { describe, test } from 'vitest';
import { fromBase64url } from '../../src/oauth/core/bytes.ts';
import type { ClientWithSecrets } from '../../src/oauth/core/client.ts';
import type { TokenStore } from '../../src/oauth/core/ports.ts';
import { revokeGrant } from '../../src/oauth/revocation/store.ts';
import { type StoreUnderTest, tokenStoreTests } from '../../src/oauth/store-test.ts';
import { clientSecrets, grants } from '../../src/oauth/tables.ts';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import type { Db } from '../../src/platform/database.ts';
import { newUuid } from '../../src/platform/runtime.ts';
import { secretsOf } from '../support/registration.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, addUser } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const scopes = ['PROFILE_READ', 'BOOKING_WRITE'];
const client = await addClient(service, { type: 'confidential', scopes });
const other = await addClient(service, { type: 'public' });
const [user, otherUser] = [await addUser(service), await addUser(service)];
const secondHash = hash('sha256', 'a second secret', 'base64url');
const second = {
  id: newUuid(service.app.runtime),
  clientId: client.id,
  secretHash: secondHash,
  hint: 'cret',
};
await service.database.db.insert(clientSecrets).values({ ...second, createdAt: new Date() });
const secrets = (await secretsOf(service, client.id)).map(({ id, secretHash }) => ({
  id,
  hash: fromBase64url(secretHash) ?? new Uint8Array(),
}));
const registered: ClientWithSecrets = {
  ...{ id: client.id, type: 'confidential', status: 'accepted', redirectUris: [client.redirectUri] },
  ...{ scopes, isFullAccess: false, requiresPkce: false, secrets },
};

const storeOf = (db: Db): TokenStore => ({
  ...tokenStore(db),
  revoke: ({ id }, reason, now) => revokeGrant({ db, parts: [] }, id, reason, systemContext(now)),
});

async function open(): Promise<StoreUnderTest> {
  const { db } = service.database;
  return {
    store: storeOf(db),
    client: registered,
    otherClientId: other.id,
    addGrant: async ({ scopes, resources, userId, ...grant }) => {
      const lists = { scopes: scopes && [...scopes], resources: resources && [...resources] };
      await db.insert(grants).values({ ...grant, ...lists, userId: Number(userId) });
    },
    restart: async () => storeOf(another.database.db),
  };
}

const options = {
  newId: () => newUuid(service.app.runtime),
  userIds: [String(user.id), String(otherUser.id)],
  losesCommits: true,
} as const;

describe('the store in PostgreSQL keeps what a TokenStore promises (architecture §2)', () => {
  for (const [promise, run] of Object.entries(tokenStoreTests(open, options))) test(promise, run);
});
