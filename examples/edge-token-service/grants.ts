import { DurableObject, type DurableObjectNamespace } from 'cloudflare:workers';
import type { ClientWithSecrets, Grant, Identity, RevocationReason, TokenStore } from 'latchkey/core';

/**
 * Codes and tokens are single-use, because Workers run one request to an object at a time between
 * its reads and writes of storage, and answer only when the writes are on disk.
 */
export class GrantObject extends DurableObject {
  async read(): Promise<Grant | undefined> {
    return this.ctx.storage.get<Grant>('grant');
  }

  async write(grant: Grant): Promise<void> {
    await this.ctx.storage.put('grant', grant);
  }

  /** Says who signed in, and with which nonce, until the code is exchanged. */
  async identity(): Promise<Identity | undefined> {
    return this.ctx.storage.get<Identity>('identity');
  }

  async identify(identity: Identity): Promise<void> {
    await this.ctx.storage.put('identity', identity);
  }

  async redeem(dpopJkt: string | null, now: Date): Promise<boolean> {
    const grant = await this.read();
    if (grant === undefined || grant.revokedAt !== null || grant.generation !== 0) return false;
    await this.write({ ...grant, generation: 1, redeemedAt: now, rotatedAt: now, dpopJkt });
    return true;
  }

  async advance(dpopJkt: string | null, generation: number, now: Date): Promise<boolean> {
    const grant = await this.read();
    if (grant === undefined || grant.revokedAt !== null) return false;
    if (grant.dpopJkt !== null && grant.dpopJkt !== dpopJkt) return false;
    const isNext = grant.generation === generation - 1;
    if (!isNext && grant.generation !== generation) return false;
    await this.write({ ...grant, generation, rotatedAt: isNext ? now : grant.rotatedAt, dpopJkt });
    return true;
  }

  async revoke(reason: RevocationReason, now: Date): Promise<void> {
    const grant = await this.read();
    if (grant === undefined || grant.revokedAt !== null) return;
    await this.write({ ...grant, revokedAt: now, revocationReason: reason });
  }
}

export type Grants = DurableObjectNamespace<GrantObject>;

export function grantObject(grants: Grants, id: string): GrantObject {
  return grants.get(grants.idFromName(id));
}

/** Clients come from the configuration, grants from their objects. */
export function tokenStore(clients: readonly ClientWithSecrets[], grants: Grants): TokenStore {
  return {
    find: async (clientId, grantId) => ({
      client: clients.find(({ id }) => id === clientId),
      grant: grantId === undefined ? undefined : await grantObject(grants, grantId).read(),
    }),
    redeem: ({ id, dpopJkt }, now) => grantObject(grants, id).redeem(dpopJkt, now),
    advance: ({ id, dpopJkt }, generation, now) => grantObject(grants, id).advance(dpopJkt, generation, now),
    revoke: (grant, reason, now) => grantObject(grants, grant.id).revoke(reason, now),
  };
}
