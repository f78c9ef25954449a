import { asc, eq, inArray, sql } from 'drizzle-orm';
import { errors, type JSONWebKeySet } from 'jose';
import { type AuditContext, systemContext } from '../platform/audit/context.ts';
import { recordAuditEvent } from '../platform/audit/store.ts';
import { advisoryLocks, type Db } from '../platform/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Secrets } from '../platform/secrets.ts';
import { generateSigningKey, nodeSigner } from '../platform/signing-key.ts';
import { type KeyLookup, keysOfJwks, type Signer } from './core/access-token.ts';
import { activeKeyOf, decideKeyStates, keyMarginSeconds, newestFirst } from './core/key-rotation.ts';
import { signingKeys } from './tables.ts';

declare module '../platform/platform.ts' {
  interface Platform {
    readonly keys: Keyring;
  }
}

export interface Keyring {
  signer(): Signer;
  /** The set has next, active and retiring keys (RFC 7517). */
  jwks(): JSONWebKeySet;
  lookUp(): KeyLookup;
  renew(): Promise<void>;
}

type Opening = Pick<Platform, 'db' | 'runtime' | 'secrets'> & { readonly log?: AuditContext['log'] };

interface HeldKey {
  readonly id: string;
  readonly activeAt: Date;
  readonly publicJwk: Readonly<Record<string, string>>;
  readonly signer: Signer;
}

const purpose = 'signing-key';
/** Anybody can send a token whose key nobody has. */
const readAgainMs = 1000;

export async function openKeyring(app: Opening): Promise<Keyring> {
  let held = await renewKeys(app);
  let readAt = app.runtime.now();
  let reading: Promise<void> | undefined;

  /** Another instance's key may be newer than what this one has read (docs/operations.md). */
  function lookUpIn(keys: readonly HeldKey[]): KeyLookup {
    const find = keysOfJwks(toJwks(keys));
    return async (...token) => {
      try {
        return await find(...token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
        if (app.runtime.now().getTime() - readAt.getTime() >= readAgainMs) reading ??= renew();
        await reading;
        return keysOfJwks(toJwks(held))(...token);
      }
    };
  }

  async function renew(): Promise<void> {
    try {
      const known = held;
      readAt = app.runtime.now();
      held = await renewKeys(app);
      // Tokens verified before stay remembered while the keys stay.
      if (!held.every(({ id }, index) => id === known[index]?.id) || held.length !== known.length)
        lookUp = lookUpIn(held);
    } finally {
      reading = undefined;
    }
  }

  let lookUp = lookUpIn(held);
  return {
    signer() {
      const active = activeKeyOf(held, app.runtime.now());
      if (active === undefined) throw new Error('no signing key is active');
      return active.signer;
    },
    jwks: () => toJwks(decideKeyStates(held, app.runtime.now()).published),
    lookUp: () => lookUp,
    renew,
  };
}

function toJwks(keys: readonly HeldKey[]): JSONWebKeySet {
  return { keys: keys.map(({ id, publicJwk }) => ({ ...publicJwk, kid: id, alg: 'ES256', use: 'sig' })) };
}

async function renewKeys({ db, runtime, secrets, log }: Opening): Promise<readonly HeldKey[]> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.signingKeys})`);
    const rows = await tx.select().from(signingKeys).orderBy(asc(signingKeys.activeAt));
    const by = systemContext(runtime.now(), log);
    const { gone, wantedAt } = decideKeyStates(rows, by.at);
    const kept = rows.filter((row) => !gone.includes(row));
    if (gone.length > 0) {
      const goneIds = gone.map(({ id }) => id);
      await tx.delete(signingKeys).where(inArray(signingKeys.id, goneIds));
      for (const objectId of goneIds) await recordAuditEvent(tx, by, { action: 'key.deleted', objectId });
    }
    if (wantedAt !== undefined) kept.push(await addKey(tx, secrets, wantedAt, by));
    return newestFirst(kept.map((row) => hold(row, secrets)));
  });
}

async function addKey(tx: Db, secrets: Secrets, activeAt: Date, by: AuditContext) {
  const { id, publicJwk, privateKey } = await generateSigningKey();
  const encryptedPrivateKey = secrets.encrypt(purpose, privateKey);
  const row = { id, publicJwk: { ...publicJwk }, encryptedPrivateKey, activeAt };
  await tx.insert(signingKeys).values(row);
  await recordAuditEvent(tx, by, { action: 'key.created', objectId: id });
  return row;
}

export const noKeysWords = 'There are none yet; a start makes them.';

export async function listKeys({ db, runtime, secrets }: Opening) {
  const rows = await db.select().from(signingKeys).orderBy(asc(signingKeys.activeAt));
  const now = runtime.now();
  const { active, gone } = decideKeyStates(rows, now);
  return rows.map((row) => ({
    id: row.id,
    state: row === active ? 'active' : gone.includes(row) ? 'gone' : row.activeAt > now ? 'next' : 'retiring',
    activeAt: row.activeAt,
    isReadable: secrets.decrypt(purpose, row.encryptedPrivateKey) !== undefined,
  }));
}

/** Former keys stay published until their last tokens have expired. */
export async function rotateKeys({ db, runtime, secrets, log }: Opening, isNow: boolean) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.signingKeys})`);
    const by = systemContext(runtime.now(), log);
    const rows = await tx.select().from(signingKeys);
    if (isNow || rows.length === 0) return addKey(tx, secrets, by.at, by);
    const next = rows.find(({ activeAt }) => activeAt > by.at);
    return next ?? addKey(tx, secrets, new Date(by.at.getTime() + keyMarginSeconds * 1000), by);
  });
}

/**
 * Deletes one key, or all. What it signed is void when an instance reads the keys again, within a
 * minute; a key is made where none is left.
 */
export async function deleteKeys({ db, runtime, log }: Omit<Opening, 'secrets'>, id: string | undefined) {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.signingKeys})`);
    const which = id === undefined ? undefined : eq(signingKeys.id, id);
    const deleted = await tx.delete(signingKeys).where(which).returning({ id: signingKeys.id });
    const by = systemContext(runtime.now(), log);
    for (const key of deleted) await recordAuditEvent(tx, by, { action: 'key.deleted', objectId: key.id });
    return deleted.length;
  });
}

function hold(row: typeof signingKeys.$inferSelect, secrets: Secrets): HeldKey {
  const privateKey = secrets.decrypt(purpose, row.encryptedPrivateKey);
  if (privateKey === undefined) {
    throw new Error(
      "SECRET can't decrypt the stored signing keys. Add the previous secret after the new one, separated by a comma.",
    );
  }
  return {
    id: row.id,
    activeAt: row.activeAt,
    publicJwk: row.publicJwk,
    signer: nodeSigner(row.id, privateKey),
  };
}
