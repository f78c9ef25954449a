/** A whole `TokenStore`: one Map, which one process has. */
export function memoryStore(clients) {
  const grants = new Map();
  const change = (id, mayChange, changes) => {
    const grant = grants.get(id);
    if (grant === undefined || grant.revokedAt !== null || !mayChange(grant)) return false;
    grants.set(id, { ...grant, ...changes(grant) });
    return true;
  };
  return {
    add: (grant) => void grants.set(grant.id, grant),
    find: async (clientId, grantId) => ({
      client: clients.find(({ id }) => id === clientId),
      grant: grants.get(grantId),
    }),
    redeem: async ({ id, dpopJkt }, now) =>
      change(
        id,
        ({ generation }) => generation === 0,
        () => ({ generation: 1, redeemedAt: now, rotatedAt: now, dpopJkt }),
      ),
    advance: async ({ id, dpopJkt }, generation, now) =>
      change(
        id,
        (grant) =>
          [generation - 1, generation].includes(grant.generation) &&
          (grant.dpopJkt === null || grant.dpopJkt === dpopJkt),
        (grant) => ({
          generation,
          rotatedAt: grant.generation === generation ? grant.rotatedAt : now,
          dpopJkt,
        }),
      ),
    revoke: async ({ id }, revocationReason, revokedAt) =>
      void change(
        id,
        () => true,
        () => ({ revokedAt, revocationReason }),
      ),
  };
}
