import type { ClientWithSecrets } from 'latchkey/core';
import { tokenStoreTests } from 'latchkey/store-test';
import { type Grants, grantObject, tokenStore } from './grants.ts';

export { approvals, GrantObject } from './worker.ts';

const client: ClientWithSecrets = {
  ...{ id: 'app', type: 'public', status: 'accepted', redirectUris: [], scopes: null },
  ...{ requiresPkce: false, secrets: [] },
};

/** Runs in place of `worker.ts`, and answers what is wrong with each promise, or null. */
export default {
  async fetch(_request: Request, { GRANTS }: { readonly GRANTS: Grants }): Promise<Response> {
    const tests = tokenStoreTests(async () => ({
      store: tokenStore([client], GRANTS),
      clientId: client.id,
      addGrant: (grant) => grantObject(GRANTS, grant.id).write(grant),
    }));
    const faults: Record<string, string | null> = {};
    for (const [promise, run] of Object.entries(tests))
      faults[promise] = await run().then(() => null, String);
    return Response.json(faults);
  },
};
