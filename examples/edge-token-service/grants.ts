import { DurableObject, type DurableObjectNamespace, type DurableObjectState } from 'cloudflare:workers';
import type { ClientWithSecrets, Grant, GrantStore, Identity, RevocationReason } from 'latchkey';
import { createGrantsTable, sqlStore } from 'latchkey/sql';

/** Each grant has a database of its own, which answers only when what it wrote is on disk. */
export class GrantObject extends DurableObject {
  readonly #grants = sqlStore({
    query: async (statement, values) => this.ctx.storage.sql.exec(statement, ...values).toArray(),
    findClient: async () => undefined,
    parameter: '?1',
  });

  constructor(ctx: DurableObjectState, bindings: unknown) {
    super(ctx, bindings);
    ctx.storage.sql.exec(createGrantsTable);
  }

  async find(id: string): Promise<Grant | undefined> {
    return (await this.#grants.find('', id)).grant;
  }

  add(grant: Grant): Promise<void> {
    return this.#grants.add(grant);
  }

  redeem(grant: Grant, now: Date): Promise<boolean> {
    return this.#grants.redeem(grant, now);
  }

  advance(grant: Grant, generation: number, now: Date): Promise<boolean> {
    return this.#grants.advance(grant, generation, now);
  }

  revoke(grant: Grant, reason: RevocationReason, now: Date): Promise<void> {
    return this.#grants.revoke(grant, reason, now);
  }

  /** Says who signed in, and with which nonce, until the code is exchanged. */
  async identity(): Promise<Identity | undefined> {
    return this.ctx.storage.get<Identity>('identity');
  }

  async identify(identity: Identity): Promise<void> {
    await this.ctx.storage.put('identity', identity);
  }
}

export type Grants = DurableObjectNamespace<GrantObject>;

export function grantObject(grants: Grants, id: string): GrantObject {
  return grants.get(grants.idFromName(id));
}

/** Clients come from the configuration, grants from their objects. */
export function grantStore(clients: readonly ClientWithSecrets[], grants: Grants): GrantStore {
  return {
    find: async (clientId, grantId) => ({
      client: clients.find(({ id }) => id === clientId),
      grant: grantId === undefined ? undefined : await grantObject(grants, grantId).find(grantId),
    }),
    add: (grant) => grantObject(grants, grant.id).add(grant),
    redeem: (grant, now) => grantObject(grants, grant.id).redeem(grant, now),
    advance: (grant, generation, now) => grantObject(grants, grant.id).advance(grant, generation, now),
    revoke: (grant, reason, now) => grantObject(grants, grant.id).revoke(grant, reason, now),
  };
}
