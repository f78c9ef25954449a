import { describe, test } from 'vitest';
import type { TokenStore } from '../../src/oauth/core/ports.ts';
import { revokeGrant } from '../../src/oauth/revocation/store.ts';
import { type StoreUnderTest, tokenStoreTests } from '../../src/oauth/store-test.ts';
import { grants } from '../../src/oauth/tables.ts';
import { tokenStore } from '../../src/oauth/token/store.ts';
import { systemContext } from '../../src/platform/audit/context.ts';
import type { Db } from '../../src/platform/database.ts';
import { newUuid } from '../../src/platform/runtime.ts';
import { openAnotherInstance, openTestService } from '../support/service.ts';
import { addClient, addUser } from '../support/world.ts';

const service = await openTestService();
const another = await openAnotherInstance(service);
const client = await addClient(service, { type: 'public' });
const user = await addUser(service);

const storeOf = (db: Db): TokenStore => ({
  ...tokenStore(db),
  revoke: ({ id }, reason, now) => revokeGrant({ db, parts: [] }, id, reason, systemContext(now)),
});

async function open(): Promise<StoreUnderTest> {
  const { db } = service.database;
  return {
    store: storeOf(db),
    clientId: client.id,
    addGrant: async ({ scopes, resources, ...grant }) => {
      const lists = { scopes: scopes && [...scopes], resources: resources && [...resources] };
      await db.insert(grants).values({ ...grant, ...lists });
    },
    restart: async () => storeOf(another.database.db),
    losesCommits: true,
  };
}

const options = { newId: () => newUuid(service.app.runtime), userId: user.id };

describe('the store in PostgreSQL keeps what a TokenStore promises (architecture §2)', () => {
  for (const [promise, run] of Object.entries(tokenStoreTests(open, options))) test(promise, run);
});
