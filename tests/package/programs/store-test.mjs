import { test } from 'node:test';
import { tokenStoreTests } from 'latchkey/store-test';
import { memoryStore } from './memory-store.mjs';

const client = { id: 'app', type: 'public', status: 'accepted', redirectUris: [], scopes: null };
const open = async () => {
  const store = memoryStore([{ ...client, requiresPkce: false, secrets: [] }]);
  return { store, clientId: 'app', addGrant: async (grant) => store.add(grant), restart: async () => store };
};
for (const [name, run] of Object.entries(tokenStoreTests(open))) test(name, run);
