import type { ClientWithSecrets, Grant } from 'latchkey/core';
import { tokenStoreTests } from 'latchkey/store-test';
import { type Grants, grantStore } from './grants.ts';

export { approvals, GrantObject } from './worker.ts';

const client: ClientWithSecrets = {
  ...{ id: 'app', type: 'confidential', status: 'accepted', scopes: 'all', requiresPkce: false },
  redirectUris: ['https://app.example/callback', 'https://app.example/other'],
  secrets: [1, 2].map((number) => ({ id: `secret-${number}`, hash: new Uint8Array(32).fill(number) })),
};

/** Runs in place of `worker.ts`, and answers what is wrong with each promise, or null. */
export default {
  async fetch(_request: Request, { GRANTS }: { readonly GRANTS: Grants }): Promise<Response> {
    const store = grantStore([client, { ...client, id: 'other' }], GRANTS);
    const open = async () => ({
      store,
      client,
      otherClientId: 'other',
      addGrant: (grant: Grant) => store.add(grant),
    });
    // Objects can't be ended from here, so that what they write is not read again after a crash.
    const tests = tokenStoreTests(open, { restarts: false });
    const faults: Record<string, string | null> = {};
    for (const [promise, run] of Object.entries(tests))
      faults[promise] = await run().then(() => null, String);
    return Response.json(faults);
  },
};
