// The whole file is the public surface of `latchkey/memory`.

import type { ClientWithSecrets } from './core/client.ts';
import type { Grant } from './core/grant.ts';
import type { GrantStore } from './http/authorize.ts';

/** A store for one process, for tests and trials: what it holds ends with it. */
export function memoryStore(clients: readonly ClientWithSecrets[]): GrantStore {
  const grants = new Map<string, Grant>();
  const change = (id: string, changed: (grant: Grant) => Grant | undefined): boolean => {
    const grant = grants.get(id);
    const next = grant === undefined || grant.revokedAt !== null ? undefined : changed(grant);
    if (next !== undefined) grants.set(id, next);
    return next !== undefined;
  };
  return {
    async add(grant) {
      if (!grants.has(grant.id)) grants.set(grant.id, grant);
    },
    find: async (clientId, grantId = '') => ({
      client: clients.find(({ id }) => id === clientId),
      grant: grants.get(grantId),
    }),
    redeem: async ({ id, dpopJkt }, now) =>
      change(id, (grant) =>
        grant.generation === 0
          ? { ...grant, generation: 1, redeemedAt: now, rotatedAt: now, dpopJkt }
          : undefined,
      ),
    advance: async ({ id, dpopJkt }, generation, now) =>
      change(id, (grant) => {
        const isThere = grant.generation === generation;
        if (!isThere && grant.generation !== generation - 1) return undefined;
        if (grant.dpopJkt !== null && grant.dpopJkt !== dpopJkt) return undefined;
        return { ...grant, generation, rotatedAt: isThere ? grant.rotatedAt : now, dpopJkt };
      }),
    async revoke({ id }, revocationReason, revokedAt) {
      change(id, (grant) => ({ ...grant, revokedAt, revocationReason }));
    },
  };
}
