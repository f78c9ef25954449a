import { asc, eq, inArray, sql } from 'drizzle-orm';
import type { JSONWebKeySet } from 'jose';
import { advisoryLocks, type Db } from '../io/database.ts';
import type { RootSecret } from '../io/root-secret.ts';
import { generateSigningKey, nodeSigner } from '../io/signing-key.ts';
import type { System } from '../io/system.ts';
import { type KeyLookup, keysOfJwks, type Signer } from './core/access-token.ts';
import { decideKeyStates } from './core/key-rotation.ts';
import { signingKeys } from './tables.ts';

/** The signing keys, held in memory; every instance reads the same rows. */
export interface Keyring {
  /** The key that signs now. */
  signer(): Signer;
  /** The public keys to publish: next, active and retiring (RFC 7517). */
  jwks(): JSONWebKeySet;
  lookUp(): KeyLookup;
  /** Reads the rows again, makes the next key when it is due, and removes those that are gone. */
  renew(): Promise<void>;
}

export interface KeyringDeps {
  readonly db: Db;
  readonly system: System;
  readonly rootSecret: RootSecret;
}

interface HeldKey {
  readonly id: string;
  readonly activeAt: Date;
  readonly publicJwk: Readonly<Record<string, string>>;
  readonly signer: Signer;
}

const sealPurpose = 'signing-key';

/**
 * Opens the keyring; the first instance on an empty database makes the first key.
 *
 * @throws when a stored key was encrypted under a secret that is not configured any more
 */
export async function openKeyring(deps: KeyringDeps): Promise<Keyring> {
  let held = await renewKeys(deps, { sealsAgain: false });
  let lookUp = keysOfJwks(toJwks(held));
  return {
    signer() {
      const { active } = decideKeyStates(held, deps.system.now());
      if (active === undefined) throw new Error('no signing key is active');
      return active.signer;
    },
    jwks: () => toJwks(decideKeyStates(held, deps.system.now()).published),
    lookUp: () => lookUp,
    async renew() {
      held = await renewKeys(deps, { sealsAgain: true });
      lookUp = keysOfJwks(toJwks(held));
    },
  };
}

function toJwks(keys: readonly HeldKey[]): JSONWebKeySet {
  return { keys: keys.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: 'ES256', use: 'sig' })) };
}

async function renewKeys(
  { db, system, rootSecret }: KeyringDeps,
  { sealsAgain }: { readonly sealsAgain: boolean },
): Promise<readonly HeldKey[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.signingKeys})`);
    const rows = await tx.select().from(signingKeys).orderBy(asc(signingKeys.activeAt));
    const { gone, wantedAt } = decideKeyStates(rows, system.now());
    const kept = rows.filter((row) => !gone.includes(row));
    if (gone.length > 0) {
      const goneIds = gone.map(({ id }) => id);
      await tx.delete(signingKeys).where(inArray(signingKeys.id, goneIds));
    }
    if (wantedAt !== undefined) {
      const { id, publicJwk, privateKey } = await generateSigningKey();
      const row = {
        id,
        publicJwk: { ...publicJwk },
        sealedPrivateKey: rootSecret.seal(sealPurpose, privateKey),
        activeAt: wantedAt,
      };
      await tx.insert(signingKeys).values(row);
      kept.push(row);
    }
    const held = kept.map((row) => hold(row, rootSecret));
    if (sealsAgain) await sealAgain(tx, kept, rootSecret);
    return held;
  });
}

/**
 * After a change of SECRET the keys move under the new one, so that the old one may go. Not at the start: while instances with the old
 * SECRET still run, the change can be taken back.
 */
async function sealAgain(
  tx: Pick<Db, 'update'>,
  rows: readonly (typeof signingKeys.$inferSelect)[],
  rootSecret: RootSecret,
): Promise<void> {
  for (const { id, sealedPrivateKey } of rows) {
    if (!rootSecret.isOutdated(sealPurpose, sealedPrivateKey)) continue;
    const privateKey = rootSecret.unseal(sealPurpose, sealedPrivateKey);
    if (privateKey === undefined) continue;
    const resealed = rootSecret.seal(sealPurpose, privateKey);
    await tx.update(signingKeys).set({ sealedPrivateKey: resealed }).where(eq(signingKeys.id, id));
  }
}

function hold(row: typeof signingKeys.$inferSelect, rootSecret: RootSecret): HeldKey {
  const privateKey = rootSecret.unseal(sealPurpose, row.sealedPrivateKey);
  if (privateKey === undefined) {
    throw new Error(
      'SECRET does not open the stored signing keys; put the former secret behind the new one, separated by a comma',
    );
  }
  return {
    id: row.id,
    activeAt: row.activeAt,
    publicJwk: row.publicJwk,
    signer: nodeSigner(row.id, privateKey),
  };
}
