import { test } from 'node:test';
import { tokenStoreTests } from 'latchkey/store-test';
import { memoryStore } from './memory-store.mjs';

const client = {
  ...{ id: 'app', type: 'confidential', status: 'accepted', scopes: 'all', requiresPkce: false },
  redirectUris: ['https://app.example/callback'],
  secrets: [1, 2].map((number) => ({ id: `secret-${number}`, hash: new Uint8Array(32).fill(number) })),
};
const open = async () => {
  const store = memoryStore([client, { ...client, id: 'other' }]);
  const addGrant = async (grant) => store.add(grant);
  return { store, client, otherClientId: 'other', addGrant, restart: async () => store };
};
for (const [name, run] of Object.entries(tokenStoreTests(open))) test(name, run);
